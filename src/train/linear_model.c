/* SPDX-License-Identifier: MIT */
#include "linear_model.h"

#include <assert.h>

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
    parts.initiative = weighted_sum(fitted, c, sample->group_size[GROUP_INITIATIVE]).end;
    parts.end = parts.sum.end - positive_part(parts.danger[WHITE].end) / DANGER_END +
                positive_part(parts.danger[BLACK].end) / DANGER_END;
    return parts;
}

static float squared_danger(float danger) {
    return positive_part(danger) * positive_part(danger) / DANGER_SQUARE;
}

/* The initiative cancels the endgame value at most, and adds 1 / INITIATIVE_DIVISOR of it at most. */
typedef enum { INITIATIVE_CANCELS, INITIATIVE_ADDS, INITIATIVE_CAPPED } InitiativeRange;

static const float INITIATIVE_FACTOR_MAX = 1 + 1.0f / INITIATIVE_DIVISOR;

static InitiativeRange initiative_range(const EvaluationParts *parts) {
    const float magnitude = parts->end < 0 ? -parts->end : parts->end;
    return parts->initiative < -magnitude                       ? INITIATIVE_CANCELS
           : parts->initiative > magnitude / INITIATIVE_DIVISOR ? INITIATIVE_CAPPED
                                                                : INITIATIVE_ADDS;
}

static float endgame_value(const EvaluationParts *parts) {
    const InitiativeRange i = initiative_range(parts);
    if (i != INITIATIVE_ADDS) return i == INITIATIVE_CANCELS ? 0 : INITIATIVE_FACTOR_MAX * parts->end;
    return parts->end + (parts->end < 0 ? -parts->initiative : parts->initiative);
}

float linear_model_evaluate(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *sample) {
    assert(sample->phase <= PHASE_MAX && sample->scale <= SCALE_MAX);
    const EvaluationParts parts = evaluate_parts(fitted, s, sample);
    const float middle =
        parts.sum.middle - squared_danger(parts.danger[WHITE].middle) + squared_danger(parts.danger[BLACK].middle);
    return (middle * sample->phase +
            endgame_value(&parts) * sample->scale / SCALE_MAX * (float)(PHASE_MAX - sample->phase)) /
           PHASE_MAX;
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
    const float end_factor = factor * sample->scale / SCALE_MAX * (float)(PHASE_MAX - sample->phase) / PHASE_MAX;
    const InitiativeRange i = initiative_range(&parts);
    const float end = i == INITIATIVE_CANCELS ? 0
                      : i == INITIATIVE_ADDS  ? end_factor
                                              : INITIATIVE_FACTOR_MAX * end_factor;
    const LinearCoefficient *c = s->coefficient + sample->first_coefficient;
    c = add_gradients(c, sample->group_size[GROUP_SUMMED], middle, end, gradient);
    for (int side = 0; side < 2; side++) {
        const float sign = side == WHITE ? -1 : 1;
        const float danger_middle = sign * middle * 2 * positive_part(parts.danger[side].middle) / DANGER_SQUARE;
        const float danger_end = parts.danger[side].end > 0 ? sign * end / DANGER_END : 0;
        c = add_gradients(c, sample->group_size[GROUP_DANGER + side], danger_middle, danger_end, gradient);
    }
    if (i == INITIATIVE_ADDS)
        add_gradients(c, sample->group_size[GROUP_INITIATIVE], 0, parts.end < 0 ? -end : end, gradient);
}
