/* SPDX-License-Identifier: MIT */
/*
 * Endings. How much of an advantage remains where it is hard to turn into a win, and the few that are judged by rules
 * of their own (endings.c): king and pawn against king by a table of all positions, a bare king against what mates it.
 */
#pragma once
#include "endings.h"
#include "evaluate_terms.h"

/* A side has its king only, so that ending_value may know more. */
INLINE bool ending_is_special(const Position *p) {
    return !more_than_one(p->side[WHITE]) || !more_than_one(p->side[BLACK]);
}

INLINE int piece_material(const Position *p, Bits own) {
    return 3 * popcount(own & (p->knight | (p->diag & ~p->orth))) + 5 * popcount(own & p->orth & ~p->diag) +
           10 * popcount(own & p->orth & p->diag);
}

INLINE bool is_one_each(Bits own, Bits foe) {
    return own && foe && !more_than_one(own) && !more_than_one(foe);
}

/* Pawns of the edge files only, a bishop of the other colour than their last square, and the enemy king before them. */
INLINE bool has_wrong_bishop(const Position *p, Colour better) {
    const Bits own = p->side[better], pawns = own & p->pawn, bishops = own & p->diag & ~p->orth;
    if ((own & (p->knight | p->orth)) || !pawns || more_than_one(bishops)) return false;
    if ((pawns & ~FILE_A) && (pawns & ~FILE_H)) return false;
    const int corner = relative_square(better, pawns & FILE_A ? 56 : 63);
    if (bishops && ((bishops & DARK) != 0) == ((bit(corner) & DARK) != 0)) return false;
    return distance(king_square(p, (Colour)!better), corner) <= 1;
}

/* Rooks only, at most a pawn more and all of them on one side of the board, the other king among them. */
INLINE bool is_drawish_rook_ending(const Position *p, Colour better) {
    const Bits rooks = p->orth & ~p->diag, own = p->side[better], foe = p->side[!better];
    if (p->knight | p->diag || !is_one_each(rooks & own, rooks & foe)) return false;
    const Bits pawns = own & p->pawn;
    if (popcount(pawns) - popcount(foe & p->pawn) > 1 || !pawns) return false;
    return (!(pawns & FILE_A * 0x0f) || !(pawns & FILE_A * 0xf0)) &&
           king_attacks[king_square(p, (Colour)!better)] & p->pawn & foe;
}

INLINE int opposite_bishops_scale(const Position *p, Colour better, Bits passed) {
    const Bits others = p->knight | p->orth, own = p->side[better];
    if (!others) return 10 + 6 * popcount(passed & own) + popcount(own & p->pawn);
    return 38 + 2 * popcount(own & ~p->king);
}

/* What the better side lacks to win, whatever else stands on the board: of SCALE_MAX, all if it lacks nothing. */
INLINE int winnability_scale(const Position *p, Colour better) {
    const Bits own = p->side[better], foe = p->side[!better];
    if (own & p->pawn) return has_wrong_bishop(p, better) ? 0 : SCALE_MAX;
    const int ours = piece_material(p, own), theirs = piece_material(p, foe);
    if (ours <= 3 || (ours == 6 && !(own & p->diag))) return 0;
    return ours - theirs <= 3 ? SCALE_MAX / 8 : SCALE_MAX;
}

/* How much of the endgame's value remains, of SCALE_MAX: little where the better side can hardly win. */
INLINE int endgame_scale(const Position *p, Colour better, Bits passed) {
    const Bits own = p->side[better], foe = p->side[!better], bishops = p->diag & ~p->orth;
    const int hardly = winnability_scale(p, better);
    assert(hardly >= 0 && hardly <= SCALE_MAX);
    if (hardly < SCALE_MAX && !(own & p->pawn)) return hardly;
    if (is_one_each(bishops & own, bishops & foe) && bishops & DARK && bishops & ~DARK) {
        const int scale = opposite_bishops_scale(p, better, passed);
        return scale < SCALE_MAX ? scale : SCALE_MAX;
    }
    if (hardly < SCALE_MAX) return hardly;
    if (is_drawish_rook_ending(p, better)) return SCALE_MAX / 2;
    static const uint8_t by_pawns[4] = {38, 46, 54, 61}; /* so that expected points meet results */
    const int pawns = popcount(own & p->pawn);
    return pawns < 4 ? by_pawns[pawns] : SCALE_MAX;
}
