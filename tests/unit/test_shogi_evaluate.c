/* SPDX-License-Identifier: MIT */
/* The evaluation of shogi, and how it is explained. */
#include "unit.h"

#include "eval/explain.h"
#include "notation/fen.h"
#include "random_games.h"

/* A problem without the attacker's king is evaluated too. */
static void without_king(void **state) {
    static Evaluator e;
    Position p;
    evaluator_init(&e, EVALUATION_HANDCRAFTED);
    assert_true(fen_parse(&p, "7nk/9/5+B2P/9/9/9/9/9/9 b GS 1", NULL));
    const int more = evaluate(&e, &p, 0);
    p.hand[BLACK] = 0;
    assert_true(evaluate(&e, &p, 0) < more);
}

/* The terms' part and the network's make the evaluation, for black. */
static void parts_add_up(void **state) {
    static const char *const positions[] = {
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "7nk/9/5+B2P/9/9/9/9/9/9 b GS 1",
    };
    static Evaluator terms, network;
    static char text[EXPLANATION_MAX];
    evaluator_init(&terms, EVALUATION_HANDCRAFTED);
    evaluator_init(&network, EVALUATION_NETWORK);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        Position p;
        double sum, added;
        assert_true(fen_parse(&p, positions[i], NULL));
        const int sign = p.turn == BLACK ? 1 : -1;
        evaluation_explain(&network, &p, text);
        assert_int_equal(
            sscanf(strstr(text, "The terms make"), "The terms make %lf, the network adds %lf", &sum, &added), 2);
        if (abs((int)(100 * sum) - sign * evaluate(&terms, &p, 0)) > 1 ||
            abs((int)(100 * (sum + added)) - sign * evaluate(&network, &p, 0)) > 1)
            fail_msg("%s", text);
        assert_null(strstr(text, " \n"));
        evaluation_explain(&terms, &p, text);
        assert_null(strstr(text, "network"));
    }
}

/* The same for both sides. */
static void check_both_sides(void *evaluator, const Position *p, Key key) {
    const Position turned = position_flipped(p);
    (void)key;
    if (!in_check(p)) assert_int_equal(evaluate(evaluator, p, 0), evaluate(evaluator, &turned, 1));
}

static void evaluation_is_fair(void **state) {
    static Evaluator e;
    Zobrist z;
    zobrist_init(&z, 1);
    evaluator_init(&e, EVALUATION_HANDCRAFTED);
    random_games(check_both_sides, &e, &z);
}

#include "test_shogi_evaluate_list.h"
