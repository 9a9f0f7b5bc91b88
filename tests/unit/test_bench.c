/* SPDX-License-Identifier: MIT */
/* The arithmetic of the measurements, and that each experiment runs and stops. No figure is judged. */
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

typedef struct {
    unsigned tables, looks, stop_after;
    bool finite;
} Seen;

static bool watch(void *context, const BenchTable *t, unsigned row, unsigned done, unsigned all) {
    Seen *seen = context;
    assert_true(row < t->rows && done < all);
    return ++seen->looks > seen->stop_after;
}

static void finished(void *context, const BenchTable *t) {
    Seen *seen = context;
    seen->tables++;
    for (unsigned i = 0; i < t->rows; i++) seen->finite = seen->finite && isfinite(bench_figure(t, i).median);
}

static BenchJob small_job(Seen *seen) {
    return (BenchJob){.bytes = 1 << 20,
                      .threads = {1, 2},
                      .steps = 2,
                      .rounds = 1,
                      .quick = true,
                      .watch = watch,
                      .finished = finished,
                      .context = seen};
}

static void experiments_run(void **state) {
    Seen seen = {.stop_after = 100000, .finite = true};
    BenchJob job = small_job(&seen);
    TabiaError error = {0};
    bool stopped = true;
    job.chosen = 1u << BENCH_LINE | 1u << BENCH_MODES;
    if (!bench_run(&job, &stopped, &error)) fail_msg("%s", error.text);
    assert_false(stopped);
    assert_true(seen.finite);
    assert_int_equal(seen.tables, 3); /* modes has two */
}

static void a_run_can_be_stopped(void **state) {
    Seen seen = {.stop_after = 3, .finite = true};
    BenchJob job = small_job(&seen);
    TabiaError error = {0};
    bool stopped = false;
    job.chosen = 1u << BENCH_LINE | 1u << BENCH_MODES;
    assert_true(bench_run(&job, &stopped, &error));
    assert_true(stopped);
    assert_int_equal(seen.tables, 0);
}

#include "test_bench_list.h"
