/* SPDX-License-Identifier: MIT */
/*
 * How an ending is stored: a byte for each placement of its pieces and each side to move. A placement is a number:
 *
 *     [pawn: 48 squares] white king: 16 squares, with a pawn 32 | black king: 64 | each other piece: 64
 *
 * The board is mirrored so that the white king stands on the files a to d and, without a pawn, on the ranks 1 to 4. Both
 * mirrors leave no position as it is, so that each position's moves lead to as many placements. A pawn comes first, so
 * that the placements with a pawn on one rank are consecutive.
 */
#pragma once
#include "selfplay/endgame_table.h"

enum {
    EXTRA_PIECES_MAX = 2, /* beside the kings */
    SLOTS_MAX = 2 + EXTRA_PIECES_MAX,
    DISTANCE_MAX = GAME_HALFMOVE_DRAW,
    NOT_LEGAL = -128, /* a stored value, as are 0 (drawn), 1 to 100 (won in so many plies), and lost_in() */
};

INLINE int lost_in(int plies) {
    return -1 - plies;
}

/* Slot 0 is the white king, 1 the black king; a pawn comes first of the others. */
typedef struct {
    uint64_t material;
    unsigned slots;
    PieceType type[SLOTS_MAX];
    Colour colour[SLOTS_MAX];
    bool has_pawn;
    size_t placements;
    int8_t *value[2]; /* by the side to move */
} Ending;

typedef struct {
    int square[SLOTS_MAX];
} Placement;

enum { ENDINGS_MAX = 64 };
struct EndgameTables {
    Ending ending[ENDINGS_MAX];
    unsigned n;
};

INLINE size_t placement_index(const Ending *e, Placement s) {
    const int flip = (file_of(s.square[0]) > 3 ? 7 : 0) | (!e->has_pawn && rank_of(s.square[0]) > 3 ? 56 : 0);
    const int white_king = s.square[0] ^ flip;
    size_t at = e->has_pawn ? (size_t)((s.square[2] ^ flip) - 8) * 32 : 0;
    at += (size_t)(rank_of(white_king) * 4 + file_of(white_king));
    at = at * 64 + (size_t)(s.square[1] ^ flip);
    for (unsigned i = 2 + e->has_pawn; i < e->slots; i++) at = at * 64 + (size_t)(s.square[i] ^ flip);
    return at;
}

/* From a placement to that with a piece, other than white's king and a pawn, on the next square. */
INLINE size_t placement_step(const Ending *e, unsigned slot) {
    size_t step = 1;
    for (unsigned i = e->slots; --i > slot && i >= 2 + (unsigned)e->has_pawn;) step *= 64;
    return step;
}

INLINE Placement placement_of(const Ending *e, size_t at) {
    Placement s = {{0}};
    for (unsigned i = e->slots - 1; i >= 2 + (unsigned)e->has_pawn; i--, at /= 64) s.square[i] = (int)(at % 64);
    s.square[1] = (int)(at % 64), at /= 64;
    const int kings = e->has_pawn ? 32 : 16, white_king = (int)at % kings;
    s.square[0] = white_king / 4 * 8 + white_king % 4;
    if (e->has_pawn) s.square[2] = (int)at / kings + 8;
    return s;
}

/* False: two pieces on a square, or the side that is not to move is in check. */
bool placement_position(const Ending *e, Placement s, Colour turn, Position *p);

/* Fills the ending's values. What its captures and promotions lead to is solved before. False: stopped, or no memory. */
bool endgame_solve(const EndgameTables *t, Ending *e, TabiaError *error);
