/* SPDX-License-Identifier: MIT */
/* Constant data of the lanes, computed when Tabia is built (make_lane_tables.c). Each row is a full register. */
#pragma once
#include "types.h"

/* The rays of a square: odd ones are diagonal, n ^ 4 is opposite to n; the first four run toward higher squares. */
enum { NORTH, NORTH_EAST, EAST, NORTH_WEST, SOUTH, SOUTH_WEST, WEST, SOUTH_EAST, RAYS };

/*
 * A diagonal as seen from a square on it. Squares are counted along it, so that a diagonal is a byte; what is used for
 * eight children at once is that byte eight times.
 */
typedef struct {
    Bits line;     /* its squares, on the board */
    Bits control;  /* their numbers, a byte each, then the square itself: what VPSHUFBITQMB picks */
    Bits here;     /* the square */
    Bits doubled;  /* its next higher neighbour: what is subtracted to walk up */
    Bits mirrored; /* the same on the mirrored byte, to walk down */
    Bits full;     /* all squares of the line */
} Diagonal;

extern const Bits rays[64][RAYS];
extern const Diagonal diagonals[2][64];     /* [0]: parallel to a1-h8, [1]: parallel to h1-a8 */
extern const uint8_t byte_numbers[64];      /* 0 to 63: packed under a set they are the list of its members */
extern const uint8_t lines_to_children[64]; /* byte 8 * child + line comes from 8 * line + child */
