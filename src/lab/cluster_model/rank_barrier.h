/* SPDX-License-Identifier: MIT */
/*
 * A barrier over a transport, which also sums some figures at rank 0.
 *
 *     ranks 1 .. P-1    arrival, repeated every 50 ms until released ---> rank 0
 *                       <--- release, once all have arrived
 *
 * Arrivals are repeated because a message may come while rank 0 has not begun to poll, and be dropped. Messages of
 * other senders, and of barriers before, are ignored. Threads: one.
 */
#pragma once
#include "base/error.h"
#include "cluster/transport.h"

enum { BARRIER_FIGURES = 4 };

typedef struct {
    uint64_t magic, number;
    double figure[BARRIER_FIGURES];
} BarrierMessage;

typedef struct {
    TabiaTransport *transport;
    BarrierMessage own;
    unsigned arrived, released; /* ranks that rank 0 has heard of, and has released; released: on the others 1 */
    bool *seen;                 /* on rank 0, of each rank */
    double sum[BARRIER_FIGURES];
    double sent_at;
} RankBarrier;

/* number: the same on all ranks, another for each barrier. False with an error where memory is short. Then call
   rank_barrier_end(). */
bool rank_barrier_begin(RankBarrier *b, TabiaTransport *t, uint64_t number, const double figure[BARRIER_FIGURES],
                        TabiaError *error);
/* Sends and receives what is due; true when this rank has passed the barrier. Does not wait. */
bool rank_barrier_step(RankBarrier *b);
/* figure[]: on rank 0 the sums over all ranks; elsewhere unspecified. */
void rank_barrier_end(RankBarrier *b, double figure[BARRIER_FIGURES]);

/* All of it, asleep between steps. False with an error: memory, or not all ranks have arrived within ten minutes. */
bool rank_barrier(TabiaTransport *t, uint64_t number, double figure[BARRIER_FIGURES], TabiaError *error);
