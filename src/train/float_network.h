/* SPDX-License-Identifier: MIT */
/*
 * The network in floating point, as it is trained: forward pass and backpropagation for one position.
 *
 * Threads: both functions write only to the objects that the caller passes.
 */
#pragma once
#include <stddef.h>

#include "features/network_features.h"
#include "network/network.h"

/* The weights of Network (network/network.h), where 1.0 is its NETWORK_INPUT_ONE or NETWORK_OUTPUT_ONE. */
typedef struct {
    _Alignas(64) float input[NETWORK_INPUTS][NETWORK_WIDTH];
    float input_bias[NETWORK_WIDTH];
    float output[NETWORK_BUCKETS][2][NETWORK_WIDTH];
    float output_bias[NETWORK_BUCKETS];
    NetworkShape shape;
} FloatNetwork;
enum { FLOAT_NETWORK_WEIGHTS = offsetof(FloatNetwork, shape) / sizeof(float) };

/* The intermediate results of a forward pass, for the backward pass. */
typedef struct {
    NetworkFeatures features;
    _Alignas(64) float accumulator[2][NETWORK_WIDTH];
} ForwardPass;

/* The output for *p: 1.0 is NETWORK_SCALE centipawns for the side to move. */
float float_network_forward(const FloatNetwork *n, const Position *p, ForwardPass *pass);

/* A range of columns: accumulators of both sides with their weights. Its bounds are multiples of NETWORK_COLUMNS. */
typedef struct {
    int begin, end;
} NetworkColumns;
enum { NETWORK_COLUMNS = 16 };

/* Adds `factor` times the gradient of the output by the weights of those columns to *gradients. *pass comes from
   float_network_forward with the same weights. That of the output's bias is `factor` and is left to the caller. */
void float_network_backward(const FloatNetwork *n, const ForwardPass *pass, float factor, NetworkColumns columns,
                            FloatNetwork *gradients);

/* Rounds to the integers of the engine's network. */
void network_quantize(Network *quantized, const FloatNetwork *n);

/* The same weights in floating point. */
void network_dequantize(FloatNetwork *n, const Network *quantized);
