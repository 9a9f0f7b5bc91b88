/* SPDX-License-Identifier: MIT */
/* What fits have in common: the points that a value promises, and the order of samples. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* 1 / (1 + exp(-k * value)): 0 to 1. */
double points(double k, double value);

typedef struct {
    double score;  /* of a search, centipawns */
    double result; /* of the game: 0, a half, 1; of the same side */
} PointsSample;

/* The k with which the searches' scores foretell the results best (least square error): so a centipawn keeps its
   meaning. Asks for samples 0 .. n-1, many times. */
double points_best_k(PointsSample (*sample)(const void *samples, size_t i), const void *samples, size_t n);

void points_shuffle(uint32_t *order, size_t n, uint64_t *seed);
