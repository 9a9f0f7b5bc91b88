/* SPDX-License-Identifier: MIT */
/* What a piece is worth is what evaluating without it says. */
#include "fen_tools.h"
#include "random_games.h"

#include "eval/explain.h"

typedef struct {
    Evaluator network;
    unsigned pieces, refused;
} Explained;

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
    if (!in_check(p) && key[0] % 16 == 0) check_pieces(x, p);
}

static void pieces_are_taken_off(void **state) {
    static Explained x;
    Zobrist z;
    zobrist_init(&z, 1);
    evaluator_init(&x.network, EVALUATION_NETWORK);
    random_games(check, &x, &z);
    assert_true(x.pieces > 10000 && x.refused > 100);
}

#include "test_explain_list.h"
