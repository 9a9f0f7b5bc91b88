/* SPDX-License-Identifier: MIT */
/*
 * What the modules of a rank have in common during a run: who it is, what it counts with, and the time of the current
 * step. Modules read it; only the run (distributed_perft.c) writes it, but for the error. One per rank, of its first
 * thread; of its members only the stop flag is shared with the threads of the worker pool.
 */
#pragma once
#include <stdatomic.h>

#include "base/error.h"
#include "perft/kernel.h"
#include "tabia/cluster.h"

typedef struct Outbox Outbox;

/* The first error of a run. Later ones are mostly its consequences, and are dropped. */
typedef struct {
    bool is_set;
    TabiaError error;
} RunError;

typedef struct {
    unsigned rank, ranks;
    double timeout; /* seconds of silence after which another rank counts as dead */
    double now;     /* seconds on the cluster's clock, at the start of the current step */
    Zobrist zobrist;
    const PerftKernel *kernel;
    TabiaTable *table; /* this rank's own; NULL: nothing is merged */
    TabiaCluster *cluster;
    Outbox *outbox;
    RunError *error;
    bool merges;      /* there is a table: units are expanded and merged, not counted whole */
    bool is_shared;   /* false: no rank probes another, each counts with its own table alone */
    atomic_bool stop; /* relaxed: it publishes nothing but itself; once true, counts end soon and mean nothing */
} RankContext;

/* Fails the run: its next step ends with this line. */
void run_error_set(RunError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

INLINE bool rank_is_stopped(const RankContext *rank) {
    return atomic_load_explicit(&rank->stop, memory_order_relaxed);
}
