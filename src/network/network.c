/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <string.h>

#include "accumulator_rows.h"

enum { LANES = ROW_LANES };
typedef int16_t Lanes16 __attribute__((vector_size(LANES * 2), may_alias));

INLINE Lanes16 load_lanes(const int16_t *row) {
    return *(const Lanes16 *)row;
}
INLINE void store_lanes(int16_t *row, Lanes16 v) {
    *(Lanes16 *)row = v;
}

/* ---- accumulators ---- */

/* A known accumulator, and what a position differs from it in. */
typedef struct {
    const Accumulator *accumulator;
    FeatureDifference difference;
} AccumulatorSource;

/* The source with the fewest differences in the perspective of side c; the empty board if the orientations differ. */
INLINE AccumulatorSource nearest_source(AccumulatorSource empty_board, const AccumulatorSource start[2], bool mirrored,
                                        Colour c, int orientation) {
    AccumulatorSource best = empty_board;
    for (int i = 0; i < 2; i++) {
        const Position *position = &start[i].accumulator->position;
        if (!features_are_empty(position) && network_orientation(mirrored, position, c) == orientation &&
            feature_difference_size(start[i].difference) < feature_difference_size(best.difference))
            best = start[i];
    }
    return best;
}

/* What the position differs from the source in, in both perspectives. */
INLINE void changes_from(FeatureChanges changes[2], AccumulatorSource from, const Position *p,
                         const int orientation[2]) {
    feature_changes(changes, from.difference, &from.accumulator->position, p, orientation);
}

INLINE void update_perspective(Accumulator *to, AccumulatorSource from, const Network *n,
                               const FeatureChanges changes[2], Colour c) {
    apply_changes(to->sum[c], from.accumulator->sum[c], n->input[0], NETWORK_WIDTH, &changes[c]);
}

/* For assertions: are these the sums of the features of the position? */
static bool accumulator_is_exact(const AccumulatorStack *m, const Accumulator *a, const Network *n,
                                 const int orientation[2]) {
    Accumulator whole;
    FeatureChanges changes[2];
    const AccumulatorSource empty_board = {&m->empty_board, feature_difference_to_empty(&a->position)};
    changes_from(changes, empty_board, &a->position, orientation);
    for (int c = 0; c < 2; c++) {
        update_perspective(&whole, empty_board, n, changes, (Colour)c);
        if (memcmp(whole.sum[c], a->sum[c], sizeof a->sum[c]) != 0) return false;
    }
    return true;
}

/* Both perspectives differ from the same source, unless a king has crossed to the other half of a mirrored board. */
static void update_accumulator(AccumulatorStack *m, const Network *n, const Position *p, unsigned ply) {
    Accumulator *own = &m->entry[ply % ACCUMULATOR_STACK_SIZE];
    const Accumulator *parent = &m->entry[(ply - 1) % ACCUMULATOR_STACK_SIZE];
    const AccumulatorSource empty_board = {&m->empty_board, feature_difference_to_empty(p)};
    const AccumulatorSource start[2] = {{parent, feature_difference(&parent->position, p)},
                                        {own, feature_difference(&own->position, p)}};
    AccumulatorSource from[2];
    int orientation[2];
    for (int c = 0; c < 2; c++) {
        orientation[c] = network_orientation(n->shape.mirrored, p, (Colour)c);
        from[c] = nearest_source(empty_board, start, n->shape.mirrored, (Colour)c, orientation[c]);
    }
    FeatureChanges changes[2];
    changes_from(changes, from[0], p, orientation);
    update_perspective(own, from[0], n, changes, (Colour)0);
    if (UNLIKELY(from[1].accumulator != from[0].accumulator)) changes_from(changes, from[1], p, orientation);
    update_perspective(own, from[1], n, changes, (Colour)1);
    own->position = *p;
    assert(accumulator_is_exact(m, own, n, orientation));
}

void accumulator_stack_init(AccumulatorStack *m, const Network *n) {
    memset(m, 0, sizeof *m);
    for (int c = 0; c < 2; c++) memcpy(m->empty_board.sum[c], n->input_bias, sizeof n->input_bias);
}

/* ---- output ---- */

INLINE Lanes16 clipped_relu(Lanes16 v) {
    const Lanes16 max = (Lanes16){0} + NETWORK_INPUT_ONE, low = v < max, kept = (v & low) | (max & ~low);
    return kept & (kept > 0);
}

/* Squared by halves, (v * weight) * v, since v * weight fits into 16 bits. */
INLINE int32_t output_of(const int16_t *sum, const int16_t *weight) {
    _Alignas(64) int16_t v[NETWORK_WIDTH], weighted[NETWORK_WIDTH];
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) {
        const Lanes16 value = clipped_relu(load_lanes(sum + i));
        store_lanes(v + i, value), store_lanes(weighted + i, value * load_lanes(weight + i));
    }
    int32_t total = 0;
    for (int i = 0; i < NETWORK_WIDTH; i++) total += weighted[i] * v[i];
    return total;
}

int network_evaluate(AccumulatorStack *m, const Network *n, const Position *p, unsigned ply) {
    update_accumulator(m, n, p, ply);
    const Accumulator *own = &m->entry[ply % ACCUMULATOR_STACK_SIZE];
    const int bucket = network_bucket(p);
    const int64_t squared = (int64_t)output_of(own->sum[p->turn], n->output[bucket][0]) +
                            output_of(own->sum[!p->turn], n->output[bucket][1]);
    const int64_t total = squared / NETWORK_INPUT_ONE + n->output_bias[bucket];
    return (int)(total * NETWORK_SCALE / (NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE));
}
