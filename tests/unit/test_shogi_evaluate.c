/* SPDX-License-Identifier: MIT */
/* The evaluation of shogi is what the tuner makes of its terms. */
#include "unit.h"

#include "base/random.h"
#include "notation/fen.h"
#include "rules/movegen.h"
#include "train/linear_model.h"

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
    evaluator_init(&e, NULL, EVALUATION_TERMS);
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
    evaluator_init(&e, NULL, EVALUATION_TERMS);
    assert_true(fen_parse(&p, "7nk/9/5+B2P/9/9/9/9/9/9 b GS 1", NULL));
    const int more = evaluate(&e, &p, 0);
    p.hand[BLACK] = 0;
    assert_true(evaluate(&e, &p, 0) < more);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_add_up), cmocka_unit_test(without_king)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
