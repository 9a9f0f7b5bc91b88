/* SPDX-License-Identifier: MIT */
/*
 * How far a long count is, on a line of base/status.h:
 *
 *   317/1204 units, 1:02:03 left, 182 G/s, 18.4 T nodes, 93.1 % table hits
 */
#pragma once
#include "base/status.h"
#include "base/u128.h"
#include <stdint.h>

/* The work as it stands at one moment. `nodes` may include those of units not yet finished. */
typedef struct {
    uint64_t units_done, units_total;
    U128 nodes;
    uint64_t probes, hits; /* of the table; 0 without one */
} ProgressState;

/* Nothing in it is for the caller. Belongs to one thread. */
typedef struct {
    Status status;
    ProgressState from;
} Progress;

enum { PROGRESS_TEXT_MAX = 160 };

/* The work begins, or goes on from a ledger: what `from` holds already counts as done, but not for rate, hits and time
   left. out is null for no progress at all. */
void progress_begin(Progress *p, FILE *out, const ProgressState *from);

/* Shows the state if it is time to and there is anything to show it on. */
void progress_show(Progress *p, const ProgressState *now);

/* Wipes the line: before anything else is written to the terminal, and at the end. Showing may go on after it. */
void progress_end(Progress *p);

/* The line's text, with as many of its parts, from the left, as have room in that many columns; its length. `seconds`
   is the time since `from`. Parts that mean nothing yet (no unit finished, no table) are left out. */
unsigned progress_text(const ProgressState *from, const ProgressState *now, double seconds, unsigned columns,
                       char out[PROGRESS_TEXT_MAX]);
