/* SPDX-License-Identifier: MIT */
/*
 * Start positions of the random games of the fuzz tests, and what the reference says of their positions: starts.c is that of
 * chess, shogi_starts.c that of shogi. Half of the starts are from a list written to hold what is rare in real games; half
 * are random boards, which no game reaches. Most bugs of an optimised count show only there.
 */
#pragma once
#include "count/kinds.h"
#include "rules/position.h"

enum { LONG_GAME_PLIES = 150 }; /* one game in four has at most so many */
extern const unsigned short_game_plies;

/* A legal start. The same state, which advances, gives the same start on every machine. */
Position random_start(uint64_t *state);

/* Adds the kinds of the move that led from p to child, whose legal moves are so many. */
void add_kinds(const Position *p, Move m, const Position *child, unsigned replies, uint64_t kinds[KINDS]);

/* The number of replies to all moves, by the reference; false: left out, as it is slow where `expected` is large. */
bool reference_replies(const Position *p, uint64_t expected, uint64_t *replies);
