/* SPDX-License-Identifier: MIT */
/*
 * Networks of YaneuraOu, its file nn.bin: HalfKP 256x2-32-32 and K-P 256x2-32-32 (features/bona_piece.h says what they see).
 *
 *     inputs of the side to move -> 256 -> clipped to 0..127 \
 *                                                             > 512 -> 32 -> clipped -> 32 -> clipped -> 1 -> / FV_SCALE
 *     inputs of the other side   -> 256 -> clipped to 0..127 /
 *
 * Input weights are of 16 bits, those between layers of 8, and a layer's sums are divided by 64 before they are clipped.
 * The value is YaneuraOu's own, to the unit: of a scale where a pawn is 90, which its clients see as 100.
 *
 *     u32 0x7AF32F16 | u32 hash | u32 length, text of the architecture | u32 hash of the inputs | i16 biases[256] |
 *     i16 weights[inputs][256] | u32 hash of the layers | for each layer i32 biases[outputs], i8 weights[outputs][inputs]
 *
 * The lowest byte is first. The first hash is that of the inputs XOR that of the layers. There is no checksum.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "features/bona_piece.h"
#include "network/network.h"

enum {
    NN_BIN_WIDTH = 256, /* accumulators of a perspective */
    NN_BIN_HIDDEN = 32, /* outputs of a hidden layer */
    NN_BIN_QUAD = 4,    /* inputs of a layer whose weights stand together */
};

/* The weights of a layer to 32 outputs: of four inputs those to each output. */
typedef int8_t NnBinQuad[NN_BIN_HIDDEN][NN_BIN_QUAD];

typedef struct {
    ForeignNetwork foreign; /* first */
    bool by_king;           /* HalfKP: inputs for each square of the king */
    int scale;
    int32_t output_bias, bias[2][NN_BIN_HIDDEN];
    _Alignas(64) NnBinQuad first[2 * NN_BIN_WIDTH / NN_BIN_QUAD], second[NN_BIN_HIDDEN / NN_BIN_QUAD];
    int8_t output[NN_BIN_HIDDEN];
    _Alignas(64) int16_t input_bias[NN_BIN_WIDTH];
    int16_t input[][NN_BIN_WIDTH];
} NnBin;

/* The accumulators of positions, as AccumulatorStack has them. One thread's. */
typedef struct {
    Position position;
    _Alignas(64) int16_t sum[2][NN_BIN_WIDTH];
} NnBinAccumulator;
typedef struct {
    NnBinAccumulator entry[ACCUMULATOR_STACK_SIZE]; /* by ply */
} NnBinStack;

/* Initialises the stack, without any position. */
void nn_bin_stack_init(NnBinStack *stack);

/* The value for the side to move, in check or not. `ply` as in network_evaluate. */
int nn_bin_evaluate(NnBinStack *stack, const NnBin *n, const Position *p, unsigned ply);

/* Do these bytes begin as nn.bin does? */
bool nn_bin_is_start(const uint8_t *bytes, size_t n);

/* Makes a network of the bytes of a file, to be freed by free(). NULL with an error that says what is wrong and what would
   be right. scale: FV_SCALE, at least 1. */
Network *nn_bin_unpack(const uint8_t *bytes, size_t n, int scale, TabiaError *error);
