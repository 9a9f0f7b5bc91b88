/* SPDX-License-Identifier: MIT */
/* Whole lines by vectors against the same slot by slot: what is found, what is overwritten by which rule, and what it is
   called. */
#include "table_tools.h"

#include <stdio.h>
#include <string.h>

#include "table/counts_inline.h"
#include "table/entry_standard.h"
#include "table/options.h"
#include "table/record_inline.h"

#ifdef BUCKET_SCALAR
int main(void) {
    puts("skipped: this build has no lines by vectors");
    return 77;
}
#else

enum { WAYS = 4, CASES = 1000000 };
static const Integrity modes_of_four[] = {TABIA_XOR, TABIA_WIDE, TABIA_NONE};
enum { MODES = sizeof modes_of_four / sizeof *modes_of_four };

typedef struct {
    _Alignas(CACHE_LINE_BYTES) Word word[CACHE_LINE_WORDS];
} Line;

static bool chance(uint64_t *seed, unsigned one_in) {
    return random_below(seed, one_in) == 0;
}

/* Two lines with the same four slots; nobody has its identity twice, or which of the two is taken would be open. */
static void fill(Line line[2], const uint64_t identity[WAYS], const uint64_t data[WAYS], Integrity how) {
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < WAYS; i++) slot_store(line[k].word + 2 * i, identity[i], data[i], how);
}

/* What can become of a store, and each of it must have been seen. */
static const unsigned stored_events =
    1u << COUNTED_filled | 1u << COUNTED_updated | 1u << COUNTED_replaced_old | 1u << COUNTED_replaced_less;

/* Entries of this generation and those before it, shallow more often than not, so that priorities are often equal. */
static uint64_t entry_data(uint64_t *seed, uint64_t generation) {
    if (chance(seed, 8)) return 0;
    TabiaEntry e = entry_unpack(random_next(seed));
    if (!chance(seed, 4)) e.draft %= 8;
    if (chance(seed, 4)) e.move = 0;
    return entry_pack(e, generation_field(generation - random_below(seed, chance(seed, 4) ? 63 : 4)));
}

static void entries_are_stored_alike(void **state) {
    (void)state;
    const unsigned path_bits[] = {0, 1, 16, 32}, weights[] = {0, 1, 8, 254};
    uint64_t seed = 21;
    unsigned events = 0;
    TabiaTable *t = new_table((TabiaOptions){.bytes = CACHE_LINE_BYTES});
    for (unsigned m = 0; m < MODES; m++)
        for (unsigned c = 0; c < CASES; c++) {
            const Integrity how = modes_of_four[m];
            const uint64_t generation = 64 + random_below(&seed, 1000);
            Line line[2];
            uint64_t identity[WAYS], data[WAYS];
            t->path_bits = path_bits[random_below(&seed, 4)];
            t->path_mask = ((uint64_t)1 << t->path_bits) - 1;
            t->options.user_bits = (unsigned)random_below(&seed, 9);
            t->beside_mask = (((uint64_t)1 << (t->options.user_bits + random_below(&seed, 9))) - 1) << t->path_bits;
            t->age_weight = weights[random_below(&seed, 4)];
            t->exact_bonus = weights[random_below(&seed, 4)];
            t->keep_margin = weights[random_below(&seed, 4)];
            t->own_generations.generation = generation_word(generation);
            for (unsigned i = 0; i < WAYS; i++) {
                data[i] = entry_data(&seed, generation);
                identity[i] = data[i] ? random_next(&seed) | (uint64_t)1 << 63 : 0;
            }
            uint64_t own = random_next(&seed) | (uint64_t)1 << 63;
            if (chance(&seed, 2))
                own = identity[random_below(&seed, WAYS)] ^
                      (chance(&seed, 2) ? (t->path_mask | t->beside_mask) & random_next(&seed) : 0);
            if (!own) own = 1;
            fill(line, identity, data, how);
            const TabiaEntry e = entry_unpack(entry_data(&seed, generation));
            const EntryMode mode = {how, WAYS, replacement_rules[random_below(&seed, REPLACEMENT_RULES)],
                                    chance(&seed, 2)};
            const CounterEvent event = entry_store_scalar(t, (SlotRef){line[0].word, own}, e, mode);
            assert_int_equal(entry_store_simd(t, (SlotRef){line[1].word, own}, e, mode), event);
            events |= 1u << event;
            assert_memory_equal(&line[0], &line[1], sizeof *line);
        }
    assert_int_equal(events, stored_events | 1u << COUNTED_refused | 1u << COUNTED_kept);
    tabia_table_destroy(t);
}

/* The identities of a line, and that of a position: one of them, with another path, with a bit changed, or none. */
static uint64_t standard_identities(const TabiaTable *t, uint64_t *seed, uint64_t identity[WAYS],
                                    const uint64_t data[WAYS]) {
    for (unsigned i = 0; i < WAYS; i++) identity[i] = data[i] ? random_next(seed) | (uint64_t)1 << 63 : 0;
    const uint64_t one = identity[random_below(seed, WAYS)];
    if (!one || chance(seed, 3)) return random_next(seed) | (uint64_t)1 << 63;
    if (chance(seed, 3)) return one ^ (random_next(seed) & t->path_mask);
    return one ^ (uint64_t)chance(seed, 2) << random_below(seed, 63);
}

static TabiaTable *standard_table(unsigned i) {
    static const unsigned path_bits[] = {TABIA_NO_PATH_BITS, 1, 16}, weights[] = {1, 8, 12},
                          bonuses[] = {TABIA_NO_EXACT_BONUS, 0, 11}, margins[] = {1, 4, TABIA_KEEP_NEVER};
    TabiaTable *t = new_table((TabiaOptions){.bytes = CACHE_LINE_BYTES,
                                             .path_bits = path_bits[i % 3],
                                             .age_weight = weights[i / 3 % 3],
                                             .exact_bonus = bonuses[i / 9 % 3],
                                             .keep_margin = margins[i / 27]});
    t->route = t->store_route = ROUTE_STANDARD; /* which a library without vectors does not give */
    return t;
}
enum { STANDARD_TABLES = 81 };

static const EntryMode all_tables = {TABIA_XOR, WAYS, TABIA_REPLACE_ALWAYS, true};

/* The same position in two equal lines. 1 where the text leaves the answer to the other one. */
static unsigned probe_alike(TabiaTable *t, Line line[2], uint64_t identity) {
    const TabiaHit expected = entry_probe_inline(t, (SlotRef){line[1].word, identity}, all_tables);
    TabiaHit hit;
    if (!standard_probe(t, (SlotRef){line[0].word, identity}, &hit)) return 1;
    assert_memory_equal(&hit, &expected, sizeof hit);
    return 0;
}

/* The text of the route standard does what the text for all tables does. */
static void standard_calls_are_alike(void **state) {
    (void)state;
    uint64_t seed = 25;
    unsigned left_to_all = 0;
    for (unsigned i = 0; i < STANDARD_TABLES; i++) {
        TabiaTable *t = standard_table(i);
        for (unsigned c = 0; c < CASES / STANDARD_TABLES * 2; c++) {
            const uint64_t generation = 64 + random_below(&seed, 1000);
            Line line[2];
            uint64_t identity[WAYS], data[WAYS];
            t->own_generations.generation = generation_word(generation);
            for (unsigned k = 0; k < WAYS; k++) data[k] = entry_data(&seed, generation);
            const SlotRef at = {line[0].word, standard_identities(t, &seed, identity, data)};
            fill(line, identity, data, TABIA_XOR);
            left_to_all += probe_alike(t, line, at.identity);
            const TabiaEntry e = entry_unpack(entry_data(&seed, generation));
            entry_store_scalar(t, (SlotRef){line[1].word, at.identity}, e, all_tables);
            standard_store(t, at, entry_argument(e));
            assert_memory_equal(&line[0], &line[1], sizeof *line);
        }
        tabia_table_destroy(t);
    }
    assert_true(left_to_all > 100);
}

static uint64_t count_data(uint64_t *seed) {
    const uint64_t count = random_next(seed) >> random_below(seed, 64);
    return chance(seed, 8) ? 0 : chance(seed, 4) ? count % 32 : count;
}

static uint64_t tagged(uint64_t *seed, uint64_t tag) {
    return ((random_next(seed) | (uint64_t)1 << 63) & ~(uint64_t)EPOCH_TAG_MASK) | tag;
}

static void counts_are_stored_alike(void **state) {
    (void)state;
    uint64_t seed = 22;
    unsigned events = 0;
    TabiaTable *t = new_table((TabiaOptions){.bytes = CACHE_LINE_BYTES, .type = TABIA_COUNTS});
    for (unsigned m = 0; m < MODES; m++)
        for (unsigned c = 0; c < CASES; c++) {
            const Integrity how = modes_of_four[m];
            Line line[2];
            uint64_t identity[WAYS], data[WAYS];
            const uint64_t tag = random_below(&seed, EPOCH_TAG_MASK + 1);
            for (unsigned i = 0; i < WAYS; i++) {
                data[i] = count_data(&seed);
                const uint64_t its_tag = chance(&seed, 4) ? random_below(&seed, EPOCH_TAG_MASK + 1) : tag;
                identity[i] = data[i] ? tagged(&seed, its_tag) : 0;
            }
            uint64_t own = tagged(&seed, tag);
            const unsigned at = random_below(&seed, WAYS);
            if (chance(&seed, 2) && identity[at]) own = identity[at];
            fill(line, identity, data, how);
            const uint64_t count = count_data(&seed) | 1;
            const Replacement rule = replacement_rules[random_below(&seed, REPLACEMENT_RULES)];
            const CounterEvent event = counts_store_scalar(t, (SlotRef){line[0].word, own}, count, how, WAYS, rule);
            assert_int_equal(counts_store_simd((SlotRef){line[1].word, own}, count, how, rule), event);
            events |= 1u << event;
            assert_memory_equal(&line[0], &line[1], sizeof *line);
        }
    assert_int_equal(events, stored_events);
    tabia_table_destroy(t);
}

static void found_alike(void **state) {
    (void)state;
    uint64_t seed = 23;
    for (unsigned m = 0; m < MODES; m++)
        for (unsigned c = 0; c < CASES; c++) {
            Line line[2];
            uint64_t identity[WAYS], data[WAYS];
            for (unsigned i = 0; i < WAYS; i++) identity[i] = random_next(&seed), data[i] = random_next(&seed);
            fill(line, identity, data, modes_of_four[m]);
            const uint64_t compared = ~(uint64_t)0 << random_below(&seed, 33);
            const uint64_t asked =
                chance(&seed, 4) ? random_next(&seed) : identity[random_below(&seed, WAYS)] ^ (c & 1);
            const SlotPair a = bucket_find_scalar(line[0].word, asked, compared, modes_of_four[m], WAYS);
            const SlotPair b = bucket_find(line[1].word, asked, compared, modes_of_four[m], WAYS);
            assert_true(a.check == b.check && a.data == b.data);
        }
}

#ifdef BUCKET_AVX512
/* Either slot is asked for, or an identity that differs in one bit. On a miss nothing is written. */
static void records_are_found_alike(void **state) {
    (void)state;
    uint64_t seed = 24;
    TabiaTable *t = new_table((TabiaOptions){.bytes = CACHE_LINE_BYTES, .type = TABIA_RECORDS});
    for (unsigned n = 2; n <= 3; n++)
        for (unsigned m = 0; m < MODES; m++)
            for (unsigned c = 0; c < CASES; c++) {
                Line line;
                uint64_t stored[2][3], words[2][4];
                const uint64_t identity[2] = {random_next(&seed), random_next(&seed)};
                for (unsigned i = 0; i < CACHE_LINE_WORDS; i++) line.word[i] = random_next(&seed);
                for (unsigned i = 0; i < 2; i++) {
                    for (unsigned w = 0; w < n; w++) stored[i][w] = chance(&seed, 4) ? 0 : random_next(&seed);
                    slot_store_words(line.word + i * (n + 1), identity[i], stored[i], n, modes_of_four[m]);
                }
                for (unsigned w = 0; w < 4; w++) words[0][w] = words[1][w] = random_next(&seed);
                const uint64_t asked = chance(&seed, 3) ? identity[0] ^ (uint64_t)1 << random_below(&seed, 64)
                                                        : identity[random_below(&seed, 2)];
                const SlotRef p = {line.word, asked};
                const bool there = record_probe_scalar(t, p, words[0], n, modes_of_four[m]);
                assert_int_equal(record_probe_simd(p, words[1], n, modes_of_four[m]), there);
                assert_memory_equal(words[0], words[1], sizeof words[0]);
            }
    tabia_table_destroy(t);
}
#endif

int main(void) {
    if (!__builtin_cpu_supports("avx2")) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_stored_alike), cmocka_unit_test(standard_calls_are_alike),
        cmocka_unit_test(counts_are_stored_alike),  cmocka_unit_test(found_alike),
#ifdef BUCKET_AVX512
        cmocka_unit_test(records_are_found_alike),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
