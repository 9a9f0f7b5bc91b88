/* SPDX-License-Identifier: MIT */
/*
 * Start positions of shogi without a book: the even game, or a handicap drawn from those that are usual.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"

/* Name, also of the option that chooses it, and words for a report. The first is the usual one. */
#define GAME_STARTS(START)                                                                                             \
    START(standard, "the start position")                                                                              \
    START(handicap, "handicap positions")

typedef enum {
#define START_CONSTANT(name, words) START_##name,
    GAME_STARTS(START_CONSTANT) STARTS_N
#undef START_CONSTANT
} StartPosition;

/* How many positions there are. */
uint64_t start_count(StartPosition start);

/* Draws one. */
void start_draw(StartPosition start, uint64_t *random, Position *p);
