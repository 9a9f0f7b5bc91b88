/* SPDX-License-Identifier: MIT */
/*
 * Validation of the cost model: the ranks of a transport count what the trace was recorded of, and the model predicts
 * from the trace what that should have cost.
 *
 *     barrier | calibrate | barrier | alone, all ranks at a time | barrier | again | barrier | together | barrier | ...
 *               \__________________________________ a round ________________________________________/
 *
 * Alone, every rank counts everything, with a table as large as all tables together, while the others do the same: so
 * processors and memory are as busy as later. This gives the time of the work in the same minute. The first time is not
 * used: on a virtual machine that returns idle memory, memory that was not used lately costs as much as counting.
 */
#pragma once
#include "distributed/perft/distributed_perft.h"
#include "forecast.h"

enum { VALIDATION_ROUNDS_MAX = 99 };

/* The figures of a round, on rank 0. Seconds; costs in microseconds, as in Calibration. */
typedef struct {
    U128 nodes;
    double alone_cpu, alone_wall, polls, scheduling, cpu, wall, calls;
    double message, entry, latency, empty_poll;
    double counted, sibling_sets, remote_probes, remote_hits, remote_stores, messages, bytes;
} ValidationRound;

typedef struct {
    Trace *trace; /* its work is scaled to the time measured */
    TabiaTransport *transport;
    const char *program;          /* name and version: the same on all ranks */
    const char *costs;            /* constants that replace measured ones, as model_costs_parse(); NULL: none */
    unsigned rounds;              /* 1 to VALIDATION_ROUNDS_MAX */
    unsigned ranks_per_processor; /* 1 where each rank has its own */
    /* Called before each round, and after the last one. May be NULL. seconds: since the first. */
    void (*progress)(void *context, unsigned done, double seconds);
    void *context;
} ValidationOptions;

/* Can the trace be validated? Its leaf parents must stand where those of tabia-mpi perft do. */
bool validation_check_trace(const Trace *trace, TabiaError *error);

/* Collective: measures the rounds; the figures are rank 0's. False with an error: a rank does not arrive, memory, the
   counts differ, or a stop was requested. */
bool validation_measure(const ValidationOptions *options, ValidationRound *round, TabiaError *error);

/* Medians over the rounds; of times the median of the ratios of rounds. has_processors: one for each rank. */
ForecastRun validation_summarise(const ValidationRound *round, unsigned rounds, bool has_processors);

/* Rank 0: the model with the constants measured, which are put into *costs, beside the run. */
bool validation_predict(const ValidationOptions *options, const ValidationRound *round, ModelCosts *costs,
                        Forecast *forecast, TabiaError *error);
