/* SPDX-License-Identifier: MIT */
#include "eval/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static int for_black(Evaluator *e, const Position *p) {
    const int value = evaluate(e, p, 0);
    return p->turn == BLACK ? value : -value;
}

bool evaluation_without(Evaluator *e, const Position *p, int square, int *value) {
    const Squares rest = ~square_bit(square);
    const PieceType type = piece_type_at(p, square);
    if (type == NO_PIECE_TYPE || type == KING) return false;
    Position without = *p;
    for (int c = BLACK; c <= WHITE; c++) without.side[c] &= rest;
    without.type[piece_type_unpromoted(type)] &= rest;
    without.promoted &= rest;
    if (in_check(&without)) return false;
    return *value = for_black(e, &without), true;
}

static void explain_terms(Evaluator *e, const Position *p, int all, char out[EXPLANATION_MAX]) {
    if (e->type == EVALUATION_HANDCRAFTED || e->network->foreign) return;
    e->type = EVALUATION_HANDCRAFTED;
    const int sum = for_black(e, p);
    e->type = EVALUATION_NETWORK;
    tabia_text_append(out, EXPLANATION_MAX, "The terms make %+.2f, the network adds %+.2f\n", sum / 100.0,
                      (all - sum) / 100.0);
}

/* A rank: the pieces, and below what they are worth. */
static void explain_rank(Evaluator *e, const Position *p, int rank, int all, char out[EXPLANATION_MAX]) {
    char worth[16 * FILES] = "";
    for (int file = FILES - 1; file >= 0; file--) {
        const int s = RANKS * file + rank;
        const bool white = has_square(p->side[WHITE], s);
        char *end = worth + strlen(worth);
        int rest;
        tabia_text_append(out, EXPLANATION_MAX, "      %c%c", has_square(p->promoted, s) ? '+' : ' ',
                          piece_character(p, s));
        if (evaluation_without(e, p, s, &rest))
            snprintf(end, 16, "%8.2f", (white ? rest - all : all - rest) / 100.0);
        else
            snprintf(end, 16, "%8s", "");
    }
    size_t n = strlen(worth);
    while (n && worth[n - 1] == ' ') n--;
    tabia_text_append(out, EXPLANATION_MAX, "  %c\n%.*s%s", 'a' + rank, (int)n, worth, n ? "\n" : "");
}

static void explain_hand(Evaluator *e, const Position *p, Colour c, int all, char out[EXPLANATION_MAX]) {
    for (int t = HAND_TYPES - 1; t >= 0; t--) {
        const unsigned n = hand_count(p->hand[c], (PieceType)t);
        if (!n) continue;
        Position without = *p;
        without.hand[c] -= hand_one((PieceType)t);
        const int rest = for_black(e, &without);
        tabia_text_append(out, EXPLANATION_MAX, "in hand %u %c, one of them %.2f\n", n,
                          PIECE_LETTERS[t] + (c == WHITE ? 32 : 0), (c == WHITE ? rest - all : all - rest) / 100.0);
    }
}

void evaluation_explain(Evaluator *e, const Position *p, char out[EXPLANATION_MAX]) {
    const int all = for_black(e, p);
    out[0] = '\0';
    explain_terms(e, p, all, out);
    tabia_text_append(out, EXPLANATION_MAX,
                      "What each piece is worth to its side: the evaluation less that without it\n");
    for (int file = FILES; file >= 1; file--) tabia_text_append(out, EXPLANATION_MAX, "%8d", file);
    tabia_text_append(out, EXPLANATION_MAX, "\n");
    for (int rank = 0; rank < RANKS; rank++) explain_rank(e, p, rank, all, out);
    for (int c = BLACK; c <= WHITE; c++) explain_hand(e, p, (Colour)c, all, out);
}
