/* SPDX-License-Identifier: MIT */
/*
 * A network that says what a position is worth (the idea of inputs that change little from move to move: Yu Nasu,
 * "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018).
 *
 *     men on squares, as white sees them  -> sums[WIDTH] -> between 0 and 1, squared \
 *                                                                                      > one of BUCKETS sums -> value
 *     the same men, as black sees them    -> sums[WIDTH] -> between 0 and 1, squared /
 *
 * Both sides use the same weights. A side sees the board from its own end, its own men apart from the other's, and
 * mirrored if its king stands on files e to h, so that a position and its mirror image are worth the same. The output
 * is chosen by how many men are left.
 *
 * Weights are whole numbers, INPUT_ONE or OUTPUT_ONE for 1, so that every machine computes the same value. `tabia
 * train` (train/train.h) writes them to network.bin, which make_network.c turns into network_built_in.
 */
#pragma once
#include "rules/position.h"

enum {
    NETWORK_INPUTS = 12 * 64,
    NETWORK_WIDTH = 256,
    NETWORK_BUCKETS = 8,
    NETWORK_INPUT_ONE = 255,
    NETWORK_OUTPUT_ONE = 64,
    NETWORK_SCALE = 400,       /* centipawns for an output of 1 */
    NETWORK_INPUT_MOST = 506,  /* of a weight: the sum of 32 and a bias fits into 16 bits */
    NETWORK_OUTPUT_MOST = 127, /* likewise: times INPUT_ONE it fits, and the sum of WIDTH products into 32 */
};

/* Rows begin on cache lines. */
typedef struct {
    _Alignas(64) int16_t input[NETWORK_INPUTS][NETWORK_WIDTH]; /* within +-INPUT_MOST */
    int16_t input_bias[NETWORK_WIDTH];
    int16_t output[NETWORK_BUCKETS][2][NETWORK_WIDTH]; /* of who is to move, of the other; within +-OUTPUT_MOST */
    int32_t output_bias[NETWORK_BUCKETS];              /* INPUT_ONE * OUTPUT_ONE for 1 */
} Network;

extern const Network network_built_in;
extern const uint64_t network_built_in_checksum; /* of network.bin */

/* How side c, whose king is on that square, turns the board to see it as its own: a square's number xor this. */
INLINE int network_view_from(Colour c, int king) {
    return (c == BLACK ? 56 : 0) ^ (square_file(king) >= 4 ? 7 : 0);
}
INLINE int network_view(const Position *p, Colour c) {
    return network_view_from(c, king_square(p, c));
}
/* The input of a man of side `owner` for side c, who sees the board through `view`. */
INLINE int network_input(Colour c, int view, Colour owner, Kind kind, int square) {
    return 64 * ((owner != c) * 6 + (int)kind) + (square ^ view);
}
INLINE int network_bucket(int men) {
    return (men - 2) * NETWORK_BUCKETS / 31;
}

/*
 * The sums of a position, kept while its neighbours are looked at: from a position that differs by a move or two, those
 * of another are found by as many additions. One thread's.
 */
typedef struct {
    Position of; /* its men only */
    _Alignas(64) int16_t sum[2][NETWORK_WIDTH];
} NetworkSums;

enum { NETWORK_LINE = 64 };
typedef struct {
    NetworkSums line[NETWORK_LINE]; /* by ply */
    NetworkSums none;               /* of a board without men */
} NetworkMemory;

/* Begins with nothing known. */
void network_forget(NetworkMemory *memory, const Network *n);

/*
 * Centipawns for the side to move, of any position with two kings. `ply` says where it stands in the line that is
 * looked at, so that its parent and the position looked at before it in its place are found: it changes the time taken,
 * never the value.
 */
int network_value(NetworkMemory *memory, const Network *n, const Position *p, unsigned ply);
