/* SPDX-License-Identifier: MIT */
/*
 * Moves that no delta covers are made, and their replies counted: discovered checks, checks that also pin or unpin a
 * piece, promotions that check, castling, en passant, and what touches a rook that may castle. One to four moves in a
 * hundred. Out of line, one instance for each colour.
 */
#pragma once
#include "context.h"
#include "replies.h"

/* The replies to one move, which is made. */
INLINE int replies_after(const Position *p, Colour us, PieceType type, int from, int to, int flag) {
    Position child;
    make_piece_move(&child, p, us, (UnpackedMove){type, from, to, flag});
    return (int)count_replies(&child, (Colour)!us);
}

NOINLINE int replies_after_white(const Position *p, PieceType type, int from, int to) {
    return replies_after(p, WHITE, type, from, to, PLAIN);
}
NOINLINE int replies_after_black(const Position *p, PieceType type, int from, int to) {
    return replies_after(p, BLACK, type, from, to, PLAIN);
}
INLINE int count_replies_after(const Position *p, Colour us, PieceType type, int from, int to) {
    return us == WHITE ? replies_after_white(p, type, from, to) : replies_after_black(p, type, from, to);
}

/* Every move, for positions that deltas do not cover. */
typedef struct {
    const Position *p;
    Colour us;
    uint64_t sum;
} MadeMovesSum;

INLINE void add_made_move(void *context, UnpackedMove m) {
    MadeMovesSum *s = context;
    s->sum += (uint64_t)replies_after(s->p, s->us, m.type, m.from, m.to, m.flag);
}
NOINLINE uint64_t sum_made_moves_white(const Position *p) {
    MadeMovesSum s = {p, WHITE, 0};
    MoveSink k = {.visit = add_made_move, .context = &s};
    generate(p, &k, WHITE, GEN_VISIT);
    return s.sum;
}
NOINLINE uint64_t sum_made_moves_black(const Position *p) {
    MadeMovesSum s = {p, BLACK, 0};
    MoveSink k = {.visit = add_made_move, .context = &s};
    generate(p, &k, BLACK, GEN_VISIT);
    return s.sum;
}
INLINE uint64_t sum_made_moves(const Position *p, Colour us) {
    return us == WHITE ? sum_made_moves_white(p) : sum_made_moves_black(p);
}

/* A special move of a pawn, or castling, written as king takes own rook. */
INLINE int replies_after_special(const Position *p, Colour us, int from, int to, int flag) {
    assert(flag == CASTLING ? from == king_square(p, us) : (p->pawn & bit(from)) != 0);
    return replies_after(p, us, flag == CASTLING ? KING : PAWN, from, to, flag);
}
NOINLINE int replies_after_special_white(const Position *p, int from, int to, int flag) {
    return replies_after_special(p, WHITE, from, to, flag);
}
NOINLINE int replies_after_special_black(const Position *p, int from, int to, int flag) {
    return replies_after_special(p, BLACK, from, to, flag);
}
INLINE int count_replies_after_special(const Position *p, Colour us, int from, int to, int flag) {
    return us == WHITE ? replies_after_special_white(p, from, to, flag)
                       : replies_after_special_black(p, from, to, flag);
}
