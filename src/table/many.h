/* SPDX-License-Identifier: MIT */
/*
 * Probes of many keys by one call. Every line is asked for while those before it are looked through:
 *
 *     keys     k0 k1 k2 ... k31 | k32 ...
 *                   places, prefetched, in a ring --> looked through MANY_AHEAD later
 *
 * What all probes read of the table is read once, before: the answers are written through pointers that, for all a
 * compiler knows, may point into the table. So a clear that begins meanwhile is not seen by this call.
 */
#pragma once
#include "table/core.h"

enum { MANY_AHEAD = 32, MANY_RING = 64 };

/* A table without counters and with whole lines for buckets, as it is now. */
typedef struct {
    char *base;
    uint64_t groups, signature_mask, path_mask, era, tag;
} View;

INLINE View view_of(const TabiaTable *t) {
    return (View){t->base, t->groups, t->signature_mask, t->path_mask, clock_read(&t->clock->era), clock_tag(t)};
}

/* As place_of() does it, and the line is on its way. */
INLINE Place view_place(View v, TabiaKey key, uint64_t path) {
    const uint64_t number = (uint64_t)((unsigned __int128)key.index * v.groups >> 64);
    const uint64_t signature = (key.check ^ v.era) & v.signature_mask;
    Word *group = (Word *)(v.base + number * LINE_BYTES);
    __builtin_prefetch((const void *)group);
    return (Place){group, (signature ? signature : (uint64_t)1 << 63) | (path & v.path_mask)};
}

INLINE size_t many_lead(size_t n) {
    return n < MANY_AHEAD ? n : MANY_AHEAD;
}
