/* SPDX-License-Identifier: MIT */
/* Shogi's network: its value is that of the plain sums, from whatever it remembers; the same for both sides and both halves
   of the board; nearly that of the numbers it was rounded from; packed positions equal positions; its file comes back as it
   was, and no other; the evaluation is the sum of terms and network. */
#include <stdlib.h>
#include <string.h>

#include "eval/evaluate.h"
#include "network/network_file.h"
#include "network_tools.h"
#include "random_games.h"
#include "train/float_network.h"
#include "train/sample.h"

/* Weights of the size that training gives, in floating point and rounded. */
static void make_network(FloatNetwork *n, Network *rounded, NetworkShape shape) {
    uint64_t seed = 7;
    float *weight = (float *)n;
    memset(n, 0, sizeof *n);
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) weight[i] = ((float)random_below(&seed, 2001) - 1000) / 8000;
    n->shape = shape;
    network_quantize(rounded, n);
}

static void *aligned(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(p);
    return p;
}

static void plain_inputs(int sum[NETWORK_WIDTH], const Network *n, const Position *p, Colour view) {
    const int orientation = network_orientation(n->shape.mirrored, p, view);
    for (int s = 0; s < BOARD_SQUARES; s++) {
        const Colour owner = has_square(p->side[WHITE], s) ? WHITE : BLACK;
        if (has_square(occupied(p), s))
            plain_input(sum, n, network_feature(view, orientation, owner, piece_type_at(p, s), s));
    }
    for (int owner = 0; owner < 2; owner++)
        for (int t = 0; t < HAND_TYPES; t++)
            for (int i = 0; i < (int)hand_count(p->hand[owner], (PieceType)t); i++)
                plain_input(sum, n, network_hand_feature(view, (Colour)owner, (PieceType)t, i));
}

static int plain_value(const Network *n, const Position *p) {
    return plain_value_by(plain_inputs, n, p);
}

/* ---- what is remembered ---- */

typedef struct {
    const Network *network;
    const FloatNetwork *exact;
    AccumulatorStack memory, fresh;
    uint64_t seed;
    unsigned asked, mirrored, other_image, different;
    double error;
    int last;
} Asking;

/* Files 1 to 9 become 9 to 1. */
static Position mirror_image(const Position *p) {
    Position m = {.hand = {p->hand[0], p->hand[1]}, .king = {NO_SQUARE, NO_SQUARE}, .turn = p->turn, .ply = 1};
    EACH_SQUARE (s, occupied(p))
        position_put(&m, RANKS * (FILES - 1 - file_of(s)) + rank_of(s), has_square(p->side[WHITE], s) ? WHITE : BLACK,
                     piece_type_at(p, s));
    return m;
}

static bool king_is_central(const Position *p) {
    return file_of(p->king[BLACK]) == FILES / 2 || file_of(p->king[WHITE]) == FILES / 2;
}

static void check_mirror_image(Asking *a, const Position *p, int value) {
    const Position mirror = mirror_image(p);
    const int other = network_evaluate(&a->fresh, a->network, &mirror, 2);
    if (king_is_central(p)) return;
    a->mirrored++, a->other_image += other != value;
}

/* Kept in a sample; its inputs in floating point. */
static void check_packed(Asking *a, const Position *p, int value) {
    static ForwardPass pass;
    const TrainSample sample = train_sample(p, 0, 1);
    const Position back = train_sample_position(&sample);
    assert_true(position_same(&back, p));
    const double exact = (double)float_network_forward(a->exact, &back, &pass) * NETWORK_SCALE;
    const double error = exact > value ? exact - value : value - exact;
    if (error > a->error) a->error = error;
}

/* In a place of the stack that may be anywhere: what was looked at there before is then a position of another game, or one
   in which the kings stood elsewhere. */
static void check_value(void *context, const Position *p, Key key) {
    (void)key;
    Asking *a = context;
    const unsigned ply = random_below(&a->seed, 4) ? a->asked % 100 : random_below(&a->seed, 200);
    const int value = network_evaluate(&a->memory, a->network, p, ply);
    a->different += value != a->last, a->last = value;
    if (a->asked++ % 8 == 0) assert_int_equal(value, plain_value(a->network, p));
    accumulator_stack_init(&a->fresh, a->network);
    assert_int_equal(value, network_evaluate(&a->fresh, a->network, p, 0));
    const Position other = position_flipped(p);
    assert_int_equal(value, network_evaluate(&a->fresh, a->network, &other, 1));
    check_mirror_image(a, p, value);
    check_packed(a, p, value);
}

static void check_network(NetworkShape shape) {
    Zobrist z;
    zobrist_init(&z, 1);
    FloatNetwork *exact = aligned(sizeof *exact);
    Network *rounded = aligned(sizeof *rounded);
    Asking *a = aligned(sizeof *a);
    make_network(exact, rounded, shape);
    memset(a, 0, sizeof *a);
    a->network = rounded, a->exact = exact, a->seed = 11;
    accumulator_stack_init(&a->memory, rounded);
    random_games(check_value, a, &z);
    assert_true(a->asked > 10000 && a->mirrored > a->asked / 16 && a->different > a->asked / 2);
    assert_true(shape.mirrored ? a->other_image == 0 : a->other_image > a->mirrored / 2);
    assert_true(a->error < 40); /* centipawns: outputs are rounded to 1/64 */
    free(exact), free(rounded), free(a);
}

static void memory_changes_nothing(void **state) {
    (void)state;
    check_network(network_full_shape());
    check_network((NetworkShape){.width = NETWORK_WIDTH, .buckets = 1, .mirrored = false});
}

/* Each piece on each square, and the first, second ... of each type in each hand, has an input of its own; none is left over. */
static void inputs_are_distinct(void **state) {
    (void)state;
    static const int in_hand[HAND_TYPES] = {
        [PAWN] = 18, [LANCE] = 4, [KNIGHT] = 4, [SILVER] = 4, [BISHOP] = 3, [ROOK] = 3, [GOLD] = 4};
    for (int c = BLACK; c <= WHITE; c++) {
        unsigned seen[NETWORK_INPUTS] = {0};
        for (int owner = BLACK; owner <= WHITE; owner++) {
            for (int type = 0; type < FEATURE_TYPES; type++)
                for (int square = 0; square < BOARD_SQUARES; square++)
                    seen[network_feature((Colour)c, 0, (Colour)owner, (PieceType)type, square)]++;
            for (int type = 0; type < HAND_TYPES; type++)
                for (int before = 0; before < in_hand[type]; before++)
                    seen[network_hand_feature((Colour)c, (Colour)owner, (PieceType)type, before)]++;
        }
        for (int i = 0; i < NETWORK_INPUTS; i++) assert_int_equal(seen[i], 1);
    }
}

/* Of a problem without the attacker's king, and of a position with a bishop and a rook more than in a set. */
static void rare_positions(void **state) {
    (void)state;
    static const char *const sfens[] = {"7nk/9/5+B2P/9/9/9/9/9/9 b GS 1", "4k4/9/9/9/9/9/9/9/4K4 b 3R3B4G4S4N4L18P 1"};
    FloatNetwork *exact = aligned(sizeof *exact);
    Network *n = aligned(sizeof *n);
    AccumulatorStack *m = aligned(sizeof *m);
    make_network(exact, n, network_full_shape());
    accumulator_stack_init(m, n);
    for (size_t i = 0; i < sizeof sfens / sizeof *sfens; i++) {
        Position p;
        TabiaError error;
        if (!fen_parse(&p, sfens[i], &error)) fail_msg("%s", error.text);
        assert_int_equal(network_evaluate(m, n, &p, (unsigned)i), plain_value(n, &p));
    }
    free(exact), free(n), free(m);
}

static void extremes_do_not_overflow(void **state) {
    (void)state;
    assert_no_overflow(plain_inputs);
}

/* ---- the evaluation ---- */

static void the_network_is_added_to_the_terms(void **state) {
    (void)state;
    FloatNetwork *exact = aligned(sizeof *exact);
    Network *n = aligned(sizeof *n);
    Evaluator *terms = aligned(sizeof *terms), *both = aligned(sizeof *both);
    Position p;
    make_network(exact, n, network_full_shape());
    evaluator_init(terms, EVALUATION_HANDCRAFTED), evaluator_init(both, EVALUATION_NETWORK);
    assert_true(fen_parse(&p, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", NULL));
    assert_int_equal(evaluate(both, &p, 0), evaluate(terms, &p, 0) + plain_value(&network_built_in, &p));
    assert_true(plain_value(&network_built_in, &p) != 0);
    evaluator_choose(both, EVALUATION_NETWORK, n);
    assert_int_equal(evaluate(both, &p, 0), evaluate(terms, &p, 0) + plain_value(n, &p));
    assert_true(plain_value(n, &p) != plain_value(&network_built_in, &p));
    assert_true(evaluation_identity(EVALUATION_NETWORK, n) != evaluation_identity(EVALUATION_NETWORK, NULL));
    assert_true(evaluation_identity(EVALUATION_NETWORK, NULL) != evaluation_identity(EVALUATION_HANDCRAFTED, NULL));
    assert_true(evaluation_identity(EVALUATION_NETWORK, NULL) ==
                evaluation_identity(EVALUATION_NETWORK, &network_built_in));
    assert_true(evaluation_identity(EVALUATION_HANDCRAFTED, n) == evaluation_identity(EVALUATION_HANDCRAFTED, NULL));
    free(exact), free(n), free(terms), free(both);
}

/* ---- the file ---- */

static void files_come_back(void **state) {
    (void)state;
    static uint8_t bytes[NETWORK_FILE_BYTES_MAX + 1];
    static FloatNetwork exact;
    static Network n, back;
    make_network(&exact, &n, network_full_shape());
    const size_t size = network_file_pack(&n, bytes);
    assert_int_equal(size, network_file_bytes(network_full_shape()));
    assert_true(size < 3000000);
    assert_true(network_file_unpack(&back, bytes, size, NULL));
    assert_same_network(&back, &n);
    assert_non_null(strstr(network_refusal(bytes, size - 1), "a part of a network"));
    bytes[size / 2] ^= 1;
    assert_non_null(strstr(network_refusal(bytes, size), "damaged"));
    bytes[12] = 0, bytes[13] = 3; /* as of chess */
    assert_non_null(
        strstr(network_refusal(bytes, size), "a network of 768 inputs, as of another game; one of shogi has 2348"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_changes_nothing),
        cmocka_unit_test(inputs_are_distinct),
        cmocka_unit_test(rare_positions),
        cmocka_unit_test(extremes_do_not_overflow),
        cmocka_unit_test(the_network_is_added_to_the_terms),
        cmocka_unit_test(files_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
