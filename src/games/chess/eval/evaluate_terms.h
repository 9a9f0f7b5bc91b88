/* SPDX-License-Identifier: MIT */
/*
 * A sum that is being made: the value, and the dangers of both kings. With a trace, every term notes how often it was
 * used. Colours are constants wherever these are called, so that no branch on them is left.
 */
#pragma once
#include <string.h>

#include "evaluate.h"

typedef struct {
    Score score;     /* white's less black's */
    Score danger[2]; /* of white's king, of black's */
    const Evaluator *e;
    EvaluationTrace *trace;
} EvaluationSum;

INLINE void add_term(EvaluationSum *t, Colour c, int weight, int times) {
    assert(weight >= 0 && weight < WEIGHTS && !(weight >= DANGER_FIRST && weight < DANGER_FIRST + DANGERS));
    t->score += (c == WHITE ? times : -times) * t->e->weight[weight];
    if (t->trace) t->trace->coefficient[weight] += (int16_t)(c == WHITE ? times : -times);
}

/* Adds to the danger of c's king. */
INLINE void add_danger(EvaluationSum *t, Colour c, int weight, int times) {
    assert(weight >= DANGER_FIRST && weight < DANGER_FIRST + DANGERS);
    t->danger[c] += times * t->e->weight[weight];
    if (t->trace) t->trace->danger[c][weight - DANGER_FIRST] += (int16_t)times;
}

INLINE void clear_danger(EvaluationSum *t, Colour c) {
    t->danger[c] = 0;
    if (t->trace) memset(t->trace->danger[c], 0, sizeof t->trace->danger[c]);
}

/* The square relative to a side. */
INLINE int relative_square(Colour c, int s) {
    return c == WHITE ? s : s ^ 56;
}

INLINE int relative_rank(Colour c, int s) {
    return rank_of(relative_square(c, s));
}

/* 0 at the edge, 3 in the middle. */
INLINE int edge_distance(int s) {
    const int f = file_of(s);
    return f < 4 ? f : 7 - f;
}

/* The index of a square in a table of half a board. */
INLINE int half_board(int s) {
    return rank_of(s) * 4 + edge_distance(s);
}

/* Material and piece-square value of a piece. */
INLINE void add_piece_square(EvaluationSum *t, Colour c, PieceType type, int s) {
    const Score score = t->e->piece_square[type][relative_square(c, s)];
    t->score += c == WHITE ? score : -score;
    if (!t->trace) return;
    const int16_t once = c == WHITE ? 1 : -1;
    t->trace->coefficient[PAWN_SQUARE + 32 * (int)type + half_board(relative_square(c, s))] += once;
    if (type != KING) t->trace->coefficient[MATERIAL + (int)type] += once;
}

/* King steps between two squares (Chebyshev distance). */
INLINE int distance(int a, int b) {
    return king_steps[a][b];
}

INLINE Bits fill_forward(Bits b, Colour c) {
    if (c == WHITE) {
        b |= b << 8, b |= b << 16;
        return b | b << 32;
    }
    b |= b >> 8, b |= b >> 16;
    return b | b >> 32;
}

INLINE Bits adjacent_files(Bits b) {
    return (b & ~FILE_H) << 1 | (b & ~FILE_A) >> 1;
}

/* Ranks `from` to `to` as c counts them, the first being 0. */
INLINE Bits ranks_of(Colour c, int from, int to) {
    assert(from >= 0 && from <= to && to <= 7);
    const Bits white = (~(Bits)0 >> 8 * (7 - to)) & (~(Bits)0 << 8 * from);
    return c == WHITE ? white : __builtin_bswap64(white);
}
