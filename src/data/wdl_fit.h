/* SPDX-License-Identifier: MIT */
/*
 * How scores become results: the model of win, draw and loss that filters use (filter.h), fitted to the records of a file.
 *
 *   won = 1 / (1 + exp((a - score) / b)), lost likewise with -score, drawn the rest
 *
 * a is the score that wins half of the games, b how slowly that share rises; both are cubic polynomials in the material of
 * both sides. The fit is the one of greatest likelihood, by Fisher scoring with damped steps.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "records/filters.h"

#include <stdint.h>

enum {
    WDL_MATERIALS = WDL_MATERIAL_MOST - WDL_MATERIAL_LEAST + 1,
    WDL_SCORE_MOST = 4096, /* of scores that count, without their sign */
    WDL_BIN = 16,
    WDL_BINS = 2 * WDL_SCORE_MOST / WDL_BIN,
};

/* Records by material, score and result: lost, drawn, won. All zero before the first. */
typedef struct {
    uint32_t count[WDL_MATERIALS][WDL_BINS][3];
    uint64_t records, beyond; /* counted; left out because their scores are greater */
} WdlCounts;

/* Material beyond an end counts as that end's. */
void wdl_count(WdlCounts *counts, int material, int score, int result);

typedef struct {
    double a[4], b[4];             /* coefficients, highest power first; material in units of WDL_MATERIAL_UNIT */
    double constant_a, constant_b; /* of the model that does not know the material */
    /* Mean of -ln of the probability of a record's result: by the polynomials, by the constants, and by the shares of the
       results alone. */
    double loss, constant_loss, share_loss;
} WdlModel;

/* False if the records do not decide: a result is missing, or scores do not tell results apart. */
bool wdl_fit(const WdlCounts *counts, WdlModel *model);

/* The probability that a model gives a result, -1, 0 or 1, in a cell of the counts. */
double wdl_model_probability(const WdlModel *model, unsigned row, unsigned bin, int result);

/* The polynomial that a and b are, highest power first. */
double wdl_cubic(const double c[4], double x);

/* The probability of a result, of a score. */
double wdl_probability(double a, double b, double score, int result);
