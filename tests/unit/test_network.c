/* SPDX-License-Identifier: MIT */
/* The network: its value is that of the plain sums, from whatever it remembers; the same for both colours and both
   halves of the board; its file comes back as it was, and no other. */
#include <stdlib.h>
#include <string.h>

#include "eval/network_file.h"
#include "random_games.h"

/* ---- the network as its header describes it, piece by piece ---- */

static int64_t plain_output(const Network *n, const Position *p, Colour c, const int16_t *weight) {
    const int view = network_orientation(p, c);
    int64_t total = 0;
    for (int i = 0; i < NETWORK_WIDTH; i++) {
        int sum = n->input_bias[i];
        for (int s = 0; s < 64; s++) {
            const PieceType kind = piece_type_at(p, s);
            if (kind == NO_PIECE_TYPE) continue;
            sum += n->input[network_feature(c, view, p->side[BLACK] & bit(s) ? BLACK : WHITE, kind, s)][i];
        }
        const int v = sum < 0 ? 0 : sum > NETWORK_INPUT_ONE ? NETWORK_INPUT_ONE : sum;
        total += (int64_t)v * v * weight[i];
    }
    return total;
}

static int plain_value(const Network *n, const Position *p) {
    const int bucket = network_bucket(popcount(occupied(p)));
    const int64_t squared = plain_output(n, p, (Colour)p->turn, n->output[bucket][0]) +
                            plain_output(n, p, (Colour)!p->turn, n->output[bucket][1]);
    return (int)((squared / NETWORK_INPUT_ONE + n->output_bias[bucket]) * NETWORK_SCALE /
                 (NETWORK_INPUT_ONE * NETWORK_OUTPUT_ONE));
}

/* ---- what is remembered ---- */

typedef struct {
    AccumulatorStack memory, fresh;
    uint64_t seed;
    unsigned asked, far;
} Asking;

/* In a place of the line that may be anywhere: what was looked at there before is then a position of another game, or
   one in which the kings stood elsewhere. */
static void check_value(void *context, const Position *p, Key key) {
    (void)key;
    Asking *a = context;
    const unsigned ply = random_below(&a->seed, 4) ? a->asked % 100 : random_below(&a->seed, 200);
    const int value = network_evaluate(&a->memory, &network_built_in, p, ply);
    a->asked++;
    if (a->asked % 8 == 0) assert_int_equal(value, plain_value(&network_built_in, p));
    accumulator_stack_init(&a->fresh, &network_built_in);
    assert_int_equal(value, network_evaluate(&a->fresh, &network_built_in, p, 0));
    const Position other = position_flipped(p);
    assert_int_equal(value, network_evaluate(&a->fresh, &network_built_in, &other, 1));
    a->far += value > 300 || value < -300;
}

static void memory_changes_nothing(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    Asking *a = aligned_alloc(64, (sizeof *a + 63) / 64 * 64);
    assert_non_null(a);
    *a = (Asking){.seed = 11};
    accumulator_stack_init(&a->memory, &network_built_in);
    random_games(check_value, a, &z);
    assert_true(a->far > a->asked / 10); /* it does not say the same of everything */
    free(a);
}

/* Sums and products fit into their bits, whatever a file holds within its bounds. */
static void extremes_do_not_overflow(void **state) {
    (void)state;
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
        assert_int_equal(network_evaluate(m, n, &p, 0), plain_value(n, &p));
    }
    free(n), free(m);
}

/* ---- the file ---- */

static void files_come_back(void **state) {
    (void)state;
    static uint8_t bytes[NETWORK_FILE_BYTES], spoilt[NETWORK_FILE_BYTES];
    static Network back;
    network_file_pack(&network_built_in, bytes);
    assert_null(network_file_unpack(&back, bytes, sizeof bytes));
    assert_memory_equal(&back, &network_built_in, sizeof back);
    assert_true(network_file_checksum(bytes) == network_built_in_checksum);
    assert_non_null(network_file_unpack(&back, bytes, sizeof bytes - 1));
    assert_non_null(network_file_unpack(&back, bytes, 5));
    uint64_t seed = 3;
    for (int round = 0; round < 2000; round++) {
        memcpy(spoilt, bytes, sizeof bytes);
        spoilt[random_below(&seed, sizeof bytes)] ^= (uint8_t)(1 + random_below(&seed, 255));
        assert_non_null(network_file_unpack(&back, spoilt, sizeof spoilt));
    }
}

/* Whole, but with a weight that could not be computed with. */
static void weights_beyond_their_bounds_are_refused(void **state) {
    (void)state;
    static uint8_t bytes[NETWORK_FILE_BYTES];
    static Network n, back;
    for (int which = 0; which < 3; which++) {
        n = network_built_in;
        if (which == 0) n.input[700][3] = NETWORK_INPUT_WEIGHT_MAX + 1;
        if (which == 1) n.input_bias[NETWORK_WIDTH - 1] = -NETWORK_INPUT_WEIGHT_MAX - 1;
        if (which == 2) n.output[7][1][0] = NETWORK_OUTPUT_WEIGHT_MAX + 1;
        network_file_pack(&n, bytes);
        assert_non_null(network_file_unpack(&back, bytes, sizeof bytes));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_changes_nothing),
        cmocka_unit_test(extremes_do_not_overflow),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(weights_beyond_their_bounds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
