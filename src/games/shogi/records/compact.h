/* SPDX-License-Identifier: MIT */
/*
 * A position in few bytes, with its move number, for memory and temporary files. Nothing is lost, and reading checks
 * nothing. This is no file format: its layout may change with any version.
 *
 *      0 81 bits of occupied squares, then the side to move   11 two hands, u32 each   19 u16 move number
 *     21 five bits for each piece in the order of the squares: its type, white's with 16 added
 */
#pragma once
#include "rules/position.h"

enum {
    COMPACT_PIECES_MAX = 42, /* a set, a third bishop and a third rook */
    COMPACT_BOARD_BYTES = 11,
    COMPACT_POSITION_BYTES = COMPACT_BOARD_BYTES + 8 + 2 + (5 * COMPACT_PIECES_MAX + 7) / 8
};

void position_to_compact(const Position *p, uint8_t out[COMPACT_POSITION_BYTES]);

/* `in` must come from position_to_compact. */
void position_from_compact(Position *p, const uint8_t in[COMPACT_POSITION_BYTES]);
