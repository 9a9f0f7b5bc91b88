/* SPDX-License-Identifier: MIT */
/*
 * The packed board that most formats share: a set of occupied squares, then 4 bits for each piece in the order of the
 * squares, two pieces to a byte, low half first. Each format defines its own piece codes. This header also holds the
 * last steps of decoding that all readers of positions share.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "rules/movegen.h"

/* Piece codes of viriformat: the piece types from PAWN to KING, another code for a rook that may castle, and a bit for
   black. */
enum { DATA_UNMOVED_ROOK = 6, DATA_BLACK_PIECE = 8 };

/* piece[i] is the code of the piece on the i-th occupied square, at most 32 of them. */
typedef struct {
    uint64_t occupied;
    uint8_t piece[32];
    unsigned count;
} DataPackedBoard;

/* Decodes 16 bytes. False with an error if there are more than 32 pieces, or if a byte behind the last piece is not 0. */
bool data_board_decode(DataPackedBoard *b, uint64_t occupied, const uint8_t half_bytes[16], TabiaError *error);

/* Writes 16 bytes: for each occupied square the code whose bit k is that of the square in code[k]. */
void data_board_write(Bits all, const Bits code[4], uint8_t half_bytes[16]);

/* The codes of a position's pieces, from the piece types and a bit for black, as such sets. */
typedef struct {
    Bits set[4];
} DataBoardCode;
DataBoardCode data_board_code(const Position *p);

/* Writes 16 bytes: the pieces of a position, in viriformat's codes. */
void data_board_encode_position(const Position *p, uint8_t half_bytes[16]);

/* Completes and validates a position that has its pieces, side to move, castling rights and move counters. `ep` is the en
   passant square, 0 to 63, or 64 for none; it must be one that a pawn can just have passed, and is kept only if an en
   passant capture is legal. A fullmove number of 0 becomes 1. False with an error. */
bool data_position_finalize(Position *p, unsigned ep, TabiaError *error);

/* Adds the right to castle with the rook on that square. `p` has all its pieces. False with an error if the square is
   not on the colour's first rank. */
bool data_castling_right_add(Position *p, Colour c, int square, TabiaError *error);
