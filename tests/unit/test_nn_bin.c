/* SPDX-License-Identifier: MIT */
/* Networks of YaneuraOu: its values of known positions, accumulators from those of other positions, files, damage. */
#include "unit/fen_tools.h"

#include "eval/evaluate.h"
#include "nn_bin_tools.h"
#include "rules/movegen.h"

enum { HALFKP_BYTES = 64217066, KP_BYTES = 893917, LAYERS = 876213 + 4 /* of K-P, past their hash */ };

/* What YaneuraOu 9.70 (33ccf1f9) reads of both networks of seed 1, FV_SCALE 16. */
static const struct {
    const char *sfen;
    int value[2]; /* of K-P, of HalfKP */
} known[] = {
    {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", {304, 794}},
    {"lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", {418, 941}},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", {1395, 10}},
    {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {1018, 700}},
    {"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", {233, 1908}},
    {"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", {1032, 1873}},
    {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", {140, 598}},
    {"4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", {459, 1448}},
    {"ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76", {940, 1592}},
};
enum { KNOWN = sizeof known / sizeof *known };

/* One network of each architecture for all tests. */
typedef struct {
    uint8_t *bytes[2];
    Network *network[2];
} Networks;

static const NnBin *weights_of(const Networks *n, int by_king) {
    return (const NnBin *)n->network[by_king]->foreign;
}

static int make_networks(void **state) {
    static Networks n;
    for (int by_king = 0; by_king < 2; by_king++) {
        TabiaError error;
        const size_t size = by_king ? HALFKP_BYTES : KP_BYTES;
        n.bytes[by_king] = malloc(size);
        if (!n.bytes[by_king] || make_nn_bin(n.bytes[by_king], by_king, 1) != size) return -1;
        n.network[by_king] = nn_bin_unpack(n.bytes[by_king], size, EVALUATION_SCALE, &error);
        if (!n.network[by_king]) return fprintf(stderr, "%s\n", error.text), -1;
    }
    *state = &n;
    return 0;
}

static int free_networks(void **state) {
    Networks *n = *state;
    for (int by_king = 0; by_king < 2; by_king++) free(n->bytes[by_king]), free(n->network[by_king]);
    return 0;
}

static int value_from_nothing(const NnBin *n, const Position *p) {
    static NnBinStack stack;
    nn_bin_stack_init(&stack);
    return nn_bin_evaluate(&stack, n, p, 0);
}

static void known_values(void **state) {
    for (int by_king = 0; by_king < 2; by_king++)
        for (size_t i = 0; i < KNOWN; i++) {
            const Position p = parsed(known[i].sfen);
            const int value = value_from_nothing(weights_of(*state, by_king), &p);
            if (value != known[i].value[by_king]) fail_msg("%s: %d", known[i].sfen, value);
        }
}

/* Games with moves that are tried and left, king moves among them, from positions of all kinds, on one stack. */
static void values_from_others(void **state) {
    static NnBinStack stack;
    uint64_t seed = 7;
    for (int by_king = 0; by_king < 2; by_king++) {
        const NnBin *n = weights_of(*state, by_king);
        nn_bin_stack_init(&stack);
        for (size_t game = 0; game < 3 * KNOWN; game++) {
            Position p = parsed(known[game % KNOWN].sfen), tried;
            for (unsigned ply = 0; ply < 100; ply++) {
                Move list[MOVES_MAX];
                const unsigned moves = moves_list(&p, list);
                for (unsigned i = 0; moves && i < 2; i++) {
                    position_make_move(&tried, &p, list[random_below(&seed, moves)]);
                    assert_int_equal(nn_bin_evaluate(&stack, n, &tried, ply + 1), value_from_nothing(n, &tried));
                }
                if (!moves) break;
                if (random_below(&seed, 4))
                    assert_int_equal(nn_bin_evaluate(&stack, n, &p, ply), value_from_nothing(n, &p));
                p = tried;
            }
        }
    }
}

/* A problem without the attacker's king, and a bishop and a rook more than in a set: any value, the same each time. */
static void rare_positions(void **state) {
    static const char *const rare[] = {"7nk/9/5+B2P/9/9/9/9/9/9 b GS 1", "4k4/9/9/9/9/9/9/9/4K4 b 3R3B4G4S4N4L18P 1"};
    static NnBinStack stack;
    for (int by_king = 0; by_king < 2; by_king++)
        for (int i = 0; i < 4; i++) {
            const Position p = parsed(rare[i % 2]);
            const NnBin *n = weights_of(*state, by_king);
            if (!i) nn_bin_stack_init(&stack);
            assert_int_equal(nn_bin_evaluate(&stack, n, &p, (unsigned)i), value_from_nothing(n, &p));
        }
}

static void refused(const uint8_t *bytes, size_t n, const char *wanted) {
    TabiaError error;
    assert_null(nn_bin_unpack(bytes, n, EVALUATION_SCALE, &error));
    if (!strstr(error.text, wanted)) fail_msg("%s, not %s", error.text, wanted);
}

static void damaged_files(void **state) {
    const Networks *n = *state;
    uint8_t *bytes = malloc(KP_BYTES + 1);
    memcpy(bytes, n->bytes[0], KP_BYTES);
    assert_true(nn_bin_is_start(bytes, KP_BYTES) && !nn_bin_is_start(bytes, 11));
    refused(bytes, KP_BYTES - 1, "a part of a network of YaneuraOu: 893916 bytes of 893917");
    refused(bytes, 100, "100 bytes of 893917");
    refused(bytes, KP_BYTES + 1, "followed by more");
    static const struct {
        size_t byte;
        const char *wanted;
    } damage[] = {{4, "'Features=K+P'); HalfKP 256x2-32-32 (3E5AA6EE) and K-P 256x2-32-32 (5C6464A9) can be read"},
                  {10, "another architecture (hash 5C6464A9"},
                  {8, "bytes of 893916"},
                  {177, "the hash of its inputs is 3F5715FE, not 3F5715FF"},
                  {876213, "the hash of its layers is 63337157, not 63337156"}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        bytes[damage[i].byte] ^= 1;
        if (damage[i].byte == 8)
            refused(bytes, KP_BYTES, "followed by more");
        else
            refused(bytes, KP_BYTES, damage[i].wanted);
        bytes[damage[i].byte] ^= 1;
    }
    /* The first bias of each layer. */
    static const size_t bias[] = {LAYERS, LAYERS + 128 + 32 * 512, LAYERS + 2 * 128 + 32 * 512 + 32 * 32};
    for (size_t i = 0; i < sizeof bias / sizeof *bias; i++) {
        uint8_t *byte = &bytes[bias[i] + 3];
        const uint8_t was = *byte;
        *byte = 0x7f;
        refused(bytes, KP_BYTES, "a bias of its layers");
        *byte = was;
    }
    bytes[0] ^= 1;
    assert_false(nn_bin_is_start(bytes, KP_BYTES));
    free(bytes);
    uint8_t *all_text = malloc(1000); /* a name without an end is not read past the file */
    memset(write_u32(write_u32(write_u32(all_text, 0x7AF32F16), 1), 900), 'a', 1000 - 12);
    refused(all_text, 1000, "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'");
    free(all_text);
}

/* The scale is part of the identity. */
static void files(void **state) {
    static Evaluator e;
    const Networks *n = *state;
    const Position p = parsed(known[0].sfen);
    char path[] = "test_nn_bin_XXXXXX";
    TabiaError error;
    FILE *file = fdopen(mkstemp(path), "wb");
    assert_int_equal(fwrite(n->bytes[0], KP_BYTES, 1, file), 1);
    fclose(file);
    Network *usual = evaluation_network_read(path, EVALUATION_SCALE, &error);
    Network *halved = evaluation_network_read(path, 2 * EVALUATION_SCALE, &error);
    assert_true(usual && halved && usual->identity != halved->identity);
    evaluator_init(&e, EVALUATION_NETWORK);
    const int built_in = evaluate(&e, &p, 0);
    evaluator_choose(&e, EVALUATION_NETWORK, halved);
    assert_int_equal(evaluate(&e, &p, 0), known[0].value[0] / 2);
    evaluator_choose(&e, EVALUATION_NETWORK, usual);
    assert_int_equal(evaluate(&e, &p, 0), known[0].value[0]);
    evaluator_choose(&e, EVALUATION_MATERIAL, usual);
    assert_int_equal(evaluate(&e, &p, 0), 0);
    evaluator_choose(&e, EVALUATION_NETWORK, NULL);
    assert_int_equal(evaluate(&e, &p, 0), built_in);
    assert_int_equal(truncate(path, 1000), 0);
    assert_null(evaluation_network_read(path, EVALUATION_SCALE, &error));
    assert_non_null(strstr(error.text, path));
    unlink(path);
    assert_null(evaluation_network_read(path, EVALUATION_SCALE, &error));
    free(usual), free(halved);
}

#define RUN(tests) cmocka_run_group_tests(tests, make_networks, free_networks)
#include "test_nn_bin_list.h"
