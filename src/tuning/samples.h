/* SPDX-License-Identifier: MIT */
/*
 * What the weights are fitted to: quiet positions from games that the engine plays against itself, each with the game's
 * result and the search's score.
 */
#pragma once
#include <stdio.h>

#include "base/fault.h"
#include "evaluate.h"

/* One position, as the evaluation's terms see it. */
typedef struct {
    uint32_t first; /* where its coefficients begin */
    uint16_t n;     /* how many are not 0 */
    uint8_t phase, scale;
    float target;       /* white's expected points, 0 to 1 */
    float target_score; /* the search's score for white, centipawns */
    uint8_t result;     /* 0, 1, 2 half points for white */
} Sample;

typedef struct {
    uint16_t weight;
    int16_t times;
} Coefficient;

typedef struct {
    Sample *sample;
    size_t n, room;
    Coefficient *coefficient;
    size_t coefficients, coefficient_room;
} Samples;

typedef struct {
    unsigned games, threads;
    uint64_t nodes; /* a move */
    uint64_t seed;
} SelfPlay;

/* Plays and collects. `progress` (may be NULL) is called after each game. False with a fault; free *s in any case. */
bool samples_play(Samples *s, const SelfPlay *how, void (*progress)(unsigned games, size_t positions), Fault *fault);
void samples_free(Samples *s);
