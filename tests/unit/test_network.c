/* SPDX-License-Identifier: MIT */
/* The network: its value is that of the plain sums, from whatever it remembers; the same for both colours and both
   halves of the board; its file comes back as it was, and no other. */
#include <stdlib.h>
#include <string.h>

#include "network/network_file.h"
#include "network_tools.h"
#include "random_games.h"

static void plain_inputs(int sum[NETWORK_WIDTH], const Network *n, const Position *p, Colour view) {
    const int orientation = network_orientation(n->shape.mirrored, p, view);
    for (int s = 0; s < 64; s++) {
        const PieceType kind = piece_type_at(p, s);
        if (kind == NO_PIECE_TYPE) continue;
        plain_input(sum, n, network_feature(view, orientation, p->side[BLACK] & bit(s) ? BLACK : WHITE, kind, s));
    }
}

static int plain_value(const Network *n, const Position *p) {
    return plain_value_by(plain_inputs, n, p);
}

/* ---- what is remembered ---- */

typedef struct {
    const Network *network;
    AccumulatorStack memory, fresh;
    uint64_t seed;
    unsigned asked, far, other_mirrored;
} Asking;

/* Files a to h become h to a; without castling rights. */
static Position mirrored(const Position *p) {
    Position m = {.turn = p->turn, .fullmove = 1};
    EACH (s, occupied(p))
        position_put(&m, (int)s ^ 7, p->side[BLACK] & bit((int)s) ? BLACK : WHITE, piece_type_at(p, (int)s));
    return m;
}

/* In a place of the line that may be anywhere: what was looked at there before is then a position of another game, or
   one in which the kings stood elsewhere. */
static void check_value(void *context, const Position *p, Key key) {
    (void)key;
    Asking *a = context;
    const unsigned ply = random_below(&a->seed, 4) ? a->asked % 100 : random_below(&a->seed, 200);
    const int value = network_evaluate(&a->memory, a->network, p, ply);
    a->asked++;
    if (a->asked % 8 == 0) assert_int_equal(value, plain_value(a->network, p));
    accumulator_stack_init(&a->fresh, a->network);
    assert_int_equal(value, network_evaluate(&a->fresh, a->network, p, 0));
    const Position other = position_flipped(p), mirror = mirrored(p);
    assert_int_equal(value, network_evaluate(&a->fresh, a->network, &other, 1));
    const int value_of_mirror = network_evaluate(&a->fresh, a->network, &mirror, 2);
    a->far += value > 300 || value < -300;
    a->other_mirrored += value_of_mirror != value;
}

static void check_network(const Network *n) {
    Zobrist z;
    zobrist_init(&z, 1);
    Asking *a = aligned_alloc(64, (sizeof *a + 63) / 64 * 64);
    assert_non_null(a);
    *a = (Asking){.network = n, .seed = 11};
    accumulator_stack_init(&a->memory, n);
    random_games(check_value, a, &z);
    assert_true(a->far > a->asked / 10); /* it does not say the same of everything */
    if (n->shape.mirrored)
        assert_int_equal(a->other_mirrored, 0);
    else
        assert_true(a->other_mirrored > a->asked / 2);
    free(a);
}

static void memory_changes_nothing(void **state) {
    static Network plain;
    check_network(&network_built_in);
    plain = network_built_in, plain.shape.mirrored = false;
    check_network(&plain);
}

static void extremes_do_not_overflow(void **state) {
    assert_no_overflow(plain_inputs);
}

/* ---- the file ---- */

static const NetworkShape shapes[] = {
    {NETWORK_WIDTH, NETWORK_BUCKETS, true}, {NETWORK_WIDTH, 1, false}, {128, 1, false}, {1, NETWORK_BUCKETS, true}};
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
    assert_true(identities[0] == network_built_in.identity);
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
    static const struct {
        int at;
        uint8_t value; /* of a number's lowest byte, and one of the next */
        const char *words, *right;
    } headers[] = {{0, 'X', "no network", "TABIANET"},
                   {8, 9, "form 265", "1 (mirrored)"},
                   {12, 40, "inputs, as of another game", "chess has 768"},
                   {16, 1, "257 accumulators", "1 to 256"},
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
        n = network_built_in;
        if (which == 0) n.input[700][3] = NETWORK_INPUT_WEIGHT_MAX + 1;
        if (which == 1) n.input_bias[NETWORK_WIDTH - 1] = -NETWORK_INPUT_WEIGHT_MAX - 1;
        if (which == 2) n.output[7][1][0] = NETWORK_OUTPUT_WEIGHT_MAX + 1;
        assert_non_null(strstr(network_refusal(bytes, network_file_pack(&n, bytes)), words[which]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_changes_nothing), cmocka_unit_test(extremes_do_not_overflow),
        cmocka_unit_test(files_come_back),        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(refusals_say_why),       cmocka_unit_test(weights_beyond_their_bounds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
