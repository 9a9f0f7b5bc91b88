/* SPDX-License-Identifier: MIT */
/*
 * What pieces are worth, in centipawns. A capture changes the balance twice, by the piece that one side loses and by the
 * one that the other takes into its hand: a piece is worth half of what taking it is, and a pawn half a pawn's value.
 */
#pragma once
#include "rules/types.h"

/* Identifies these values: another number for other values. */
enum { MATERIAL_IDENTITY = 20261130 };

/* On the board, or in hand. */
INLINE int piece_value(PieceType type) {
    static const int16_t value[] = {50, 160, 180, 260, 425, 500, 285, 0, 265, 255, 260, 280, 560, 660, 0, 0, 0};
    assert(type <= NO_PIECE_TYPE);
    return value[type];
}

/* What taking it wins; the king cannot be taken. */
INLINE int exchange_value(PieceType type) {
    return piece_value(type) + (type == NO_PIECE_TYPE ? 0 : piece_value(piece_type_unpromoted(type)));
}

/* What a piece gains by promoting. */
INLINE int promotion_value(PieceType type) {
    return piece_value((PieceType)(type | PROMOTED)) - piece_value(type);
}
