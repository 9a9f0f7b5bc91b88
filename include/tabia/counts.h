/* SPDX-License-Identifier: MIT */
/*
 * The record type of perft: (position, depth) -> number of leaves.
 *
 *     check   [ signature 62 bits | epochs 2 bits ] XOR hash(count)
 *     data    count
 *
 * The depth is mixed into both words of the key, so that a position has a slot for each depth at which it is met. All
 * slots of a bucket are examined, and the smallest count leaves, because it is the cheapest to count again (Ankan
 * Banerjee, perft_gpu, 2013). None of these calls can fail. They must be given a table of this record type, or NULL.
 */
#ifndef TABIA_COUNTS_H
#define TABIA_COUNTS_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Brings the line of (key, depth) towards the processor. key.index and the depth choose it: key.check may be anything. */
TABIA_API void tabia_counts_prefetch(const TabiaTable *table, TabiaKey key, unsigned depth);

/* The number stored for (key, depth), or 0. */
TABIA_API uint64_t tabia_counts_probe(const TabiaTable *table, TabiaKey key, unsigned depth);

/* The same for n keys of one depth: counts[i] is what tabia_counts_probe(table, keys[i], depth) would return. Every
   line is asked for while others are looked through. */
TABIA_API void tabia_counts_probe_batch(const TabiaTable *table, const TabiaKey *keys, unsigned depth, uint64_t *counts,
                                        size_t n);

/* Stores a number that is not 0 (0 is not stored). */
TABIA_API void tabia_counts_store(TabiaTable *table, TabiaKey key, unsigned depth, uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
