/* SPDX-License-Identifier: MIT */
#include "endings.h"

#include "evaluate_endings.h"

enum { KNOWN_WIN = 1000 };

bool kpk_wins(bool pawn_side_moves, int king, int pawn, int other_king) {
    const int mirror = file_of(pawn) > 3 ? 7 : 0;
    king ^= mirror, pawn ^= mirror, other_king ^= mirror;
    const int number = 4 * (rank_of(pawn) - 1) + file_of(pawn);
    assert(number >= 0 && number < KPK_PAWNS);
    return kpk_table[((pawn_side_moves ? 0 : 1) * KPK_PAWNS + number) * 64 + king] >> other_king & 1;
}

/* 0 in the middle, 6 in a corner. */
static int centre_distance(int s) {
    const int f = file_of(s) < 4 ? file_of(s) : 7 - file_of(s), r = rank_of(s) < 4 ? rank_of(s) : 7 - rank_of(s);
    return 6 - f - r;
}

static int kpk_value(const Position *p, Colour us) {
    const int king = relative_square(us, king_square(p, us)), other = relative_square(us, king_square(p, (Colour)!us));
    const int pawn = relative_square(us, lsb(p->pawn));
    if (!kpk_wins(p->turn == us, king, pawn, other)) return 0;
    return KNOWN_WIN / 2 + 20 * rank_of(pawn) - 2 * distance(king, pawn);
}

/* Bishop and knight mate in the corners of the bishop's colour only: Manhattan steps of the king to the nearer one. */
static int mating_corner_distance(const Position *p, int king) {
    const bool dark = p->diag & DARK;
    const int f = file_of(king), r = rank_of(king);
    const int one = dark ? f + r : f + 7 - r, two = dark ? 14 - f - r : 7 - f + r;
    return one < two ? one : two;
}

/* Enough to mate: a queen, a rook, bishops of both colours, bishop and knight, three knights. */
static bool has_mating_material(const Position *p) {
    const Bits bishops = p->diag & ~p->orth;
    return p->orth || (bishops & DARK && bishops & ~DARK) || (bishops && p->knight) || popcount(p->knight) > 2;
}

/* Drives the bare king to the edge and brings the own king near. */
static int mop_up_value(const Position *p, Colour us) {
    const int king = king_square(p, us), other = king_square(p, (Colour)!us);
    const int material =
        100 * popcount(p->pawn) + 320 * popcount(p->knight) + 330 * popcount(p->diag) + 500 * popcount(p->orth);
    const int proximity = 10 * (7 - distance(king, other));
    const bool one_knight = p->knight && !more_than_one(p->knight) && !more_than_one(p->diag) && !p->orth;
    if (!p->pawn && one_knight) return KNOWN_WIN + material + proximity + 25 * (7 - mating_corner_distance(p, other));
    return KNOWN_WIN + material + proximity + 15 * centre_distance(other);
}

bool ending_value(const Position *p, int *white) {
    assert(!more_than_one(p->side[WHITE]) || !more_than_one(p->side[BLACK]));
    const Colour us = more_than_one(p->side[WHITE]) ? WHITE : BLACK;
    int value;
    if (!more_than_one(p->side[us])) {
        value = 0;
    } else if (p->pawn && !more_than_one(p->pawn) && !(p->knight | p->diag | p->orth)) {
        value = kpk_value(p, us);
    } else if (has_mating_material(p)) {
        value = mop_up_value(p, us);
    } else if (!p->pawn) {
        value = 0;
    } else {
        return false;
    }
    *white = us == WHITE ? value : -value;
    return true;
}

/* Exactly these pieces and no more, with one king bare; -1: others. */
static int mating_material(const Position *p) {
    const Bits pieces = occupied(p) & ~p->king, bishops = p->diag & ~p->orth;
    if (more_than_one(p->side[WHITE]) == more_than_one(p->side[BLACK])) return -1;
    if (!more_than_one(pieces)) return p->orth ? (p->diag ? MATE_BY_QUEEN : MATE_BY_ROOK) : -1;
    if (p->orth || popcount(pieces) > 2 || !bishops) return -1;
    if (p->knight) return MATE_BY_BISHOP_AND_KNIGHT;
    return bishops & DARK && bishops & ~DARK ? MATE_BY_BISHOPS : -1;
}

int ending_mate_plies(const Position *p) {
    const int material = mating_material(p);
    if (material < 0) return 0;
    const Colour us = more_than_one(p->side[WHITE]) ? WHITE : BLACK;
    assert(material < MATING_MATERIALS && !more_than_one(p->side[!us]));
    return mate_plies_table[material][p->turn != us][king_square(p, us)][king_square(p, (Colour)!us)];
}
