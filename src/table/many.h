/* SPDX-License-Identifier: MIT */
/*
 * Probes of many keys by one call, block by block. The lines of a block are asked for while the block before it is
 * looked through:
 *
 *     keys     | k0 k1 k2 ... k31 | k32 ... k63 | k64 ...
 *                looked through     asked for
 *
 * What all probes read of the table is read once, before: the answers are written through pointers that, for all a
 * compiler knows, may point into the table. So a clear that begins meanwhile is not seen by this call.
 *
 * The lines come by way of all caches: past them (prefetchnta) they would come a tenth faster from memory, but a caller
 * who asks again for what he has found, as a search does, would wait twice, and tables of the size of the last cache
 * were seen to be half as fast.
 */
#pragma once
#include "table/core.h"

enum { MANY_BLOCK = 32 };

/* A table without counters and with whole lines for buckets, as it is now. */
typedef struct {
    char *base;
    uint64_t groups, signature_mask, path_mask, era, tag;
} View;

INLINE View view_of(const TabiaTable *t) {
    return (View){t->base, t->groups, t->signature_mask, t->path_mask, clock_read(&t->clock->era), clock_tag(t)};
}

/* As group_of() does it, and the line is on its way. */
INLINE Word *view_group(View v, TabiaKey key) {
    Word *group = (Word *)(v.base + (uint64_t)((unsigned __int128)key.index * v.groups >> 64) * LINE_BYTES);
    __builtin_prefetch((const void *)group);
    return group;
}

/* As place_of() does it. */
INLINE uint64_t view_identity(View v, TabiaKey key, uint64_t path) {
    const uint64_t signature = (key.check ^ v.era) & v.signature_mask;
    return (signature ? signature : (uint64_t)1 << 63) | (path & v.path_mask);
}

/* How many of so many are in the next block. */
INLINE size_t many_block(size_t left) {
    return left < MANY_BLOCK ? left : MANY_BLOCK;
}
