/* SPDX-License-Identifier: MIT */
#include "linear_model.h"

#include <assert.h>

typedef struct {
    float middle, end;
} TaperedScore;

/* The parts of a sample's value. */
typedef struct {
    TaperedScore sum, danger[2];
} EvaluationParts;

void linear_weights_init(LinearWeights *fitted) {
    for (int i = 0; i < WEIGHTS; i++) fitted->weight[i][0] = weights[i].middle, fitted->weight[i][1] = weights[i].end;
}

static TaperedScore weighted_sum(const LinearWeights *fitted, const LinearCoefficient *c, unsigned n) {
    TaperedScore sum = {0, 0};
    for (; n--; c++) {
        assert(c->weight < WEIGHTS);
        sum.middle += c->value * fitted->weight[c->weight][0];
        sum.end += c->value * fitted->weight[c->weight][1];
    }
    return sum;
}

static float positive_part(float x) {
    return x > 0 ? x : 0;
}

static EvaluationParts evaluate_parts(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *sample) {
    const LinearCoefficient *c = s->coefficient + sample->first_coefficient;
    EvaluationParts parts;
    parts.sum = weighted_sum(fitted, c, sample->group_size[GROUP_SUMMED]), c += sample->group_size[GROUP_SUMMED];
    for (int side = 0; side < 2; side++) {
        parts.danger[side] = weighted_sum(fitted, c, sample->group_size[GROUP_DANGER + side]);
        c += sample->group_size[GROUP_DANGER + side];
    }
    return parts;
}

static float squared_danger(float danger) {
    return positive_part(danger) * positive_part(danger) / DANGER_SQUARE;
}

float linear_model_evaluate(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *sample) {
    assert(sample->phase <= PHASE_MAX);
    const EvaluationParts parts = evaluate_parts(fitted, s, sample);
    const TaperedScore *danger = parts.danger;
    const float middle = parts.sum.middle - squared_danger(danger[WHITE].middle) + squared_danger(danger[BLACK].middle);
    const float end =
        parts.sum.end - positive_part(danger[WHITE].end) / DANGER_END + positive_part(danger[BLACK].end) / DANGER_END;
    return (middle * sample->phase + end * (float)(PHASE_MAX - sample->phase)) / PHASE_MAX;
}

static const LinearCoefficient *add_gradients(const LinearCoefficient *c, unsigned n, float middle, float end,
                                              float gradient[][2]) {
    for (; n--; c++) gradient[c->weight][0] += c->value * middle, gradient[c->weight][1] += c->value * end;
    return c;
}

void linear_model_gradients(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *sample,
                            float factor, float gradient[][2]) {
    const EvaluationParts parts = evaluate_parts(fitted, s, sample);
    const float middle = factor * sample->phase / PHASE_MAX;
    const float end = factor * (float)(PHASE_MAX - sample->phase) / PHASE_MAX;
    const LinearCoefficient *c = s->coefficient + sample->first_coefficient;
    c = add_gradients(c, sample->group_size[GROUP_SUMMED], middle, end, gradient);
    for (int side = 0; side < 2; side++) {
        const float sign = side == WHITE ? -1 : 1;
        const float danger_middle = sign * middle * 2 * positive_part(parts.danger[side].middle) / DANGER_SQUARE;
        const float danger_end = parts.danger[side].end > 0 ? sign * end / DANGER_END : 0;
        c = add_gradients(c, sample->group_size[GROUP_DANGER + side], danger_middle, danger_end, gradient);
    }
}
