/* SPDX-License-Identifier: MIT */
/* The record type of counts: what goes in comes out, mixed words never do, and the smallest count leaves. */
#include "table_tools.h"

#include "tabia/counts.h"
#include "table/counts_inline.h"

static void finds_what_was_stored(void **state) {
    (void)state;
    for (unsigned m = 0; m < modes(); m++) {
        TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 1 << 20, .integrity = mode_at(m)});
        uint64_t seed = 1;
        for (int i = 0; i < 10000; i++) {
            const TabiaKey key = random_key(&seed), other = {key.index, key.check ^ 4};
            const uint64_t count = 1 + random_next(&seed) / 2;
            assert_int_equal(tabia_counts_probe(t, key, 5), 0);
            tabia_counts_store(t, key, 5, count);
            assert_int_equal(tabia_counts_probe(t, key, 5), count);
            assert_int_equal(tabia_counts_probe(t, key, 4), 0);
            assert_int_equal(tabia_counts_probe(t, other, 5), 0);
        }
        assert_true(tabia_table_hashfull(t) > 0);
        tabia_table_destroy(t);
    }
}

static void keeps_the_larger_counts(void **state) {
    (void)state;
    for (unsigned ways = 1; ways <= 4; ways *= 2) {
        TabiaTable *t = new_table(
            (TabiaOptions){.type = TABIA_COUNTS, .bytes = 64, .ways = ways, .replacement = TABIA_REPLACE_ALWAYS});
        t->buckets = 1; /* whatever the ways: one bucket */
        for (uint64_t i = 1; i <= 100; i++) tabia_counts_store(t, (TabiaKey){0, i << 8}, 3, i * 37 % 101);
        unsigned found = 0;
        for (uint64_t i = 1; i <= 100; i++) {
            const uint64_t count = tabia_counts_probe(t, (TabiaKey){0, i << 8}, 3);
            if (!count) continue;
            assert_int_equal(count, i * 37 % 101);
            assert_true(i == 100 || count >= 102 - ways); /* the largest, and the last to come */
            found++;
        }
        assert_int_equal(found, ways);
        tabia_table_destroy(t);
    }
}

static void a_cleared_table_takes_small_counts(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 64});
    for (unsigned round = 0; round < 9; round++) {
        for (uint64_t i = 0; i < 4; i++)
            tabia_counts_store(t, (TabiaKey){0, i << 8}, 3, (1000 >> round) + 1 + i); /* smaller each time */
        for (uint64_t i = 0; i < 4; i++)
            assert_int_equal(tabia_counts_probe(t, (TabiaKey){0, i << 8}, 3), (1000 >> round) + 1 + i);
        assert_int_equal(tabia_table_hashfull(t), 1000);
        tabia_table_clear(t);
        assert_int_equal(tabia_table_hashfull(t), 0);
        for (uint64_t i = 0; i < 4; i++) assert_int_equal(tabia_counts_probe(t, (TabiaKey){0, i << 8}, 3), 0);
    }
    tabia_table_destroy(t);
}

/* One writer's check beside another's count, for every pair of slots: never a hit for anybody; unprotected, always. */
static void rejects_mixed_entries(void **state) {
    (void)state;
    for (int protected = 0; protected < 2; protected ++) {
        TabiaTable *t = new_table(
            (TabiaOptions){.type = TABIA_COUNTS, .bytes = 64, .integrity = protected ? TABIA_XOR : TABIA_NONE});
        uint64_t seed = 7;
        Word *slot = (Word *)t->base;
        for (int i = 0; i < 100000; i++) {
            const TabiaKey a = random_key(&seed), b = random_key(&seed);
            const uint64_t count_a = 1 + random_below(&seed, 1000), count_b = count_a + 1 + random_below(&seed, 1000);
            memset(t->base, 0, 64);
            tabia_counts_store(t, a, 3, count_a);
            assert_int_equal(tabia_counts_probe(t, a, 3), count_a);
            atomic_store(slot + 1, count_b);
            assert_int_equal(tabia_counts_probe(t, a, 3), protected ? 0 : count_b);
            assert_int_equal(tabia_counts_probe(t, b, 3), 0);
        }
        tabia_table_destroy(t);
    }
}

static void many_are_as_one_by_one(void **state) {
    (void)state;
    enum { MOST = 200 };
    for (unsigned m = 0; m < modes(); m++) {
        TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 1 << 14, .integrity = mode_at(m)});
        uint64_t seed = 37, found[MOST];
        TabiaKey keys[MOST];
        for (unsigned n = 0; n <= MOST; n++) {
            for (unsigned i = 0; i < n; i++) {
                keys[i] = random_key(&seed);
                if (random_below(&seed, 2)) tabia_counts_store(t, keys[i], 4, 1 + random_next(&seed) / 2);
            }
            tabia_counts_probe_batch(t, keys, 4, found, n);
            for (unsigned i = 0; i < n; i++) assert_int_equal(found[i], tabia_counts_probe(t, keys[i], 4));
        }
        tabia_table_destroy(t);
    }
}

static void uses_every_bucket(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 1000 * 64 + 63});
    assert_int_equal(t->buckets, 1000);
    assert_ptr_equal(counts_slot_ref(t, (TabiaKey){0, 1}, 0).bucket, t->base);
    assert_ptr_equal(counts_slot_ref(t, (TabiaKey){UINT64_MAX, 1}, 0).bucket, t->base + 999 * 64);
    tabia_table_destroy(t);
}

/* A position that is asked for at every depth keeps every answer while the table has room. */
static void keeps_every_depth(void **state) {
    (void)state;
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 1 << 20});
    for (unsigned depth = 1; depth <= 60; depth++) tabia_counts_store(t, (TabiaKey){5, 7}, depth, 100 + depth);
    for (unsigned depth = 1; depth <= 60; depth++)
        assert_int_equal(tabia_counts_probe(t, (TabiaKey){5, 7}, depth), 100 + depth);
    tabia_table_destroy(t);
}

/* All depths have one bucket here, so that only the check word tells them apart. */
static void tells_depths_apart_in_one_bucket(void **state) {
    (void)state;
    const TabiaKey key = {5, 7};
    for (unsigned m = 0; m < modes(); m++) {
        TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 64, .integrity = mode_at(m)});
        assert_int_equal(t->buckets, 1);
        tabia_counts_store(t, key, 5, 500);
        for (unsigned depth = 0; depth < 64; depth++) {
            uint64_t count;
            tabia_counts_probe_batch(t, &key, depth, &count, 1);
            assert_int_equal(count, depth == 5 ? 500 : 0);
            assert_int_equal(tabia_counts_probe(t, key, depth), count);
        }
        tabia_counts_store(t, key, 4, 400);
        assert_int_equal(tabia_counts_probe(t, key, 4), 400);
        assert_int_equal(tabia_counts_probe(t, key, 5), 500);
        tabia_table_destroy(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_stored),
        cmocka_unit_test(keeps_the_larger_counts),
        cmocka_unit_test(a_cleared_table_takes_small_counts),
        cmocka_unit_test(rejects_mixed_entries),
        cmocka_unit_test(many_are_as_one_by_one),
        cmocka_unit_test(uses_every_bucket),
        cmocka_unit_test(keeps_every_depth),
        cmocka_unit_test(tells_depths_apart_in_one_bucket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
