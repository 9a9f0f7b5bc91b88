/* SPDX-License-Identifier: MIT */
/*
 * How far a long piece of work is, on a line of status.h:
 *
 *   12.3 M records, 1.23 M/s, 45 %, 0:14 left, 3 bad
 *
 * (perft/progress.h is the same for counts, which have more to say.)
 */
#pragma once
#include <stdint.h>

#include "base/status.h"

/* Nothing in it is for the caller. Belongs to one thread. */
typedef struct {
    Status status;
    const char *unit;
    uint64_t done; /* as told last: less of it later is a new piece of work */
} Meter;

enum { METER_TEXT_MAX = 160 };

/* The line's text after so many seconds. */
void tabia_meter_text(const char *unit, uint64_t done, double share, double seconds, const char *more,
                      char out[METER_TEXT_MAX]);

/* The work begins. `unit` names what is counted ("records"); out is null for no line at all. */
void tabia_meter_begin(Meter *m, FILE *out, const char *unit);

/* `done` units are done, and `share` of the work, 0 to 1 (negative: nobody knows). `more` is said at the end of the
   line; null: nothing. Less done than before begins a new piece of work, with its own rate and time left. May be called
   as often as one likes, a few thousand times a second: it shows five. */
void tabia_meter_show(Meter *m, uint64_t done, double share, const char *more);

/* Wipes the line: before anything else is written to the terminal, and at the end. */
void tabia_meter_end(Meter *m);
