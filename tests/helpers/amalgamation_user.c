/* SPDX-License-Identifier: MIT */
/*
 * A program that is compiled with tabia.h and tabia.c, as C11 and as C++17, by any flags: it prints what it
 * found, the same in all of them, and with an argument saves its table there and loads it again.
 */
#include "tabia.h"

#include <stdio.h>
#include <string.h>

/* names that the library has inside, too */
#define LIKELY(x) (x)
#define INLINE static
typedef double Word;
INLINE Word lsb(Word x) {
    return x / 2;
}

static uint64_t random_word(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15ull;
    const uint64_t z = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9ull;
    return z ^ z >> 27;
}

static TabiaEntry entry_of(uint64_t word) {
    TabiaEntry e = {0, 0, 0, 0, 0, 0};
    e.score = (int16_t)word, e.evaluation = (int16_t)(word >> 16);
    e.draft = (uint8_t)(word >> 32) % 40, e.bound = (uint8_t)(word >> 40) & 3, e.move = (uint16_t)(word >> 48);
    return e;
}

/* With bits of the table's own layout: those it has no room for it leaves out. */
static TabiaEntry entry_with_more(uint64_t word) {
    TabiaEntry e = entry_of(word);
    e.user = (uint16_t)(word >> 20) & 1, e.move |= (uint32_t)(word >> 10 & 0x7ff) << 16;
    return e;
}

static uint64_t entries(TabiaTable *table) {
    uint64_t sum = 0, state = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t number = random_word(&state) % 20000;
        const TabiaKey key = {random_word(&number), random_word(&number)};
        tabia_table_prefetch(table, key);
        const TabiaHit hit = tabia_entry_probe(table, key, number & 3);
        sum = sum * 31 + (uint64_t)hit.entry.score + hit.entry.move + hit.entry.user + hit.move_ok + 2u * hit.score_ok;
        tabia_entry_store(table, key, number & 3, entry_with_more(random_word(&state)));
        if (i % 5000 == 0) tabia_table_new_generation(table);
        if (LIKELY(i == 60000)) tabia_table_clear(table);
    }
    return sum;
}

static uint64_t counts(TabiaTable *table) {
    uint64_t sum = (uint64_t)lsb(4), state = 2;
    for (int i = 0; i < 50000; i++) {
        uint64_t number = random_word(&state) % 20000;
        const TabiaKey key = {random_word(&number), random_word(&number)};
        sum = sum * 31 + tabia_counts_probe(table, key, 3);
        tabia_counts_store(table, key, 3, 1 + (number & 0xffff));
    }
    return sum;
}

/* By the error's text, which is printed, or 0. */
static int files(TabiaTable *table, const char *path, TabiaError *error) {
    const int code = tabia_table_save(table, path, NULL, error);
    return code ? code : tabia_table_load(table, path, NULL, error);
}

int main(int argc, char **argv) {
    enum { STANDARD, OWN_LAYOUT, BESIDE, REFRESH, BESIDE_REFRESH, COUNTS, TABLES };
    TabiaTable *table[TABLES];
    TabiaError error;
    TabiaOptions options;
    memset(&options, 0, sizeof options);
    options.bytes = 1 << 18, options.threads = 2;
    for (int i = 0; i < TABLES; i++) {
        options.type = i == COUNTS ? TABIA_COUNTS : TABIA_ENTRIES;
        options.move_bits = i == OWN_LAYOUT ? 27 : i == BESIDE ? 20 : 0;
        options.user_bits = i == OWN_LAYOUT || i == BESIDE_REFRESH ? 1 : 0;
        options.refresh_on_hit = i == REFRESH || i == BESIDE_REFRESH;
        if (tabia_table_create(&table[i], &options, &error)) return printf("%s\n", error.text), 1;
    }
    printf("%s", tabia_version());
    for (int i = 0; i < COUNTS; i++) printf(" %016llx", (unsigned long long)entries(table[i]));
    printf(" %016llx\n", (unsigned long long)counts(table[COUNTS]));
    if (argc > 1 && files(table[0], argv[1], &error)) return printf("%s\n", error.text), 1;
    for (int i = 0; i < TABLES; i++) tabia_table_destroy(table[i]);
    return 0;
}
