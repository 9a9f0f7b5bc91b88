/* SPDX-License-Identifier: MIT */
#include "float_network.h"

#include <assert.h>
#include <string.h>

/* Partial sums, which the compiler may keep in one vector register. */
enum { LANES = 16 };

INLINE void add_vector(float *to, const float *from) {
    for (int i = 0; i < NETWORK_WIDTH; i++) to[i] += from[i];
}

INLINE float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

INLINE float horizontal_sum(const float lane[LANES]) {
    float sum = 0;
    for (int i = 0; i < LANES; i++) sum += lane[i];
    return sum;
}

static float output_value(const float *sum, const float *weight) {
    float lane[LANES] = {0};
    for (int i = 0; i < NETWORK_WIDTH; i += LANES)
        for (int j = 0; j < LANES; j++) {
            const float v = clamp01(sum[i + j]);
            lane[j] += v * v * weight[i + j];
        }
    return horizontal_sum(lane);
}

float float_network_forward(const FloatNetwork *n, const TrainPosition *position, ForwardPass *pass) {
    train_position_features(position, n->shape, &pass->features);
    pass->bucket = network_bucket(pass->features.count);
    assert(pass->bucket >= 0 && pass->bucket < NETWORK_BUCKETS);
    float value = n->output_bias[pass->bucket];
    for (int side = 0; side < 2; side++) {
        memcpy(pass->accumulator[side], n->input_bias, sizeof n->input_bias);
        for (int i = 0; i < pass->features.count; i++)
            add_vector(pass->accumulator[side], n->input[pass->features.input[side][i]]);
        value += output_value(pass->accumulator[side], n->output[pass->bucket][side]);
    }
    return value;
}

/* Gradients by the accumulator and by the output weights. The activation is the squared clipped accumulator; where it is
   clipped, its gradient is 0. */
static void output_gradients(const float *sum, const float *weight, float factor, float *weight_gradient,
                             float *accumulator_gradient) {
    for (int i = 0; i < NETWORK_WIDTH; i++) {
        const float v = clamp01(sum[i]);
        weight_gradient[i] += factor * v * v;
        accumulator_gradient[i] = sum[i] > 0 && sum[i] < 1 ? factor * 2 * v * weight[i] : 0;
    }
}

void float_network_backward(const FloatNetwork *n, const ForwardPass *pass, float factor, FloatNetwork *gradients) {
    gradients->output_bias[pass->bucket] += factor;
    for (int side = 0; side < 2; side++) {
        _Alignas(64) float accumulator_gradient[NETWORK_WIDTH];
        output_gradients(pass->accumulator[side], n->output[pass->bucket][side], factor,
                         gradients->output[pass->bucket][side], accumulator_gradient);
        add_vector(gradients->input_bias, accumulator_gradient);
        for (int i = 0; i < pass->features.count; i++)
            add_vector(gradients->input[pass->features.input[side][i]], accumulator_gradient);
    }
}
