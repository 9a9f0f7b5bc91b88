/* SPDX-License-Identifier: MIT */
#include "linear_model.h"

typedef struct {
    float middle, end;
} TaperedScore;

/* The parts of a sample's value. */
typedef struct {
    TaperedScore sum, danger[2];
    float end; /* before the initiative */
    float initiative;
} EvaluationParts;

void linear_weights_init(LinearWeights *fitted) {
    for (int i = 0; i < WEIGHTS; i++) fitted->weight[i][0] = weights[i].middle, fitted->weight[i][1] = weights[i].end;
}

static TaperedScore sum_of(const LinearWeights *fitted, const LinearCoefficient *c, unsigned n) {
    TaperedScore sum = {0, 0};
    for (; n--; c++) {
        sum.middle += c->value * fitted->weight[c->weight][0];
        sum.end += c->value * fitted->weight[c->weight][1];
    }
    return sum;
}

static float positive(float x) {
    return x > 0 ? x : 0;
}

static EvaluationParts evaluate_parts(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *a) {
    const LinearCoefficient *c = s->coefficient + a->first_coefficient;
    EvaluationParts j;
    j.sum = sum_of(fitted, c, a->group_size[GROUP_SUMMED]), c += a->group_size[GROUP_SUMMED];
    j.danger[WHITE] = sum_of(fitted, c, a->group_size[GROUP_WHITE_DANGER]), c += a->group_size[GROUP_WHITE_DANGER];
    j.danger[BLACK] = sum_of(fitted, c, a->group_size[GROUP_BLACK_DANGER]), c += a->group_size[GROUP_BLACK_DANGER];
    j.initiative = sum_of(fitted, c, a->group_size[GROUP_INITIATIVE]).end;
    j.end = j.sum.end - positive(j.danger[WHITE].end) / DANGER_END + positive(j.danger[BLACK].end) / DANGER_END;
    return j;
}

static float squared(float danger) {
    return positive(danger) * positive(danger) / DANGER_SQUARE;
}

/* The initiative cancels the endgame value at most, and adds 1 / INITIATIVE_DIVISOR of it at most. */
typedef enum { INITIATIVE_CANCELS, INITIATIVE_ADDS, INITIATIVE_CAPPED } InitiativeRange;

static const float most = 1 + 1.0f / INITIATIVE_DIVISOR;

static InitiativeRange initiative_of(const EvaluationParts *j) {
    const float size = j->end < 0 ? -j->end : j->end;
    return j->initiative < -size                       ? INITIATIVE_CANCELS
           : j->initiative > size / INITIATIVE_DIVISOR ? INITIATIVE_CAPPED
                                                       : INITIATIVE_ADDS;
}

static float end_of(const EvaluationParts *j) {
    const InitiativeRange i = initiative_of(j);
    if (i != INITIATIVE_ADDS) return i == INITIATIVE_CANCELS ? 0 : most * j->end;
    return j->end + (j->end < 0 ? -j->initiative : j->initiative);
}

float linear_model_evaluate(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *a) {
    const EvaluationParts j = evaluate_parts(fitted, s, a);
    const float middle = j.sum.middle - squared(j.danger[WHITE].middle) + squared(j.danger[BLACK].middle);
    return (middle * a->phase + end_of(&j) * a->scale / SCALE_MAX * (float)(PHASE_MAX - a->phase)) / PHASE_MAX;
}

static const LinearCoefficient *add_gradients(const LinearCoefficient *c, unsigned n, float middle, float end,
                                              float gradient[][2]) {
    for (; n--; c++) gradient[c->weight][0] += c->value * middle, gradient[c->weight][1] += c->value * end;
    return c;
}

void linear_model_gradients(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *a, float factor,
                            float gradient[][2]) {
    const EvaluationParts j = evaluate_parts(fitted, s, a);
    const float middle = factor * a->phase / PHASE_MAX;
    const float all_end = factor * a->scale / SCALE_MAX * (float)(PHASE_MAX - a->phase) / PHASE_MAX;
    const InitiativeRange i = initiative_of(&j);
    const float end = i == INITIATIVE_CANCELS ? 0 : i == INITIATIVE_ADDS ? all_end : most * all_end;
    const LinearCoefficient *c = s->coefficient + a->first_coefficient;
    c = add_gradients(c, a->group_size[GROUP_SUMMED], middle, end, gradient);
    for (int side = WHITE; side <= BLACK; side++) {
        const float sign = side == WHITE ? -1 : 1;
        const float of_middle = sign * middle * 2 * positive(j.danger[side].middle) / DANGER_SQUARE;
        const float of_end = j.danger[side].end > 0 ? sign * end / DANGER_END : 0;
        c = add_gradients(c, a->group_size[GROUP_WHITE_DANGER + side], of_middle, of_end, gradient);
    }
    if (i == INITIATIVE_ADDS) add_gradients(c, a->group_size[GROUP_INITIATIVE], 0, j.end < 0 ? -end : end, gradient);
}
