/* SPDX-License-Identifier: MIT */
/* The evaluation of shogi. */
#include "unit.h"

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
