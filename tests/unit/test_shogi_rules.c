/* SPDX-License-Identifier: MIT */
/* The rules of shogi: published counts, drops that mate, hands, keys of repetitions. */
#include "fen_tools.h"

#include "count/last_two.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#define START "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

static uint64_t perft(const Position *p, unsigned depth) {
    if (depth == 1) return moves_count(p);
    if (depth == 2) return count_last_two(p, (Colour)p->turn);
    Move list[MOVES_MAX];
    uint64_t sum = 0;
    const unsigned n = moves_list(p, list);
    for (unsigned i = 0; i < n; i++) {
        Position child;
        position_make_move(&child, p, list[i]);
        sum += perft(&child, depth - 1);
    }
    return sum;
}

/* Counts that at least two generators without common code agree on, from depth 1; 0: the rest is left out here. */
typedef struct {
    const char *sfen;
    uint64_t leaves[5];
} Counts;

static const Counts published[] = {
    {START, {30, 900, 25470, 719731}},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", {207, 28684, 4809015}},
    {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {593, 105677, 53393368}},
    {"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", {178, 18041, 2552846}},
    {"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", {524, 248257, 112911856}},
    {"l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91", {180, 15217, 2067680}},
    {"k+n7/sg7/9/9/9/9/+r5K1g/7L1/2LN1R1+Bb b RBGSNLP 1", {45, 1148, 414441}},
    {"lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9", {31, 1177, 37189, 1307221}},
    {"l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", {98, 15850, 1114656}},
    {"6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1", {246, 41605, 8420492}},
    {"ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62", {74, 16440, 864786}},
    {"ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65", {101, 15744, 1183354}},
    {"ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76", {2, 445, 45717, 8722898}},
};

static void published_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const Position p = parsed(published[i].sfen);
        for (unsigned depth = 1; depth <= 5 && published[i].leaves[depth - 1]; depth++)
            if (perft(&p, depth) != published[i].leaves[depth - 1])
                fail_msg("depth %u of %s", depth, published[i].sfen);
    }
}

static void pawn_drops_that_mate(void **state) {
    (void)state;
    const Position p = parsed("R7g/2K1S1SSk/4B4/5B3/9/9/9/9/1L1L1L3 b RGSNLP2g3n17p 3");
    TabiaError error;
    assert_int_equal(moves_count(&p), 508);
    assert_int_equal(move_from_text(&p, "P*1c", &error), 0);
    assert_string_equal(error.text, "\"P*1c\": a dropped pawn may not mate");
    /* A drop of another piece may mate. */
    const Position dropped = parsed("8k/9/8P/9/9/9/9/9/4K4 b G 1");
    Position after;
    position_make_move(&after, &dropped, move_from_uci(&dropped, "G*1b"));
    assert_true(in_check(&after));
    assert_int_equal(moves_count(&after), 0);
    /* A rook that is pinned along the line on which it takes the pawn does so; one that is pinned across does not. */
    const Position along = parsed("7nk/7n1/8r/6B2/8L/9/9/9/4K4 b P 1"),
                   across = parsed("7nk/7r1/6B2/7N1/9/9/9/9/4K4 b P 1");
    assert_true(move_from_uci(&along, "P*1b") != 0);
    assert_true(move_from_uci(&across, "P*1b") == 0);
}

static void hands_compare(void **state) {
    (void)state;
    const uint32_t one = hand_one(ROOK) + 3 * hand_one(PAWN), more = one + hand_one(GOLD);
    assert_true(hand_covers(one, one));
    assert_true(hand_covers(more, one));
    assert_false(hand_covers(one, more));
    assert_false(hand_covers(more, hand_one(LANCE)));
    assert_true(hand_covers(18 * hand_one(PAWN), 17 * hand_one(PAWN)));
    assert_false(hand_covers(17 * hand_one(PAWN) + 4 * hand_one(LANCE), 18 * hand_one(PAWN)));
}

/* Two positions that differ in their hands alone have the same key without them. */
static void key_without_hands(void **state) {
    (void)state;
    static Zobrist z;
    zobrist_init(&z, 7);
    const Position a = parsed("4k4/9/9/9/9/9/9/9/4K4 b 2Pr 1"), b = parsed("4k4/9/9/9/9/9/9/9/4K4 b 3Pr 9");
    const Key x = zobrist_key(&z, &a), y = zobrist_key(&z, &b);
    assert_false(key_same(x, y));
    assert_true(key_same(x ^ zobrist_hands(&z, &a), y ^ zobrist_hands(&z, &b)));
}

/* The same position for the fourth time, by the rooks. */
static void position_recurs(void **state) {
    (void)state;
    const Position start = parsed(START);
    Position p = start;
    for (int i = 0; i < 3; i++) assert_true(position_make_moves(&p, "2h3h 8b7b 3h2h 7b8b", NULL));
    assert_true(position_same(&p, &start));
    assert_int_equal(p.ply, 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_counts),  cmocka_unit_test(pawn_drops_that_mate), cmocka_unit_test(hands_compare),
        cmocka_unit_test(key_without_hands), cmocka_unit_test(position_recurs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
