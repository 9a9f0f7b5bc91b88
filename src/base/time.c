/* SPDX-License-Identifier: MIT */
#include "time.h"

#include <time.h>

static double read_clock(clockid_t id) {
    struct timespec t = {0};
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double tabia_clock_wall(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double tabia_clock_cpu(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
