/* SPDX-License-Identifier: MIT */
/*
 * The record type of perft: (position, depth) -> number of leaves, 16 bytes each.
 *
 * Caveats first.
 * - A false hit makes a count wrong without a sign of it: once in 1.1e18 probes that should miss, with the default 62
 *   signature bits in a full table. Key words that depend on each other make it more often (tabia_key_from_64()).
 * - 0 means "not known" and cannot be stored.
 * - The bucket depends on the depth: prefetch by tabia_counts_prefetch(), not by tabia_table_prefetch().
 *
 * Layout:
 *
 *     check   [ signature 62 bits | epochs 2 bits ] XOR hash(count)
 *     data    count
 *
 * The depth is mixed into both words of the key, so that one position has a slot for each depth at which it is reached.
 *
 * Replacement. All slots of a bucket are compared. The key's own slot is used if there is one, else an empty one, else
 * that of the lowest priority: the count, which tells how much work it is to count again (Ankan Banerjee, perft_gpu,
 * 2013), halved for each count that was stored in the bucket since, so that large counts of positions that are not met
 * again leave some day. The new count is always stored. The option `replacement` has other rules.
 *
 * Ownership: counts are copied; arrays are the caller's and are not kept.
 * Threads: any number at any time.
 * Memory ordering: as table.h describes it, relaxed.
 * Errors: none of these functions can fail. They need a table of counts, or NULL: then a probe returns 0 and nothing is
 * stored.
 *
 * Example:
 *
 *     uint64_t leaves = tabia_counts_probe(table, key, depth);
 *     if (!leaves) tabia_counts_store(table, key, depth, leaves = count_leaves(position, depth));
 */
#ifndef TABIA_COUNTS_H
#define TABIA_COUNTS_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Prefetches the bucket of (key, depth) into the caches, some hundred nanoseconds before the probe. Only key.index and
 * the depth are used, so key.check may still be unknown.
 *
 * Errors: none; it never faults.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     tabia_counts_prefetch(table, key, depth);
 */
TABIA_API void tabia_counts_prefetch(const TabiaTable *table, TabiaKey key, unsigned depth);

/*
 * Returns the count stored for (key, depth), 1 or more; 0 if there is none. depth is any number, compared for equality.
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     const uint64_t leaves = tabia_counts_probe(table, key, depth);
 *     if (leaves) total += leaves;
 */
TABIA_API uint64_t tabia_counts_probe(const TabiaTable *table, TabiaKey key, unsigned depth);

/*
 * Probes for n keys of one depth: counts[i] is what tabia_counts_probe(table, keys[i], depth) would return. n may be 0.
 * Buckets are prefetched some 100 keys ahead, so that many reads of memory are under way at once.
 *
 * Ownership: keys and counts are the caller's, n long, and do not overlap.
 * Errors: none.
 * Threads: any number at any time. A clear that begins during the call is not seen by it.
 *
 * Example:
 *
 *     const TabiaKey keys[2] = {{1, 2}, {3, 4}};
 *     uint64_t counts[2];
 *     tabia_counts_probe_batch(table, keys, depth, counts, 2);
 */
TABIA_API void tabia_counts_probe_batch(const TabiaTable *table, const TabiaKey *keys, unsigned depth, uint64_t *counts,
                                        size_t n);

/*
 * Stores the count of (key, depth), by the replacement rule above. A count of 0 is not stored.
 *
 * Errors: none.
 * Threads: any number at any time. Of two stores into one bucket at the same time one may be lost.
 *
 * Example:
 *
 *     tabia_counts_store(table, key, depth, 197281);
 */
TABIA_API void tabia_counts_store(TabiaTable *table, TabiaKey key, unsigned depth, uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
