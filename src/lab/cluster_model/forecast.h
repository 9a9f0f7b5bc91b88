/* SPDX-License-Identifier: MIT */
/*
 * What the model foretold beside what was measured, figure by figure.
 *
 *     simulated row, and how long the work takes alone ->  predicted  \
 *                                                                       ratio; within 20 %?
 *     a run on as many ranks                           ->  measured   /
 *
 * Some lines are shown and not judged. The overhead is a small difference of large times, whose error is larger than
 * itself. Which keys others know follows which rank was the faster one when, and then did units of another's range: of
 * one perft the half or twice as many in another minute. Those that nobody knows are the others of those asked, and
 * these are judged.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "simulate.h"

/* A run on ranks, and what it is compared with. Seconds. */
typedef struct {
    bool room;                    /* there is a processor for each rank */
    double alone_cpu, alone_wall; /* all of it on one rank, while as many others do the same */
    double ratio_cpu, ratio_wall; /* the median over rounds of what the two take, together to alone */
    double ratio_cpu_least, ratio_cpu_most;
    double handing; /* of alone_cpu, what went into giving out units and adding up what came of them */
    double calls;   /* processor time in calls that sent or brought a message, of all ranks */
    double counted, sent, asked, known, stored, messages, bytes; /* in the middle round of each */
} ForecastRun;

enum { FORECAST_LINES = 12 };
static const double FORECAST_ERROR = 0.2;

typedef struct {
    const char *name, *json, *unit;
    double predicted, measured;
    const char *unjudged; /* why it is only shown; NULL: it is judged */
} ForecastLine;

typedef struct {
    ForecastLine line[FORECAST_LINES];
    unsigned lines;
    double overhead, overhead_measured, overhead_least, overhead_most; /* shares of the work */
} Forecast;

/* The row is of as many ranks, and of the work alone_cpu shared out among them. */
Forecast forecast_make(const SimulateRow *row, const ForecastRun *run);

/* Predicted by measured; 1 where both are 0. */
double forecast_ratio(const ForecastLine *line);
/* Is every judged line within FORECAST_ERROR? */
bool forecast_holds(const Forecast *f);
void forecast_print(const Forecast *f, FILE *out);
/* Members "figures" (an array), "overhead" and "holds" of the object that is open. */
void forecast_json(const Forecast *f, Json *j);
