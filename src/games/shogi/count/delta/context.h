/* SPDX-License-Identifier: MIT */
/*
 * What the sums of one position ask again and again. We move, they reply; "null move" is the position with the turn
 * passed to them.
 */
#pragma once
#include "rules/movegen.h"

enum { MOVERS = DRAGON + 1 };

/* Where every piece of a side that slides stands, and what it attacks along its lines. */
typedef struct {
    Squares lances, bishops, rooks;
    Squares all;                    /* what they attack together */
    Squares attacks[BOARD_SQUARES]; /* and each, by where it stands */
} Sliders;

/* Around their king. */
typedef struct {
    Squares squares;                /* but for their own pieces */
    Squares once, twice;            /* of them: attacked by at least one of our pieces, at least two */
    Squares closers_twice;          /* where lines of two of ours would be closed */
    Squares closers;                /* where a line of ours to one of them would be closed */
    Squares lines_to;               /* where one to a square that nothing else of ours attacks would */
    Squares open_at[BOARD_SQUARES]; /* for a move to one of those: what of the zone we do not attack then */
} ZoneAttacks;

typedef struct {
    const Position *p;
    Squares own, foe, occ;
    int king, their_king;
    Squares king_moves;   /* of our king */
    Squares their_pinned; /* their pieces that alone shield their king */
    Sliders ours, theirs;
    ZoneAttacks zone;
    Squares mating_drop;    /* in front of our king, if a pawn that they drop there mates wherever we drop something */
    Squares made_from;      /* a move from here is made, and its replies counted */
    Squares made_to;        /* and so is one to here */
    Squares checks[MOVERS]; /* whence a piece of ours, by the way it moves, gives check; GOLD for all that move so */
    Squares pins[MOVERS];   /* whence a piece of ours that slides pins a piece of theirs */
    Squares near[MOVERS];   /* whence it might attack squares of the zone that hardly anything of ours attacks */
    Squares drops[HAND_TYPES]; /* where they could drop each type in hand, if every square were empty */
} DeltaContext;

INLINE Squares empty_squares(const DeltaContext *ctx) {
    return BOARD & ~ctx->occ;
}

INLINE bool piece_slides(PieceType type) {
    return type == LANCE || type == BISHOP || type == ROOK || type == HORSE || type == DRAGON;
}

/* What a piece attacks that moves as `type`. Of those that step no choice is made. */
INLINE Squares attacks_as(Colour c, PieceType type, int s, Squares occ) {
    return piece_slides(type) ? piece_attacks(c, type, s, occ) : step_attacks[c][type][s];
}

/* What a promoted piece moves as. */
INLINE PieceType moves_as(PieceType promoted) {
    assert(promoted & PROMOTED);
    return promoted == HORSE || promoted == DRAGON ? promoted : GOLD;
}

INLINE Squares all_sliders(const Sliders *of) {
    return of->lances | of->bishops | of->rooks;
}

/* The sliders of side c that attack s along their lines. */
INLINE Squares sliders_attacking(const Sliders *of, Colour c, int s, Squares occ) {
    return (rook_attacks(s, occ) & of->rooks) | (bishop_attacks(s, occ) & of->bishops) |
           (lance_attacks((Colour)!c, s, occ) & of->lances);
}

/* What the slider on s attacks along its lines, the steps of horse and dragon apart. */
INLINE Squares slides_from(const Sliders *of, Colour c, int s, Squares occ) {
    if (has_square(of->lances, s)) return lance_attacks(c, s, occ);
    return has_square(of->bishops, s) ? bishop_attacks(s, occ) : rook_attacks(s, occ);
}

INLINE void find_sliders(Sliders *of, const Position *p, Colour c, Squares occ) {
    of->lances = p->side[c] & unpromoted(p, LANCE);
    of->bishops = p->side[c] & p->type[BISHOP];
    of->rooks = p->side[c] & p->type[ROOK];
    of->all = 0;
    EACH_SQUARE (s, of->lances) of->all |= of->attacks[s] = lance_attacks(c, s, occ);
    EACH_SQUARE (s, of->bishops) of->all |= of->attacks[s] = bishop_attacks(s, occ);
    EACH_SQUARE (s, of->rooks) of->all |= of->attacks[s] = rook_attacks(s, occ);
}
