/* SPDX-License-Identifier: MIT */
/*
 * A position: three 64-byte cache lines, copied rather than unmade.
 *
 *     side[2]    the pieces of each side
 *     type[7]    by piece type without promotion, pieces of both sides, promoted ones too
 *     promoted   those that are promoted
 *     hand[2]    pieces in hand, a number for each type in fields of one word
 *     king[2]    their squares; NO_SQUARE where a problem (tsume) leaves the attacker's king out
 *
 * Invariants (validate.c refuses what breaks them): at most one king a side and at least one in all; no unpromoted pawn,
 * lance or knight on its dead end; no two unpromoted pawns of a side on a file; no more pieces of a type than a set has;
 * the side that does not move is not in check.
 */
#pragma once
#include "attacks.h"
#include "types.h"

typedef struct {
    Squares side[2], type[HAND_TYPES], promoted;
    uint32_t hand[2];
    uint8_t king[2];
    uint8_t turn;
    uint16_t ply; /* of the move to come, from 1, as in SFEN */
} __attribute__((aligned(64))) Position;

_Static_assert(sizeof(Position) == 192, "a position is three cache lines");

/* ---- hands ---- */

/*
 * A hand holds the number of each type in a field of its own, with at least one bit free above it, so that numbers are
 * added and compared at once: pawn bits 0 to 4, lance 8, knight 12, silver 16, bishop 20, rook 24, gold 28 to 30.
 */
#define HAND_GUARDS 0x88888820u /* the free bits */

INLINE int hand_shift(PieceType type) {
    assert((int)type < HAND_TYPES);
    return type == PAWN ? 0 : 4 + 4 * (int)type;
}
INLINE unsigned hand_mask(PieceType type) {
    return type == PAWN ? 31 : 7;
}
INLINE unsigned hand_count(uint32_t hand, PieceType type) {
    return hand >> hand_shift(type) & hand_mask(type);
}
INLINE uint32_t hand_one(PieceType type) {
    return (uint32_t)1 << hand_shift(type);
}
/* Has a at least as many of each type as b? */
INLINE bool hand_covers(uint32_t a, uint32_t b) {
    return (((a | HAND_GUARDS) - b) & HAND_GUARDS) == HAND_GUARDS;
}
/* All bits of the fields in which a has at least as many as b. */
INLINE uint32_t hand_fields_covered(uint32_t a, uint32_t b) {
    const uint32_t guards = ((a | HAND_GUARDS) - b) & HAND_GUARDS, pawn = guards & 0x20, others = guards ^ pawn;
    return (pawn - (pawn >> 5)) | (others - (others >> 3));
}
/* All bits of the types that a has. */
INLINE uint32_t hand_types(uint32_t a) {
    return hand_fields_covered(a, 0x11111101u);
}
/* Of each type the larger number. */
INLINE uint32_t hand_max(uint32_t a, uint32_t b) {
    const uint32_t larger = hand_fields_covered(a, b);
    return (a & larger) | (b & ~larger);
}

/* ---- the board ---- */

INLINE Squares king_bit(const Position *p, Colour c) {
    return square_bit(p->king[c]);
}
INLINE Squares occupied(const Position *p) {
    return p->side[BLACK] | p->side[WHITE];
}
/* Of a type, promoted or not, on the board and in both hands. */
INLINE unsigned position_pieces(const Position *p, PieceType type) {
    return (unsigned)squares_count(p->type[type]) + hand_count(p->hand[BLACK], type) + hand_count(p->hand[WHITE], type);
}
INLINE int king_square(const Position *p, Colour c) {
    return p->king[c];
}
/* Pieces of both sides that move as gold, and that slide. */
INLINE Squares gold_movers(const Position *p) {
    return p->type[GOLD] | (p->promoted & ~(p->type[BISHOP] | p->type[ROOK]));
}
INLINE Squares unpromoted(const Position *p, PieceType type) {
    return p->type[type] & ~p->promoted;
}

/* Puts a piece, not a king in hand, on an empty square. */
INLINE void position_put(Position *p, int s, Colour c, PieceType type) {
    const Squares b = square_bit(s);
    const PieceType base = piece_type_unpromoted(type);
    assert(s < NO_SQUARE && type < NO_PIECE_TYPE && !(occupied(p) & b));
    p->side[c] |= b;
    if (base == KING)
        p->king[c] = (uint8_t)s;
    else
        p->type[base] |= b;
    if (type & PROMOTED) p->promoted |= b;
}

/* The piece on a square, or NO_PIECE_TYPE. Without a branch: which piece is taken is hard to predict. */
INLINE PieceType piece_type_at(const Position *p, int s) {
    assert(s >= 0 && s < NO_SQUARE);
    unsigned found = 0;
    for (int t = 0; t < HAND_TYPES; t++) found |= (unsigned)has_square(p->type[t], s) << t;
    found |= (unsigned)(s == p->king[BLACK] || s == p->king[WHITE]) << KING | 1u << NO_PIECE_TYPE;
    return (PieceType)((unsigned)lsb(found) | (unsigned)has_square(p->promoted, s) << 3);
}
INLINE PieceType piece_type_at_branchless(const Position *p, int s) {
    return piece_type_at(p, s);
}
/* The piece on a square as SFEN writes it, the '+' of a promoted one left out; '.' for none. */
INLINE char piece_character(const Position *p, int s) {
    const PieceType type = piece_type_at(p, s);
    if (type == NO_PIECE_TYPE) return '.';
    return (char)(PIECE_LETTERS[piece_type_unpromoted(type)] + (has_square(p->side[WHITE], s) ? 32 : 0));
}
/* Type before the move of a move of the side to move, and the rest, unpacked. */
INLINE UnpackedMove position_unpack_move(const Position *p, Move m) {
    return move_unpack(m, move_is_drop(m) ? move_drop_type(m) : piece_type_at(p, move_from(m)));
}

/* The pieces of side c that attack square s through the squares that `occ` leaves empty. */
INLINE Squares attackers(const Position *p, Colour c, int s, Squares occ) {
    const Colour other = (Colour)!c;
    const Squares bishops = p->type[BISHOP], rooks = p->type[ROOK], plain = ~p->promoted;
    Squares found = step_attacks[other][GOLD][s] & gold_movers(p);
    found |= step_attacks[other][PAWN][s] & p->type[PAWN] & plain;
    found |= step_attacks[other][KNIGHT][s] & p->type[KNIGHT] & plain;
    found |= step_attacks[other][SILVER][s] & p->type[SILVER] & plain;
    found |= step_attacks[other][KING][s] & king_bit(p, c);
    found |= step_attacks[other][BISHOP][s] & bishops & p->promoted;
    found |= step_attacks[other][ROOK][s] & rooks & p->promoted;
    found |= lance_attacks(other, s, occ) & p->type[LANCE] & plain;
    found |= (bishop_attacks(s, occ) & bishops) | (rook_attacks(s, occ) & rooks);
    return found & p->side[c];
}

/* Is the side to move in check? */
INLINE bool in_check(const Position *p) {
    const Colour us = (Colour)p->turn;
    return p->king[us] != NO_SQUARE && attackers(p, (Colour)!us, p->king[us], occupied(p)) != 0;
}

/* For assertions: do the sets agree? What code can break; position_validate tells of the rest. */
INLINE bool position_is_consistent(const Position *p) {
    Squares all = king_bit(p, BLACK) | king_bit(p, WHITE);
    int pieces = squares_count(all);
    for (int t = 0; t < HAND_TYPES; t++) all |= p->type[t], pieces += squares_count(p->type[t]);
    return p->turn <= WHITE && !(p->side[BLACK] & p->side[WHITE]) && all == occupied(p) && !(all & ~BOARD) &&
           squares_count(all) == pieces && !(p->promoted & ~(all & ~p->type[GOLD])) &&
           !(king_bit(p, BLACK) & ~p->side[BLACK]) && !(king_bit(p, WHITE) & ~p->side[WHITE]);
}

/* The board turned around, with the colours exchanged: the same position for the side to move. */
Position position_flipped(const Position *p);

/* Equal in everything but the number of the move? */
bool position_same(const Position *a, const Position *b);

/*
 * Words by which to sort positions of one ply so that neighbours share much of their subtrees: the pieces of the side to
 * move and its pawns, then those of the other side, each set as its owner sees the board.
 */
enum { LOCALITY_WORDS = 8 };
typedef struct {
    Bits word[LOCALITY_WORDS];
} LocalityKey;
LocalityKey position_locality_key(const Position *p);
