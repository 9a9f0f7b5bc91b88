/* SPDX-License-Identifier: MIT */
/*
 * The stem of a chain of binpack, its first record, in 32 bytes. All numbers have the high byte first:
 *
 *    0  u64 occupied squares
 *    8  32 half bytes, one for each piece, the low half first
 *   24  u16 move       type << 14 | from << 8 | to << 2 | promotion
 *   26  u16 score      sign in the lowest bit
 *   28  u16 ply        0 to 16383, | result << 14 with the sign in its lowest bit
 *   30  u16 clock      halfmove clock
 *
 *   half byte   0 to 11: P p N n B b R r Q q K k   12: a pawn that has just stepped over the en passant square
 *               13, 14: a white, a black rook that may castle   15: the black king, black to move
 */
#pragma once
#include "data/decode.h"

enum { BINPACK_STEM_BYTES = 32, BINPACK_PLY_MAX = (1 << 14) - 1 };

/* Moves the sign to the lowest bit, so that small numbers of either sign have few bits. */
INLINE uint16_t rotate_sign_encode(int16_t n) {
    const uint16_t a = (uint16_t)(n < 0 ? (uint16_t)n ^ 0x7fff : n);
    return (uint16_t)(a << 1 | a >> 15);
}
INLINE int16_t rotate_sign_decode(unsigned n) {
    const uint16_t a = (uint16_t)((n & 0xffff) >> 1 | n << 15);
    return (int16_t)(a & 0x8000 ? a ^ 0x7fff : a);
}

/* Decodes 32 bytes. False with an error. */
bool binpack_stem_decode(const uint8_t *at, DataRecord *r, TabiaError *error);

/* Writes 32 bytes. r has a move. */
void binpack_stem_encode(const DataRecord *r, uint8_t *at);
