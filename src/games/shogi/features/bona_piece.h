/* SPDX-License-Identifier: MIT */
/*
 * The inputs of the networks of YaneuraOu, by the numbers (BonaPiece) that it has from Bonanza and Apery: the pieces of a
 * perspective in hand, the i-th of a type being one input, then those on the board, type by type, each of the
 * perspective's own side before the other's. Pieces that move as gold are gold. A perspective sees the board turned so
 * that its own side plays up.
 *
 *     0: a piece that the position lacks   1: own pawns in hand ... 90: own pawns on 81 squares, the other side's ...
 *     1548: own king, 1629: the other king
 *
 * A network K-P has all 1,710 of them. HalfKP has those below 1548 for each square of the perspective's own king.
 */
#pragma once
#include "features/features.h"

enum {
    BONA_LACKING = 0,
    BONA_BOARD = 90,                                  /* inputs of pieces in hand, before those on the board */
    BONA_PIECES = BONA_BOARD + 2 * 9 * BOARD_SQUARES, /* ... and of kings behind them */
    BONA_ALL = BONA_PIECES + 2 * BOARD_SQUARES,
    BONA_SET = 38, /* pieces of a set without kings */
};

INLINE int bona_on_board(Colour c, Colour owner, PieceType type, int square) {
    static const uint8_t order[FEATURE_TYPES] = {[PAWN] = 0,
                                                 [LANCE] = 1,
                                                 [KNIGHT] = 2,
                                                 [SILVER] = 3,
                                                 [GOLD] = 4,
                                                 [PROMOTED_PAWN] = 4,
                                                 [PROMOTED_LANCE] = 4,
                                                 [PROMOTED_KNIGHT] = 4,
                                                 [PROMOTED_SILVER] = 4,
                                                 [BISHOP] = 5,
                                                 [HORSE] = 6,
                                                 [ROOK] = 7,
                                                 [DRAGON] = 8,
                                                 [KING] = 9};
    const int turned = c == WHITE ? BOARD_SQUARES - 1 - square : square;
    return BONA_BOARD + BOARD_SQUARES * (2 * order[type] + (owner != c)) + turned;
}

/* That of a piece in hand, of which there are `before` others. One more than in a set has the number of a gap. */
INLINE int bona_in_hand(Colour c, Colour owner, PieceType type, int before) {
    static const uint8_t first[2][HAND_TYPES] = {
        {[PAWN] = 1, [LANCE] = 39, [KNIGHT] = 49, [SILVER] = 59, [GOLD] = 69, [BISHOP] = 79, [ROOK] = 85},
        {[PAWN] = 20, [LANCE] = 44, [KNIGHT] = 54, [SILVER] = 64, [GOLD] = 74, [BISHOP] = 82, [ROOK] = 88}};
    return first[owner != c][type] + before;
}

/* How many pieces of a set the position lacks, as in a handicap game: each sets input 0 once more. */
INLINE int bona_lacking(const Position *p) {
    const int kings = (p->king[BLACK] != NO_SQUARE) + (p->king[WHITE] != NO_SQUARE);
    const int pieces =
        squares_count(occupied(p)) - kings + network_hand_pieces(p->hand[BLACK]) + network_hand_pieces(p->hand[WHITE]);
    return pieces < BONA_SET ? BONA_SET - pieces : 0;
}

/* The pieces on some squares, of those numbered below `end`; returns their number. */
INLINE int bona_pieces_on(uint16_t *list, const Position *p, Squares squares, Colour c, int end) {
    int n = 0;
    EACH_SQUARE (s, squares & occupied(p)) {
        const Colour owner = has_square(p->side[WHITE], s) ? WHITE : BLACK;
        const int piece = bona_on_board(c, owner, piece_type_at(p, s), s);
        list[n] = (uint16_t)piece;
        n += piece < end;
    }
    return n;
}

/* The pieces that one hand has beyond another; returns their number. */
INLINE int bona_pieces_in_hand(uint16_t *list, uint32_t hand, uint32_t other, Colour c, Colour owner) {
    int n = 0;
    for (int t = 0; t < HAND_TYPES; t++)
        for (int i = (int)hand_count(other, (PieceType)t); i < (int)hand_count(hand, (PieceType)t); i++)
            list[n++] = (uint16_t)bona_in_hand(c, owner, (PieceType)t, i);
    return n;
}

/* The inputs below `end` that `to` sets and `from`, which differs from it by d, does not, in the perspective of side c. */
INLINE int bona_beyond(uint16_t *list, FeatureDifference d, const Position *to, const Position *from, Colour c,
                       int end) {
    int n = bona_pieces_on(list, to, d.board, c, end);
    for (int owner = 0; owner < 2; owner++)
        if (d.hand[owner]) n += bona_pieces_in_hand(list + n, to->hand[owner], from->hand[owner], c, (Colour)owner);
    return n;
}
