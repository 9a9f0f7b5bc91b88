/* SPDX-License-Identifier: MIT */
/*
 * The order of moves: the table's move, captures that win or hold (by what they take and by history), killers and the
 * counter move, quiet moves by history, captures that lose. Moves are listed once, scored once, and picked one by one.
 */
#pragma once
#include "history.h"

typedef struct {
    unsigned n, next;
    Move move[MOVES_MAX];
    int32_t score[MOVES_MAX];
} Picker;

/* What the order depends on besides the position. */
typedef struct {
    Histories *histories;
    PieceTo *before[3]; /* continuations of the moves 1, 2 and 4 plies ago */
    Move table, killer[2], counter;
} OrderHints;

enum { ORDER_TABLE = 1 << 30, ORDER_CAPTURE = 1 << 24, ORDER_KILLER = 1 << 22, ORDER_LOSING = -(1 << 24) };

void order_all(Picker *k, const Position *p, const OrderHints *hints);
/* Captures only, without looking whether they lose. */
void order_captures(Picker *k, const Position *p, const OrderHints *hints);

/* The best of those left; 0: none left. *score (may be NULL) is its place in the order. */
Move order_next(Picker *k, int *score);

/* The sum of histories of a quiet move. */
int order_quiet_history(const Position *p, Move m, const OrderHints *hints);
int16_t *order_capture_history(Histories *h, const Position *p, Move m);
