/* SPDX-License-Identifier: MIT */
/* What bench/call_loop.h hands to a table. */
#pragma once
#include <stdint.h>

/* Two words of a position; a table with one takes the first. */
typedef struct {
    uint64_t first, second;
} CallKey;

/* bound: 1 to 3, the move never 0. */
typedef struct {
    int16_t score;
    uint8_t depth, bound;
    uint16_t move;
} CallEntry;
