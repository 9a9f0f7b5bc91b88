/* SPDX-License-Identifier: MIT */
/*
 * The legal moves of a position by kinds (count/kinds.h), for whole sets of moves. Few moves give check, and only those
 * that may are made: to a square from which a piece of that type attacks the king, or by a piece that alone hides it from
 * a slider of its own side. Of promotions, castlings and captures en passant each is made.
 *
 *        . . . . . . . .
 *        k . . N . . . R      every move of this knight may give check;
 *        . . . . . . . .      of another one those to the squares that a knight
 *        . . . . . . . .      would attack from where the king stands
 *
 * tests/fuzz/last_two.c compares it with making every move.
 */
#pragma once
#include "count/kinds.h"
#include "rules/movegen.h"

typedef struct {
    const Position *p;
    Colour us;
    int king; /* the other side's */
    Bits foe;
    Bits check[KING + 1]; /* squares from which a piece of that type attacks the king */
    Bits hiding;          /* our pieces that alone hide it from a slider of ours */
    uint64_t nodes, *kinds;
} KindCounter;

/* Our pieces that alone stand between the king and one of our sliders. */
INLINE Bits lone_blockers(int king, Bits sliders, Bits own) {
    Bits found = 0;
    EACH (s, sliders) {
        const Bits pieces = squares_between[king][s] & own & ~bit((int)s);
        if (pieces && !more_than_one(pieces)) found |= pieces;
    }
    return found;
}

INLINE void find_check_squares(KindCounter *c, const Position *p, Colour us) {
    const Bits occ = occupied(p), own = p->side[us];
    const Bits orth = rook_attacks(c->king, occ), diag = bishop_attacks(c->king, occ);
    c->check[PAWN] = pawn_attacks[!us][c->king];
    c->check[KNIGHT] = knight_attacks[c->king];
    c->check[BISHOP] = diag, c->check[ROOK] = orth, c->check[QUEEN] = diag | orth;
    c->check[KING] = 0;
    c->hiding = lone_blockers(c->king, rook_attacks(c->king, c->foe) & own & p->orth, own) |
                lone_blockers(c->king, bishop_attacks(c->king, c->foe) & own & p->diag, own);
}

/* A move that may give check. arrived: where what moves stands then. */
NOINLINE void count_checks(KindCounter *c, Move m, Bits arrived) {
    Position child;
    make_move(&child, c->p, c->us, m);
    const Bits checkers = attackers(&child, c->us, c->king, occupied(&child));
    if (!checkers) return;
    c->kinds[KIND_CHECK]++;
    if (more_than_one(checkers))
        c->kinds[KIND_DOUBLE]++;
    else if (!(checkers & arrived))
        c->kinds[KIND_DISCOVERED]++;
    if (!moves_count(&child)) c->kinds[KIND_MATE]++;
}

INLINE void count_set(void *context, const MoveSet *s) {
    KindCounter *c = context;
    const Bits hiding = s->step > 0 ? c->hiding << s->step : c->hiding >> -s->step;
    c->nodes += (unsigned)popcount(s->to);
    c->kinds[KIND_CAPTURE] += (unsigned)popcount(s->to & c->foe);
    Bits may_check = s->to & c->check[s->type];
    if (s->flag > PROMOTION)
        c->kinds[KIND_PROMOTION] += (unsigned)popcount(s->to), may_check = s->to;
    else if (s->step)
        may_check |= s->to & hiding;
    else if (c->hiding & bit(s->from))
        may_check = s->to;
    EACH (t, may_check)
        count_checks(c, move_encode(s->step ? (int)t - s->step : s->from, (int)t, s->flag), bit((int)t));
}

/* Castling, or a capture en passant. */
INLINE void count_rare_move(void *context, UnpackedMove m) {
    KindCounter *c = context;
    const bool castles = m.flag == CASTLING;
    const Bits rook = bit(castled_rook(c->us, m.to > m.from)) & ~bit(m.to); /* none if it stays where it is */
    c->nodes++;
    c->kinds[KIND_CASTLING] += castles;
    c->kinds[KIND_EN_PASSANT] += !castles;
    c->kinds[KIND_CAPTURE] += !castles;
    count_checks(c, move_pack(m), castles ? rook : bit(m.to));
}

/* The number of legal moves of us, whose turn it is; adds those of each kind. */
INLINE uint64_t count_last_kinds(const Position *p, Colour us, uint64_t kinds[KINDS]) {
    KindCounter c = {.p = p, .us = us, .king = king_square(p, (Colour)!us), .foe = p->side[!us], .kinds = kinds};
    MoveSink k = {.visit = count_rare_move, .visit_set = count_set, .context = &c};
    find_check_squares(&c, p, us);
    generate(p, &k, us, GEN_SETS);
    return c.nodes;
}
