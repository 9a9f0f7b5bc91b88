/* SPDX-License-Identifier: MIT */
/* The network, of either game (network_cases.h): its value is that of the plain sums, from whatever it remembers; the same for
   both sides and both halves of the board; nearly that of the numbers it was rounded from; its file comes back as it was,
   and no other; how the evaluation uses it. */
#include "fen_tools.h"

#include "eval/evaluate.h"
#include "network/network_file.h"
#include "random_games.h"
#include "train/float_network.h"
#include "train/sample.h"

#include "network_cases.h"

static void *aligned(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(p);
    return p;
}

/* Weights of the size that training gives, in floating point and rounded. */
static void make_network(FloatNetwork *n, Network *rounded, NetworkShape shape) {
    uint64_t seed = 7;
    float *weight = (float *)n;
    memset(n, 0, sizeof *n);
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) weight[i] = ((float)random_below(&seed, 2001) - 1000) / 8000;
    n->shape = shape;
    network_quantize(rounded, n);
}

static int plain_value(const Network *n, const Position *p) {
    return plain_value_by(plain_inputs, n, p);
}

/* ---- what is remembered ---- */

typedef struct {
    const Network *network;
    const FloatNetwork *exact; /* that it was rounded from, or NULL */
    AccumulatorStack memory, fresh;
    uint64_t seed;
    unsigned asked, mirrored, other_image, different;
    double error;
    int last;
} Asking;

/* Kept in a sample; its inputs in floating point. */
static void check_packed(Asking *a, const Position *p, int value) {
    static ForwardPass pass;
    const TrainSample sample = train_sample(p, 0, 1);
    const Position back = train_sample_position(&sample);
    assert_int_equal(value, network_evaluate(&a->fresh, a->network, &back, 3));
    if (!a->exact) return;
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
    const Position other = position_flipped(p), mirror = mirror_image(p);
    assert_int_equal(value, network_evaluate(&a->fresh, a->network, &other, 1));
    if (has_mirror_image(p))
        a->mirrored++, a->other_image += network_evaluate(&a->fresh, a->network, &mirror, 2) != value;
    check_packed(a, p, value);
}

static void check_network(const Network *n, const FloatNetwork *exact) {
    Zobrist z;
    zobrist_init(&z, 1);
    Asking *a = aligned(sizeof *a);
    memset(a, 0, sizeof *a);
    a->network = n, a->exact = exact, a->seed = 11;
    accumulator_stack_init(&a->memory, n);
    random_games(check_value, a, &z);
    assert_true(a->asked > 10000 && a->mirrored > a->asked / 16 && a->different > a->asked / 2);
    assert_true(n->shape.mirrored ? a->other_image == 0 : a->other_image > a->mirrored / 2);
    assert_true(a->error < 40); /* centipawns: outputs are rounded to 1/64 */
    free(a);
}

static void memory_changes_nothing(void **state) {
    FloatNetwork *exact = aligned(sizeof *exact);
    Network *n = aligned(sizeof *n);
    check_network(&network_built_in, NULL);
    make_network(exact, n, network_full_shape());
    check_network(n, exact);
    make_network(exact, n, (NetworkShape){.width = NETWORK_WIDTH, .buckets = 1, .mirrored = false});
    check_network(n, exact);
    free(exact), free(n);
}

/* Each has its own, and none is left over. */
static void inputs_are_distinct(void **state) {
    for (int view = 0; view < 2; view++) {
        unsigned seen[NETWORK_INPUTS] = {0};
        count_inputs(seen, (Colour)view);
        for (int i = 0; i < NETWORK_INPUTS; i++) assert_int_equal(seen[i], 1);
    }
}

static void rare_positions_are_evaluated(void **state) {
    FloatNetwork *exact = aligned(sizeof *exact);
    Network *n = aligned(sizeof *n);
    AccumulatorStack *m = aligned(sizeof *m);
    make_network(exact, n, network_full_shape());
    accumulator_stack_init(m, n);
    for (unsigned i = 0; i < sizeof rare_positions / sizeof *rare_positions; i++) {
        const Position p = parsed(rare_positions[i]);
        assert_int_equal(network_evaluate(m, n, &p, i), plain_value(n, &p));
    }
    free(exact), free(n), free(m);
}

static void extremes_do_not_overflow(void **state) {
    assert_no_overflow(plain_inputs);
}

/* ---- the evaluation ---- */

static void the_evaluation_uses_the_network(void **state) {
    FloatNetwork *exact = aligned(sizeof *exact);
    Network *n = aligned(sizeof *n);
    Evaluator *e = aligned(sizeof *e);
    make_network(exact, n, network_full_shape());
    const Position p = parsed(middlegame);
    evaluator_init(e, EVALUATION_NETWORK);
    assert_int_equal(evaluate(e, &p, 0), plain_value(&network_built_in, &p));
    evaluator_choose(e, EVALUATION_NETWORK, n);
    assert_int_equal(evaluate(e, &p, 0), plain_value(n, &p));
    assert_true(plain_value(n, &p) != plain_value(&network_built_in, &p));
    const uint64_t built_in = evaluation_identity(EVALUATION_NETWORK, NULL),
                   material = evaluation_identity(EVALUATION_MATERIAL, NULL);
    assert_true(evaluation_identity(EVALUATION_NETWORK, n) != built_in && built_in != material);
    assert_true(evaluation_identity(EVALUATION_NETWORK, &network_built_in) == built_in);
    assert_true(evaluation_identity(EVALUATION_MATERIAL, n) == material);
    free(exact), free(n), free(e);
}

/* ---- the file ---- */

static const NetworkShape shapes[] = {{NETWORK_WIDTH, NETWORK_BUCKETS, true},
                                      {NETWORK_WIDTH, 1, false},
                                      {NETWORK_WIDTH / 2, 1, false},
                                      {1, NETWORK_BUCKETS, true}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void files_come_back(void **state) {
    static uint8_t bytes[NETWORK_FILE_BYTES_MAX + 1];
    static Network n, back;
    uint64_t identities[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
        network_cut(&n, shapes[i]);
        const size_t size = network_file_pack(&n, bytes);
        assert_int_equal(size, network_file_bytes(shapes[i]));
        assert_true(network_file_unpack(&back, bytes, size, NULL));
        assert_same_network(&back, &n);
        identities[i] = n.identity;
        for (int j = 0; j < i; j++) assert_true(identities[i] != identities[j]);
        assert_false(network_file_unpack(&back, bytes, size - 1, NULL));
        assert_false(network_file_unpack(&back, bytes, size + 1, NULL));
        assert_false(network_file_unpack(&back, bytes, 5, NULL));
    }
    network_cut(&n, network_built_in.shape);
    assert_true(n.identity == network_built_in.identity);
}

static void damage_is_noticed(void **state) {
    static uint8_t bytes[NETWORK_FILE_BYTES_MAX], spoilt[NETWORK_FILE_BYTES_MAX];
    const size_t size = network_file_pack(&network_built_in, bytes);
    uint64_t seed = 3;
    for (int round = 0; round < 2000; round++) {
        memcpy(spoilt, bytes, size);
        spoilt[random_below(&seed, (unsigned)size)] ^= (uint8_t)(1 + random_below(&seed, 255));
        network_refusal(spoilt, size);
    }
}

/* What is wrong, and what would be right. */
static void refusals_say_why(void **state) {
    static uint8_t bytes[NETWORK_FILE_BYTES_MAX], other[NETWORK_FILE_BYTES_MAX];
    const size_t size = network_file_pack(&network_built_in, bytes);
    char accumulators[16];
    snprintf(accumulators, sizeof accumulators, "1 to %d", NETWORK_WIDTH);
    const struct {
        int at;
        uint8_t value; /* of a number's lowest byte, and one of the next */
        const char *words, *right;
    } headers[] = {{0, 'X', "no network", "TABIANET"},
                   {8, 9, "form 265", "1 (mirrored)"},
                   {12, 40, "inputs, as of another game", inputs_of_the_game},
                   {16, 1, "257 accumulators", accumulators},
                   {20, 4, "260 outputs", "1 or 8"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        memcpy(other, bytes, size);
        other[headers[i].at] = headers[i].value, other[headers[i].at + 1] = 1;
        assert_non_null(strstr(network_refusal(other, size), headers[i].words));
        assert_non_null(strstr(network_refusal(other, size), headers[i].right));
    }
    assert_non_null(strstr(network_refusal(bytes, 1000), "a part of a network: 1000 bytes of "));
    memcpy(other, bytes, size), other[size / 2] ^= 1;
    assert_non_null(strstr(network_refusal(other, size), "damaged"));
}

/* Whole, but with a weight that could not be computed with. */
static void weights_beyond_their_bounds_are_refused(void **state) {
    static uint8_t bytes[NETWORK_FILE_BYTES_MAX];
    static Network n;
    static const char *const words[] = {"an input weight of 507", "an input bias of -507", "an output weight of 128"};
    for (int which = 0; which < 3; which++) {
        network_cut(&n, network_full_shape());
        if (which == 0) n.input[700][3] = NETWORK_INPUT_WEIGHT_MAX + 1;
        if (which == 1) n.input_bias[NETWORK_WIDTH - 1] = -NETWORK_INPUT_WEIGHT_MAX - 1;
        if (which == 2) n.output[7][1][0] = NETWORK_OUTPUT_WEIGHT_MAX + 1;
        assert_non_null(strstr(network_refusal(bytes, network_file_pack(&n, bytes)), words[which]));
    }
}

#include "test_network_list.h"
