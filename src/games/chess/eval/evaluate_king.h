/* SPDX-License-Identifier: MIT */
/*
 * King danger: the weights of all attacks on the king are summed, and the sum counts by its square, since attackers
 * support each other (as in Stockfish before networks; the weights are fitted through the square).
 */
#pragma once
#include "evaluate_pieces.h"

/* The king's flank: three or four files, as far as the middle of the board. */
INLINE Bits king_flank(int king, Colour us) {
    static const uint8_t files[8] = {0x07, 0x0f, 0x0f, 0x3c, 0x3c, 0xf0, 0xf0, 0xe0};
    return FILE_A * files[file_of(king)] & ranks_of(us, 0, 4);
}

INLINE void check_term(EvaluationSum *t, Colour us, PieceType type, Bits from, Bits safe, Bits *unsafe) {
    assert(type >= KNIGHT && type <= QUEEN);
    const Bits safely = from & safe;
    if (safely) {
        add_danger(t, us, DANGER_SAFE_CHECK + (int)type - KNIGHT, 1);
        if (more_than_one(safely)) add_danger(t, us, DANGER_MULTIPLE_CHECKS + (int)type - KNIGHT, 1);
    } else {
        *unsafe |= from;
    }
}

/* The squares of possible checks: not occupied by the checking side, and safe if not defended, or only weakly. */
INLINE void check_terms(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *me, const SideAttacks *them,
                        Bits weak) {
    const int king = king_square(p, us);
    const Bits occ = occupied(p) ^ (p->side[us] & p->diag & p->orth);
    const Bits straight = rook_attacks(king, occ), diagonal = bishop_attacks(king, occ);
    const Bits free = ~p->side[!us], safe = free & (~me->all | (weak & them->twice));
    Bits unsafe = 0;
    check_term(t, us, KNIGHT, knight_attacks[king] & them->by[KNIGHT] & free, safe, &unsafe);
    check_term(t, us, BISHOP, diagonal & them->by[BISHOP] & free, safe, &unsafe);
    check_term(t, us, ROOK, straight & them->by[ROOK] & free, safe, &unsafe);
    check_term(t, us, QUEEN, (straight | diagonal) & them->by[QUEEN] & free & ~me->by[QUEEN], safe, &unsafe);
    add_danger(t, us, DANGER_UNSAFE_CHECK, popcount(unsafe));
}

INLINE void king_danger(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *me,
                        const SideAttacks *them) {
    const bool queen = p->side[!us] & p->diag & p->orth;
    if (them->ring_attackers < 2 - queen) {
        clear_danger(t, us);
        return;
    }
    const Bits weak = them->all & ~me->twice & (~me->all | me->by[QUEEN] | me->by[KING]);
    const Bits flank = king_flank(king_square(p, us), us), attacked = flank & them->all;
    add_danger(t, us, DANGER_BASE, 1);
    add_danger(t, us, DANGER_WEAK_SQUARES, popcount(me->ring & weak));
    check_terms(t, p, us, me, them, weak);
    if (!queen) add_danger(t, us, DANGER_NO_QUEEN, 1);
    if (me->by[KNIGHT] & me->by[KING]) add_danger(t, us, DANGER_KNIGHT_DEFENDER, 1);
    if (me->by[BISHOP] & me->by[KING]) add_danger(t, us, DANGER_BISHOP_DEFENDER, 1);
    add_danger(t, us, DANGER_PINNED, popcount(me->pinned));
    add_danger(t, us, DANGER_FLANK_ATTACKS, popcount(attacked));
    add_danger(t, us, DANGER_FLANK_DOUBLE_ATTACKS, popcount(attacked & them->twice));
    add_danger(t, us, DANGER_FLANK_DEFENCE, popcount(flank & me->all));
}
