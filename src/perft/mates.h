/* SPDX-License-Identifier: MIT */
/*
 * Counting the leaves that are mate, for kernel.c: only moves that give check are played out to see it. The table holds
 * one more than the count of a position, because most have no mate below them, and an entry of 0 is none.
 */
#pragma once
#include "count.h"
#include "rules/checking_moves.h"

INLINE bool has_no_move(const Position *p) {
    return !(p->turn == WHITE ? last_one_white(p) : last_one_black(p));
}

/* How many moves of p mate. */
INLINE unsigned mates_of(const Position *p, Colour us) {
    Move list[MOVES_MAX];
    const unsigned n = list_checking_moves(p, us, list);
    unsigned mates = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        make_move(&child, p, us, list[i]);
        mates += has_no_move(&child);
    }
    return mates;
}
NOINLINE unsigned mates_of_white(const Position *p) {
    return mates_of(p, WHITE);
}
NOINLINE unsigned mates_of_black(const Position *p) {
    return mates_of(p, BLACK);
}

static U128 count_mates(KernelContext *c, const Position *p, Key key, int depth);

/* The children of one position, and where the table holds each. */
typedef struct {
    Move move[MOVES_MAX];
    Key key[MOVES_MAX];
    SlotRef slot[MOVES_MAX];
} MateChildren;

INLINE SlotRef mates_slot(const KernelContext *c, Key key, int depth) {
    return counts_slot_ref(c->table, (TabiaKey){key[0], key[1]}, (unsigned)depth);
}

/* The mates below child i; what the table did not know it learns. */
static U128 mates_below(KernelContext *c, const Position *p, const MateChildren *children, unsigned i, int depth) {
    const uint64_t known = c->table ? counts_probe(c->table, children->slot[i]) : 0;
    if (c->table) c->probes++, c->hits += known != 0;
    if (known) return known - 1;
    Position child;
    make_move(&child, p, (Colour)p->turn, children->move[i]);
    const U128 mates = count_mates(c, &child, children->key[i], depth);
    const bool stopped = atomic_load_explicit(c->stop, memory_order_relaxed);
    if (c->table && !stopped && mates < UINT64_MAX) counts_store(c->table, children->slot[i], (uint64_t)mates + 1);
    return mates;
}

/* The leaves `depth` plies below p that are mate; p itself at 0. */
static U128 count_mates(KernelContext *c, const Position *p, Key key, int depth) {
    if (depth == 0) return in_check(p) && has_no_move(p);
    if (depth == 1) return p->turn == WHITE ? mates_of_white(p) : mates_of_black(p);
    if (atomic_load_explicit(c->stop, memory_order_relaxed)) return 0;
    MateChildren children;
    const unsigned n = list_moves(p, children.move);
    for (unsigned i = 0; i < n && c->table; i++) {
        children.key[i] = p->turn == WHITE ? key_after_move(c->zobrist, p, key, WHITE, children.move[i])
                                           : key_after_move(c->zobrist, p, key, BLACK, children.move[i]);
        children.slot[i] = mates_slot(c, children.key[i], depth - 1);
        counts_prefetch(children.slot[i]);
    }
    U128 sum = 0;
    for (unsigned i = 0; i < n; i++) sum += mates_below(c, p, &children, i, depth - 1);
    return sum;
}
