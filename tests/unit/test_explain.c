/* SPDX-License-Identifier: MIT */
/* The parts of an evaluation make the whole; a piece's part is what evaluating without it says. */
#include "fen_tools.h"
#include "random_games.h"

#include <math.h>

#include "eval/explain.h"

typedef struct {
    Evaluator terms, network;
    unsigned n, special, pieces, refused;
} Explained;

static double whole(const EvaluationBreakdown *parts) {
    int middle = 0, end = 0;
    for (unsigned i = 0; i < parts->n; i++) middle += parts->part[i].middle, end += parts->part[i].end;
    return (middle * parts->phase + (double)end * parts->scale / SCALE_MAX * (PHASE_MAX - parts->phase)) / PHASE_MAX;
}

static void check_parts(Explained *x, const Position *p) {
    EvaluationBreakdown parts;
    evaluation_parts(&x->terms, p, &parts);
    x->n++, x->special += parts.special;
    if (parts.special) return;
    const int value = evaluate(&x->terms, p, 0), white = p->turn == WHITE ? value : -value;
    if (fabs(whole(&parts) - white) > 4) fail_msg("the parts make %.2f, the evaluation is %d", whole(&parts), white);
}

/* Taken from the board through a FEN. */
static bool remove_by_fen(const Position *p, int square, Position *q) {
    Position r = *p;
    const Bits keep = ~bit(square);
    r.side[WHITE] &= keep, r.side[BLACK] &= keep;
    r.pawn &= keep, r.knight &= keep, r.diag &= keep, r.orth &= keep;
    r.ep = 0, r.castle[WHITE] = r.castle[BLACK] = 0;
    char fen[FEN_MAX];
    fen_write(&r, FEN_STANDARD, fen);
    return fen_parse(q, fen, NULL) && !in_check(q);
}

static void check_pieces(Explained *x, const Position *p) {
    for (int s = 0; s < 64; s++) {
        int value = 0;
        Position q;
        const PieceType type = piece_type_at(p, s);
        const bool found = evaluation_without(&x->network, p, s, &value);
        if (type == NO_PIECE_TYPE || type == KING) {
            assert_false(found);
            continue;
        }
        assert_int_equal(found, remove_by_fen(p, s, &q));
        x->pieces += found, x->refused += !found;
        if (found) assert_int_equal(value, evaluate(&x->network, &q, 0) * (p->turn == WHITE ? 1 : -1));
    }
}

static void check(void *context, const Position *p, Key key) {
    Explained *x = context;
    if (in_check(p)) return;
    check_parts(x, p);
    if (key[0] % 16 == 0) check_pieces(x, p);
}

static void parts_and_pieces(void **state) {
    (void)state;
    static Explained x;
    Zobrist z;
    zobrist_init(&z, 1);
    evaluator_init(&x.terms, NULL, EVALUATION_TERMS);
    evaluator_init(&x.network, NULL, EVALUATION_NETWORK);
    random_games(check, &x, &z);
    assert_true(x.n > 10000 && x.special > 0 && x.special < x.n / 2 && x.pieces > 10000 && x.refused > 100);
}

/* The terms ask whether a king that shuts in a rook can still castle. */
static void rights_go_with_the_rook(void **state) {
    (void)state;
    static const struct {
        const char *with, *without;
        int square;
    } cases[] = {
        {"4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K1NR w Q - 0 1", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K1NR w - - 0 1", 0},
        {"r3k1nr/pppppppp/8/8/8/8/PPPPPPPP/4K3 w q - 0 1", "4k1nr/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 56},
    };
    Evaluator terms;
    evaluator_init(&terms, NULL, EVALUATION_TERMS);
    for (unsigned i = 0; i < 2; i++) {
        const Position p = parsed(cases[i].with), q = parsed(cases[i].without);
        int value;
        assert_true(evaluation_without(&terms, &p, cases[i].square, &value));
        assert_int_equal(value, evaluate(&terms, &q, 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_and_pieces), cmocka_unit_test(rights_go_with_the_rook)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
