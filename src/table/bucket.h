/* SPDX-License-Identifier: MIT */
/*
 * A whole line at once: which of four slots of one data word has a certain identity, and which is worth least.
 *
 * Slot by slot here, for any processor; by vectors in four.h.
 */
#pragma once
#include "bucket_simd.h"
#include "slot.h"

/* The slot whose identity agrees with `identity` in the bits of `compared`, or {0, 0}; of several, any one. */
INLINE Pair line_pick_by_words(const Word *group, uint64_t identity, uint64_t compared, Integrity how, unsigned ways) {
    Pair found = {0, 0};
#pragma GCC unroll 4
    for (unsigned i = ways; i-- > 0;) {
        const Pair slot = slot_load(group + 2 * i, how);
        const bool same = ((slot.check ^ identity) & compared) == 0;
        found.check = same ? slot.check : found.check;
        found.data = same ? slot.data : found.data;
    }
    return found;
}

INLINE Pair line_pick(const Word *group, uint64_t identity, uint64_t compared, Integrity how, unsigned ways) {
#ifndef LINE_BY_WORDS
    if (ways == 4 && how != TABIA_LOCKED) {
        const FourSlots l = four_load(group, how);
        return four_pick(l, four_same(l, identity, compared));
    }
#endif
    return line_pick_by_words(group, identity, compared, how, ways);
}
