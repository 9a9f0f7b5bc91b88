/* SPDX-License-Identifier: MIT */
/* The run of a rank, as its two files see it: distributed_perft.c has its steps, distributed_perft_messages.c gives each
   message to the module that it is for. */
#pragma once
#include "coordinator.h"
#include "distributed_perft.h"
#include "pacing.h"
#include "rank_worker.h"

typedef enum { PHASE_HANDSHAKE, PHASE_COUNTING, PHASE_FINISHING, PHASE_OVER } Phase;

struct DistributedPerft {
    RankContext rank;
    RunError error;
    DistributedPerftJob job;
    PerftState *state;
    RankWorker *worker;
    Coordinator *coordinator; /* on rank 0 */
    Phase phase;
    bool is_orderly, has_asked_to_stop, has_finish, has_shutdown;
    bool is_idle; /* the last step found no work */
    Pacing pacing;
    double received_at, finished_at, recounted_at; /* seconds; received_at: from rank 0 */
    DistributedPerftStats stats;                   /* idle_steps; at the end all figures */
};

/* A message from another rank, or from this one to itself: a TabiaClusterReceive of the context DistributedPerft. */
void distributed_perft_receive(void *context, unsigned from, unsigned type, const void *bytes, size_t n);
/* The coordinator has said that all is counted, on ranks other than 0. */
void distributed_perft_receive_finish(DistributedPerft *p);
/* This rank's figures so far. */
DistributedPerftStats distributed_perft_own_stats(const DistributedPerft *p);
