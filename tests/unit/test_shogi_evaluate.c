/* SPDX-License-Identifier: MIT */
/* The evaluation of shogi. */
#include "fen_tools.h"
#include "random_games.h"

static int value_of(EvaluationType type, const char *sfen) {
    static Evaluator e;
    const Position p = parsed(sfen);
    evaluator_init(&e, type);
    return evaluate(&e, &p, 0);
}

/* A problem without the attacker's king is evaluated too. */
static void without_king(void **state) {
    assert_true(value_of(EVALUATION_NETWORK, "7nk/9/5+B2P/9/9/9/9/9/9 b - 1") <
                value_of(EVALUATION_NETWORK, "7nk/9/5+B2P/9/9/9/9/9/9 b GS 1"));
}

/* On the board, promoted, and in hand. */
static void material_has_these_values(void **state) {
    const EvaluationType type = EVALUATION_MATERIAL;
    assert_int_equal(value_of(type, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"), 0);
    assert_int_equal(value_of(type, "lnsgkgsnl/1r7/pppppp1pp/6+B2/9/9/PPPPPPPPP/7R1/LNSGKGSNL b BP 1"), 1085);
    assert_int_equal(value_of(type, "4k4/9/9/9/9/9/9/9/4K3+p b g 1"), -550);
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
    for (int type = EVALUATION_NETWORK; type <= EVALUATION_MATERIAL; type++) {
        evaluator_init(&e, (EvaluationType)type);
        random_games(check_both_sides, &e, &z);
    }
}

#include "test_shogi_evaluate_list.h"
