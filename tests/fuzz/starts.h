/* SPDX-License-Identifier: MIT */
/*
 * Start positions of the random games of the fuzz tests. Half of them from a list written to hold what is rare in real
 * games; half from random boards, which no game reaches: up to sixteen pieces of any type a side, kings and rooks on
 * castling squares or anywhere. Most bugs of an optimised count show only there.
 */
#pragma once
#include "rules/position.h"

/* A legal start. The same state gives the same start on every machine. */
Position random_start(uint64_t *state);
/* The number of listed starts, and the FEN of one. */
unsigned start_count(void);
const char *start_fen(unsigned i);
