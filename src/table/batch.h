/* SPDX-License-Identifier: MIT */
/*
 * Probes of many keys by one call. Each bucket is prefetched long before it is probed:
 *
 *     keys     | k0 ... | ki | ........ | ki+96 | ...
 *                         probed          prefetched
 *
 * A round finds its own bucket before it prefetches the later one; the other order takes 2 to 3 % longer at 1 GiB.
 * What all probes read of the table is read once, before: the answers are written through pointers that, for all a
 * compiler knows, may point into the table. So a clear that begins meanwhile is not seen by this call.
 *
 * The lines come by way of all caches: past them (prefetchnta) they would come a tenth faster from memory, but a caller
 * who asks again for what he has found, as a search does, would wait twice, and tables of the size of the last cache
 * were seen to be half as fast.
 */
#pragma once
#include "table_internal.h"

/* As far ahead as the memory of a fast machine must be asked to be kept busy, and farther did no good there
   (docs/experiments, probes and stores). */
enum { BATCH_AHEAD = 96 };

/* How many of n keys have another one BATCH_AHEAD places behind them. */
INLINE size_t batch_followed(size_t n) {
    return n > BATCH_AHEAD ? n - BATCH_AHEAD : 0;
}

/* A table as it is now. */
typedef struct {
    char *base;
    uint64_t buckets, signature_mask, path_mask, epoch, epoch_tag;
} BatchView;

INLINE BatchView batch_view_of(const TabiaTable *t) {
    return (BatchView){
        t->base, t->buckets, t->signature_mask, t->path_mask, load_relaxed(&t->generations->epoch), epoch_tag_of(t)};
}

/* As bucket_of() does it. */
INLINE Word *batch_bucket(BatchView v, TabiaKey key) {
    return (Word *)(v.base + multiply_high(key.index, v.buckets) * CACHE_LINE_BYTES);
}

INLINE void batch_prefetch(BatchView v, TabiaKey key) {
    __builtin_prefetch((const void *)batch_bucket(v, key));
}

/* As slot_ref_of() does it. */
INLINE SlotRef batch_slot_ref(BatchView v, TabiaKey key, uint64_t path) {
    const uint64_t signature = (key.check ^ v.epoch) & v.signature_mask;
    return (SlotRef){batch_bucket(v, key), (signature ? signature : (uint64_t)1 << 63) | (path & v.path_mask)};
}
