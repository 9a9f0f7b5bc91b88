/* SPDX-License-Identifier: MIT */
/* Networks of YaneuraOu, made from a seed: the bytes of the file. */
#pragma once
#include <string.h>

#include "base/random.h"
#include "eval/nn_bin.h"

static uint8_t *write_u32(uint8_t *at, uint32_t v) {
    for (int i = 0; i < 4; i++) *at++ = (uint8_t)(v >> 8 * i);
    return at;
}

static int random_weight(uint64_t *seed, int max) {
    return (int)random_below(seed, 2 * (uint64_t)max + 1) - max;
}

static uint8_t *write_layer(uint8_t *at, uint64_t *seed, int outputs, int inputs, int max) {
    for (int i = 0; i < outputs; i++) at = write_u32(at, (uint32_t)random_weight(seed, 2000));
    for (int i = 0; i < outputs * inputs; i++) *at++ = (uint8_t)random_weight(seed, max);
    return at;
}

/* Returns the number of bytes. Weights are such that few of the accumulators and outputs lie outside of what is clipped. */
static inline size_t make_nn_bin(uint8_t *bytes, bool by_king, uint64_t seed) {
    static const char *const texts[] = {
        "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU["
        "32](AffineTransform[32<-512](InputSlice[512(0:512)])))))",
        "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32]"
        "(ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))"};
    const uint32_t inputs_hash = by_king ? 0x5D69D7B8 : 0x3F5715FF, layers_hash = 0x63337156;
    const size_t text = strlen(texts[by_king]), inputs = by_king ? BOARD_SQUARES * BONA_PIECES : BONA_ALL;
    uint8_t *at = write_u32(write_u32(write_u32(bytes, 0x7AF32F16), inputs_hash ^ layers_hash), (uint32_t)text);
    memcpy(at, texts[by_king], text);
    at = write_u32(at + text, inputs_hash);
    for (size_t i = 0; i < (inputs + 1) * NN_BIN_WIDTH; i++) {
        const int weight = random_weight(&seed, i < NN_BIN_WIDTH ? 60 : 24);
        *at++ = (uint8_t)weight, *at++ = (uint8_t)(weight >> 8);
    }
    at = write_u32(at, layers_hash);
    at = write_layer(at, &seed, NN_BIN_HIDDEN, 2 * NN_BIN_WIDTH, 7);
    at = write_layer(at, &seed, NN_BIN_HIDDEN, NN_BIN_HIDDEN, 18);
    return (size_t)(write_layer(at, &seed, 1, NN_BIN_HIDDEN, 127) - bytes);
}
