/* SPDX-License-Identifier: MIT */
/* The expected score (WDL) of an evaluation: a logistic curve with one parameter, fitted to results. */
#pragma once
#include "sample.h"

/* 1 / (1 + exp(-k * value)): 0 to 1. */
double expected_score(double k, double value);

/* The k for which the expected scores of the samples' scores have the least square error against their results. With it a
   centipawn of the fitted evaluation means what it meant to the search. */
double expected_score_fit(const TrainSample *sample, size_t n);
