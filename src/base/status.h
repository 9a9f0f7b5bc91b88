/* SPDX-License-Identifier: MIT */
/*
 * One line of a terminal that is written over again and again while long work goes on.
 *
 * Nothing is ever written unless the stream is a terminal and the work has lasted two seconds; so nothing of it reaches
 * a file or a pipe, and short work stays clean. Belongs to one thread.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

/* Nothing in it is for the caller. */
typedef struct {
    FILE *out; /* null: nothing is ever written */
    double began_at, shown_at;
    bool shown;
} Status;

/* The work begins. out is null for no line at all. Where a line is shown, end it first. */
void tabia_status_begin(Status *s, FILE *out);

/* Is it time to show something: two seconds after the beginning, then five times a second? Cheap where there is no
   terminal. Seconds since the beginning go to *seconds (may be null). */
bool tabia_status_due(const Status *s, double *seconds);

/* Shows a text that fits a line, in place of the last, if there is anything to show it on. */
void tabia_status_show(Status *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Wipes the line: before anything else is written to the terminal, and at the end. Showing may go on after it. */
void tabia_status_end(Status *s);
