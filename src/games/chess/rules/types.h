/* SPDX-License-Identifier: MIT */
/*
 * The types of chess: squares, colours, piece types, moves, and the sets that the rules are written with.
 *
 *   square = 8 * rank + file: a1 is 0, h1 is 7, a8 is 56, h8 is 63. "North" is toward the eighth rank.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"

typedef enum { WHITE, BLACK } Colour;
typedef enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_PIECE_TYPE } PieceType;
#define PIECE_LETTERS "PNBRQK" /* in the order of PieceType; white's in FEN, black's are in lower case */

enum {
    NO_SQUARE = 64,
    SIDE_PIECES_MAX = 16, /* of one side; more is refused by validation */
    MOVES_MAX = 448,      /* above 15 queens of 27 moves each, a king's 8 and two castlings */
    PLIES_64_BIT = 7,     /* so far down a count fits 64 bits: 448 to the seventh power is 3.6e18 */
};

/*
 * A move in 16 bits: from (bits 0 to 5), to (6 to 11), flag (12 to 15). Castling is written "king takes own rook":
 * `to` is the rook's square, which names the rook in Chess960 too. 0 is no move (a1 to a1).
 */
typedef uint16_t Move;
typedef enum {
    PLAIN, /* a quiet move or a capture */
    DOUBLE_PUSH,
    EN_PASSANT,
    CASTLING,
    PROMOTION, /* PROMOTION + piece type: to a knight, bishop, rook or queen */
} MoveFlag;

INLINE Move move_encode(int from, int to, int flag) {
    assert(from >= 0 && from < 64 && to >= 0 && to < 64 && flag >= PLAIN && flag <= PROMOTION + (int)QUEEN);
    return (Move)(from | to << 6 | flag << 12);
}
INLINE int move_from(Move m) {
    return m & 63;
}
INLINE int move_to(Move m) {
    return m >> 6 & 63;
}
INLINE int move_flag(Move m) {
    return m >> 12;
}
INLINE bool move_promotes(Move m) {
    return move_flag(m) > PROMOTION;
}
INLINE PieceType move_promotion(Move m) {
    assert(move_promotes(m));
    return (PieceType)(move_flag(m) - PROMOTION);
}

/* A move unpacked, with the type of the piece that moves. */
typedef struct {
    PieceType type;
    int from, to, flag;
} UnpackedMove;

INLINE UnpackedMove move_unpack(Move m, PieceType type) {
    return (UnpackedMove){type, move_from(m), move_to(m), move_flag(m)};
}
INLINE Move move_pack(UnpackedMove m) {
    return move_encode(m.from, m.to, m.flag);
}

#define FILE_A 0x0101010101010101ull
#define FILE_H 0x8080808080808080ull
#define DARK 0xaa55aa55aa55aa55ull
#define RANK(n) (0xffull << 8 * (n)) /* RANK(0) is the first */
#define FILES_AB (FILE_A | FILE_A << 1)
#define FILES_GH (FILE_H | FILE_H >> 1)

INLINE int file_of(int s) {
    return s & 7;
}
INLINE int rank_of(int s) {
    return s >> 3;
}

/* The ranks as a side counts them. back_rank_start: the back rank's square on the a-file. */
INLINE int back_rank_start(Colour c) {
    return c == WHITE ? 0 : 56;
}
INLINE Bits back_rank(Colour c) {
    return c == WHITE ? RANK(0) : RANK(7);
}
INLINE Bits pawn_start_rank(Colour c) {
    return c == WHITE ? RANK(1) : RANK(6);
}
INLINE Bits third_rank(Colour c) {
    return c == WHITE ? RANK(2) : RANK(5);
}
INLINE Bits last_rank(Colour c) {
    return c == WHITE ? RANK(7) : RANK(0);
}

/* The steps of a set of pawns. */
INLINE int pawn_up(Colour c) {
    return c == WHITE ? 8 : -8;
}
INLINE Bits forward(Bits b, Colour c) {
    return c == WHITE ? b << 8 : b >> 8;
}
INLINE Bits pawn_east_attacks(Bits b, Colour c) {
    b &= ~FILE_H;
    return c == WHITE ? b << 9 : b >> 7;
}
INLINE Bits pawn_west_attacks(Bits b, Colour c) {
    b &= ~FILE_A;
    return c == WHITE ? b << 7 : b >> 9;
}
INLINE Bits pawn_set_attacks(Bits b, Colour c) {
    return pawn_east_attacks(b, c) | pawn_west_attacks(b, c);
}
