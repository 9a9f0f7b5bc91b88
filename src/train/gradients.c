/* SPDX-License-Identifier: MIT */
#include "gradients.h"

#include <string.h>

/* Sums in a row of lanes, which the compiler may keep in one register. */
enum { LANES = 16 };

INLINE void add_row(float *to, const float *row) {
    for (int i = 0; i < NETWORK_WIDTH; i++) to[i] += row[i];
}

INLINE float clipped(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

INLINE float sum_of(const float lane[LANES]) {
    float sum = 0;
    for (int i = 0; i < LANES; i++) sum += lane[i];
    return sum;
}

static float output_of(const float *sum, const float *weight) {
    float lane[LANES] = {0};
    for (int i = 0; i < NETWORK_WIDTH; i += LANES)
        for (int j = 0; j < LANES; j++) {
            const float v = clipped(sum[i + j]);
            lane[j] += v * v * weight[i + j];
        }
    return sum_of(lane);
}

float real_value(const RealNetwork *n, const Board *b, Thought *t) {
    board_inputs(b, &t->inputs);
    t->bucket = network_bucket(t->inputs.n);
    float value = n->output_bias[t->bucket];
    for (int side = 0; side < 2; side++) {
        memcpy(t->sum[side], n->input_bias, sizeof n->input_bias);
        for (int i = 0; i < t->inputs.n; i++) add_row(t->sum[side], n->input[t->inputs.input[side][i]]);
        value += output_of(t->sum[side], n->output[t->bucket][side]);
    }
    return value;
}

/* The slope of a sum, and of the output's weight that its square is taken by. A sum that is cut off has none. */
static void output_slopes(const float *sum, const float *weight, float by, float *weight_slope, float *sum_slope) {
    for (int i = 0; i < NETWORK_WIDTH; i++) {
        const float v = clipped(sum[i]);
        weight_slope[i] += by * v * v;
        sum_slope[i] = sum[i] > 0 && sum[i] < 1 ? by * 2 * v * weight[i] : 0;
    }
}

void real_slopes(const RealNetwork *n, const Thought *t, float by, RealNetwork *slopes) {
    slopes->output_bias[t->bucket] += by;
    for (int side = 0; side < 2; side++) {
        _Alignas(64) float sum_slope[NETWORK_WIDTH];
        output_slopes(t->sum[side], n->output[t->bucket][side], by, slopes->output[t->bucket][side], sum_slope);
        add_row(slopes->input_bias, sum_slope);
        for (int i = 0; i < t->inputs.n; i++) add_row(slopes->input[t->inputs.input[side][i]], sum_slope);
    }
}
