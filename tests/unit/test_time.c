/* SPDX-License-Identifier: MIT */
#include "base/time.h"
#include "unit.h"

static void never_goes_back(void **state) {
    double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    for (int i = 0; i < 10000; i++) {
        double later_wall = tabia_clock_wall(), later_cpu = tabia_clock_cpu();
        assert_true(later_wall >= wall && later_cpu >= cpu);
        wall = later_wall;
        cpu = later_cpu;
    }
}

/* Ends because both clocks run while this loop does. */
static void both_run(void **state) {
    double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    assert_true(cpu > 0);
    while (tabia_clock_wall() == wall || tabia_clock_cpu() == cpu) continue;
}

#include "test_time_list.h"
