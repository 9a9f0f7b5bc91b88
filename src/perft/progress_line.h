/* SPDX-License-Identifier: MIT */
/*
 * The line of base/progress.h for a count:
 *
 *   26.3 %, 22:10 passed, 1:02:03 left, 317/1204 units, 182 G/s, 18.4 T nodes, 93.1 % table hits
 *
 * Percentage and time left are those of the work: of the sizes of units (units.h), not of their number.
 */
#pragma once
#include <stdbool.h>

#include "base/progress.h"
#include "base/u128.h"

/* The state of the work at one moment. `nodes` may include those of unfinished units. */
typedef struct {
    uint64_t units_done, units_total;
    U128 nodes;
    uint64_t probes, hits;          /* of the table; 0 without one */
    uint64_t work_done, work_total; /* the sizes of units (units_size), summed */
} CountProgress;

/*
 * How fast the work goes, of late: each second counts e times less than one that was a quarter of the time so far later.
 * It is the rate of parts of the time (count_time_part), from the first finished unit on: before that a table's pages are
 * cleared, which says nothing of what follows. Begins with {0}.
 */
typedef struct {
    double began_at, began_part; /* seconds and part when the first unit was seen finished */
    double at, part;             /* when it was last updated */
    double part_weighted;        /* sums of parts and of seconds, each by its weight */
    double seconds_weighted;
} CountRate;

/* The part of its time that a count has taken when this part of its work is done. With a table the first units cost the most,
   because what they store is found by all that follow (docs/experiments); without one the parts are the same. */
double count_time_part(double work_part, bool with_table);

/* So much of the time has been taken, as parts, after so many seconds. */
void count_rate_update(CountRate *rate, double seconds, double part);
/* Seconds for the rest; negative: too little is known yet. */
double count_rate_seconds(const CountRate *rate);

/* Updates *rate, and shows the state when the line is due. `from` is the state at the beginning: where a ledger is
   resumed, what it holds counts as done, but not for rate, hits and time left. */
void count_progress_show(Progress *p, CountRate *rate, const CountProgress *from, const CountProgress *now);

/* Writes the line's text, as many of its parts, from the left, as fit that many columns, and returns its length.
   `seconds` is the time since `from`. Parts without a value yet (too little done, no table) are left out. */
typedef struct {
    const CountProgress *from, *now;
    const CountRate *rate;
    double seconds;
    unsigned columns;
} CountProgressLine;

unsigned count_progress_text(const CountProgressLine *line, char out[PROGRESS_TEXT_MAX]);
