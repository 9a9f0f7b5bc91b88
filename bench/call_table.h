/* SPDX-License-Identifier: MIT */
/*
 * A table whose instructions bench/table_instructions.py counts: bench/call_loop.c calls it, a file such as bench/call_tabia.c
 * has the three functions.
 */
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

/* An empty table of 1 MiB; variants are the table's own. */
void call_create(const char *variant);
void call_new_generation(void);

/* Probes and stores: 2 * the sum of what was found + 1, or 0. The name is the script's: what is counted is all that runs
   inside. */
uint64_t counted_pair(CallKey key, CallEntry s);
