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
   meaning. Asks many times for samples 0 .. n-1, or of more than a million for a million spread evenly. */
double points_best_k(PointsSample (*sample)(const void *samples, size_t i), const void *samples, size_t n);

/* Fills order[] with 0 .. n-1, those to learn from first, then those kept aside: of `aside` blocks of neighbours one,
   whole. Games are shorter than a block, so that hardly one of them is in both. How many are learnt from. */
size_t points_put_aside(uint32_t *order, size_t n, unsigned aside);

/* What one of `threads` workers does of begin .. end-1. */
void points_share(size_t begin, size_t end, unsigned threads, unsigned worker, size_t *from, size_t *to);

void points_shuffle(uint32_t *order, size_t n, uint64_t *seed);
