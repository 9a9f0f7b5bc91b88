/* SPDX-License-Identifier: MIT */
/* The stress in small: protected tables hand out nothing foreign, and the same run without protection does. */
#include "table_tools.h"

#include "base/bits.h"
#include "lab/table/stress.h"

static const StressJob small_job = {
    .threads = 2, .processes = 1, .lines = 1, .keys = 16, .pause = 32, .seed = 1, .probes = 200000};

static StressResult run(const StressCase *what, StressJob job) {
    StressResult result;
    TabiaError error = {0};
    if (!stress_run(what, &job, &result, &error)) fail_msg("%s", error.text);
    return result;
}

/* Every case of a plan, with as many probes as it needs. */
static void run_plan(const StressChoice *choice, StressJob job) {
    StressCase cases[STRESS_CASES_MAX];
    const unsigned n = stress_plan(choice, cases);
    assert_true(n > 0);
    for (unsigned i = 0; i < n; i++) {
        stress_amount(&cases[i], small_job.probes, &job);
        const StressResult r = run(&cases[i], job);
        assert_true(r.probes >= job.probes);
        assert_true(r.hits > 0 && r.hits <= r.probes);
        assert_true(r.believed <= r.mixed && r.mixed <= r.looked);
        if (!stress_as_should_be(&cases[i], &r))
            fail_msg("type %u of %u words, payload %u, way %u: %ju accepted in %ju probes", cases[i].type,
                     cases[i].words, cases[i].payload, cases[i].way, (uintmax_t)r.accepted, (uintmax_t)r.probes);
    }
}

static void protection_holds_and_its_absence_shows(void **state) {
    run_plan(&(StressChoice){~0u, 0xfc, ~0u, 1u << STRESS_PAUSED | 1u << STRESS_NONE}, small_job);
}

static void the_calls_hold(void **state) {
    run_plan(&(StressChoice){~0u, 1u << 3, ~0u, 1u << STRESS_CALLS}, small_job);
}

static void more_threads_lines_and_keys(void **state) {
    StressJob job = small_job;
    job.threads = 5, job.lines = 3, job.keys = 64;
    run_plan(&(StressChoice){~0u, 1u << 2, 1u << STRESS_SMALL, 1u << STRESS_PAUSED | 1u << STRESS_NONE}, job);
}

/* Each with the table mapped for itself, by its name. */
static void two_processes_and_many(void **state) {
    StressJob job = small_job;
    job.threads = 1;
    for (job.processes = 2; job.processes <= 32; job.processes += 30)
        run_plan(&(StressChoice){~0u, 1u << 3, 1u << STRESS_SMALL, 1u << STRESS_PAUSED | 1u << STRESS_NONE}, job);
}

/* What XOR of bare words lets through is found: the checker can tell. */
static void plain_xor_is_caught(void **state) {
    StressJob job = small_job;
    job.probes_max = 1000000000;
    const StressCase entries = {TABIA_ENTRIES, 1, STRESS_SMALL, STRESS_PLAIN};
    assert_true(run(&entries, job).accepted > 0);
    const StressCase records = {TABIA_RECORDS, 3, STRESS_SMALL, STRESS_PLAIN};
    assert_true(run(&records, job).accepted > 0);
}

static bool stop_at_once(void *context, const StressResult *so_far) {
    assert_true(so_far->seconds > 0);
    return ++*(unsigned *)context > 0;
}

static void a_watch_ends_it(void **state) {
    unsigned calls = 0;
    StressJob job = small_job;
    job.probes = job.probes_max = UINT64_MAX / 4, job.watch = stop_at_once, job.context = &calls;
    const StressCase what = {TABIA_COUNTS, 1, STRESS_RANDOM, STRESS_PAUSED};
    assert_true(run(&what, job).probes < job.probes);
    assert_int_equal(calls, 1);
}

static void a_plan_has_what_was_chosen(void **state) {
    StressCase cases[STRESS_CASES_MAX];
    assert_int_equal(stress_plan(&(StressChoice){1u << TABIA_COUNTS, ~0u, 1u << STRESS_SMALL, ~0u}, cases), 4);
    assert_int_equal(stress_plan(&(StressChoice){1u << TABIA_RECORDS, 0xfc, ~0u, 1}, cases), 12);
    assert_int_equal(cases[0].words, 2);
    assert_int_equal(cases[11].words, 7);
}

#include "test_stress_list.h"
