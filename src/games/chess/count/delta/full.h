/* SPDX-License-Identifier: MIT */
/*
 * Moves that no sum covers are made, and their replies counted: discovered checks, checks that also pin or free a man,
 * promotions that check, castling, en passant, and what touches a rook that may castle. One to four moves in a hundred.
 * Out of line, one instance for each colour.
 */
#pragma once
#include "context.h"
#include "replies.h"

/* The replies to one move, which is made. */
INLINE int replies_after(const Position *p, Colour us, Kind kind, int from, int to, int flag) {
    Position child;
    play(&child, p, us, kind, from, to, flag);
    return (int)count_replies(&child, (Colour)!us);
}

NOINLINE int replies_after_white(const Position *p, Kind kind, int from, int to) {
    return replies_after(p, WHITE, kind, from, to, PLAIN);
}
NOINLINE int replies_after_black(const Position *p, Kind kind, int from, int to) {
    return replies_after(p, BLACK, kind, from, to, PLAIN);
}
INLINE int play_in_full(const Position *p, Colour us, Kind kind, int from, int to) {
    return us == WHITE ? replies_after_white(p, kind, from, to) : replies_after_black(p, kind, from, to);
}

/* Every move, for positions that are not for sums. */
typedef struct {
    const Position *p;
    Colour us;
    uint64_t sum;
} PlayedSum;

INLINE void play_visit(void *context, Kind kind, int from, int to, int flag) {
    PlayedSum *c = context;
    c->sum += (uint64_t)replies_after(c->p, c->us, kind, from, to, flag);
}
NOINLINE uint64_t play_everything_white(const Position *p) {
    PlayedSum c = {p, WHITE, 0};
    Sink k = {.visit = play_visit, .context = &c};
    generate(p, &k, WHITE, WALK);
    return c.sum;
}
NOINLINE uint64_t play_everything_black(const Position *p) {
    PlayedSum c = {p, BLACK, 0};
    Sink k = {.visit = play_visit, .context = &c};
    generate(p, &k, BLACK, WALK);
    return c.sum;
}
INLINE uint64_t play_everything(const Position *p, Colour us) {
    return us == WHITE ? play_everything_white(p) : play_everything_black(p);
}

/* A special move of a pawn, or castling, the king going to his rook. */
INLINE int replies_after_special(const Position *p, Colour us, int from, int to, int flag) {
    return replies_after(p, us, flag == CASTLING ? KING : PAWN, from, to, flag);
}
NOINLINE int replies_after_special_white(const Position *p, int from, int to, int flag) {
    return replies_after_special(p, WHITE, from, to, flag);
}
NOINLINE int replies_after_special_black(const Position *p, int from, int to, int flag) {
    return replies_after_special(p, BLACK, from, to, flag);
}
INLINE int play_special(const Position *p, Colour us, int from, int to, int flag) {
    return us == WHITE ? replies_after_special_white(p, from, to, flag)
                       : replies_after_special_black(p, from, to, flag);
}
