/* SPDX-License-Identifier: MIT */
/*
 * The evaluation by an efficiently updatable neural network (NNUE: Yu Nasu, "Efficiently Updatable Neural-Network-
 * based Evaluation Functions for Computer Shogi", 2018).
 *
 *     features from one side's view -> accumulator[WIDTH] -> clipped ReLU, squared \
 *                                                                                   > one of BUCKETS outputs -> value
 *     features from the other's     -> accumulator[WIDTH] -> clipped ReLU, squared /
 *
 * Both perspectives use the same weights. What the features are, and which output is asked, is the game's
 * (features/features.h), and how many there are of each.
 *
 * Weights are integers, INPUT_ONE or OUTPUT_ONE for 1, so that every machine computes the same value. `tabia train`
 * (train/train.h) writes them to a file (network_file.h); network.bin of a game's folder is built in, by make_network.c.
 * A network of fewer accumulators, or of one output, is widened when it is read: what it lacks is 0, and its one output
 * stands in every bucket.
 */
#pragma once
#include "features/features.h"

enum {
    NETWORK_INPUT_ONE = 255,
    NETWORK_OUTPUT_ONE = 64,
    NETWORK_SCALE = 400,             /* centipawns for an output of 1 */
    NETWORK_INPUT_WEIGHT_MAX = 506,  /* of a weight: the sum of all that a position sets and a bias fits into 16 bits */
    NETWORK_OUTPUT_WEIGHT_MAX = 127, /* likewise: times INPUT_ONE it fits, and the sum of WIDTH products into 32 */
};
_Static_assert((NETWORK_FEATURES_MAX + 1) * NETWORK_INPUT_WEIGHT_MAX <= INT16_MAX, "16 bits hold an accumulator");

/* What a network was trained as: up to WIDTH accumulators a side; 1 or BUCKETS outputs. */
typedef struct {
    uint32_t width, buckets;
    bool mirrored;
} NetworkShape;

/* The shape that needs no widening. */
INLINE NetworkShape network_full_shape(void) {
    return (NetworkShape){.width = NETWORK_WIDTH, .buckets = NETWORK_BUCKETS, .mirrored = true};
}

/* A network of another program, which a game evaluates by itself (eval/): how it is called. */
typedef struct {
    const char *name;
} ForeignNetwork;

/* Rows begin on cache lines. */
typedef struct {
    _Alignas(64) int16_t input[NETWORK_INPUTS][NETWORK_WIDTH]; /* within +-INPUT_WEIGHT_MAX */
    int16_t input_bias[NETWORK_WIDTH];
    int16_t output[NETWORK_BUCKETS][2]
                  [NETWORK_WIDTH];        /* of the side to move, of the other; within +-OUTPUT_WEIGHT_MAX */
    int32_t output_bias[NETWORK_BUCKETS]; /* INPUT_ONE * OUTPUT_ONE for 1 */
    NetworkShape shape;                   /* as trained */
    uint64_t identity;                    /* the checksum of its file: other weights have another */
    const ForeignNetwork *foreign; /* NULL, or what is evaluated by instead of all above; lives as long as this */
} Network;

extern const Network network_built_in;

/*
 * The accumulators of a position. Those of a position that differs by a move or two are computed from them by as many
 * additions. One thread's.
 */
typedef struct {
    Position position; /* its features only */
    _Alignas(64) int16_t sum[2][NETWORK_WIDTH];
} Accumulator;

enum { ACCUMULATOR_STACK_SIZE = 64 };
typedef struct {
    Accumulator entry[ACCUMULATOR_STACK_SIZE]; /* by ply */
    Accumulator empty_board;                   /* of an empty board: the biases */
} AccumulatorStack;

/* Initialises the stack, without any position. */
void accumulator_stack_init(AccumulatorStack *stack, const Network *n);

/*
 * Centipawns for the side to move, of any position of the game. `ply` is its ply on the search
 * stack, where the accumulators of its parent and of its predecessor at the same ply are found: it affects the time,
 * never the value.
 */
int network_evaluate(AccumulatorStack *stack, const Network *n, const Position *p, unsigned ply);
