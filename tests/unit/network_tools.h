/* SPDX-License-Identifier: MIT */
#pragma once

#include "unit.h"

#include "network/network_file.h"
#include "notation/fen.h"

/* In all but the bytes between members, which an assignment may leave as they were. */
static inline void assert_same_network(const Network *found, const Network *wanted) {
    assert_memory_equal(found, wanted, offsetof(Network, shape));
    assert_int_equal(found->shape.width, wanted->shape.width);
    assert_int_equal(found->shape.buckets, wanted->shape.buckets);
    assert_int_equal(found->shape.mirrored, wanted->shape.mirrored);
    assert_true(found->identity == wanted->identity);
}

/* ---- the network as its header describes it, input by input ---- */

/* Adds the inputs that a position sets in the view of a side: the game's. */
typedef void PlainInputs(int sum[NETWORK_WIDTH], const Network *n, const Position *p, Colour view);

static inline void plain_input(int sum[NETWORK_WIDTH], const Network *n, int feature) {
    for (int i = 0; i < NETWORK_WIDTH; i++) sum[i] += n->input[feature][i];
}

static inline int64_t plain_output(PlainInputs *inputs, const Network *n, const Position *p, Colour view,
                                   const int16_t *weight) {
    int sum[NETWORK_WIDTH];
    int64_t total = 0;
    for (int i = 0; i < NETWORK_WIDTH; i++) sum[i] = n->input_bias[i];
    inputs(sum, n, p, view);
    for (int i = 0; i < NETWORK_WIDTH; i++) {
        const int v = sum[i] < 0 ? 0 : sum[i] > NETWORK_INPUT_ONE ? NETWORK_INPUT_ONE : sum[i];
        total += (int64_t)v * v * weight[i];
    }
    return total;
}

static inline int plain_value_by(PlainInputs *inputs, const Network *n, const Position *p) {
    const int bucket = network_bucket(p);
    const int64_t squared = plain_output(inputs, n, p, (Colour)p->turn, n->output[bucket][0]) +
                            plain_output(inputs, n, p, (Colour)!p->turn, n->output[bucket][1]);
    return (int)((squared / NETWORK_INPUT_ONE + n->output_bias[bucket]) * NETWORK_SCALE /
                 (NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE));
}

/* Sums and products fit into their bits, whatever a file holds within its bounds. */
static inline void assert_no_overflow(PlainInputs *inputs) {
    Network *n = aligned_alloc(64, sizeof *n);
    AccumulatorStack *m = aligned_alloc(64, sizeof *m);
    assert_true(n && m);
    for (int sign = -1; sign <= 1; sign += 2) {
        memset(n, 0, sizeof *n);
        for (int i = 0; i < NETWORK_WIDTH; i++) {
            n->input_bias[i] = NETWORK_INPUT_WEIGHT_MAX;
            for (int j = 0; j < NETWORK_INPUTS; j++) n->input[j][i] = NETWORK_INPUT_WEIGHT_MAX;
            for (int b = 0; b < NETWORK_BUCKETS; b++)
                n->output[b][0][i] = n->output[b][1][i] = (int16_t)(sign * NETWORK_OUTPUT_WEIGHT_MAX);
        }
        Position p;
        assert_true(fen_parse(&p, fen_start, NULL));
        accumulator_stack_init(m, n);
        assert_int_equal(network_evaluate(m, n, &p, 0), plain_value_by(inputs, n, &p));
    }
    free(n), free(m);
}

/* The error of a file that is refused. */
static inline const char *network_refusal(const uint8_t *bytes, size_t n) {
    static Network back;
    static TabiaError error;
    error.text[0] = '\0';
    assert_false(network_file_unpack(&back, bytes, n, &error));
    return error.text;
}

/* The built-in network cut down to a shape: what lies beyond it is 0, and one output stands in all buckets. */
static inline void network_cut(Network *n, NetworkShape shape) {
    *n = network_built_in;
    n->shape = shape;
    for (uint32_t column = shape.width; column < NETWORK_WIDTH; column++) {
        for (int i = 0; i < NETWORK_INPUTS; i++) n->input[i][column] = 0;
        n->input_bias[column] = 0;
        for (int b = 0; b < NETWORK_BUCKETS; b++) n->output[b][0][column] = n->output[b][1][column] = 0;
    }
    network_complete(n);
}
