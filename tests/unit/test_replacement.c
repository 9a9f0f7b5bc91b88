/* SPDX-License-Identifier: MIT */
/* The replacement rules: which slot of a full bucket gives way, whether it does, and where a rule can be had. */
#include "table_tools.h"

#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"
#include "table/options.h"

enum { SLOTS = 4, NONE = SLOTS, DEPTH = 3 };

static const TabiaReplacement *const rules = replacement_rules;
enum { RULES = REPLACEMENT_RULES };

static TabiaKey key_number(unsigned n) {
    return (TabiaKey){0, (uint64_t)(n + 1) << 40};
}

/* A table of one bucket. */
static TabiaTable *new_bucket(TabiaRecordType type, TabiaReplacement rule) {
    return new_table((TabiaOptions){.bytes = 64, .type = type, .replacement = rule, .counters = true});
}

/* ---- counts ---- */

/* Stores n into a bucket that holds held[], in the order of its slots. The slot that gave way; NONE: n was refused. */
static unsigned count_leaves(TabiaTable *t, const uint64_t held[SLOTS], uint64_t n) {
    unsigned left = NONE, lost = 0;
    tabia_table_wipe(t);
    for (unsigned i = 0; i < SLOTS; i++) tabia_counts_store(t, key_number(i), DEPTH, held[i]);
    for (unsigned i = 0; i < SLOTS; i++) assert_int_equal(tabia_counts_probe(t, key_number(i), DEPTH), held[i]);
    tabia_counts_store(t, key_number(SLOTS), DEPTH, n);
    for (unsigned i = 0; i < SLOTS; i++)
        if (!tabia_counts_probe(t, key_number(i), DEPTH)) left = i, lost++;
    assert_int_equal(tabia_counts_probe(t, key_number(SLOTS), DEPTH), lost ? n : 0);
    assert_true(lost <= 1);
    return left;
}

/* The depth is in both words of a key, and all of it in one bucket. Which slot leaves: by each rule. By depth-and-age
   slots lie in the order of the stores, the latest in front, and priorities are a / 8, b / 4, c / 2, d. */
static void a_count_leaves_by_the_rule(void **state) {
    static const struct {
        uint64_t held[SLOTS], n;
        unsigned leaves[RULES]; /* in the order of rules[] */
    } cases[] = {
        {{40, 30, 20, 10}, 5, {3, 0}},  /* the smallest by far */
        {{10, 40, 30, 20}, 5, {0, 0}},  /* the smallest in the first slot */
        {{40, 30, 20, 10}, 10, {3, 0}}, /* as large as the least: the new one is stored */
        {{40, 30, 20, 10}, 25, {3, 0}}, /* larger than two: the smaller goes */
        {{40, 30, 20, 10}, 20, {3, 0}},
        {{20, 20, 30, 10}, 50, {3, 0}},    /* of several equal ones the first */
        {{400, 30, 20, 10}, 1, {3, 1}},    /* 50, 8, 10, 10: old and large stays */
        {{800, 700, 3, 900}, 1, {2, 2}},   /* 100, 175, 2, 900 */
        {{8000, 7000, 900, 1}, 2, {3, 3}}, /* the latest, but worth the least */
        {{80, 40, 20, 10}, 9, {3, 3}},     /* 10 each: the first slot, which is the latest */
        {{82, 41, 19, 10}, 9, {3, 3}},     /* 11, 11, 10, 10: halves are rounded up */
        {{10, 20, 30, UINT64_MAX}, 9, {0, 0}},
        {{UINT64_MAX, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX}, UINT64_MAX, {0, 0}}, /* beyond 61 bits all are equal */
    };
    for (unsigned r = 0; r < RULES; r++) {
        TabiaTable *t = new_bucket(TABIA_COUNTS, rules[r]);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            assert_int_equal(count_leaves(t, cases[i].held, cases[i].n), cases[i].leaves[r]);
        tabia_table_destroy(t);
    }
}

/* A large count stays while others come and go, but not for ever: each store halves what it is worth. */
static void large_old_counts_leave(void **state) {
    TabiaTable *t = new_bucket(TABIA_COUNTS, TABIA_REPLACE_DEPTH_AND_AGE);
    tabia_counts_store(t, key_number(0), DEPTH, 1000);
    for (unsigned i = 1; i < 10; i++) tabia_counts_store(t, key_number(i), DEPTH, 100);
    assert_int_equal(tabia_counts_probe(t, key_number(0), DEPTH), 1000); /* 125 in the last slot */
    for (unsigned i = 10; i < 13; i++) tabia_counts_store(t, key_number(i), DEPTH, 600);
    assert_int_equal(tabia_counts_probe(t, key_number(0), DEPTH), 1000); /* 125 against 150, 300 and 600 */
    tabia_counts_store(t, key_number(13), DEPTH, 1);
    assert_int_equal(tabia_counts_probe(t, key_number(0), DEPTH), 0);
    for (unsigned i = 10; i < 14; i++) assert_true(tabia_counts_probe(t, key_number(i), DEPTH));
    tabia_table_destroy(t);
}

/* What is stored again is the latest, in its own slot alone. */
static void a_count_stored_again_is_new(void **state) {
    TabiaTable *t = new_bucket(TABIA_COUNTS, TABIA_REPLACE_DEPTH_AND_AGE);
    for (unsigned i = 0; i < SLOTS; i++) tabia_counts_store(t, key_number(i), DEPTH, 100);
    tabia_counts_store(t, key_number(0), DEPTH, 100);
    for (unsigned i = 0; i < SLOTS; i++) assert_int_equal(tabia_counts_probe(t, key_number(i), DEPTH), 100);
    tabia_counts_store(t, key_number(9), DEPTH, 100);
    assert_int_equal(tabia_counts_probe(t, key_number(0), DEPTH), 100);
    assert_int_equal(tabia_counts_probe(t, key_number(1), DEPTH), 0);
    tabia_table_destroy(t);
}

/* What strict generations have forgotten gives way to anything, also to a count of 1 or a draft of 0, at any age. */
static void forgotten_slots_give_way(void **state) {
    for (unsigned r = 0; r < 2 * RULES; r++) {
        const bool counts = r < RULES;
        TabiaTable *t = new_table((TabiaOptions){.bytes = 64,
                                                 .type = counts ? TABIA_COUNTS : TABIA_ENTRIES,
                                                 .replacement = rules[r % RULES],
                                                 .strict_generations = true});
        for (unsigned i = 0; i < 2 * SLOTS; i++) {
            if (i == SLOTS) tabia_table_new_generation(t);
            const bool old = i < SLOTS;
            if (counts) tabia_counts_store(t, key_number(i), DEPTH, old ? 1000 + i : 1);
            if (!counts) tabia_entry_store(t, key_number(i), 0, (TabiaEntry){.draft = old ? 255 : 0, .bound = 3});
        }
        for (unsigned i = SLOTS; i < 2 * SLOTS; i++)
            assert_true(counts ? tabia_counts_probe(t, key_number(i), DEPTH)
                               : tabia_entry_probe(t, key_number(i), 0).score_ok);
        tabia_table_destroy(t);
    }
}

/* A full bucket of records gives up that of the smallest last word, which alone counts. */
static void small_records_leave(void **state) {
    for (unsigned n = 1; n <= 3; n++) {
        TabiaTable *t = new_table((TabiaOptions){
            .bytes = 64, .type = TABIA_RECORDS, .record_words = n, .replacement = TABIA_REPLACE_DEPTH_AND_AGE});
        uint64_t words[3] = {0};
        for (unsigned i = 0; i < 40; i++) {
            words[0] = 40 - i, words[n - 1] = i == 5 || i == 20 ? 1000 : i == 30 ? 2000 : 40 - i;
            tabia_record_store(t, key_number(i), words);
            assert_true(tabia_record_probe(t, key_number(i), words));
        }
        assert_int_equal(tabia_record_probe(t, key_number(5), words), n == 1);
        assert_int_equal(tabia_record_probe(t, key_number(20), words), n == 1);
        assert_true(tabia_record_probe(t, key_number(30), words));
        assert_int_equal(words[n - 1], 2000);
        tabia_table_destroy(t);
    }
}

/* ---- entries: which of them leaves is in test_entry_model.c ---- */

static TabiaEntry entry(unsigned draft, TabiaBound bound) {
    return (TabiaEntry){.move = 7, .score = 3, .draft = (uint8_t)draft, .bound = (uint8_t)bound};
}

static void refusals_are_counted(void **state) {
    for (unsigned r = 0; r < RULES; r++) {
        const bool refuses = rules[r] == TABIA_REPLACE_DEPTH_AND_AGE;
        TabiaTable *t = new_bucket(TABIA_ENTRIES, rules[r]);
        for (unsigned i = 0; i < SLOTS; i++) tabia_entry_store(t, key_number(i), 0, entry(20, TABIA_BOUND_EXACT));
        for (unsigned i = 0; i < 5; i++) tabia_entry_store(t, key_number(10 + i), 0, entry(4, TABIA_BOUND_UPPER));
        TabiaCounters c;
        tabia_table_counters(t, &c);
        assert_int_equal(c.stores, SLOTS + 5);
        assert_int_equal(c.refused, refuses ? 5 : 0);
        assert_int_equal(c.replaced_less, refuses ? 0 : 5);
        tabia_table_destroy(t);
    }
}

/* ---- the option ---- */

static TabiaReplacement rule_of(const TabiaTable *t) {
    TabiaInfo info;
    tabia_table_info(t, &info);
    return info.replacement;
}

/* A table says which rule it has, also after another size and in its partitions. */
static void tables_tell_their_rule(void **state) {
    for (unsigned r = 0; r < RULES; r++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 4096, .replacement = rules[r], .partitions = 2});
        assert_int_equal(rule_of(t), rules[r]);
        assert_int_equal(rule_of(tabia_table_partition(t, 1)), rules[r]);
        assert_int_equal(tabia_table_resize(t, 8192, NULL, NULL), 0);
        assert_int_equal(rule_of(tabia_table_partition(t, 0)), rules[r]);
        tabia_table_destroy(t);
    }
}

/* What 0 means for each record type (docs/experiments/2026-11-24-replacement.md). */
static void defaults_are_those_measured(void **state) {
    const TabiaReplacement expected[] = {TABIA_REPLACE_ALWAYS, TABIA_REPLACE_DEPTH_AND_AGE, TABIA_REPLACE_ALWAYS};
    for (TabiaRecordType type = TABIA_ENTRIES; type <= TABIA_RECORDS; type++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 64, .type = type});
        assert_int_equal(rule_of(t), expected[type]);
        tabia_table_destroy(t);
    }
}

#include "test_replacement_list.h"
