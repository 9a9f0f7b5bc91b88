/* SPDX-License-Identifier: MIT */
/* The evaluation of shogi is what the tuner makes of its terms. */
#include "unit.h"

#include "base/random.h"
#include "eval/explain.h"
#include "notation/fen.h"
#include "rules/movegen.h"
#include "tune/linear_model.h"

#include <stdio.h>
#include <stdlib.h>

static int value_of_trace(const LinearWeights *weights_now, const EvaluationTrace *t) {
    LinearSamples s = {0};
    assert_true(linear_samples_add(&s, t, 0, 1));
    const float value = linear_model_evaluate(weights_now, &s, s.sample);
    linear_samples_free(&s);
    return (int)(value < -EVALUATION_MAX ? -EVALUATION_MAX : value > EVALUATION_MAX ? EVALUATION_MAX : value);
}

static void terms_add_up(void **state) {
    (void)state;
    static Evaluator e;
    static LinearWeights now;
    static EvaluationTrace trace;
    uint64_t seed = 5;
    unsigned compared = 0;
    evaluator_init(&e, EVALUATION_HANDCRAFTED);
    linear_weights_init(&now);
    for (unsigned game = 0; game < 40; game++) {
        Position p;
        assert_true(fen_parse(&p, fen_start, NULL));
        for (unsigned ply = 0; ply < 150; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = moves_list(&p, list);
            if (!n) break;
            position_make_move(&p, &p, list[random_below(&seed, n)]);
            if (in_check(&p)) continue;
            evaluate_trace(&e, &p, &trace);
            const int value = evaluate(&e, &p, 0), white = p.turn == WHITE ? value : -value;
            if (abs(white - value_of_trace(&now, &trace)) > 3)
                fail_msg("%d by evaluation, %d by its terms", white, value_of_trace(&now, &trace));
            compared++;
        }
    }
    assert_true(compared > 4000);
}

/* A problem without the attacker's king is evaluated too. */
static void without_king(void **state) {
    (void)state;
    static Evaluator e;
    Position p;
    evaluator_init(&e, EVALUATION_HANDCRAFTED);
    assert_true(fen_parse(&p, "7nk/9/5+B2P/9/9/9/9/9/9 b GS 1", NULL));
    const int more = evaluate(&e, &p, 0);
    p.hand[BLACK] = 0;
    assert_true(evaluate(&e, &p, 0) < more);
}

static double whole(const EvaluationBreakdown *parts) {
    int middle = 0, end = 0;
    for (unsigned i = 0; i < parts->n; i++) middle += parts->part[i].middle, end += parts->part[i].end;
    return (middle * parts->phase + (double)end * (PHASE_MAX - parts->phase)) / PHASE_MAX;
}

/* What each term adds, for black, makes the evaluation by terms; and the network's part is what is told of it. */
static void parts_add_up(void **state) {
    (void)state;
    static const char *const positions[] = {
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        "7nk/9/5+B2P/9/9/9/9/9/9 b GS 1",
    };
    static Evaluator terms, network;
    static EvaluationBreakdown parts;
    static char text[EXPLANATION_MAX];
    evaluator_init(&terms, EVALUATION_HANDCRAFTED);
    evaluator_init(&network, EVALUATION_NETWORK);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        Position p;
        double sum, added;
        assert_true(fen_parse(&p, positions[i], NULL));
        const int sign = p.turn == BLACK ? 1 : -1;
        evaluation_parts(&terms, &p, &parts);
        if (abs((int)whole(&parts) - sign * evaluate(&terms, &p, 0)) > 3)
            fail_msg("the parts make %.2f, the evaluation is %d", whole(&parts), sign * evaluate(&terms, &p, 0));
        evaluation_explain(&network, &p, text);
        assert_int_equal(
            sscanf(strstr(text, "The terms make"), "The terms make %lf, the network adds %lf", &sum, &added), 2);
        if (abs((int)(100 * (sum + added)) - sign * evaluate(&network, &p, 0)) > 1) fail_msg("%s", text);
        assert_null(strstr(text, " \n"));
        evaluation_explain(&terms, &p, text);
        assert_null(strstr(text, "network"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_add_up), cmocka_unit_test(parts_add_up),
                                       cmocka_unit_test(without_king)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
