/* SPDX-License-Identifier: MIT */
/*
 * Predicted figures beside measured ones.
 *
 *     result of the model, and how long the work takes alone ->  predicted  \
 *                                                                             ratio; within 20 %?
 *     a run on as many ranks                                 ->  measured   /
 *
 * Some figures are shown and not judged. The overhead is a small difference of large times, whose error is larger than
 * itself. Which keys other ranks know depends on which rank was faster when, and so counted units of another's range:
 * of one perft half or twice as many in another minute. The keys that no rank knows are the rest of those requested,
 * and these are judged.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "model.h"

/* A run on ranks, and what it is compared with. Seconds. */
typedef struct {
    bool has_processors;          /* there is a processor for each rank */
    double alone_cpu, alone_wall; /* all of it on one rank, while as many others do the same */
    double ratio_cpu, ratio_wall; /* medians over rounds: together to alone */
    double ratio_cpu_min, ratio_cpu_max;
    double scheduling; /* of alone_cpu, time spent on scheduling units and adding up results */
    double calls;      /* processor time in calls that sent or received a message, of all ranks */
    /* Medians over rounds. */
    double counted, sibling_sets, remote_probes, remote_hits, remote_stores, messages, bytes;
} ForecastRun;

enum { FORECAST_FIGURES = 12 };
static const double FORECAST_ERROR = 0.2;

typedef struct {
    const char *name, *json, *unit;
    double predicted, measured;
    const char *exempt; /* why it is not judged; NULL: it is judged */
} ForecastFigure;

typedef struct {
    ForecastFigure figure[FORECAST_FIGURES];
    unsigned figures;
    double overhead, overhead_measured, overhead_min, overhead_max; /* shares of the work */
} Forecast;

/* The result is of as many ranks as the run, and of the work alone_cpu divided among them. */
Forecast forecast_make(const ModelResult *result, const ForecastRun *run);

/* Predicted by measured; 1 where both are 0. */
double forecast_ratio(const ForecastFigure *figure);
/* Is every judged figure within FORECAST_ERROR? */
bool forecast_holds(const Forecast *f);
void forecast_print(const Forecast *f, FILE *out);
/* Members "figures" (an array), "overhead" and "holds" of the object that is open. */
void forecast_json(const Forecast *f, Json *j);
