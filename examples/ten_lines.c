/* SPDX-License-Identifier: MIT */
/*
 * What an engine gains by this table that its own has not, each in some ten lines: a function for each, which returns
 * whether it saw what it should.
 *
 *     cc -O2 ten_lines.c $(pkg-config --cflags --libs tabia) -pthread -o ten_lines && ./ten_lines
 *
 * new_table() and the positions stand for the engine; copy what is between the braces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pthread.h>
#include <tabia/entry.h>
#include <tabia/record.h>

enum { POSITIONS = 1000 };

/* ---- the engine ---- */

static uint64_t random_word(uint64_t n) {
    uint64_t z = n * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Two Zobrist words of position number n. */
static TabiaKey key_of(uint64_t n) {
    return (TabiaKey){random_word(2 * n + 1), random_word(2 * n + 2)};
}

static TabiaEntry entry_of(uint64_t n) {
    return (TabiaEntry){.move = (uint16_t)n | 1, .score = (int16_t)n, .draft = 9, .bound = TABIA_BOUND_LOWER};
}

static TabiaTable *new_table(TabiaOptions options) {
    TabiaTable *table;
    TabiaError error;
    if (tabia_table_create(&table, &options, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return table;
}

static void search(TabiaTable *table) {
    for (uint64_t n = 0; n < POSITIONS; n++) tabia_entry_store(table, key_of(n), 0, entry_of(n));
}

static unsigned known(const TabiaTable *table) {
    unsigned found = 0;
    for (uint64_t n = 0; n < POSITIONS; n++) found += tabia_entry_probe(table, key_of(n), 0).score_ok;
    return found;
}

/* ---- ten lines each ---- */

/* Two processes analyse on one table: the second finds it by its name, and what one stores the other knows. */
static bool two_processes(void) {
    char name[64];
    snprintf(name, sizeof name, "ten-lines-%d", (int)getpid());
    TabiaTable *table = new_table((TabiaOptions){.bytes = 4 << 20, .name = name});
    const pid_t other = fork();
    if (other == 0) {
        TabiaTable *same = new_table((TabiaOptions){.bytes = 4 << 20, .name = name});
        search(same);
        tabia_table_destroy(same);
        _exit(0);
    }
    waitpid(other, NULL, 0);
    const unsigned found = known(table);
    tabia_table_destroy(table);
    printf("two processes: %u positions of the other's search\n", found);
    return found == POSITIONS;
}

/* An analysis is saved, and resumed another day with a table of another size. */
static bool save_and_resume(void) {
    char file[64];
    TabiaError error;
    snprintf(file, sizeof file, "/tmp/ten-lines-%d.table", (int)getpid());
    TabiaTable *table = new_table((TabiaOptions){.bytes = 4 << 20, .identity = 42});
    search(table);
    if (tabia_table_save(table, file, NULL, &error)) printf("%s\n", error.text);
    tabia_table_destroy(table);
    table = new_table((TabiaOptions){.bytes = 6 << 20, .identity = 42});
    if (tabia_table_load(table, file, NULL, &error)) printf("%s\n", error.text);
    const unsigned found = known(table);
    tabia_table_destroy(table);
    unlink(file);
    printf("saved and resumed: %u positions\n", found);
    return found == POSITIONS;
}

/* Near the 50-move limit a score is valid for some clocks only: the position's move is found for all. */
static bool path_keys(void) {
    TabiaTable *table = new_table((TabiaOptions){.bytes = 1 << 20});
    const uint64_t clock_30 = 0, clock_90 = 0x9e37; /* 0 while the clock is low, then a constant for each range */
    tabia_entry_store(table, key_of(1), clock_30, entry_of(1));
    const TabiaHit same = tabia_entry_probe(table, key_of(1), clock_30);
    const TabiaHit late = tabia_entry_probe(table, key_of(1), clock_90);
    tabia_table_destroy(table);
    printf("path keys: score usable %d and %d, move usable %d and %d\n", same.score_ok, late.score_ok, same.move_ok,
           late.move_ok);
    return same.score_ok && !late.score_ok && late.move_ok;
}

/* How often does the engine's own table answer for another position? A record of another 64 bits of each position beside
   it, with as few bits of signature as the engine's entries have, answers wrongly as often. */
static bool audit_of_false_hits(void) {
    enum { SIGNATURE = 16, PROBES = 200000 };
    TabiaTable *audit = new_table(
        (TabiaOptions){.bytes = 1 << 20, .type = TABIA_RECORDS, .record_words = 1, .signature_bits = SIGNATURE});
    unsigned hits = 0, false_hits = 0;
    for (uint64_t n = 0; n < PROBES; n++) {
        const uint64_t another_hash = random_word(~n);
        uint64_t found;
        if (tabia_record_probe(audit, key_of(n), &found)) hits++, false_hits += found != another_hash;
        tabia_record_store(audit, key_of(n), &another_hash);
    }
    tabia_table_destroy(audit);
    printf("audit: with %d bits %u false hits in %d probes\n", SIGNATURE, false_hits, PROBES);
    return false_hits == hits && hits > 0 && hits < 40;
}

/* What happened in the table, as JSON: the list of counters is one of the headers'. */
static bool counters_as_json(void) {
    TabiaTable *table = new_table((TabiaOptions){.bytes = 1 << 20, .counters = true});
    TabiaCounters counted;
    search(table);
    const unsigned found = known(table);
    tabia_table_counters(table, &counted);
    const char *separator = "{";
#define PRINT(name, text)                                                                                              \
    printf("%s\"" #name "\": %llu", separator, (unsigned long long)counted.name), separator = ", ";
    TABIA_COUNTERS(PRINT)
#undef PRINT
    printf("}\n");
    tabia_table_destroy(table);
    return counted.hits == found && counted.stores == POSITIONS;
}

/* Five positions that share one bucket of four slots. The remainder of a score by five says whose it is. */
static TabiaKey crowded_key(uint64_t n) {
    return (TabiaKey){0, (n % 5 + 1) << 50};
}

static void *write_much(void *table) {
    for (uint64_t n = 0; n < 300000; n++)
        tabia_entry_store(table, crowded_key(n), 0, (TabiaEntry){.move = 1, .score = (int16_t)(n % 30000)});
    return NULL;
}

/* At the start of an engine: do torn entries get through on this machine? None does, however many are met. */
static bool self_test(void) {
    TabiaTable *table = new_table((TabiaOptions){.bytes = 64});
    pthread_t writer[2];
    unsigned hits = 0, torn = 0;
    for (int i = 0; i < 2; i++) pthread_create(&writer[i], NULL, write_much, table);
    for (uint64_t n = 0; hits < 300000; n++) {
        const TabiaHit hit = tabia_entry_probe(table, crowded_key(n), 0);
        if (hit.move_ok) hits++, torn += (uint64_t)hit.entry.score % 5 != n % 5;
    }
    for (int i = 0; i < 2; i++) pthread_join(writer[i], NULL);
    tabia_table_destroy(table);
    printf("self test: %u hits beside two writers, %u torn\n", hits, torn);
    return torn == 0;
}

int main(void) {
    bool (*const shown[])(void) = {two_processes,       save_and_resume,  path_keys,
                                   audit_of_false_hits, counters_as_json, self_test};
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) failed += !shown[i]();
    printf("%u of 6 did not see what they should\n", failed);
    return failed != 0;
}
