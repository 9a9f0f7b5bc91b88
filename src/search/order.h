/* SPDX-License-Identifier: MIT */
/*
 * The order of moves, a stage at a time, so that a node that is cut off early never lists what it does not try:
 *
 *     table      the table's move, if it is legal here: nothing is listed for it
 *     winning    captures and promotions to a queen that do not lose, by what they take and by history
 *     killers    two killers and the counter move, if they are quiet and legal here: still no quiet move is listed
 *     quiet      by history
 *     losing     the captures that were put aside
 *
 * Whether a capture loses is asked when its turn comes. The table's move, killers and counter moves may be any 16 bits:
 * they come from other positions, or from memory that other threads and processes write. Every legal move is given once
 * and no other ever is.
 *
 *     Picker k;
 *     order_all(&k, p, &hints);
 *     while ((m = order_next(&k, &order))) { ... order_skip_quiets(&k) ... }
 */
#pragma once
#include "history.h"

/* The captures' ranks, then the quiet moves', each from a multiple of ORDER_LANES, filled up with what is taken. */
enum { ORDER_LANES = 8, ORDER_ROOM = 512 };
_Static_assert(MOVES_MAX + 2 * ORDER_LANES <= ORDER_ROOM, "room for both lists");

typedef struct OrderHints OrderHints;

typedef struct {
    const Position *p;
    const OrderHints *hints;
    int stage;
    bool captures_only, no_quiets;
    unsigned given; /* moves so far; 0 at the end: there is no legal move (or, with order_captures, no capture) */
    unsigned refutation, captures_end, quiets_end;
    Move table, refuting[3];
    Move move[ORDER_ROOM];
    int32_t rank[ORDER_ROOM] __attribute__((aligned(64))); /* score << 9 | 511 - index: the highest is the next */
} Picker;

/* What the order depends on besides the position. */
struct OrderHints {
    Histories *histories;
    PieceTo *before[3]; /* continuations of the moves 1, 2 and 4 plies ago */
    Move table, killer[2], counter;
};

/* What order_next says of a move: its stage and, within it, its score. A quiet move's is its history. */
enum { ORDER_TABLE = 1 << 30, ORDER_CAPTURE = 1 << 24, ORDER_KILLER = 1 << 22, ORDER_LOSING = -(1 << 24) };

/* Position and hints must stay as they are until the last order_next. */
void order_all(Picker *k, const Position *p, const OrderHints *hints);
/* Captures and promotions to a queen only, without looking whether they lose. */
void order_captures(Picker *k, const Position *p, const OrderHints *hints);

/* The best of those left; 0: none left. *order (may be NULL) is its place in the order. */
Move order_next(Picker *k, int *order);

/* No more killers and quiet moves: what is left are captures. */
INLINE void order_skip_quiets(Picker *k) {
    k->no_quiets = true;
}

/* The sum of histories of a quiet move. */
INLINE int order_quiet_history(const Position *p, Move m, const OrderHints *hints) {
    const int piece = game_piece(p, m), to = game_target(m);
    int sum = 2 * hints->histories->quiet[p->turn][game_way(m)];
    for (int i = 0; i < 3; i++) sum += (*hints->before[i])[piece][to];
    return sum;
}

INLINE int16_t *order_capture_history(Histories *h, const Position *p, Move m) {
    const int taken = (int)game_taken(p, m);
    return &h->capture[game_piece(p, m)][game_target(m)][taken < GAME_KINDS ? taken : 0];
}
