/* SPDX-License-Identifier: MIT */
/* The sum of terms, from white's side. */
#pragma once
#include "eval/evaluate.h"

typedef struct {
    const Evaluator *e;
    Score score, danger[2];
} EvaluationSum;

INLINE void add_term(EvaluationSum *t, Colour c, int weight, int times) {
    t->score += t->e->weight[weight] * (c == WHITE ? times : -times);
}

INLINE void add_danger(EvaluationSum *t, Colour c, int weight, int times) {
    t->danger[c] += t->e->weight[weight] * times;
}

/* What of a sum is looked up at once. */
INLINE void add_looked_up(EvaluationSum *t, Colour c, Score value) {
    t->score += c == WHITE ? value : -value;
}

/* ---- squares ---- */

INLINE int smaller(int a, int b) {
    return a < b ? a : b;
}

/* A square as side c sees it, if black sees it as s. */
INLINE int relative_square(Colour c, int s) {
    return c == BLACK ? s : BOARD_SQUARES - 1 - s;
}
INLINE int half_board(int s) {
    const int files = file_of(s) - FILES / 2;
    return 5 * rank_of(s) + (files < 0 ? -files : files);
}
/* Of a square to the king: a place of a row of files, at most four away, and a row of ranks from -2 to 8. */
INLINE int king_relation(int files, int ranks) {
    const int apart = smaller(files < 0 ? -files : files, 4);
    return 5 * ((ranks < -2 ? -2 : ranks) + 2) + apart;
}
/* The tables hold all differences of squares: 17 files of 17 ranks. */
INLINE int wide_square(int s) {
    return 17 * file_of(s) + rank_of(s);
}
/* The relation of two such squares, from their difference. */
INLINE int relation_of_wide(int difference) {
    const int files = (difference + WIDE_CENTRE) / 17 - 8;
    return king_relation(files, difference - 17 * files);
}
INLINE int square_kind(PieceType type) {
    return type < KING ? (int)type : type >= HORSE ? (int)type - HORSE + GOLD + 1 : GOLD;
}
INLINE int material_index(PieceType type) {
    return type < KING ? (int)type : (int)type - 1;
}
/* A king that is not on the board is taken to be at home. */
INLINE int relative_king(const Position *p, Colour c, Colour owner) {
    const int king = king_square(p, owner), home = owner == BLACK ? 44 : 36;
    return relative_square(c, king == NO_SQUARE ? home : king);
}

INLINE void piece_term(EvaluationSum *t, Colour c, PieceType type, int s, int own, int foe) {
    const Evaluator *e = t->e;
    const int kind = square_kind(type), to_own = own - wide_square(s), to_foe = wide_square(s) - foe;
    add_looked_up(t, c,
                  e->piece_square[type][s] + e->own_king[kind][to_own + WIDE_CENTRE] +
                      e->foe_king[kind][to_foe + WIDE_CENTRE]);
}

INLINE void piece_terms(EvaluationSum *t, const Position *p, Colour c) {
    const int king = relative_king(p, c, c);
    const int own = wide_square(king), foe = wide_square(relative_king(p, c, (Colour)!c));
    for (PieceType type = PAWN; type <= GOLD; type++)
        EACH_SQUARE (s, p->side[c] & p->type[type])
            piece_term(t, c, (PieceType)(type | (has_square(p->promoted, s) ? PROMOTED : 0)), relative_square(c, s),
                       own, foe);
    add_term(t, c, KING_SQUARE + half_board(king), 1);
}

INLINE void hand_terms(EvaluationSum *t, const Position *p, Colour c) {
    for (PieceType type = PAWN; type <= GOLD; type++) {
        const int n = (int)hand_count(p->hand[c], type);
        if (!n) continue;
        add_term(t, c, HAND + (int)type, n);
        add_term(t, c, HAND_FIRST + (int)type, 1);
    }
}

/* ---- attacks ---- */

/* The squares that a side attacks at least so often. */
typedef struct {
    Squares once, twice, thrice;
    Squares defended; /* by pieces other than the king */
} AttackCounts;

INLINE void add_attacks(AttackCounts *a, Squares attacked) {
    a->thrice |= a->twice & attacked;
    a->twice |= a->once & attacked;
    a->once |= attacked;
}

INLINE void add_slider(EvaluationSum *t, AttackCounts *a, Colour c, Squares own, Squares attacked, int mobility) {
    add_term(t, c, MOBILITY + mobility, squares_count(attacked & ~own));
    add_attacks(a, attacked);
}

INLINE void add_sliders(EvaluationSum *t, AttackCounts *a, const Position *p, Colour c) {
    const Squares own = p->side[c], occ = occupied(p);
    EACH_SQUARE (s, own & unpromoted(p, LANCE)) add_slider(t, a, c, own, lance_attacks(c, s, occ), 0);
    EACH_SQUARE (s, own & unpromoted(p, BISHOP)) add_slider(t, a, c, own, bishop_attacks(s, occ), 1);
    EACH_SQUARE (s, own & unpromoted(p, ROOK)) add_slider(t, a, c, own, rook_attacks(s, occ), 2);
    EACH_SQUARE (s, own & p->promoted & p->type[BISHOP]) add_slider(t, a, c, own, piece_attacks(c, HORSE, s, occ), 3);
    EACH_SQUARE (s, own & p->promoted & p->type[ROOK]) add_slider(t, a, c, own, piece_attacks(c, DRAGON, s, occ), 4);
}

/* What pieces that step attack, a direction at a time, so that squares attacked twice are seen. */
INLINE void add_steps(AttackCounts *a, const Position *p, Colour c) {
    const Squares own = p->side[c], golds = own & gold_movers(p), silvers = own & unpromoted(p, SILVER);
    const Squares far = forward(forward(own & unpromoted(p, KNIGHT), c), c);
    const Squares ahead[2] = {forward(silvers, c), forward(golds, c)}, back = forward(silvers, (Colour)!c);
    add_attacks(a, forward(own & unpromoted(p, PAWN), c));
    add_attacks(a, step_left(far)), add_attacks(a, step_right(far));
    for (int i = 0; i < 2; i++)
        add_attacks(a, ahead[i]), add_attacks(a, step_left(ahead[i])), add_attacks(a, step_right(ahead[i]));
    add_attacks(a, step_left(back)), add_attacks(a, step_right(back));
    add_attacks(a, step_left(golds)), add_attacks(a, step_right(golds)), add_attacks(a, forward(golds, (Colour)!c));
}

INLINE AttackCounts attack_counts(EvaluationSum *t, const Position *p, Colour c) {
    AttackCounts a = {0};
    add_steps(&a, p, c);
    add_sliders(t, &a, p, c);
    a.defended = a.once;
    add_attacks(&a, step_attacks[c][KING][king_square(p, c)]);
    return a;
}

/* ---- kings ---- */

INLINE Squares grown(Squares set) {
    const Squares wide = set | sideways(set);
    return wide | step_up(wide) | step_down(wide);
}

/* What side c attacks around a king. */
INLINE void zone_terms(EvaluationSum *t, Colour c, const AttackCounts *a, Squares king, int term) {
    Squares within = king;
    for (int distance = 0; distance < 4; distance++) {
        const Squares wider = grown(within), zone = wider & ~within;
        add_term(t, c, term + 3 * distance, squares_count(zone & a->once));
        add_term(t, c, term + 3 * distance + 1, squares_count(zone & a->twice));
        add_term(t, c, term + 3 * distance + 2, squares_count(zone & a->thrice));
        within = wider;
    }
}

INLINE void hanging_terms(EvaluationSum *t, const Position *p, Colour c, const AttackCounts *us,
                          const AttackCounts *them) {
    EACH_SQUARE (s, p->side[c] & them->once & ~us->once & ~king_bit(p, c))
        add_term(t, c, HANGING + square_kind(piece_type_at(p, s)), 1);
}

INLINE void drop_dangers(EvaluationSum *t, const Position *p, Colour c, int holes) {
    int reserve = 0;
    for (PieceType type = PAWN; type <= GOLD; type++) {
        const int n = (int)hand_count(p->hand[!c], type);
        if (!n) continue;
        if (type != PAWN) reserve += n;
        add_danger(t, c, DANGER_HAND + (int)type, 1);
        add_danger(t, c, DANGER_DROP + (int)type, smaller(holes, 4));
    }
    add_danger(t, c, DANGER_RESERVE, reserve);
}

INLINE void danger_terms(EvaluationSum *t, const Position *p, Colour c, const AttackCounts *us,
                         const AttackCounts *them) {
    const Squares king = king_bit(p, c), ring = grown(king) & ~king, near = grown(grown(king));
    const Squares own = p->side[c], foe = p->side[!c], helpers = gold_movers(p) | unpromoted(p, SILVER);
    const Squares holes = ring & ~own & ~us->defended;
    add_danger(t, c, DANGER_BASE, 1);
    add_danger(t, c, DANGER_ATTACKED, squares_count(ring & them->once));
    add_danger(t, c, DANGER_TWICE, squares_count(ring & them->twice));
    add_danger(t, c, DANGER_OPEN, squares_count(ring & them->once & ~us->defended));
    add_danger(t, c, DANGER_HOLES, squares_count(holes));
    add_danger(t, c, DANGER_FLIGHTS, squares_count(ring & ~own & ~them->once));
    add_danger(t, c, DANGER_GUARDS, squares_count(near & own & helpers));
    add_danger(t, c, DANGER_FOES, squares_count(near & foe & (helpers | p->promoted)));
    drop_dangers(t, p, c, squares_count(holes));
}

/* ---- all ---- */

/* From PHASE_MAX down by what has been promoted, and what is in hand: a pawn counts little. */
INLINE int game_phase(const Position *p) {
    int end = squares_count(p->promoted);
    for (int c = BLACK; c <= WHITE; c++)
        for (PieceType type = LANCE; type <= GOLD; type++) end += 2 * (int)hand_count(p->hand[c], type);
    end += (int)(hand_count(p->hand[BLACK], PAWN) + hand_count(p->hand[WHITE], PAWN)) / 2;
    return end < PHASE_MAX ? PHASE_MAX - end : 0;
}

INLINE void side_terms(EvaluationSum *t, const Position *p, Colour c, const AttackCounts side[2]) {
    piece_terms(t, p, c);
    hand_terms(t, p, c);
    hanging_terms(t, p, c, &side[c], &side[!c]);
    if (p->king[c] != NO_SQUARE) {
        zone_terms(t, c, &side[c], king_bit(p, c), OWN_ZONE);
        danger_terms(t, p, c, &side[c], &side[!c]);
    }
    if (p->king[!c] != NO_SQUARE) zone_terms(t, c, &side[c], king_bit(p, (Colour)!c), FOE_ZONE);
}

INLINE int evaluate_terms(const Evaluator *e, const Position *p) {
    EvaluationSum sum = {.e = e};
    const AttackCounts side[2] = {attack_counts(&sum, p, BLACK), attack_counts(&sum, p, WHITE)};
    side_terms(&sum, p, BLACK, side);
    side_terms(&sum, p, WHITE, side);
    add_term(&sum, (Colour)p->turn, TEMPO, 1);
    const int middle = score_middle(sum.score) - danger_middle(sum.danger[WHITE]) + danger_middle(sum.danger[BLACK]);
    const int end = score_end(sum.score) - danger_end(sum.danger[WHITE]) + danger_end(sum.danger[BLACK]);
    const int phase = game_phase(p);
    return evaluation_clamp((middle * phase + end * (PHASE_MAX - phase)) / PHASE_MAX);
}
