/* SPDX-License-Identifier: MIT */
#include "float_network.h"

#include <assert.h>

/* Vectors of the width that the compiler maps to registers. */
typedef float Lanes __attribute__((vector_size(NETWORK_COLUMNS * sizeof(float)), may_alias));
typedef int32_t LaneMask __attribute__((vector_size(NETWORK_COLUMNS * sizeof(int32_t)), may_alias));

/* Columns whose sums the compiler keeps in registers. */
enum { BLOCK = 4 };
_Static_assert(NETWORK_WIDTH % (BLOCK * NETWORK_COLUMNS) == 0, "whole blocks");

INLINE Lanes load_lanes(const float *row) {
    return *(const Lanes *)row;
}
INLINE void store_lanes(float *row, Lanes v) {
    *(Lanes *)row = v;
}
INLINE Lanes keep_where(LaneMask mask, Lanes v) {
    return (Lanes)((LaneMask)v & mask);
}
INLINE Lanes clamp01(Lanes v) {
    const Lanes one = (Lanes){0} + 1;
    const LaneMask above = v > one;
    return (Lanes)((LaneMask)keep_where(~above & (v > 0), v) | (LaneMask)keep_where(above, one));
}

INLINE float horizontal_sum(Lanes v) {
    float sum = 0;
    for (int i = 0; i < NETWORK_COLUMNS; i++) sum += v[i];
    return sum;
}

/* ---- forward ---- */

static void accumulate(const FloatNetwork *n, const uint16_t *input, int count, float *to) {
    for (int column = 0; column < NETWORK_WIDTH; column += BLOCK * NETWORK_COLUMNS) {
        Lanes sum[BLOCK];
        for (int b = 0; b < BLOCK; b++) sum[b] = load_lanes(n->input_bias + column + b * NETWORK_COLUMNS);
        for (int i = 0; i < count; i++)
            for (int b = 0; b < BLOCK; b++) sum[b] += load_lanes(n->input[input[i]] + column + b * NETWORK_COLUMNS);
        for (int b = 0; b < BLOCK; b++) store_lanes(to + column + b * NETWORK_COLUMNS, sum[b]);
    }
}

static float output_value(const float *sum, const float *weight) {
    Lanes total = {0};
    for (int i = 0; i < NETWORK_WIDTH; i += NETWORK_COLUMNS) {
        const Lanes v = clamp01(load_lanes(sum + i));
        total += v * v * load_lanes(weight + i);
    }
    return horizontal_sum(total);
}

float float_network_forward(const FloatNetwork *n, const Position *p, ForwardPass *pass) {
    network_features(p, n->shape.mirrored, &pass->features);
    if (n->shape.buckets == 1) pass->features.bucket = 0;
    const int bucket = pass->features.bucket;
    assert(bucket >= 0 && bucket < NETWORK_BUCKETS);
    float value = n->output_bias[bucket];
    for (int side = 0; side < 2; side++) {
        accumulate(n, pass->features.input[side], pass->features.count, pass->accumulator[side]);
        value += output_value(pass->accumulator[side], n->output[bucket][side]);
    }
    return value;
}

/* ---- backward ---- */

/* Adds the gradient by the output weights of 16 columns, and returns that by their accumulators. The activation is the
   squared clipped accumulator; where it is clipped, its gradient is 0. */
INLINE Lanes output_gradient(Lanes sum, Lanes weight, float factor, float *weight_gradient) {
    const Lanes v = clamp01(sum);
    store_lanes(weight_gradient, load_lanes(weight_gradient) + factor * v * v);
    return keep_where(v == sum, factor * 2 * v * weight);
}

void float_network_backward(const FloatNetwork *n, const ForwardPass *pass, float factor, NetworkColumns columns,
                            FloatNetwork *gradients) {
    const NetworkFeatures *in = &pass->features;
    for (int side = 0; side < 2; side++)
        for (int i = columns.begin; i < columns.end; i += NETWORK_COLUMNS) {
            const Lanes gradient =
                output_gradient(load_lanes(pass->accumulator[side] + i), load_lanes(n->output[in->bucket][side] + i),
                                factor, gradients->output[in->bucket][side] + i);
            store_lanes(gradients->input_bias + i, load_lanes(gradients->input_bias + i) + gradient);
            for (int feature = 0; feature < in->count; feature++) {
                float *row = gradients->input[in->input[side][feature]] + i;
                store_lanes(row, load_lanes(row) + gradient);
            }
        }
}
