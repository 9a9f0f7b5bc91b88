/* SPDX-License-Identifier: MIT */
/* The counts table: what goes in comes out, mixed words never do, and the smallest count leaves. */
#include <string.h>

#include "unit.h"

#include "base/random.h"
#include "table/counts.h"

static Counts new_table(uint64_t bytes) {
    Counts t;
    Fault fault;
    assert_true(tabia_counts_create(&t, bytes, &fault));
    return t;
}

static void finds_what_was_stored(void **state) {
    (void)state;
    Counts t = new_table(1 << 20);
    uint64_t seed = 1;
    for (int i = 0; i < 10000; i++) {
        const uint64_t index = random_next(&seed), check = random_next(&seed), count = 1 + random_below(&seed, 1000000);
        const CountPlace place = tabia_counts_place(&t, index, check, 5);
        assert_int_equal(tabia_counts_probe(place), 0);
        tabia_counts_store(place, count);
        assert_int_equal(tabia_counts_probe(place), count);
        assert_int_equal(tabia_counts_probe(tabia_counts_place(&t, index, check, 4)), 0);
        assert_int_equal(tabia_counts_probe(tabia_counts_place(&t, index, check ^ 1, 5)), 0);
    }
    assert_true(tabia_counts_full(&t) > 0);
    tabia_counts_destroy(&t);
}

static void keeps_the_larger_counts(void **state) {
    (void)state;
    Counts t = new_table(sizeof(CountBucket));
    for (uint64_t i = 1; i <= 100; i++) tabia_counts_store(tabia_counts_place(&t, 0, i, 3), i * 37 % 101);
    unsigned found = 0;
    for (uint64_t i = 1; i <= 100; i++) {
        const uint64_t count = tabia_counts_probe(tabia_counts_place(&t, 0, i, 3));
        if (!count) continue;
        assert_int_equal(count, i * 37 % 101);
        assert_true(i == 100 || count >= 98); /* three of the largest, and the last to come */
        found++;
    }
    assert_int_equal(found, COUNTS_SLOTS);
    tabia_counts_destroy(&t);
}

/* One writer's check beside another's count, for every pair of slots: never a hit for anybody. */
static void rejects_mixed_entries(void **state) {
    (void)state;
    Counts t = new_table(sizeof(CountBucket));
    uint64_t seed = 7;
    for (int i = 0; i < 100000; i++) {
        const uint64_t a = random_next(&seed), b = random_next(&seed), count_a = 1 + random_below(&seed, 1000),
                       count_b = count_a + 1 + random_below(&seed, 1000);
        CountSlot *slot = t.bucket->slot;
        atomic_store(&slot->check, a ^ count_a);
        atomic_store(&slot->count, count_b);
        assert_int_equal(tabia_counts_probe((CountPlace){t.bucket, a}), 0);
        assert_int_equal(tabia_counts_probe((CountPlace){t.bucket, b}), 0);
        atomic_store(&slot->count, count_a);
        assert_int_equal(tabia_counts_probe((CountPlace){t.bucket, a}), count_a);
    }
    tabia_counts_destroy(&t);
}

static void refuses_an_empty_table(void **state) {
    (void)state;
    Counts t;
    Fault fault = {""};
    assert_false(tabia_counts_create(&t, 63, &fault));
    assert_non_null(strstr(fault.text, "64"));
}

static void uses_every_bucket(void **state) {
    (void)state;
    Counts t = new_table(1000 * sizeof(CountBucket));
    assert_int_equal(t.buckets, 1000);
    assert_ptr_equal(tabia_counts_place(&t, 0, 1, 0).bucket, t.bucket);
    assert_ptr_equal(tabia_counts_place(&t, UINT64_MAX, 1, 0).bucket, t.bucket + 999);
    tabia_counts_destroy(&t);
    tabia_counts_destroy(&t);
}

/* A position that is asked for at every depth keeps every answer while the table has room. */
static void keeps_every_depth(void **state) {
    (void)state;
    Counts t = new_table(1 << 20);
    for (int depth = 1; depth <= 60; depth++) tabia_counts_store(tabia_counts_place(&t, 5, 7, depth), 100u + depth);
    for (int depth = 1; depth <= 60; depth++)
        assert_int_equal(tabia_counts_probe(tabia_counts_place(&t, 5, 7, depth)), 100 + depth);
    tabia_counts_destroy(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_stored), cmocka_unit_test(keeps_the_larger_counts),
        cmocka_unit_test(rejects_mixed_entries), cmocka_unit_test(refuses_an_empty_table),
        cmocka_unit_test(uses_every_bucket),     cmocka_unit_test(keeps_every_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
