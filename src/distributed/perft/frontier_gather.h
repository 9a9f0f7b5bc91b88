/* SPDX-License-Identifier: MIT */
/*
 * Rank 0's part of the distributed frontier: it decides how many plies are made, and puts the frontier together from
 * what the owners send.
 *
 *     sizing     PLY_SIZE of every rank -> one ply more, or gather this one or the one before, or keep the base
 *     receiving  GATHER of every rank -> records, sorted by origin and played
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "perft/frontier.h"
#include "rank_context.h"

typedef struct FrontierGather FrontierGather;

/* plies: the most that may be made below the base. NULL when memory is out. */
FrontierGather *frontier_gather_create(const RankContext *rank, FrontierLimits limits, int plies);
void frontier_gather_destroy(FrontierGather *g);

/* Silence counts from now on. */
void frontier_gather_start(FrontierGather *g);

/* Messages PLY_SIZE and GATHER. */
void frontier_gather_receive_size(FrontierGather *g, unsigned from, const void *bytes, size_t n);
void frontier_gather_receive_records(FrontierGather *g, unsigned from, const void *bytes, size_t n);

/* Fills *out when everything has come; the base moves into it when it is the frontier itself. */
bool frontier_gather_finish(FrontierGather *g, Frontier *base, Frontier *out, uint64_t *distributed);
bool frontier_gather_has_failed(const FrontierGather *g);
