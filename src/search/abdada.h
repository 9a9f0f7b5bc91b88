/* SPDX-License-Identifier: MIT */
/*
 * Who is on which move: a small table of marks that lets a thread leave a move to the one that searches it already, and
 * come back to it when its other moves are done (the idea of ABDADA: Jean-Christophe Weill, "The ABDADA distributed
 * minimax search algorithm", 1996; with a table of its own: Tom Kerrigan, "Simplified ABDADA", 2017).
 *
 * The marks are hints: relaxed, lossy, and never wrong in a way that matters.
 */
#pragma once
#include <stdatomic.h>

#include "game.h"

enum { DEFERRAL_SLOTS = 32768, DEFERRAL_WAYS = 4, DEFERRAL_DEPTH = 4 };

typedef struct {
    _Atomic uint64_t mark[DEFERRAL_SLOTS][DEFERRAL_WAYS];
} Deferral;

INLINE uint64_t deferral_mark(Key key, Move m) {
    return key[1] ^ (uint64_t)m * 0x9e3779b97f4a7c15ull;
}

INLINE bool deferral_busy(Deferral *d, uint64_t mark) {
    _Atomic uint64_t *slot = d->mark[mark >> 32 & (DEFERRAL_SLOTS - 1)];
    for (int i = 0; i < DEFERRAL_WAYS; i++)
        if (atomic_load_explicit(&slot[i], memory_order_relaxed) == mark) return true;
    return false;
}

INLINE void deferral_begin(Deferral *d, uint64_t mark) {
    _Atomic uint64_t *slot = d->mark[mark >> 32 & (DEFERRAL_SLOTS - 1)];
    for (int i = 0; i < DEFERRAL_WAYS; i++)
        if (!atomic_load_explicit(&slot[i], memory_order_relaxed)) {
            atomic_store_explicit(&slot[i], mark, memory_order_relaxed);
            return;
        }
    atomic_store_explicit(&slot[mark & (DEFERRAL_WAYS - 1)], mark, memory_order_relaxed);
}

INLINE void deferral_end(Deferral *d, uint64_t mark) {
    _Atomic uint64_t *slot = d->mark[mark >> 32 & (DEFERRAL_SLOTS - 1)];
    for (int i = 0; i < DEFERRAL_WAYS; i++)
        if (atomic_load_explicit(&slot[i], memory_order_relaxed) == mark)
            atomic_store_explicit(&slot[i], 0, memory_order_relaxed);
}
