/* SPDX-License-Identifier: MIT */
/*
 * How far long work is. On a terminal one line that is rewritten; without one, or where the user wants it, a line each
 * so many seconds; and one whenever SIGUSR1 asks for it (base/stop.h). The caller composes the line:
 *
 *   tabia_progress_update   12.3 M records, 1.23 M/s, 45 %, 10.0 s passed, 12.2 s left, 3 bad
 *   tabia_progress_show     any text
 *
 * Unasked, nothing is written unless the stream is a terminal and the work has lasted a second: no file or pipe
 * receives any of it, and short work shows nothing. A Progress belongs to one thread.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The members are private. */
typedef struct {
    FILE *out; /* NULL: nothing is ever written */
    bool is_terminal;
    unsigned every;            /* seconds between lines that stay; 0: none */
    unsigned requests;         /* of status that were answered */
    const char *unit;          /* of tabia_progress_update */
    double done;               /* as last updated */
    double waited;             /* seconds until anything was done */
    double began_at, shown_at; /* seconds of tabia_clock_wall */
    bool is_shown;
} Progress;

enum { PROGRESS_TEXT_MAX = 160 };

/* Begins the work. out: NULL for no line at all; the stream stays the caller's. unit: what tabia_progress_update counts
   ("records"), a string that outlives *p; NULL where only tabia_progress_show is called. End a shown line before. */
void tabia_progress_begin(Progress *p, FILE *out, const char *unit);

/* From now on a line that stays each so many seconds, on a terminal or not. 0: changes nothing. */
void tabia_progress_every(Progress *p, unsigned seconds);

/* The next piece of the work, with a rate and a time left of its own; seconds and requests of lines go on. */
void tabia_progress_again(Progress *p);

/* True when the line may be written: a second after the beginning, then five times a second; or as
   tabia_progress_every says; or once after a request. Cheap where none of these can be. Stores the seconds since the
   beginning in *seconds (may be NULL). */
bool tabia_progress_is_due(const Progress *p, double *seconds);

/* Replaces the line by a text that fits one row, or writes it as a line that stays. Call it when tabia_progress_is_due. */
void tabia_progress_show(Progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `done` units are done, `fraction` of the work: 0 to 1, negative where unknown. `detail` is appended; NULL: nothing. Rate and
   time left count from the last call with a `done` of 0. A `done` below the last one begins a new piece of work. What a
   terminal's row does not hold is cut off. Writes when due, so that it may be called some thousand times a second. */
void tabia_progress_update(Progress *p, double done, double fraction, const char *detail);

/* Clears the line: before anything else is written to the terminal, and at the end. The line may be shown again. */
void tabia_progress_end(Progress *p);

/* What tabia_progress_update would show after so many seconds. */
typedef struct {
    const char *unit;
    double done, fraction, seconds;
    double waited; /* of these, until anything was done */
    const char *detail;
} ProgressAmount;

void tabia_progress_text(const ProgressAmount *amount, char out[PROGRESS_TEXT_MAX]);
