/* SPDX-License-Identifier: MIT */
/*
 * The line of base/progress.h for a count:
 *
 *   317/1204 units, 1:02:03 left, 182 G/s, 18.4 T nodes, 93.1 % table hits
 */
#pragma once
#include "base/progress.h"
#include "base/u128.h"

/* The state of the work at one moment. `nodes` may include those of unfinished units. */
typedef struct {
    uint64_t units_done, units_total;
    U128 nodes;
    uint64_t probes, hits; /* of the table; 0 without one */
} CountProgress;

/* Shows the state when the line is due. `from` is the state at the beginning: where a ledger is resumed, what it holds
   counts as done, but not for rate, hits and time left. */
void count_progress_show(Progress *p, const CountProgress *from, const CountProgress *now);

/* Writes the line's text, as many of its parts, from the left, as fit that many columns, and returns its length.
   `seconds` is the time since `from`. Parts without a value yet (no unit finished, no table) are left out. */
typedef struct {
    const CountProgress *from, *now;
    double seconds;
    unsigned columns;
} CountProgressLine;

unsigned count_progress_text(const CountProgressLine *line, char out[PROGRESS_TEXT_MAX]);
