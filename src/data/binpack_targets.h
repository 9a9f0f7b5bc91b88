/* SPDX-License-Identifier: MIT */
/*
 * The squares that binpack counts a man's moves by: those it reaches when checks and pins are not looked at, so that
 * they are found without generating moves. Every legal move is among them.
 */
#pragma once
#include "rules/movegen.h"

typedef struct {
    Bits squares;
    Bits rooks[2]; /* of a king that may castle: long, short; empty or one square */
    bool promotes; /* each square counts four times */
} Targets;

/* Bits to choose among n: ceil(log2 n). */
INLINE unsigned choice_bits(unsigned n) {
    return n < 2 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

/* The member number n, from 0, of a set with more than n. */
INLINE int nth(Bits set, unsigned n) {
    for (; n; n--) set &= set - 1;
    return first(set);
}

INLINE Bits pawn_targets(const Position *p, Colour us, int from) {
    const Bits foe = p->side[!us], empty = ~occupied(p), step = forward(bit(from), us) & empty;
    const Bits two = forward(step & third_rank(us), us) & empty;
    return step | two | (pawn_attacks[us][from] & (foe | (p->ep ? bit(p->ep) : 0)));
}

INLINE Targets binpack_targets(const Position *p, int from) {
    const Colour us = (Colour)p->turn;
    const Bits occ = occupied(p), free = ~p->side[us];
    Targets t = {0};
    switch (kind_at(p, from)) {
    case PAWN:
        t.squares = pawn_targets(p, us, from);
        t.promotes = (forward(bit(from), us) & last_rank(us)) != 0;
        break;
    case KNIGHT:
        t.squares = knight_attacks[from] & free;
        break;
    case BISHOP:
        t.squares = bishop_attacks(from, occ) & free;
        break;
    case ROOK:
        t.squares = rook_attacks(from, occ) & free;
        break;
    case QUEEN:
        t.squares = (bishop_attacks(from, occ) | rook_attacks(from, occ)) & free;
        break;
    default:
        t.squares = king_attacks[from] & free;
        t.rooks[0] = castling_rook(p, us, false);
        t.rooks[1] = castling_rook(p, us, true);
    }
    return t;
}

INLINE unsigned targets_count(const Targets *t) {
    return (unsigned)count(t->squares) * (t->promotes ? 4u : 1u) + (t->rooks[0] != 0) + (t->rooks[1] != 0);
}

/* The move that has that number among the targets; not always a legal one. */
INLINE Move target_move(const Position *p, int from, const Targets *t, unsigned number) {
    const unsigned squares = (unsigned)count(t->squares);
    if (t->promotes) return move_make(from, nth(t->squares, number / 4), PROMOTION + KNIGHT + (int)(number % 4));
    if (number >= squares) return move_make(from, first(t->rooks[!t->rooks[0] || number > squares]), CASTLING);
    const int to = nth(t->squares, number);
    if (!(p->pawn & bit(from))) return move_make(from, to, PLAIN);
    if (p->ep && to == p->ep && square_file(to) != square_file(from)) return move_make(from, to, EN_PASSANT);
    return move_make(from, to, to - from == 16 || from - to == 16 ? DOUBLE_PUSH : PLAIN);
}

/* The number of a legal move. */
INLINE unsigned target_number(const Position *p, const Targets *t, Move m) {
    const unsigned below = (unsigned)count(t->squares & (bit(move_to(m)) - 1));
    (void)p;
    if (move_promotes(m)) return 4 * below + (unsigned)(move_promotion(m) - KNIGHT);
    if (move_flag(m) != CASTLING) return below;
    return (unsigned)count(t->squares) + (t->rooks[0] && !(t->rooks[0] & bit(move_to(m))));
}
