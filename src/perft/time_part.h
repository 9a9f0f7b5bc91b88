/* SPDX-License-Identifier: MIT */
/* The time that a count takes, by the work that is done. */
#pragma once
#include <stdbool.h>

/* The part of its time that a count has taken when this part of its work is done, both from the first finished unit on. With
   a table the first units cost the most, because what they store is found by all that follow: half of the time is gone when
   30 % of the work is done. Without one the parts are the same. */
double count_time_part(double work_part, bool with_table);
