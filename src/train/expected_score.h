/* SPDX-License-Identifier: MIT */
/* The expected score (WDL) of an evaluation: a logistic curve with one parameter, fitted to results. */
#pragma once
#include <stddef.h>

/* 1 / (1 + exp(-k * value)): 0 to 1. */
double expected_score(double k, double value);

typedef struct {
    double score;  /* of a search, centipawns */
    double result; /* of the game: 0, 0.5, 1; for the same side as the score */
} ScoredResult;

/* The k for which the expected scores of the searches' scores have the least square error against the results. With it a
   centipawn of the fitted evaluation means what it meant to the search. Calls `sample` for samples 0 to n - 1, some 60
   times each; of more than a million, for every (n / 1000000)-th sample only. */
double expected_score_fit(ScoredResult (*sample)(const void *samples, size_t i), const void *samples, size_t n);
