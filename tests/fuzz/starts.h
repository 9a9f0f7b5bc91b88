/* SPDX-License-Identifier: MIT */
/*
 * Where the random games of the fuzz tests start. Half of them from a list that we wrote to hold what is rare in real
 * games; half from boards strewn at random, which nobody would reach: up to sixteen men of any kind a side, kings and
 * rooks at castling places or anywhere. Most bugs of a shortcut show only there.
 */
#pragma once
#include "rules/position.h"

/* A legal start. The same state gives the same start on every machine. */
Position random_start(uint64_t *state);
/* How many starts are listed, and the FEN of one. */
unsigned starts_listed(void);
const char *start_fen(unsigned i);
