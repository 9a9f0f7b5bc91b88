/* SPDX-License-Identifier: MIT */
#include "eval/nn_bin.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "network/accumulator_rows.h"

enum { CLIP = 127, SHIFT = 6, HOME = 44 /* of a king that is not on the board */ };

/* ---- accumulators ---- */

void nn_bin_stack_init(NnBinStack *stack) {
    memset(stack, 0, sizeof *stack);
}

static int own_king(const Position *p, Colour c) {
    const int king = p->king[c] == NO_SQUARE ? HOME : p->king[c];
    return c == WHITE ? BOARD_SQUARES - 1 - king : king;
}

/* What a position sets and another does not, and the other way. Pieces that both lack make no difference. */
static void find_changes(FeatureChanges *l, FeatureDifference d, const Position *from, const Position *to, Colour c,
                         int end) {
    l->added_n = bona_beyond(l->added, d, to, from, c, end);
    l->removed_n = bona_beyond(l->removed, d, from, to, c, end);
    int lacking = bona_lacking(to) - (features_are_empty(from) ? 0 : bona_lacking(from));
    for (; lacking > 0; lacking--) l->added[l->added_n++] = BONA_LACKING;
    for (; lacking < 0; lacking++) l->removed[l->removed_n++] = BONA_LACKING;
}

/* The accumulators to begin with, NULL for those of an empty board, and what the position differs from them in. */
typedef struct {
    const NnBinAccumulator *accumulator;
    FeatureDifference difference;
} NnBinSource;

/* Those of the parent or of the last position at this ply, whichever is nearer, if the king allows. */
static NnBinSource nearest(const NnBinSource start[2], const NnBin *n, const Position *p, Colour c) {
    NnBinSource best = {NULL, feature_difference_to_empty(p)};
    for (int i = 0; i < 2; i++) {
        const Position *known = &start[i].accumulator->position;
        if (!features_are_empty(known) && (!n->by_king || own_king(known, c) == own_king(p, c)) &&
            feature_difference_size(start[i].difference) < feature_difference_size(best.difference))
            best = start[i];
    }
    return best;
}

static void update_perspective(NnBinAccumulator *to, NnBinSource from, const NnBin *n, const Position *p, Colour c) {
    static const Position empty = {.king = {NO_SQUARE, NO_SQUARE}};
    const NnBinAccumulator *known = from.accumulator;
    const int16_t *rows = n->input[n->by_king ? BONA_PIECES * own_king(p, c) : 0];
    FeatureChanges changes;
    find_changes(&changes, from.difference, known ? &known->position : &empty, p, c,
                 n->by_king ? BONA_PIECES : BONA_ALL);
    apply_changes(to->sum[c], known ? known->sum[c] : n->input_bias, rows, NN_BIN_WIDTH, &changes);
}

static const NnBinAccumulator *update_accumulator(NnBinStack *stack, const NnBin *n, const Position *p, unsigned ply) {
    NnBinAccumulator *own = &stack->entry[ply % ACCUMULATOR_STACK_SIZE];
    const NnBinAccumulator *parent = &stack->entry[(ply - 1) % ACCUMULATOR_STACK_SIZE];
    const NnBinSource start[2] = {{parent, feature_difference(&parent->position, p)},
                                  {own, feature_difference(&own->position, p)}};
    const NnBinSource from[2] = {nearest(start, n, p, BLACK), nearest(start, n, p, WHITE)};
    for (int c = 0; c < 2; c++) update_perspective(own, from[c], n, p, (Colour)c);
    own->position = *p;
    return own;
}

/* ---- layers ---- */

/* The sum of as many outputs as a register holds, and to them the products of four inputs and their weights. */
#if defined __AVX512BW__
enum { OUTPUTS = 16 };
typedef __m512i Outputs;
INLINE Outputs add_products(Outputs sum, int32_t four, const int8_t *weights) {
    const __m512i in = _mm512_set1_epi32(four), w = _mm512_load_si512((const void *)weights);
#ifdef __AVX512VNNI__
    return _mm512_dpbusd_epi32(sum, in, w);
#else /* two products of 127 and 128 fit into 16 bits */
    return _mm512_add_epi32(sum, _mm512_madd_epi16(_mm512_maddubs_epi16(in, w), _mm512_set1_epi16(1)));
#endif
}
#elif defined __AVX2__
enum { OUTPUTS = 8 };
typedef __m256i Outputs;
INLINE Outputs add_products(Outputs sum, int32_t four, const int8_t *weights) {
    const __m256i in = _mm256_set1_epi32(four), w = _mm256_load_si256((const __m256i *)(const void *)weights);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(in, w), _mm256_set1_epi16(1)));
}
#else
enum { OUTPUTS = 4 };
typedef int32_t Outputs __attribute__((vector_size(OUTPUTS * 4)));
INLINE Outputs add_products(Outputs sum, int32_t four, const int8_t *weights) {
    uint8_t in[NN_BIN_QUAD];
    memcpy(in, &four, sizeof in);
    for (int i = 0; i < OUTPUTS; i++)
        for (int k = 0; k < NN_BIN_QUAD; k++) sum[i] += in[k] * weights[NN_BIN_QUAD * i + k];
    return sum;
}
#endif
enum { REGISTERS = NN_BIN_HIDDEN / OUTPUTS };

INLINE uint8_t clipped(int v) {
    return (uint8_t)(v < 0 ? 0 : v > CLIP ? CLIP : v);
}

/* A layer of 32 outputs, clipped. Its inputs are read by two halves, so that no sum waits for the one before. */
INLINE void hidden_layer(uint8_t out[NN_BIN_HIDDEN], const uint8_t *in, int inputs, const int32_t *bias,
                         const NnBinQuad *weights) {
    const int half = inputs / NN_BIN_QUAD / 2;
    union {
        Outputs v[REGISTERS];
        int32_t sum[NN_BIN_HIDDEN];
    } a = {0}, b = {0};
    for (int i = 0; i < half; i++) {
        int32_t four[2];
        memcpy(&four[0], in + NN_BIN_QUAD * i, sizeof four[0]);
        memcpy(&four[1], in + NN_BIN_QUAD * (half + i), sizeof four[1]);
        for (int r = 0; r < REGISTERS; r++) {
            a.v[r] = add_products(a.v[r], four[0], weights[i][OUTPUTS * r]);
            b.v[r] = add_products(b.v[r], four[1], weights[half + i][OUTPUTS * r]);
        }
    }
    for (int i = 0; i < NN_BIN_HIDDEN; i++) out[i] = clipped((bias[i] + a.sum[i] + b.sum[i]) >> SHIFT);
}

int nn_bin_evaluate(NnBinStack *stack, const NnBin *n, const Position *p, unsigned ply) {
    const NnBinAccumulator *own = update_accumulator(stack, n, p, ply);
    _Alignas(64) uint8_t in[2 * NN_BIN_WIDTH], first[NN_BIN_HIDDEN], second[NN_BIN_HIDDEN];
    for (int i = 0; i < NN_BIN_WIDTH; i++) in[i] = clipped(own->sum[p->turn][i]);
    for (int i = 0; i < NN_BIN_WIDTH; i++) in[NN_BIN_WIDTH + i] = clipped(own->sum[!p->turn][i]);
    hidden_layer(first, in, 2 * NN_BIN_WIDTH, n->bias[0], n->first);
    hidden_layer(second, first, NN_BIN_HIDDEN, n->bias[1], n->second);
    int32_t value = n->output_bias;
    for (int i = 0; i < NN_BIN_HIDDEN; i++) value += second[i] * n->output[i];
    return value / n->scale;
}
