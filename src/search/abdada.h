/* SPDX-License-Identifier: MIT */
/*
 * ABDADA: a small table of the moves that are being searched. A thread defers a move that another thread searches until
 * its other moves are done (Jean-Christophe Weill, "The ABDADA distributed minimax search algorithm", 1996; with a
 * table of its own: Tom Kerrigan, "Simplified ABDADA", 2017).
 *
 * Entries are hints: relaxed atomics, lost updates allowed, and never needed for correctness.
 */
#pragma once
#include <assert.h>
#include <stdatomic.h>

#include "game.h"

enum { ABDADA_SLOTS = 32768, ABDADA_WAYS = 4, ABDADA_DEPTH = 4 };

typedef struct {
    _Atomic uint64_t mark[ABDADA_SLOTS][ABDADA_WAYS];
} AbdadaTable;

INLINE uint64_t abdada_move_hash(Key key, Move m) {
    return key[1] ^ (uint64_t)m * 0x9e3779b97f4a7c15ull;
}

INLINE bool abdada_is_searched(AbdadaTable *d, uint64_t mark) {
    _Atomic uint64_t *slot = d->mark[mark >> 32 & (ABDADA_SLOTS - 1)];
    for (int i = 0; i < ABDADA_WAYS; i++)
        if (atomic_load_explicit(&slot[i], memory_order_relaxed) == mark) return true;
    return false;
}

INLINE void abdada_start_search(AbdadaTable *d, uint64_t mark) {
    assert(mark); /* 0 is an empty slot */
    _Atomic uint64_t *slot = d->mark[mark >> 32 & (ABDADA_SLOTS - 1)];
    for (int i = 0; i < ABDADA_WAYS; i++)
        if (!atomic_load_explicit(&slot[i], memory_order_relaxed)) {
            atomic_store_explicit(&slot[i], mark, memory_order_relaxed);
            return;
        }
    atomic_store_explicit(&slot[mark & (ABDADA_WAYS - 1)], mark, memory_order_relaxed);
}

INLINE void abdada_finish_search(AbdadaTable *d, uint64_t mark) {
    assert(mark);
    _Atomic uint64_t *slot = d->mark[mark >> 32 & (ABDADA_SLOTS - 1)];
    for (int i = 0; i < ABDADA_WAYS; i++)
        if (atomic_load_explicit(&slot[i], memory_order_relaxed) == mark)
            atomic_store_explicit(&slot[i], 0, memory_order_relaxed);
}
