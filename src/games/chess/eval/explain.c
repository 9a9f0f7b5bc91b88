/* SPDX-License-Identifier: MIT */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Rights to castle are left as they are: no evaluation asks for them. */
static Position without(const Position *p, int square) {
    Position q = *p;
    const Bits keep = ~bit(square);
    q.side[WHITE] &= keep, q.side[BLACK] &= keep;
    q.pawn &= keep, q.knight &= keep, q.diag &= keep, q.orth &= keep;
    q.ep = 0;
    return q;
}

bool evaluation_without(Evaluator *e, const Position *p, int square, int *value) {
    const PieceType type = piece_type_at(p, square);
    if (type == NO_PIECE_TYPE || type == KING) return false;
    Position q = without(p, square);
    if (in_check(&q)) return false;
    q.turn = !q.turn;
    const bool other = in_check(&q);
    q.turn = !q.turn;
    if (other) return false;
    *value = evaluate(e, &q, 0) * (q.turn == WHITE ? 1 : -1);
    return true;
}

enum { CELL = 7, ROW_MAX = 8 * (CELL + 2) + 1 };

/* A rank: the pieces, and below what they are worth, where there are any. */
static void explain_rank(Evaluator *e, const Position *p, int rank, int white, char out[EXPLANATION_MAX]) {
    char pieces[ROW_MAX] = "", worth[ROW_MAX] = "";
    bool any = false;
    for (int s = 8 * rank; s < 8 * rank + 8; s++) {
        const bool black = p->side[BLACK] & bit(s);
        int rest;
        snprintf(pieces + strlen(pieces), CELL + 1, "%*c", CELL, piece_character(p, s));
        if (evaluation_without(e, p, s, &rest))
            any = true,
            snprintf(worth + strlen(worth), CELL + 2, "%*.2f", CELL, (black ? rest - white : white - rest) / 100.0);
        else
            snprintf(worth + strlen(worth), CELL + 1, "%*s", CELL, "");
    }
    tabia_text_append(out, EXPLANATION_MAX, "  %d %s\n", rank + 1, pieces);
    if (any) tabia_text_append(out, EXPLANATION_MAX, "    %s\n", worth);
}

void evaluation_explain(Evaluator *e, const Position *p, char out[EXPLANATION_MAX]) {
    const int value = evaluate(e, p, 0), white = p->turn == WHITE ? value : -value;
    out[0] = '\0';
    tabia_text_append(out, EXPLANATION_MAX,
                      "What each piece is worth to its side: the evaluation less that without it\n");
    for (int rank = 7; rank >= 0; rank--) explain_rank(e, p, rank, white, out);
    tabia_text_append(out, EXPLANATION_MAX, "          a      b      c      d      e      f      g      h\n");
}
