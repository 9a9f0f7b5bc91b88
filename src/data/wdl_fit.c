/* SPDX-License-Identifier: MIT */
#include "data/wdl_fit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { COEFFICIENTS = 8, STEPS_MAX = 200 };

/* Bounds on a and b at every material, so that each model is one of win, draw and loss. */
static const double a_least = 1e-3, b_least = 1, most = 1e5;
static const double probability_least = 1e-12;

void wdl_count(WdlCounts *counts, int material, int score, int result) {
    assert(result >= -1 && result <= 1);
    if (score <= -WDL_SCORE_MOST || score >= WDL_SCORE_MOST) {
        counts->beyond++;
        return;
    }
    const int least = material < WDL_MATERIAL_LEAST ? WDL_MATERIAL_LEAST : material;
    const int row = (least > WDL_MATERIAL_MOST ? WDL_MATERIAL_MOST : least) - WDL_MATERIAL_LEAST;
    counts->count[row][(score + WDL_SCORE_MOST) / WDL_BIN][result + 1]++;
    counts->records++;
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

double wdl_probability(double a, double b, double score, int result) {
    const double won = sigmoid((score - a) / b), lost = sigmoid((-score - a) / b);
    return result > 0 ? won : result < 0 ? lost : fmax(0, 1 - won - lost);
}

double wdl_cubic(const double c[4], double x) {
    return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
}

/* ---- the likelihood ---- */

/* The mean score of a bin, whose scores are whole. */
static double bin_score(unsigned bin) {
    return (double)bin * WDL_BIN - WDL_SCORE_MOST + (WDL_BIN - 1) / 2.0;
}

static double material_units(unsigned row) {
    return (double)(row + WDL_MATERIAL_LEAST) / WDL_MATERIAL_UNIT;
}

static bool is_model(const double c[COEFFICIENTS]) {
    for (unsigned row = 0; row < WDL_MATERIALS; row++) {
        const double m = material_units(row), a = wdl_cubic(c, m), b = wdl_cubic(c + 4, m);
        if (!(a >= a_least && a <= most && b >= b_least && b <= most)) return false;
    }
    return true;
}

static double cell_loss(double a, double b, unsigned bin, const uint32_t count[3]) {
    double loss = 0;
    for (int result = -1; result <= 1; result++)
        if (count[result + 1])
            loss -= count[result + 1] * log(fmax(probability_least, wdl_probability(a, b, bin_score(bin), result)));
    return loss;
}

static double total_loss(const WdlCounts *counts, const double c[COEFFICIENTS]) {
    double loss = 0;
    for (unsigned row = 0; row < WDL_MATERIALS; row++) {
        const double m = material_units(row), a = wdl_cubic(c, m), b = wdl_cubic(c + 4, m);
        for (unsigned bin = 0; bin < WDL_BINS; bin++) loss += cell_loss(a, b, bin, counts->count[row][bin]);
    }
    return loss;
}

/* ---- a step of Fisher scoring ---- */

/* The gradient of the log likelihood, and the expected information. */
typedef struct {
    double gradient[COEFFICIENTS], information[COEFFICIENTS][COEFFICIENTS];
} LikelihoodScore;

/* The same of a cell by a and b alone. */
typedef struct {
    double gradient[2], information[2][2];
} CellLikelihoodScore;

static void add_cell(CellLikelihoodScore *s, double a, double b, unsigned bin, const uint32_t count[3]) {
    const double n = (double)count[0] + count[1] + count[2], x = bin_score(bin);
    if (n <= 0) return;
    const double u = (x - a) / b, v = (-x - a) / b, won = sigmoid(u), lost = sigmoid(v);
    const double of_won = -won * (1 - won) / b, of_lost = -lost * (1 - lost) / b;
    const double by[3][2] = {
        {of_lost, of_lost * v}, {-of_won - of_lost, -of_won * u - of_lost * v}, {of_won, of_won * u}};
    for (int k = 0; k < 3; k++) {
        const double p = fmax(probability_least, wdl_probability(a, b, x, k - 1));
        for (unsigned i = 0; i < 2; i++) {
            s->gradient[i] += count[k] * by[k][i] / p;
            for (unsigned j = 0; j < 2; j++) s->information[i][j] += n * by[k][i] * by[k][j] / p;
        }
    }
}

/* A row's cells, by the coefficients: the powers of the material are the derivatives of a and b. */
static void add_row(LikelihoodScore *s, const CellLikelihoodScore *row, double m) {
    const double power[4] = {m * m * m, m * m, m, 1};
    for (unsigned i = 0; i < COEFFICIENTS; i++) {
        s->gradient[i] += row->gradient[i / 4] * power[i % 4];
        for (unsigned j = 0; j < COEFFICIENTS; j++)
            s->information[i][j] += row->information[i / 4][j / 4] * power[i % 4] * power[j % 4];
    }
}

static LikelihoodScore score_at(const WdlCounts *counts, const double c[COEFFICIENTS]) {
    LikelihoodScore s = {{0}, {{0}}};
    for (unsigned row = 0; row < WDL_MATERIALS; row++) {
        CellLikelihoodScore cells = {{0}, {{0}}};
        const double m = material_units(row), a = wdl_cubic(c, m), b = wdl_cubic(c + 4, m);
        for (unsigned bin = 0; bin < WDL_BINS; bin++) add_cell(&cells, a, b, bin, counts->count[row][bin]);
        add_row(&s, &cells, m);
    }
    return s;
}

/* Solves information * step = gradient by Cholesky's decomposition, each diagonal element raised by the share `damping`.
   free_coefficients: bit i for coefficient i; the others do not move. */
static void solve(const LikelihoodScore *s, double damping, unsigned free_coefficients, double step[COEFFICIENTS]) {
    double l[COEFFICIENTS][COEFFICIENTS] = {{0}}, y[COEFFICIENTS];
    for (unsigned i = 0; i < COEFFICIENTS; i++) {
        const bool is_free = free_coefficients >> i & 1;
        y[i] = is_free ? s->gradient[i] : 0;
        for (unsigned j = 0; j <= i; j++) {
            double sum = is_free && free_coefficients >> j & 1 ? s->information[i][j] : 0;
            if (i == j) sum = is_free ? sum * (1 + damping) + 1e-30 : 1;
            for (unsigned k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(fmax(sum, 1e-30)) : sum / l[j][j];
        }
        for (unsigned k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
        y[i] /= l[i][i];
    }
    for (unsigned i = COEFFICIENTS; i-- > 0;) {
        step[i] = y[i];
        for (unsigned k = i + 1; k < COEFFICIENTS; k++) step[i] -= l[k][i] * step[k];
        step[i] /= l[i][i];
    }
}

/* Raises the likelihood until no step does. Returns the loss. */
static double climb(const WdlCounts *counts, unsigned free_coefficients, double c[COEFFICIENTS]) {
    double loss = total_loss(counts, c), damping = 1e-3;
    LikelihoodScore s = score_at(counts, c);
    for (unsigned i = 0; i < STEPS_MAX && damping < 1e12; i++) {
        double step[COEFFICIENTS], next[COEFFICIENTS];
        solve(&s, damping, free_coefficients, step);
        for (unsigned k = 0; k < COEFFICIENTS; k++) next[k] = c[k] + step[k];
        const double next_loss = is_model(next) ? total_loss(counts, next) : INFINITY;
        if (!(next_loss < loss)) {
            damping *= 8;
            continue;
        }
        const bool is_last = loss - next_loss < 1e-9 * loss;
        loss = next_loss;
        memcpy(c, next, sizeof next);
        if (is_last) break;
        damping = fmax(1e-9, damping / 8);
        s = score_at(counts, c);
    }
    return loss;
}

/* ---- the fit ---- */

static double entropy(const uint64_t of[3], double all) {
    double sum = 0;
    for (unsigned i = 0; i < 3; i++) sum -= (double)of[i] / all * log((double)of[i] / all);
    return sum;
}

bool wdl_fit(const WdlCounts *counts, WdlModel *model) {
    enum { CONSTANTS = 1 << 3 | 1 << 7, ALL = (1 << COEFFICIENTS) - 1 };
    uint64_t of[3] = {0, 0, 0};
    double c[COEFFICIENTS] = {0, 0, 0, 200, 0, 0, 0, 100};
    const double records = (double)counts->records;
    for (unsigned row = 0; row < WDL_MATERIALS; row++)
        for (unsigned bin = 0; bin < WDL_BINS; bin++)
            for (unsigned k = 0; k < 3; k++) of[k] += counts->count[row][bin][k];
    if (!of[0] || !of[1] || !of[2]) return false;
    model->share_loss = entropy(of, records);
    model->constant_loss = climb(counts, CONSTANTS, c) / records;
    model->constant_a = c[3], model->constant_b = c[7];
    model->loss = climb(counts, ALL, c) / records;
    memcpy(model->a, c, sizeof model->a);
    memcpy(model->b, c + 4, sizeof model->b);
    return model->constant_loss < model->share_loss && model->constant_a < WDL_SCORE_MOST;
}

double wdl_model_probability(const WdlModel *model, unsigned row, unsigned bin, int result) {
    const double m = material_units(row);
    return wdl_probability(wdl_cubic(model->a, m), wdl_cubic(model->b, m), bin_score(bin), result);
}
