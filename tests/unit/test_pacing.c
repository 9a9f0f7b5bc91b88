/* SPDX-License-Identifier: MIT */
/* How a rank rests while it has nothing to do, and how much work it does between two polls. No clock is looked at. */
#include "unit.h"

#include "distributed/perft/pacing.h"

static void yields_first_then_sleeps_longer_and_longer(void **state) {
    Backoff b = {0};
    for (unsigned i = 0; i < 3; i++) assert_int_equal(backoff_next(&b, true), BACKOFF_YIELD);
    for (long sleep = 120000; sleep <= 960000; sleep *= 2) assert_int_equal(backoff_next(&b, true), sleep);
    for (unsigned i = 0; i < 100; i++) assert_int_equal(backoff_next(&b, true), 960000);
}

static void a_busy_step_halves_the_wait(void **state) {
    Backoff b = {0};
    for (unsigned i = 0; i < 8; i++) backoff_next(&b, true);
    assert_int_equal(backoff_next(&b, false), BACKOFF_NONE);
    assert_int_equal(backoff_next(&b, true), 240000); /* the fifth idle step again */
    for (unsigned i = 0; i < 8; i++) assert_int_equal(backoff_next(&b, false), BACKOFF_NONE);
    assert_int_equal(backoff_next(&b, true), BACKOFF_YIELD);
}

static void fast_steps_do_more_pieces_and_slow_ones_half(void **state) {
    Pacing p = {0};
    double now = 0;
    assert_int_equal(pacing_next(&p, now), 1);
    for (unsigned pieces = 2; pieces <= 16; pieces++) assert_int_equal(pacing_next(&p, now += 100e-6), pieces);
    assert_int_equal(pacing_next(&p, now += 100e-6), 16);
    const unsigned halves[] = {8, 4, 2, 1, 1};
    for (unsigned i = 0; i < 5; i++) assert_int_equal(pacing_next(&p, now += 300e-6), halves[i]);
}

#include "test_pacing_list.h"
