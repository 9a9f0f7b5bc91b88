/* SPDX-License-Identifier: MIT */
/*
 * The danger of a king: the weights of all that is aimed at it are summed, and the sum counts by its square, because
 * attackers help each other (as in Stockfish before networks; the weights are learnt through the square).
 */
#pragma once
#include "evaluate_pieces.h"

/* The king's part of the board: three or four files, as far as the middle. */
INLINE Bits king_flank(int king, Colour us) {
    static const uint8_t files[8] = {0x07, 0x0f, 0x0f, 0x3c, 0x3c, 0xf0, 0xf0, 0xe0};
    return FILE_A * files[square_file(king)] & ranks_of(us, 0, 4);
}

INLINE void check_term(Tally *t, Colour us, Kind kind, Bits from, Bits safe, Bits *unsafe) {
    const Bits safely = from & safe;
    if (safely) {
        add_danger(t, us, DANGER_CHECK + (int)kind - KNIGHT, 1);
        if (several(safely)) add_danger(t, us, DANGER_CHECKS + (int)kind - KNIGHT, 1);
    } else {
        *unsafe |= from;
    }
}

/* Where a check could come from: not where the enemy stands, and safe where we do not cover it, or only weakly. */
INLINE void check_terms(Tally *t, const Position *p, Colour us, const Side *me, const Side *them, Bits weak) {
    const int king = king_square(p, us);
    const Bits occ = occupied(p) ^ (p->side[us] & p->diag & p->orth);
    const Bits straight = rook_attacks(king, occ), slanted = bishop_attacks(king, occ);
    const Bits free = ~p->side[!us], safe = free & (~me->all | (weak & them->twice));
    Bits unsafe = 0;
    check_term(t, us, KNIGHT, knight_attacks[king] & them->by[KNIGHT] & free, safe, &unsafe);
    check_term(t, us, BISHOP, slanted & them->by[BISHOP] & free, safe, &unsafe);
    check_term(t, us, ROOK, straight & them->by[ROOK] & free, safe, &unsafe);
    check_term(t, us, QUEEN, (straight | slanted) & them->by[QUEEN] & free & ~me->by[QUEEN], safe, &unsafe);
    add_danger(t, us, DANGER_UNSAFE_CHECK, count(unsafe));
}

INLINE void king_danger(Tally *t, const Position *p, Colour us, const Side *me, const Side *them) {
    const bool queen = p->side[!us] & p->diag & p->orth;
    if (them->ring_count < 2 - queen) {
        no_danger(t, us);
        return;
    }
    const Bits weak = them->all & ~me->twice & (~me->all | me->by[QUEEN] | me->by[KING]);
    const Bits flank = king_flank(king_square(p, us), us), hit = flank & them->all;
    add_danger(t, us, DANGER_BASE, 1);
    add_danger(t, us, DANGER_WEAK, count(me->ring & weak));
    check_terms(t, p, us, me, them, weak);
    if (!queen) add_danger(t, us, DANGER_NO_QUEEN, 1);
    if (me->by[KNIGHT] & me->by[KING]) add_danger(t, us, DANGER_KNIGHT_HOME, 1);
    if (me->by[BISHOP] & me->by[KING]) add_danger(t, us, DANGER_BISHOP_HOME, 1);
    add_danger(t, us, DANGER_PINNED, count(me->pinned));
    add_danger(t, us, DANGER_FLANK, count(hit));
    add_danger(t, us, DANGER_FLANK_TWICE, count(hit & them->twice));
    add_danger(t, us, DANGER_FLANK_HELD, count(flank & me->all));
}

/* What the dangers of both kings make of the score. */
INLINE int danger_middle(Score danger) {
    const int d = score_middle(danger);
    return d > 0 ? d * d / DANGER_SQUARE : 0;
}
INLINE int danger_end(Score danger) {
    const int d = score_end(danger);
    return d > 0 ? d / DANGER_END : 0;
}
