/* SPDX-License-Identifier: MIT */
#include "explain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "evaluate_king.h"

static const struct {
    const char *name;
    int first, last;
} terms[] = {
#define TERM_ROW(name, n, lie, about) {#name, name, name##_LAST},
    SUMMED_TERMS(TERM_ROW)
#undef TERM_ROW
};

static void add_part(EvaluationBreakdown *parts, const char *name, int middle, int end) {
    if (!middle && !end) return;
    assert(parts->n < WEIGHTS);
    parts->part[parts->n++] = (EvaluationPart){name, middle, end};
}

static Score king_danger_sum(const EvaluationTrace *trace, Colour c) {
    Score sum = 0;
    for (int i = 0; i < DANGERS; i++)
        sum += trace->danger[c][i] * score_make(weights[DANGER_FIRST + i].middle, weights[DANGER_FIRST + i].end);
    return sum;
}

static void add_king_danger(EvaluationBreakdown *parts, const EvaluationTrace *trace) {
    const Score white = king_danger_sum(trace, WHITE), black = king_danger_sum(trace, BLACK);
    add_part(parts, "KING_DANGER", danger_middle(black) - danger_middle(white), danger_end(black) - danger_end(white));
}

/* How much harder the better side's advantage is to convert, or easier; bounded as evaluate_inline.h bounds it. */
static void add_initiative_part(EvaluationBreakdown *parts, const EvaluationTrace *trace) {
    int end = 0, sum = 0;
    for (unsigned i = 0; i < parts->n; i++) end += parts->part[i].end;
    for (int i = INITIATIVE_FIRST; i < WEIGHTS; i++) sum += trace->coefficient[i] * weights[i].end;
    const int size = end < 0 ? -end : end, most = size / INITIATIVE_DIVISOR;
    const int change = sum < -size ? -size : sum > most ? most : sum;
    add_part(parts, "INITIATIVE", 0, end > 0 ? change : end < 0 ? -change : 0);
}

void evaluation_parts(const Evaluator *e, const Position *p, EvaluationBreakdown *parts) {
    EvaluationTrace trace;
    evaluate_trace(e, p, &trace);
    *parts = (EvaluationBreakdown){.phase = trace.phase, .scale = trace.scale, .special = trace.special};
    if (trace.special) return;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        int middle = 0, end = 0;
        for (int i = terms[t].first; i <= terms[t].last; i++)
            middle += trace.coefficient[i] * weights[i].middle, end += trace.coefficient[i] * weights[i].end;
        add_part(parts, terms[t].name, middle, end);
    }
    add_king_danger(parts, &trace);
    add_initiative_part(parts, &trace);
}

/* Its rights to castle go with a rook, and no capture en passant is left. */
static Position without(const Position *p, int square) {
    Position q = *p;
    const Bits keep = ~bit(square);
    for (int c = WHITE; c <= BLACK; c++)
        q.castle[c] &= (uint8_t) ~((castling_rooks(p, (Colour)c) & ~keep) >> back_rank_start((Colour)c));
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

/* ---- as text ---- */

/* KING_DANGER -> king danger */
static void readable(const char *name, char out[32]) {
    size_t i = 0;
    for (; name[i] && i < 31; i++) out[i] = name[i] == '_' ? ' ' : (char)tolower(name[i]);
    out[i] = '\0';
}

static void explain_terms(const Evaluator *e, const Position *p, char out[EXPLANATION_MAX]) {
    EvaluationBreakdown parts;
    char name[32];
    evaluation_parts(e, p, &parts);
    if (parts.special) {
        tabia_text_append(out, EXPLANATION_MAX, "An ending with a rule of its own\n");
        return;
    }
    tabia_text_append(out, EXPLANATION_MAX, "Terms, for white             middlegame  endgame\n");
    for (unsigned i = 0; i < parts.n; i++) {
        readable(parts.part[i].name, name);
        tabia_text_append(out, EXPLANATION_MAX, "  %-26s %+9.2f %+9.2f\n", name, parts.part[i].middle / 100.0,
                          parts.part[i].end / 100.0);
    }
    tabia_text_append(out, EXPLANATION_MAX, "The middlegame counts %d of %d, the endgame %d times %d/%d\n", parts.phase,
                      PHASE_MAX, PHASE_MAX - parts.phase, parts.scale, SCALE_MAX);
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
    if (e->type == EVALUATION_TERMS) explain_terms(e, p, out);
    tabia_text_append(out, EXPLANATION_MAX,
                      "What each piece is worth to its side: the evaluation less that without it\n");
    for (int rank = 7; rank >= 0; rank--) explain_rank(e, p, rank, white, out);
    tabia_text_append(out, EXPLANATION_MAX, "          a      b      c      d      e      f      g      h\n");
}
