/* SPDX-License-Identifier: MIT */
/*
 * The types of shogi: squares, sets of them, colours, piece types, moves.
 *
 *   square = 9 * (file - 1) + (rank - 1): 1a is 0, 1i is 8, 9i is 80. Black moves first, and "forward" for black is
 *   toward rank a, to the lower number.
 *
 * A set of squares is one 128-bit word, square s being bit s, so that a step of all pieces of a kind is one shift.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"
#include "base/u128.h"

typedef U128 Squares;

typedef enum { BLACK, WHITE } Colour;

/* A promoted piece is its type | PROMOTED; gold and king have none. The first seven can be held in hand. */
typedef enum {
    PAWN,
    LANCE,
    KNIGHT,
    SILVER,
    BISHOP,
    ROOK,
    GOLD,
    KING,
    PROMOTED = 8,
    PROMOTED_PAWN = PROMOTED,
    PROMOTED_LANCE,
    PROMOTED_KNIGHT,
    PROMOTED_SILVER,
    HORSE, /* a promoted bishop */
    DRAGON,
    NO_PIECE_TYPE = 16
} PieceType;
#define PIECE_LETTERS "PLNSBRGK" /* in the order of PieceType; black's in SFEN, white's are in lower case */

enum {
    FILES = 9,
    RANKS = 9,
    BOARD_SQUARES = 81,
    NO_SQUARE = 81,   /* where a king is that is not on the board; the tables of attacks have an empty entry for it */
    HAND_TYPES = 7,   /* piece types that can be in hand: PAWN to GOLD */
    MOVES_MAX = 700,  /* the most are 593; a bishop and a rook too many (notation/validate.h) add at most 64 */
    PLIES_64_BIT = 6, /* so far down a count fits 64 bits: 700 to the sixth power is 1.2e17 */
};

/*
 * A move in 16 bits: to (bits 0 to 6), from (7 to 13), promotes (14). A drop comes from NO_SQUARE + piece type. 0 is no
 * move (1a to 1a). Apery's data formats write moves in the same bits.
 */
typedef uint16_t Move;
typedef enum { PLAIN, PROMOTION, DROP } MoveFlag;

INLINE Move move_encode(int from, int to, int flag) {
    assert(from >= 0 && from < NO_SQUARE && to >= 0 && to < NO_SQUARE && flag >= PLAIN && flag <= PROMOTION);
    return (Move)(to | from << 7 | flag << 14);
}
INLINE Move move_encode_drop(PieceType type, int to) {
    assert((int)type < HAND_TYPES && to >= 0 && to < NO_SQUARE);
    return (Move)(to | (NO_SQUARE + (int)type) << 7);
}
/* For a drop NO_SQUARE + its piece type. */
INLINE int move_from(Move m) {
    return m >> 7 & 127;
}
INLINE int move_to(Move m) {
    return m & 127;
}
INLINE bool move_is_drop(Move m) {
    return move_from(m) >= NO_SQUARE;
}
INLINE PieceType move_drop_type(Move m) {
    assert(move_is_drop(m));
    return (PieceType)(move_from(m) - NO_SQUARE);
}
INLINE bool move_promotes(Move m) {
    return m >> 14 & 1;
}
INLINE int move_flag(Move m) {
    return move_is_drop(m) ? DROP : m >> 14 & 1;
}

/* A move unpacked, with the type of the piece that moves, as it is before the move. `from` means nothing in a drop. */
typedef struct {
    PieceType type;
    int from, to, flag;
} UnpackedMove;

INLINE UnpackedMove move_unpack(Move m, PieceType type) {
    return (UnpackedMove){type, move_from(m), move_to(m), move_flag(m)};
}
INLINE Move move_pack(UnpackedMove m) {
    return m.flag == DROP ? move_encode_drop(m.type, m.to) : move_encode(m.from, m.to, m.flag);
}

INLINE PieceType piece_type_unpromoted(PieceType type) {
    return (PieceType)(type & 7);
}
INLINE bool piece_type_promotes(PieceType type) {
    return type < GOLD;
}

/* ---- squares and sets of them ---- */

INLINE int file_of(int s) {
    return s / RANKS;
}
INLINE int rank_of(int s) {
    return s % RANKS;
}

#define SQUARES(upper, lower) ((Squares)(upper) << 64 | (Squares)(lower))
#define BOARD SQUARES(0x1ffff, ~0ull)
#define FILE_1 ((Squares)0x1ff)
#define RANK_A SQUARES(0x100, 0x8040201008040201ull)              /* one square of each file */
#define RANKS_OF(first, n) (RANK_A * ((1 << (n)) - 1) << (first)) /* n ranks from `first`, which is 0 for rank a */

INLINE Squares square_bit(int s) {
    assert(s >= 0 && s <= NO_SQUARE);
    return s < 64 ? (Squares)bit(s) : (Squares)(bit(s - 64) & 0x1ffff) << 64;
}
INLINE uint64_t lower_word(Squares set) {
    return (uint64_t)set;
}
INLINE uint64_t upper_word(Squares set) {
    return (uint64_t)(set >> 64);
}
INLINE bool has_square(Squares set, int s) {
    assert(s >= 0 && s < 128);
    return (s < 64 ? lower_word(set) >> s : upper_word(set) >> (s - 64)) & 1;
}
/* The least and the greatest of a set that is not empty. */
INLINE int first_square(Squares set) {
    return lower_word(set) ? lsb(lower_word(set)) : 64 + lsb(upper_word(set));
}
INLINE int last_square(Squares set) {
    return upper_word(set) ? 64 + msb(upper_word(set)) : msb(lower_word(set));
}
INLINE int squares_count(Squares set) {
    return popcount(lower_word(set)) + popcount(upper_word(set));
}
INLINE bool more_than_one_square(Squares set) {
    return (set & (set - 1)) != 0;
}

/* for each square s (an int declared by the loop) of a set; `break` leaves only the square, not the loop */
#define EACH_SQUARE(s, set)                                                                                            \
    for (Squares s##_left = (set); s##_left; s##_left &= s##_left - 1)                                                 \
        for (int s = first_square(s##_left), s##_once = 1; s##_once; s##_once = 0)

/* ---- the board as a side sees it ---- */

INLINE Squares last_ranks(Colour c, int n) {
    return c == BLACK ? RANKS_OF(0, n) : RANKS_OF(RANKS - n, n);
}
INLINE Squares promotion_zone(Colour c) {
    return last_ranks(c, 3);
}
/* Where a piece of that type, unpromoted, could never move on: it must promote, and cannot be dropped there. */
INLINE Squares dead_end(Colour c, PieceType type) {
    return type == KNIGHT ? last_ranks(c, 2) : type == PAWN || type == LANCE ? last_ranks(c, 1) : (Squares)0;
}

/* All squares of a set a step further: toward rank a, toward rank i, toward file 1, toward file 9. */
INLINE Squares step_up(Squares b) {
    return (b & ~RANK_A) >> 1;
}
INLINE Squares step_down(Squares b) {
    return (b & ~RANKS_OF(8, 1)) << 1;
}
INLINE Squares step_right(Squares b) {
    return b >> FILES;
}
INLINE Squares step_left(Squares b) {
    return b << FILES & BOARD;
}
INLINE Squares forward(Squares b, Colour c) {
    return c == BLACK ? step_up(b) : step_down(b);
}
INLINE Squares sideways(Squares b) {
    return step_left(b) | step_right(b);
}
/* What all pieces of a kind in a set attack. */
INLINE Squares knight_set_attacks(Squares b, Colour c) {
    return sideways(forward(forward(b, c), c));
}
INLINE Squares silver_set_attacks(Squares b, Colour c) {
    const Squares ahead = forward(b, c);
    return ahead | sideways(ahead | forward(b, (Colour)!c));
}
INLINE Squares gold_set_attacks(Squares b, Colour c) {
    const Squares ahead = forward(b, c);
    return ahead | sideways(ahead | b) | forward(b, (Colour)!c);
}
INLINE Squares orth_steps(Squares b) {
    return step_up(b) | step_down(b) | sideways(b);
}
INLINE Squares diag_steps(Squares b) {
    return sideways(step_up(b) | step_down(b));
}

/* The files that hold a square of the set, whole. */
INLINE Squares whole_files(Squares set) {
    const Squares low = RANK_A, seven = RANKS_OF(0, 8);
    const Squares top = ((set & seven) + seven) | set; /* bit 8 of each file: is anything in it? */
    const Squares any = top >> 8 & low;
    return (any << FILES) - any;
}
