/* SPDX-License-Identifier: MIT */
/* Constant data of the SIMD count, computed when Tabia is built (make_simd_tables.c). Each row is a full register. */
#pragma once
#include "rules/types.h"

/* The rays of a square: odd ones are diagonal, n ^ 4 is opposite to n; the first four run toward higher squares. */
enum { NORTH, NORTH_EAST, EAST, NORTH_WEST, SOUTH, SOUTH_WEST, WEST, SOUTH_EAST, RAYS };

extern const Bits rays[64][RAYS];
extern const uint8_t square_list[64];      /* 0 to 63: packed under a set they are the list of its members */
extern const uint8_t rank_permutation[64]; /* byte 8 * rank + 7 - board comes from 8 * board + rank */
extern const uint8_t diagonal_numbers[64]; /* low half: which diagonal a square is on; high: which antidiagonal */
