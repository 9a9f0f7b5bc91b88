/* SPDX-License-Identifier: MIT */
/*
 * A position in 32 bytes, as psv and hcpe pack it (packed_codes.h), all but its move number:
 *
 *   side to move 1 bit; square of black's king, of white's 7 bits each; the other squares from 1a to 9i; black's hand,
 *   white's hand, the box: P L N S G B R in each, a code for a piece
 *
 * The codes are such that a whole set always fills the 256 bits. So positions without a king, and with more pieces of a
 * type than a set has, cannot be packed.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "data/format.h"
#include "formats/packed_codes.h"

enum { PACKED_BYTES = 32 };

/* The position passes position_validate(), and is the move number's first. False with an error. */
bool packed_sfen_decode(PackedLayout layout, const uint8_t at[PACKED_BYTES], Position *p, TabiaError *error);

/* Requires a record that packed_sfen_reject accepts. */
void packed_sfen_encode(PackedLayout layout, const Position *p, uint8_t at[PACKED_BYTES]);

/* As `reject` of a DataFormat. */
DataRejection packed_sfen_reject(const DataRecord *r);
