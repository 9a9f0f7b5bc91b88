/* SPDX-License-Identifier: MIT */
/* Probes of many entries by one call (batch.h): a block of keys is looked through, then the block before it answered. */
#pragma once
#include "batch.h"
#include "entry_inline.h"

/* What was found of a block of keys. Put aside, so that answers are made side by side; and not before the next block
   has been looked through, because what was written in small pieces is not read in large ones until it has arrived. */
typedef struct {
    uint64_t identity[BATCH_BLOCK];
    SlotPair pair[BATCH_BLOCK];
} EntriesFound;

/* n keys; behind them are others, of which `after` are asked for. Both are constants where it matters. */
typedef struct {
    const TabiaKey *keys;
    const uint64_t *paths; /* NULL: 0 for all */
    size_t n, after;
} EntryBlock;

INLINE void entry_find_block(BatchView v, EntryBlock block, EntriesFound *found, Integrity integrity) {
    assert(block.n <= BATCH_BLOCK);
    for (size_t i = 0; i < block.n; i++) {
        const TabiaKey key = block.keys[i];
        if (i < block.after) batch_prefetch(v, block.keys[i + BATCH_AHEAD]);
        found->identity[i] = batch_identity(v, key, block.paths ? block.paths[i] : 0);
        found->pair[i] = bucket_find(batch_bucket(v, key), found->identity[i], ~v.path_mask, integrity, 4);
    }
}

INLINE void entry_answer_block(BatchView v, const EntriesFound *found, TabiaHit *hits, size_t n) {
    for (size_t i = 0; i < n; i++) hits[i] = entry_hit(found->pair[i], found->identity[i], v.path_mask);
}

/* paths is NULL or a table of them: a constant, so that the loop need not ask. */
INLINE void entry_probe_batch(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                              size_t n, Integrity integrity) {
    const BatchView v = batch_view_of(t);
    const size_t followed = batch_followed(n);
    EntriesFound found[2];
    unsigned side = 0;
    size_t from = 0;
    for (size_t i = 0; i < n - followed; i++) batch_prefetch(v, keys[i]);
    for (; from + BATCH_BLOCK <= followed; from += BATCH_BLOCK, side ^= 1) {
        const EntryBlock block = {keys + from, paths ? paths + from : NULL, BATCH_BLOCK, BATCH_BLOCK};
        entry_find_block(v, block, &found[side], integrity);
        if (from) entry_answer_block(v, &found[!side], hits + from - BATCH_BLOCK, BATCH_BLOCK);
    }
    if (from) entry_answer_block(v, &found[!side], hits + from - BATCH_BLOCK, BATCH_BLOCK);
    for (; from < n; from += BATCH_BLOCK) {
        const size_t here = n - from < BATCH_BLOCK ? n - from : BATCH_BLOCK;
        const size_t after = from < followed ? followed - from : 0;
        entry_find_block(v, (EntryBlock){keys + from, paths ? paths + from : NULL, here, after}, &found[0], integrity);
        entry_answer_block(v, &found[0], hits + from, here);
    }
}
