/* SPDX-License-Identifier: MIT */
/* The arithmetic of the measurements. No figure is judged. */
#include "lab/table/bench.h"

#include <math.h>

#include "lab/table/bench_keys.h"
#include "unit.h"

static void medians(void **state) {
    const double odd[] = {5, 1, 3}, even[] = {4, 1, 2, 8};
    assert_true(bench_spread(odd, 3).median == 3 && bench_spread(odd, 3).min == 1 && bench_spread(odd, 3).max == 5);
    assert_true(bench_spread(even, 4).median == 3);
    assert_true(isnan(bench_spread(odd, 0).median));
}

/* The machine slows down from round to round; both rows do, and the ratio does not. */
static void ratios_are_formed_round_by_round(void **state) {
    static BenchTable t = {
        .rounds = 3,
        .rows = 2,
        .row = {{.name = "a", .against = -1, .sample = {8, 4, 2}}, {.name = "b", .against = 0, .sample = {4, 2, 1}}}};
    const BenchSpread ratio = bench_ratio(&t, 1);
    assert_true(ratio.median == 0.5 && ratio.min == 0.5 && ratio.max == 0.5);
    assert_true(isnan(bench_ratio(&t, 0).median));
}

static void half_of_the_keys_are_stored_and_found(void **state) {
    TabiaTable *table;
    const TabiaOptions options = {.bytes = 1 << 20};
    TabiaError error;
    assert_int_equal(tabia_table_create(&table, &options, NULL), 0);
    assert_true(bench_fill(table, 2, &error));
    unsigned found = 0, strangers = 0;
    const unsigned span = (unsigned)bench_span(table);
    for (unsigned i = 0; i < span; i++) {
        const TabiaKey key = bench_key(i);
        const bool there = tabia_entry_probe(table, key, 0).move_ok;
        found += there && bench_stored(key), strangers += there && !bench_stored(key);
    }
    assert_int_equal(strangers, 0);
    assert_in_range(found, span * 3 / 8, span / 2); /* of the half that was stored, four fifths had room */
    tabia_table_destroy(table);
}

#include "test_bench_list.h"
