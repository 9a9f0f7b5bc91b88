/* SPDX-License-Identifier: MIT */
/* The trainer: packed positions equal positions, gradients equal difference quotients, synthetic samples have the values
   of the evaluation by terms, and a network is trained on both, also from an initial network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/network_file.h"
#include "random_games.h"
#include "train/synthetic_samples.h"
#include "train/train.h"

static void *aligned(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(p);
    return memset(p, 0, (bytes + 63) / 64 * 64);
}

/* ---- positions ---- */

static Position pieces_only(const Position *p) {
    Position pieces = *p;
    pieces.castle[0] = pieces.castle[1] = pieces.ep = 0, pieces.halfmove = 0, pieces.fullmove = 1;
    return pieces;
}

/* The same inputs as the engine's, in any order. */
static void check_position(void *context, const Position *p, Key key) {
    (void)context, (void)key;
    const TrainPosition b = train_position_pack(p, 5, 2);
    const Position back = train_position_unpack(&b), pieces = pieces_only(p);
    assert_memory_equal(&back, &pieces, sizeof back);
    TrainFeatures in;
    train_position_features(&b, network_full_shape(), &in);
    assert_int_equal(in.count, popcount(occupied(p)));
    for (int side = 0; side < 2; side++) {
        const Colour c = (Colour)(side ? !p->turn : p->turn);
        int64_t sum = 0;
        EACH (s, occupied(p))
            sum += network_feature(c, network_orientation(network_full_shape(), p, c),
                                   p->side[BLACK] & bit((int)s) ? BLACK : WHITE, piece_type_at(p, (int)s), (int)s);
        for (int i = 0; i < in.count; i++) sum -= in.input[side][i];
        assert_int_equal(sum, 0);
    }
}

static void packed_positions_are_equal(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    random_games(check_position, NULL, &z);
}

/* ---- gradients ---- */

static TrainPosition position_of(const char *fen, int score, int result) {
    Position p;
    assert_true(fen_parse(&p, fen, NULL));
    return train_position_pack(&p, score, result);
}

static void gradients_are_difference_quotients(void **state) {
    (void)state;
    FloatNetwork *n = aligned(sizeof *n), *gradients = aligned(sizeof *gradients);
    float *weight = (float *)n, *gradient = (float *)gradients;
    uint64_t seed = 8;
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) weight[i] = ((float)random_below(&seed, 2000) - 1000) / 4000;
    const TrainPosition b = position_of("r1bqk2r/pp2bppp/2n2n2/2pp4/8/2N1PN2/PPP1BPPP/R1BQ1RK1 b kq - 0 1", 0, 1);
    ForwardPass t;
    const float value = float_network_forward(n, &b, &t);
    float_network_backward(n, &t, 1, gradients);
    unsigned nonzero = 0;
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i += 1 + (int)random_below(&seed, 20)) {
        const float original = weight[i], by = 1.0f / 256;
        ForwardPass other;
        weight[i] = original + by;
        const float up = (float_network_forward(n, &b, &other) - value) / by;
        weight[i] = original - by;
        const float down = (value - float_network_forward(n, &b, &other)) / by;
        weight[i] = original;
        const float least = up < down ? up : down, most = up < down ? down : up;
        assert_true(gradient[i] >= least - 0.02f && gradient[i] <= most + 0.02f);
        nonzero += fabsf(gradient[i]) > 0.02f;
    }
    assert_true(nonzero > 100);
    free(n), free(gradients);
}

/* ---- synthetic samples ---- */

static void synthetic_samples_have_the_value_by_terms(void **state) {
    (void)state;
    Evaluator *e = aligned(sizeof *e);
    evaluator_init(e, NULL, EVALUATION_TERMS);
    const TrainPosition from = position_of("r1bqk2r/pp2bppp/2n2n2/2pp4/8/2N1PN2/PPP1BPPP/R1BQ1RK1 b kq - 0 1", 0, 1);
    unsigned made = 0, moved = 0, poorer = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TrainPosition synthetic, again;
        if (!synthetic_sample(e, &from, seed, &synthetic)) continue;
        assert_true(synthetic_sample(e, &from, seed, &again));
        assert_memory_equal(&synthetic, &again, sizeof synthetic);
        const Position p = train_position_unpack(&synthetic);
        assert_false(in_check(&p));
        assert_int_equal(synthetic.score, evaluate(e, &p, 0));
        made++, moved += synthetic.occupied != from.occupied,
            poorer += popcount(synthetic.occupied) < popcount(from.occupied);
    }
    assert_true(made > 1000 && moved > made / 2 && poorer > made / 10);
    free(e);
}

/* ---- training ---- */

static void add_position(void *positions, const Position *p, Key key) {
    uint64_t seed = key[0];
    static const int piece_values[] = {100, 300, 300, 500, 900, 0};
    int score = 0;
    EACH (s, occupied(p)) {
        const int value = piece_values[piece_type_at(p, (int)s)];
        score += p->side[p->turn] & bit((int)s) ? value : -value;
    }
    const bool won = random_below(&seed, 1 << 20) < (1 << 20) / (1 + exp(-0.003 * score));
    assert_true(train_positions_add(positions, p, score, won ? 2 : 0));
}

static bool record_errors(void *context, const TrainReport *r) {
    double *errors = context;
    errors[r->epoch - 1] = r->validation_error;
    return true;
}

static double spread(const TrainPositions *b, double k) {
    double sum = 0, square = 0;
    for (size_t i = 0; i < b->count; i++) {
        const double p = 1 / (1 + exp(-k * b->position[i].score));
        sum += p, square += p * p;
    }
    return square / (double)b->count - sum / (double)b->count * (sum / (double)b->count);
}

/* Stops after half of the second epoch. */
static bool stop_in_second_epoch(void *context, const TrainReport *r) {
    unsigned *calls = context;
    ++*calls;
    assert_true(r->done <= r->all);
    return r->epoch < 2 || 2 * r->done < r->all;
}

static bool record_k(void *context, const TrainReport *r) {
    *(double *)context = r->k;
    return true;
}

/* Material, from random games: nearly all of the variance is explained, and the file holds the quantized network. */
static void a_network_is_trained(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    TrainPositions positions = {0};
    random_games(add_position, &positions, &z);
    FloatNetwork *n = aligned(sizeof *n);
    Network *quantized = aligned(sizeof *quantized), *back = NULL;
    TrainOptions options = {.epochs = 12, .threads = 2, .rate = 0.003, .finetune_rate = 1, .seed = 2};
    double errors[16] = {0}, k = 0;
    TabiaError error;
    assert_true(train_network(n, &positions, &options, record_errors, errors, &error));
    TrainOptions one = options;
    one.epochs = 1;
    network_quantize(quantized, n);
    assert_true(train_network(n, &positions, &one, record_k, &k, &error));
    assert_true(errors[11] < spread(&positions, k) / 10);

    char path[64];
    close(temporary_file(path));
    assert_true(network_write(quantized, path, &error) && (back = network_read(path, &error)));
    assert_memory_equal(back, quantized, sizeof *back);
    one.from = back, one.rate = 0.00001;
    double finetune_rate[16] = {0};
    assert_true(train_network(n, &positions, &one, record_errors, finetune_rate, &error));
    assert_true(finetune_rate[0] < 1.2 * errors[11]);

    unsigned calls = 0;
    const size_t batches = (positions.count - 2048 * (positions.count / 2048 / 16)) / 4096;
    assert_true(train_network(n, &positions, &options, stop_in_second_epoch, &calls, &error));
    assert_true(calls > batches && calls < 2 * batches);

    assert_int_equal(truncate(path, 100), 0);
    assert_null(network_read(path, &error));
    remove(path);
    assert_null(network_read(path, &error));
    train_positions_free(&positions), free(n), free(quantized), free(back);
}

/* The scores of the positions are all 0: a network trained on synthetic samples only predicts material all the same. */
static void synthetic_samples_are_used(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    TrainPositions positions = {0}, silent = {0};
    random_games(add_position, &positions, &z);
    for (size_t i = 0; i < positions.count; i++) {
        const Position p = train_position_unpack(&positions.position[i]);
        assert_true(train_positions_add(&silent, &p, 0, 1));
    }
    FloatNetwork *n = aligned(sizeof *n);
    const TrainOptions options = {.synthetic_epochs = 6, .threads = 2, .rate = 0.003, .finetune_rate = 1, .seed = 2};
    TabiaError error;
    assert_true(train_network(n, &silent, &options, NULL, NULL, &error));
    ForwardPass t;
    double right = 0, all = 0;
    for (size_t i = 0; i < positions.count; i++) {
        if (abs(positions.position[i].score) < 400) continue;
        all++, right += (float_network_forward(n, &positions.position[i], &t) > 0) == (positions.position[i].score > 0);
    }
    assert_true(all > 1000 && right > 0.9 * all);
    train_positions_free(&positions), train_positions_free(&silent), free(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_positions_are_equal),
        cmocka_unit_test(gradients_are_difference_quotients),
        cmocka_unit_test(synthetic_samples_have_the_value_by_terms),
        cmocka_unit_test(a_network_is_trained),
        cmocka_unit_test(synthetic_samples_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
