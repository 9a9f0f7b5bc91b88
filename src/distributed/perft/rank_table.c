/* SPDX-License-Identifier: MIT */
#include "rank_table.h"

#include "perft/units.h"

/* Each rank makes a few plies of the frontier for itself, to know how much the work can fill; a rank's part may be an
   eighth larger than the mean. */
static bool usable_bytes(const RankContext *rank, const PerftJob *job, uint64_t *bytes, TabiaError *error) {
    Frontier few;
    const FrontierLimits limits = {
        .max_ply = job->depth > 5 ? job->depth - 4 : job->depth > 0, .enough = 1000, .most = 20000, .merge = true};
    if (!frontier_make(&few, &job->root, &rank->zobrist, limits, error)) return false;
    const uint64_t all = units_table_bytes(&(PerftJob){.depth = job->depth, .hash_bytes = UINT64_MAX / 4}, &few);
    const uint64_t part = all / rank->ranks + all / rank->ranks / 8 + (1 << 16);
    const uint64_t usable = rank->ranks > 1 && part < job->hash_bytes ? part : all;
    *bytes = usable < job->hash_bytes ? usable : job->hash_bytes;
    frontier_free(&few);
    return true;
}

bool rank_table_create(TabiaTable **table, const RankContext *rank, const PerftJob *job, uint64_t *hash_bytes,
                       TabiaError *error) {
    enum { UNUSED_BYTES = 1 << 12 };
    TabiaOptions options = job->table;
    options.type = TABIA_COUNTS;
    options.touch = TABIA_TOUCH_LATER;
    options.bytes = UNUSED_BYTES;
    options.identity = zobrist_identity(job->keys_seed);
    if (rank->merges && !usable_bytes(rank, job, &options.bytes, error)) return false;
    *hash_bytes = rank->merges ? options.bytes : 0;
    return tabia_table_create(table, &options, error) == TABIA_OK;
}
