/* SPDX-License-Identifier: MIT */
/*
 * Games of the engine against itself, to learn from. Every quiet position becomes a line of text, as trainers of others
 * read it too (bullet's text format):
 *
 *     FEN | score | result        the search's score in centipawns and the game's points (1.0, 0.5, 0.0), both for
 * white
 *
 * A position is quiet if its side is not in check, the search chose no capture or queening, and nobody is winning yet.
 */
#pragma once
#include <stdint.h>
#include <stdio.h>

#include "base/fault.h"

typedef struct {
    unsigned games, threads;
    uint64_t nodes; /* a move */
    uint64_t seed;  /* of the openings, which are a few random moves */
} SelfPlay;

/* Plays, and writes the lines of each game together as it ends. `progress` (may be NULL) is called after each game, by
 * one thread at a time. False with a fault: out of memory, or a line could not be written. */
bool self_play(const SelfPlay *how, FILE *out, void (*progress)(unsigned games, size_t positions), Fault *fault);
