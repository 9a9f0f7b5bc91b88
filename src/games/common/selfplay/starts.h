/* SPDX-License-Identifier: MIT */
/*
 * Start positions without a book (lists.h).
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"
#include "selfplay/lists.h"

typedef enum {
#define START_CONSTANT(name, words) START_##name,
    GAME_STARTS(START_CONSTANT) STARTS_N
#undef START_CONSTANT
} StartPosition;

/* How many positions there are: 1, or UINT64_MAX where many. */
uint64_t start_count(StartPosition start);

/* Draws one. */
void start_draw(StartPosition start, uint64_t *random, Position *p);
