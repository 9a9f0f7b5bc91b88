/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <string.h>

/* Vectors of the width that the compiler maps to registers. */
enum { LANES = 32 };
typedef int16_t Lanes16 __attribute__((vector_size(LANES * 2), may_alias));

INLINE Lanes16 load_lanes(const int16_t *row) {
    return *(const Lanes16 *)row;
}
INLINE void store_lanes(int16_t *row, Lanes16 v) {
    *(Lanes16 *)row = v;
}

/* ---- accumulators ---- */

/* The squares whose pieces differ. */
static Bits differing_squares(const Position *a, const Position *b) {
    return (a->side[WHITE] ^ b->side[WHITE]) | (a->side[BLACK] ^ b->side[BLACK]) | (a->pawn ^ b->pawn) |
           (a->knight ^ b->knight) | (a->diag ^ b->diag) | (a->orth ^ b->orth) | (a->king ^ b->king);
}

/* A known accumulator, and the squares where it differs from a position. */
typedef struct {
    const Accumulator *accumulator;
    Bits changed;
} AccumulatorSource;

/* The weight rows of the features that were added and removed. */
typedef struct {
    const int16_t *added[32], *removed[32];
    int added_n, removed_n;
} FeatureChanges;

INLINE const int16_t *row_of(const Network *n, const Position *p, int s, Colour c, int orientation) {
    const Colour owner = p->side[BLACK] >> s & 1 ? BLACK : WHITE;
    return n->input[network_feature(c, orientation, owner, piece_type_at_branchless(p, s), s)];
}

/* From the source to position p, in the perspective of side c. */
INLINE void find_feature_changes(FeatureChanges *l, const Network *n, AccumulatorSource source, const Position *p,
                                 Colour c, int orientation) {
    const Position *from = &source.accumulator->position;
    l->added_n = l->removed_n = 0;
    EACH (s, source.changed) {
        if (occupied(p) >> s & 1) l->added[l->added_n++] = row_of(n, p, (int)s, c, orientation);
        if (occupied(from) >> s & 1) l->removed[l->removed_n++] = row_of(n, from, (int)s, c, orientation);
    }
    assert(l->added_n <= 32 && l->removed_n <= 32);
}

/* to = from + added - removed; to and from may be equal. */
INLINE void add_and_subtract_row(int16_t *to, const int16_t *from, const int16_t *added, const int16_t *removed) {
    for (int i = 0; i < NETWORK_WIDTH; i += LANES)
        store_lanes(to + i, load_lanes(from + i) + load_lanes(added + i) - load_lanes(removed + i));
}
INLINE void add_row(int16_t *to, const int16_t *from, const int16_t *added) {
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) store_lanes(to + i, load_lanes(from + i) + load_lanes(added + i));
}
INLINE void subtract_row(int16_t *to, const int16_t *from, const int16_t *removed) {
    for (int i = 0; i < NETWORK_WIDTH; i += LANES) store_lanes(to + i, load_lanes(from + i) - load_lanes(removed + i));
}

INLINE void apply_changes(int16_t *to, const int16_t *from, const FeatureChanges *l) {
    int i = 0;
    for (; i < l->added_n && i < l->removed_n; i++, from = to)
        add_and_subtract_row(to, from, l->added[i], l->removed[i]);
    for (int j = i; j < l->added_n; j++, from = to) add_row(to, from, l->added[j]);
    for (int j = i; j < l->removed_n; j++, from = to) subtract_row(to, from, l->removed[j]);
    if (from != to) memcpy(to, from, NETWORK_WIDTH * sizeof *to);
}

/* The source with the fewest differences in the perspective of side c; the empty board if the orientations differ. */
INLINE AccumulatorSource nearest_source(AccumulatorSource empty_board, const AccumulatorSource start[2],
                                        NetworkShape shape, Colour c, int orientation) {
    AccumulatorSource best = empty_board;
    for (int i = 0; i < 2; i++) {
        const Position *position = &start[i].accumulator->position;
        if (position->king && network_orientation(shape, position, c) == orientation &&
            popcount(start[i].changed) < popcount(best.changed))
            best = start[i];
    }
    return best;
}

/* For assertions: are these the sums of the features of the position? */
static bool accumulator_is_exact(const Accumulator *a, const Network *n) {
    _Alignas(64) int16_t sum[NETWORK_WIDTH];
    for (int c = WHITE; c <= BLACK; c++) {
        const int orientation = network_orientation(n->shape, &a->position, (Colour)c);
        memcpy(sum, n->input_bias, sizeof sum);
        EACH (s, occupied(&a->position)) add_row(sum, sum, row_of(n, &a->position, (int)s, (Colour)c, orientation));
        if (memcmp(sum, a->sum[c], sizeof sum) != 0) return false;
    }
    return true;
}

static void update_accumulator(AccumulatorStack *m, const Network *n, const Position *p, unsigned ply) {
    Accumulator *own = &m->entry[ply % ACCUMULATOR_STACK_SIZE];
    const Accumulator *parent = &m->entry[(ply - 1) % ACCUMULATOR_STACK_SIZE];
    const AccumulatorSource start[2] = {{parent, differing_squares(&parent->position, p)},
                                        {own, differing_squares(&own->position, p)}};
    for (int c = WHITE; c <= BLACK; c++) {
        const int orientation = network_orientation(n->shape, p, (Colour)c);
        const AccumulatorSource empty_board = {&m->empty_board, occupied(p)},
                                from = nearest_source(empty_board, start, n->shape, (Colour)c, orientation);
        FeatureChanges changes;
        find_feature_changes(&changes, n, from, p, (Colour)c, orientation);
        apply_changes(own->sum[c], from.accumulator->sum[c], &changes);
    }
    own->position = *p;
    assert(accumulator_is_exact(own, n));
}

void accumulator_stack_init(AccumulatorStack *m, const Network *n) {
    memset(m, 0, sizeof *m);
    for (int c = WHITE; c <= BLACK; c++) memcpy(m->empty_board.sum[c], n->input_bias, sizeof n->input_bias);
}

/* ---- output ---- */

INLINE Lanes16 clipped_relu(Lanes16 v) {
    const Lanes16 most = (Lanes16){0} + NETWORK_INPUT_ONE, low = v < most, kept = (v & low) | (most & ~low);
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
    const int bucket = network_bucket(popcount(occupied(p)));
    const int64_t squared = (int64_t)output_of(own->sum[p->turn], n->output[bucket][0]) +
                            output_of(own->sum[!p->turn], n->output[bucket][1]);
    const int64_t total = squared / NETWORK_INPUT_ONE + n->output_bias[bucket];
    return (int)(total * NETWORK_SCALE / (NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE));
}
