/* SPDX-License-Identifier: MIT */
/* Quantization. */
#include <math.h>
#include <string.h>

#include "float_network.h"
#include "network/network_file.h"

static int16_t quantize_weight(float v, int one) {
    return (int16_t)lrintf(v * (float)one);
}

static void quantize_row(int16_t *to, const float *from, int one) {
    for (int i = 0; i < NETWORK_WIDTH; i++) to[i] = quantize_weight(from[i], one);
}

void network_quantize(Network *quantized, const FloatNetwork *n) {
    memset(quantized, 0, sizeof *quantized);
    quantized->shape = n->shape;
    for (int i = 0; i < NETWORK_INPUTS; i++) quantize_row(quantized->input[i], n->input[i], NETWORK_INPUT_ONE);
    quantize_row(quantized->input_bias, n->input_bias, NETWORK_INPUT_ONE);
    for (int b = 0; b < NETWORK_BUCKETS; b++) {
        for (int side = 0; side < 2; side++)
            quantize_row(quantized->output[b][side], n->output[b][side], NETWORK_OUTPUT_ONE);
        quantized->output_bias[b] = (int32_t)lrintf(n->output_bias[b] * NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE);
    }
    network_complete(quantized);
}

static void dequantize_row(float *to, const int16_t *from, int one) {
    for (int i = 0; i < NETWORK_WIDTH; i++) to[i] = (float)from[i] / (float)one;
}

void network_dequantize(FloatNetwork *n, const Network *quantized) {
    memset(n, 0, sizeof *n);
    n->shape = quantized->shape;
    for (int i = 0; i < NETWORK_INPUTS; i++) dequantize_row(n->input[i], quantized->input[i], NETWORK_INPUT_ONE);
    dequantize_row(n->input_bias, quantized->input_bias, NETWORK_INPUT_ONE);
    for (int b = 0; b < NETWORK_BUCKETS; b++) {
        for (int side = 0; side < 2; side++)
            dequantize_row(n->output[b][side], quantized->output[b][side], NETWORK_OUTPUT_ONE);
        n->output_bias[b] = (float)quantized->output_bias[b] / (NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE);
    }
}
