/* SPDX-License-Identifier: MIT */
/*
 * Moves that no sum covers are made, and their replies counted: discovered checks, moves that unpin, that open a line to
 * the squares around their king, or after which a pawn drop might mate. Out of line, one instance for each colour.
 */
#pragma once
#include "context.h"

INLINE uint64_t count_replies(const Position *p, Colour them) {
    MoveSink k = {0};
    generate(p, &k, them, GEN_COUNT);
    return k.n;
}

INLINE uint64_t replies_after(const Position *p, Colour us, UnpackedMove m) {
    Position child;
    make_piece_move(&child, p, us, m);
    return count_replies(&child, (Colour)!us);
}
NOINLINE uint64_t replies_after_black(const Position *p, UnpackedMove m) {
    return replies_after(p, BLACK, m);
}
NOINLINE uint64_t replies_after_white(const Position *p, UnpackedMove m) {
    return replies_after(p, WHITE, m);
}
INLINE uint64_t count_replies_after(const Position *p, Colour us, UnpackedMove m) {
    return us == BLACK ? replies_after_black(p, m) : replies_after_white(p, m);
}

/* Every move, for positions that the sums do not cover. */
typedef struct {
    const Position *p;
    uint64_t sum;
} MadeMovesSum;

INLINE void add_made_move(void *context, UnpackedMove m) {
    MadeMovesSum *s = context;
    s->sum += count_replies_after(s->p, (Colour)s->p->turn, m);
}
INLINE uint64_t sum_made_moves(const Position *p, Colour us) {
    MadeMovesSum s = {p, 0};
    MoveSink k = {.visit = add_made_move, .context = &s};
    generate(p, &k, us, GEN_VISIT);
    return s.sum;
}
NOINLINE uint64_t sum_made_moves_black(const Position *p) {
    return sum_made_moves(p, BLACK);
}
NOINLINE uint64_t sum_made_moves_white(const Position *p) {
    return sum_made_moves(p, WHITE);
}
INLINE uint64_t sum_made_moves_of(const Position *p, Colour us) {
    return us == BLACK ? sum_made_moves_black(p) : sum_made_moves_white(p);
}
