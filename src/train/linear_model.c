/* SPDX-License-Identifier: MIT */
#include "linear_model.h"

typedef struct {
    float middle, end;
} Pair;

/* A sample on its way to a value. */
typedef struct {
    Pair sum, danger[2];
    float end; /* before the initiative */
    float initiative;
} Judged;

void fit_begin(Fit *fit) {
    for (int i = 0; i < WEIGHTS; i++) fit->weight[i][0] = weights[i].middle, fit->weight[i][1] = weights[i].end;
}

static Pair sum_of(const Fit *fit, const Coefficient *c, unsigned n) {
    Pair sum = {0, 0};
    for (; n--; c++) {
        sum.middle += c->times * fit->weight[c->weight][0];
        sum.end += c->times * fit->weight[c->weight][1];
    }
    return sum;
}

static float positive(float x) {
    return x > 0 ? x : 0;
}

static Judged judge(const Fit *fit, const Samples *s, const Sample *a) {
    const Coefficient *c = s->coefficient + a->first;
    Judged j;
    j.sum = sum_of(fit, c, a->n[PART_SUMMED]), c += a->n[PART_SUMMED];
    j.danger[WHITE] = sum_of(fit, c, a->n[PART_WHITE_DANGER]), c += a->n[PART_WHITE_DANGER];
    j.danger[BLACK] = sum_of(fit, c, a->n[PART_BLACK_DANGER]), c += a->n[PART_BLACK_DANGER];
    j.initiative = sum_of(fit, c, a->n[PART_INITIATIVE]).end;
    j.end = j.sum.end - positive(j.danger[WHITE].end) / DANGER_END + positive(j.danger[BLACK].end) / DANGER_END;
    return j;
}

static float squared(float danger) {
    return positive(danger) * positive(danger) / DANGER_SQUARE;
}

/* The initiative makes nothing of the endgame's value at worst, and adds a part at best. */
typedef enum { NOTHING_LEFT, SHIFTED, ALL_ADDED } Initiative;

static const float most = 1 + 1.0f / INITIATIVE_DIVISOR;

static Initiative initiative_of(const Judged *j) {
    const float size = j->end < 0 ? -j->end : j->end;
    return j->initiative < -size ? NOTHING_LEFT : j->initiative > size / INITIATIVE_DIVISOR ? ALL_ADDED : SHIFTED;
}

static float end_of(const Judged *j) {
    const Initiative i = initiative_of(j);
    if (i != SHIFTED) return i == NOTHING_LEFT ? 0 : most * j->end;
    return j->end + (j->end < 0 ? -j->initiative : j->initiative);
}

float model_value(const Fit *fit, const Samples *s, const Sample *a) {
    const Judged j = judge(fit, s, a);
    const float middle = j.sum.middle - squared(j.danger[WHITE].middle) + squared(j.danger[BLACK].middle);
    return (middle * a->phase + end_of(&j) * a->scale / SCALE_MAX * (float)(PHASE_MAX - a->phase)) / PHASE_MAX;
}

static const Coefficient *add_slopes(const Coefficient *c, unsigned n, float middle, float end, float slope[][2]) {
    for (; n--; c++) slope[c->weight][0] += c->times * middle, slope[c->weight][1] += c->times * end;
    return c;
}

void model_slopes(const Fit *fit, const Samples *s, const Sample *a, float by, float slope[][2]) {
    const Judged j = judge(fit, s, a);
    const float middle = by * a->phase / PHASE_MAX;
    const float all_end = by * a->scale / SCALE_MAX * (float)(PHASE_MAX - a->phase) / PHASE_MAX;
    const Initiative i = initiative_of(&j);
    const float end = i == NOTHING_LEFT ? 0 : i == SHIFTED ? all_end : most * all_end;
    const Coefficient *c = s->coefficient + a->first;
    c = add_slopes(c, a->n[PART_SUMMED], middle, end, slope);
    for (int side = WHITE; side <= BLACK; side++) {
        const float sign = side == WHITE ? -1 : 1;
        const float of_middle = sign * middle * 2 * positive(j.danger[side].middle) / DANGER_SQUARE;
        const float of_end = j.danger[side].end > 0 ? sign * end / DANGER_END : 0;
        c = add_slopes(c, a->n[PART_WHITE_DANGER + side], of_middle, of_end, slope);
    }
    if (i == SHIFTED) add_slopes(c, a->n[PART_INITIATIVE], 0, j.end < 0 ? -end : end, slope);
}
