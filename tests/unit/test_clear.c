/* SPDX-License-Identifier: MIT */
/*
 * A cleared or wiped table does what a new one does, to the last bit: what it answers, what it replaces, what it counts. What
 * was there before the clear differs by its age: numbers of generations from 0 to 255 lie between it and the clear.
 */
#include "file_tools.h"

#include "table/table_internal.h"

enum { BYTES = 3 * 4096 + 512, FILLING = 1500, ROUNDS = 68, ROUND_CALLS = 24, KEYS = 1000, GENERATIONS_MAX = 255 };

/* Of the numbers of generations and of clears: all, or the first ones and those beside each sixteenth. */
static bool is_tried(unsigned number) {
    return whole_tests() || number < 8 || (number + 2) % 16 < 4;
}

/* ---- a run: its answers, as a sum ---- */

static uint64_t mix(uint64_t sum, uint64_t word) {
    uint64_t state = sum ^ word;
    return random_next(&state);
}

/* What a probe of key number i answers. Of a generation only the age has a meaning. */
static uint64_t answer_of(const TabiaTable *t, Kind k, uint64_t i) {
    uint64_t words[TABIA_RECORD_WORDS_MAX] = {0}, sum = 0;
    if (k.options.type == TABIA_ENTRIES) {
        TabiaHit hit = tabia_entry_probe(t, key_at(i), i * 7);
        const unsigned age = tabia_entry_age(t, hit);
        hit.generation = 0;
        memcpy(words, &hit, sizeof hit);
        words[3] = age;
    } else if (k.options.type == TABIA_COUNTS)
        words[0] = tabia_counts_probe(t, key_at(i), 5);
    else
        words[7 - 1] += tabia_record_probe(t, key_at(i), words);
    for (unsigned w = 0; w < TABIA_RECORD_WORDS_MAX; w++) sum = mix(sum, words[w]);
    return sum;
}

static uint64_t counters_of(const TabiaTable *t, uint64_t count[10]) {
    TabiaCounters c;
    tabia_table_counters(t, &c);
    memcpy(count, &c, sizeof c);
    _Static_assert(sizeof c == 10 * sizeof *count, "ten counters");
    return sizeof c / sizeof *count;
}

/* Of so many rounds, each in a generation of its own. */
static uint64_t run_of(TabiaTable *t, Kind k, unsigned rounds) {
    uint64_t sum = 0, seed = 99, before[10], after[10];
    counters_of(t, before);
    for (unsigned r = 0; r < rounds; r++) {
        for (unsigned c = 0; c < ROUND_CALLS; c++) {
            const uint64_t i = random_below(&seed, KEYS), stored = random_below(&seed, KEYS);
            sum = mix(sum, answer_of(t, k, i));
            store_at(t, k.options.type, k.words, stored);
        }
        sum = mix(sum, tabia_table_hashfull(t));
        tabia_table_new_generation(t);
    }
    const uint64_t n = counters_of(t, after);
    for (uint64_t i = 0; i < n; i++) sum = mix(sum, after[i] - before[i]);
    return sum;
}

/* Full of other positions, all of them deep, since when so many generations have begun. */
static void fill(TabiaTable *t, Kind k, unsigned generations) {
    const uint64_t words[TABIA_RECORD_WORDS_MAX] = {1, 2, 3, 4, 5, 6, 7};
    for (uint64_t i = 0; i < FILLING; i++) {
        const TabiaKey key = key_at(KEYS + i);
        const TabiaEntry deep = {.move = 1, .draft = 255, .bound = TABIA_BOUND_EXACT};
        if (k.options.type == TABIA_ENTRIES) tabia_entry_store(t, key, 0, deep);
        if (k.options.type == TABIA_COUNTS) tabia_counts_store(t, key, 5, (uint64_t)1 << 40);
        if (k.options.type == TABIA_RECORDS) tabia_record_store(t, key, words);
    }
    for (unsigned g = 0; g < generations; g++) tabia_table_new_generation(t);
}

/* Strict generations by turns, too. */
static Kind kind_of(unsigned i) {
    Kind k = kind_at(i % KINDS);
    k.options.strict_generations = i >= KINDS;
    k.options.bytes = BYTES;
    return k;
}

/* ---- what may lie between the filling and the run ---- */

typedef enum { CLEARED, WIPED, CLEARED_AND_LOADED, CLEARED_AND_RESIZED, RESIZED_AND_CLEARED, WAYS_N } Way;
static const char *const way_names[] = {"clear", "wipe", "clear and load", "clear and resize", "resize and clear"};

static void resize(TabiaTable *t) {
    bool kept = false;
    assert_int_equal(tabia_table_resize(t, 2 * BYTES, &kept, NULL), 0);
    assert_true(kept);
}

static void take_way(TabiaTable *t, Way way) {
    if (way == WIPED) return tabia_table_wipe(t);
    if (way == RESIZED_AND_CLEARED) resize(t);
    tabia_table_clear(t);
    if (way == CLEARED_AND_LOADED) load(t, "a");
    if (way == CLEARED_AND_RESIZED) resize(t);
}

/* What a new table answers that goes the same way. */
static uint64_t as_new(Kind k, Way way, unsigned rounds) {
    TabiaTable *t = new_table(k.options);
    if (way == CLEARED_AND_LOADED) load(t, "a");
    if (way == CLEARED_AND_RESIZED || way == RESIZED_AND_CLEARED) resize(t);
    const uint64_t sum = run_of(t, k, rounds);
    tabia_table_destroy(t);
    return sum;
}

static void save_some(Kind k) {
    TabiaTable *t = new_table(k.options);
    for (uint64_t i = 0; i < 300; i++) store_at(t, k.options.type, k.words, i);
    save(t, "a");
    tabia_table_destroy(t);
}

/* How many of the 256 numbers of generations make a difference. */
static unsigned differences(Kind k, Way way) {
    const uint64_t fresh = as_new(k, way, ROUNDS);
    unsigned n = 0;
    TabiaTable *t = new_table(k.options);
    for (unsigned generations = 0; generations <= GENERATIONS_MAX; generations++) {
        if (!is_tried(generations)) continue;
        fill(t, k, generations);
        take_way(t, way);
        n += run_of(t, k, ROUNDS) != fresh;
        if (way < CLEARED_AND_RESIZED) continue;
        tabia_table_destroy(t);
        t = new_table(k.options);
    }
    tabia_table_destroy(t);
    return n;
}

static void expect_none(unsigned differing, const Kind *k, const char *what) {
    if (differing)
        print_message("%s, type %u, %u words, %s: %u runs differ from those in a new table\n", what, k->options.type,
                      k->words, k->options.strict_generations ? "strict" : "all", differing);
}

static void a_cleared_table_is_as_a_new_one(void **state) {
    unsigned all = 0;
    for (unsigned i = 0; i < 2 * KINDS; i++) {
        const Kind k = kind_of(i);
        const unsigned n = differences(k, CLEARED);
        expect_none(n, &k, way_names[CLEARED]);
        all += n;
    }
    assert_int_equal(all, 0);
}

/* Before the first clear no segment is stale, so its mark, a cache miss, is not read: here that would be a fault. */
static void a_table_never_cleared_reads_no_marks(void **state) {
    for (unsigned i = 0; i < 2 * KINDS; i++) {
        const Kind k = kind_of(i);
        const uint64_t fresh = as_new(k, CLEARED, ROUNDS);
        TabiaTable *t = new_table(k.options);
        free(t->segment);
        t->segment = NULL;
        assert_true(run_of(t, k, ROUNDS) == fresh);
        tabia_table_destroy(t);
    }
}

/* Each record type, with another mode, in all ways; wiped with strict generations too. */
static void so_after_wipe_load_and_resize(void **state) {
    unsigned all = 0;
    for (Way way = WIPED; way < WAYS_N; way++)
        for (unsigned i = 0; i < (way == WIPED ? 2 * KINDS : 12); i += 4) {
            const Kind k = kind_of(i);
            save_some(k);
            const unsigned n = differences(k, way);
            expect_none(n, &k, way_names[way]);
            all += n;
        }
    unlink(in_folder("a"));
    assert_int_equal(all, 0);
}

/* Filled and cleared by one, used by another who has joined it. */
static void so_in_a_named_table(void **state) {
    unsigned all = 0;
    char name[64];
    snprintf(name, sizeof name, "test-clear-%d", (int)getpid());
    for (unsigned i = 0; i < 12; i += 4) {
        Kind k = kind_of(i);
        const uint64_t fresh = as_new(k, CLEARED, ROUNDS);
        k.options.name = name;
        TabiaTable *one = new_table(k.options), *other = new_table(k.options);
        unsigned n = 0;
        for (unsigned generations = 0; generations <= GENERATIONS_MAX; generations++) {
            if (!is_tried(generations)) continue;
            fill(one, k, generations);
            tabia_table_clear(one);
            n += run_of(other, k, ROUNDS) != fresh;
        }
        expect_none(n, &k, "named");
        all += n;
        tabia_table_destroy(one);
        tabia_table_destroy(other);
    }
    assert_int_equal(all, 0);
}

/* However many clears follow each other: none of the numbers that count them can come round to one that is in use. */
static void so_after_any_number_of_clears(void **state) {
    unsigned all = 0;
    for (unsigned i = 0; i < 12; i++) {
        const Kind k = kind_of(i);
        const uint64_t fresh = as_new(k, CLEARED, 2);
        TabiaTable *t = new_table(k.options);
        unsigned n = 0;
        for (unsigned clears = 1; clears <= 520; clears++) {
            if (!is_tried(clears)) continue;
            fill(t, k, 0);
            for (unsigned c = 0; c < clears; c++) tabia_table_clear(t);
            n += run_of(t, k, 2) != fresh;
        }
        expect_none(n, &k, "many clears");
        all += n;
        tabia_table_destroy(t);
    }
    assert_int_equal(all, 0);
}

#define RUN(tests) cmocka_run_group_tests(tests, make_folder, remove_folder)
#include "test_clear_list.h"
