/* SPDX-License-Identifier: MIT */
/*
 * A whole line at once: which of four slots of one data word has a certain identity, and which is worth least.
 *
 * Slot by slot here, for any processor; by vectors in bucket_simd.h.
 */
#pragma once
#include "bucket_simd.h"
#include "slot.h"

/* The slot whose identity agrees with `identity` in the bits of `compared`, or {0, 0}; of several, any one. */
INLINE SlotPair bucket_find_scalar(const Word *bucket, uint64_t identity, uint64_t compared, Integrity integrity,
                                   unsigned ways) {
    SlotPair found = {0, 0};
    assert(ways >= 1 && ways <= 4);
#pragma GCC unroll 4
    for (unsigned i = ways; i-- > 0;) {
        const SlotPair slot = slot_load(bucket + 2 * i, integrity);
        const bool same = ((slot.check ^ identity) & compared) == 0;
        found.check = same ? slot.check : found.check;
        found.data = same ? slot.data : found.data;
    }
    return found;
}

INLINE SlotPair bucket_find(const Word *bucket, uint64_t identity, uint64_t compared, Integrity integrity,
                            unsigned ways) {
#ifndef BUCKET_SCALAR
    if (ways == 4 && integrity != TABIA_LOCKED) {
        const SimdSlots l = simd_load(bucket, integrity);
        return simd_pick(l, simd_same(l, identity, compared));
    }
#endif
    return bucket_find_scalar(bucket, identity, compared, integrity, ways);
}

/* Moves the slots in front of slot number `least` back by one, as they are: it is given up, and slot 0 is free for what
   comes, so that slots lie in the order in which they were stored. */
INLINE void slots_move_back(Word *bucket, unsigned least, Integrity integrity) {
    for (unsigned i = least; i > 0; i--) {
        Word *to = bucket + 2 * i;
        if (integrity == TABIA_WIDE) {
            wide_store(to, wide_load(to - 2));
            continue;
        }
        const uint64_t check = atomic_load_explicit(to - 2, memory_order_relaxed);
        const uint64_t data = atomic_load_explicit(to - 1, memory_order_relaxed);
        atomic_store_explicit(to, check, memory_order_relaxed);
        atomic_store_explicit(to + 1, data, memory_order_relaxed);
    }
}
