/* SPDX-License-Identifier: MIT */
/*
 * Boards as most formats write them: a set of occupied squares, then 4 bits for each man in the order of the squares,
 * two to a byte, low half first. What a number means is the format's affair. Beside it, what all readers of positions
 * share: the last steps to a position that is valid.
 */
#pragma once
#include "data/decode.h"

/* Men as viriformat numbers them: kinds from PAWN to KING, but for a rook that may castle; black's have another bit. */
enum { DATA_UNMOVED_ROOK = 6, DATA_BLACK_MAN = 8 };

/* What each of the at most 32 men is, in the order of its square. */
typedef struct {
    uint64_t occupied;
    uint8_t man[32];
    unsigned n;
} DataBoard;

/* Reads 16 bytes; false with DATA_BAD's fault if there are more than 32 men. Bytes past the last man must be 0. */
bool data_board_get(DataBoard *b, uint64_t occupied, const uint8_t half_bytes[16], Fault *fault);

/* The men of a position, numbered so. */
DataBoard data_board_of(const Position *p);

/* Writes 16 bytes. */
void data_board_put(const DataBoard *b, uint8_t half_bytes[16]);

/* A position with its men, turn and clocks is finished: the en passant square is one that a pawn can just have passed
   (64: none), and kept if a legal move captures there; a fullmove number of 0 is 1; and all is validated. */
bool data_position_finish(Position *p, unsigned ep, Fault *fault);

/* The rook on that square may castle: `p` has all its men. */
bool data_right_give(Position *p, Colour c, int square, Fault *fault);
