/* SPDX-License-Identifier: MIT */
/*
 * Probes of many keys by one call. Each line is asked for long before it is looked through:
 *
 *     keys     | k0 ... | ki ... ki+15 | ........ | ki+96 ... ki+111 | ...
 *                         looked through              asked for
 *
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
enum { MANY_AHEAD = 96, MANY_BLOCK = 16 };

/* A table without counters and with whole lines for buckets, as it is now. */
typedef struct {
    char *base;
    uint64_t groups, signature_mask, path_mask, era, tag;
} View;

INLINE View view_of(const TabiaTable *t) {
    return (View){t->base, t->groups, t->signature_mask, t->path_mask, clock_read(&t->clock->era), clock_tag(t)};
}

/* As group_of() does it. */
INLINE Word *view_group(View v, TabiaKey key) {
    return (Word *)(v.base + upper_product(key.index, v.groups) * LINE_BYTES);
}

INLINE void view_ask(View v, TabiaKey key) {
    __builtin_prefetch((const void *)view_group(v, key));
}

/* As place_of() does it. */
INLINE uint64_t view_identity(View v, TabiaKey key, uint64_t path) {
    const uint64_t signature = (key.check ^ v.era) & v.signature_mask;
    return (signature ? signature : (uint64_t)1 << 63) | (path & v.path_mask);
}

INLINE Place view_place(View v, TabiaKey key) {
    return (Place){view_group(v, key), view_identity(v, key, v.tag)};
}

/* How many of n keys have another one MANY_AHEAD places behind them. */
INLINE size_t many_followed(size_t n) {
    return n > MANY_AHEAD ? n - MANY_AHEAD : 0;
}
