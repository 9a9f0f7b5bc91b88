/* SPDX-License-Identifier: MIT */
/*
 * Which ranks are alive, as rank 0 sees it: it sends heartbeats, marks a rank dead that has been silent for the
 * timeout, informs all others, and takes a rank back that sends again.
 *
 * Of one thread, that of rank 0.
 */
#pragma once
#include <stdio.h>

#include "rank_context.h"

typedef struct RankMonitor RankMonitor;

/* Called by rank_monitor_step() for each rank that it marks dead. */
typedef struct {
    void *context;
    void (*call)(void *context, unsigned rank);
} RankDeadCallback;

/* *rank must outlive the monitor. NULL when memory is out. */
RankMonitor *rank_monitor_create(const RankContext *rank, RankDeadCallback on_dead);
void rank_monitor_destroy(RankMonitor *m);

/* To be called some ten times a second. */
void rank_monitor_step(RankMonitor *m);

bool rank_monitor_is_dead(const RankMonitor *m, unsigned rank);
/* Was none ever marked dead? */
bool rank_monitor_none_died(const RankMonitor *m);
