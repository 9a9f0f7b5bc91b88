/* SPDX-License-Identifier: MIT */
#include "time_part.h"

/* Medians of seven counts of both games (docs/experiments/2026-11-26-time-left-of-a-count.md): at each part of the time, how
   much of the work was done. */
static const struct {
    double time, work;
} course[] = {{0, 0},       {0.05, 0.017}, {0.1, 0.042}, {0.2, 0.108}, {0.3, 0.169},  {0.4, 0.228}, {0.5, 0.305},
              {0.6, 0.407}, {0.7, 0.51},   {0.8, 0.623}, {0.9, 0.735}, {0.95, 0.835}, {1, 1}};

double count_time_part(double work_part, bool with_table) {
    if (!with_table || work_part >= 1) return work_part;
    unsigned i = 1;
    while (course[i].work < work_part) i++;
    const double from = course[i - 1].work, within = (work_part - from) / (course[i].work - from);
    return course[i - 1].time + within * (course[i].time - course[i - 1].time);
}
