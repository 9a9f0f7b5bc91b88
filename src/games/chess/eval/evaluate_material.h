/* SPDX-License-Identifier: MIT */
/*
 * The evaluation without a network: material, and how near to the middle of the board a piece stands. It needs no fit, so
 * it plays the first games that a network is trained on, and says what pieces are worth in synthetic samples.
 */
#pragma once
#include "see.h"

/* Identifies these values: another number for other values. */
enum { MATERIAL_IDENTITY = 20261127 };

/* 0 at the edge, 3 in the middle, summed over some squares. */
INLINE int centre_steps(Bits b) {
    return popcount(b & 0x007e7e7e7e7e7e00) + popcount(b & 0x00003c3c3c3c0000) + popcount(b & 0x0000001818000000);
}

/* The steps that pawns have made from their first rank. */
INLINE int pawn_steps(Bits pawns, Colour us) {
    int sum = 0;
    for (int rank = 2; rank < 7; rank++) sum += popcount(us == WHITE ? pawns >> 8 * rank : pawns << 8 * rank);
    return sum;
}

/* What a side's pieces are worth where they stand, in centipawns. The king stays at the edge while there is a queen. */
INLINE int side_value(const Position *p, Colour us) {
    const Bits own = p->side[us], queens = p->diag & p->orth;
    const int material =
        exchange_value(PAWN) * popcount(own & p->pawn) + exchange_value(KNIGHT) * popcount(own & p->knight) +
        exchange_value(BISHOP) * popcount(own & p->diag & ~queens) +
        exchange_value(ROOK) * popcount(own & p->orth & ~queens) + exchange_value(QUEEN) * popcount(own & queens);
    const int king = (queens & p->side[!us] ? -10 : 10) * centre_steps(own & p->king);
    return material + king + 10 * centre_steps(own & p->knight) + 5 * centre_steps(own & p->diag) +
           4 * centre_steps(own & p->pawn) + 6 * pawn_steps(own & p->pawn, us);
}

/* For the side to move. */
INLINE int material_value(const Position *p) {
    return side_value(p, (Colour)p->turn) - side_value(p, (Colour)!p->turn);
}
