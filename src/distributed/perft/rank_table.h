/* SPDX-License-Identifier: MIT */
/* The table of a rank: its part of the table of all ranks. */
#pragma once
#include "perft/run.h"
#include "rank_context.h"

/* Creates a table of at most job->hash_bytes, and no more than the work can fill: all ranks come to the same size.
   *hash_bytes: that size; 0 where nothing is merged, and the table is then as small as can be (the cluster needs one all
   the same). The caller destroys it. False with an error. */
bool rank_table_create(TabiaTable **table, const RankContext *rank, const PerftJob *job, uint64_t *hash_bytes,
                       TabiaError *error);
