/* SPDX-License-Identifier: MIT */
/*
 * Start positions of chess without a book: the standard one, one of the 960 of Chess960, or one of the 921,600 pairs of
 * double Fischer random chess.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"

/* Name, also of the option that chooses it, and words for a report. The first is the usual one. */
#define GAME_STARTS(START)                                                                                             \
    START(standard, "the start position")                                                                              \
    START(chess960, "start positions of Chess960")                                                                     \
    START(dfrc, "start positions of DFRC")

typedef enum {
#define START_CONSTANT(name, words) START_##name,
    GAME_STARTS(START_CONSTANT) STARTS_N
#undef START_CONSTANT
} StartPosition;

/* How many positions there are: 1, or UINT64_MAX where many. */
uint64_t start_count(StartPosition start);

/* Draws one. */
void start_draw(StartPosition start, uint64_t *random, Position *p);

/* The start position with white's pieces in the arrangement of the first of Reinhard Scharnagl's numbers and black's in
   that of the second, each 0 to 959; 518 is the standard one. */
void start_chess960(Position *p, unsigned white, unsigned black);
