/* SPDX-License-Identifier: MIT */
/*
 * A position in few bytes, with its move counters, for memory and temporary files. Nothing is lost, and reading checks
 * nothing. This is no file format: its layout may change with any version.
 *
 *      0 u64 occupied squares   8 32 half bytes: their pieces (board.h)   24 u16 halfmove clock   26 u16 fullmove number
 *     28 side to move << 7 | en passant square
 */
#pragma once
#include "rules/position.h"

enum { COMPACT_POSITION_BYTES = 29 };

void position_to_compact(const Position *p, uint8_t out[COMPACT_POSITION_BYTES]);

/* `in` must come from position_to_compact. */
void position_from_compact(Position *p, const uint8_t in[COMPACT_POSITION_BYTES]);
