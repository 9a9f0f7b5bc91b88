/* SPDX-License-Identifier: MIT */
/*
 * The staged move picker. A node that is cut off early never generates the moves that it does not search:
 *
 *     table      the table move, if it is legal here: nothing is generated for it
 *     good       captures and queen promotions with a static exchange value that is not negative, by value and history
 *     quiet      by history; no quiet move is generated before
 *     bad        the captures that lose material
 *
 * The exchange value of a capture is computed when it is picked. The table move may be any 16 bits: it comes
 * from memory that other threads and processes write. Every legal move is returned once and no other move ever is.
 *
 *     MovePicker k;
 *     picker_init(&k, p, &hints);
 *     while ((m = picker_next(&k, &score))) { ... picker_skip_quiets(&k) ... }
 */
#pragma once
#include "history.h"

/*
 * The sort keys of the captures, then those of the quiet moves, each list padded with used keys to a multiple of
 * PICKER_LANES.
 */
enum { PICKER_LANES = 8, PICKER_INDEX_BITS = MOVES_MAX < 480 ? 9 : 10, PICKER_CAPACITY = 1 << PICKER_INDEX_BITS };
_Static_assert(MOVES_MAX + 2 * PICKER_LANES <= PICKER_CAPACITY, "room for both lists");

/* The continuation histories that quiet moves have: by the moves so many plies before. */
enum { CONTINUATIONS = 3 };
static const int CONTINUATION_PLIES[CONTINUATIONS] = {1, 2, 4};

typedef struct OrderingHints OrderingHints;

typedef struct {
    const Position *p;
    const OrderingHints *hints;
    int stage;
    bool captures_only, no_quiets;
    unsigned returned; /* moves returned; 0 at the end: no legal move (with picker_init_captures: no capture) */
    unsigned captures_end, quiets_end;
    Move table;
    Move move[PICKER_CAPACITY];
    int32_t sort_key[PICKER_CAPACITY]
        __attribute__((aligned(64))); /* score above, CAPACITY - 1 - index below: the maximum is the next move */
} MovePicker;

/* The inputs of the move ordering besides the position. */
struct OrderingHints {
    Histories *histories;
    PieceTo *continuation[CONTINUATIONS];
    Move table;
    Threats threats;
};

/* The ordering score of picker_next: the stage and, within it, the score. That of a quiet move is its history. */
enum { ORDER_TABLE = 1 << 30, ORDER_CAPTURE = 1 << 24, ORDER_LOSING = -(1 << 24) };

/* Position and hints must not change until the last picker_next. */
void picker_init(MovePicker *k, const Position *p, const OrderingHints *hints);
/* Captures and queen promotions only, without exchange values. */
void picker_init_captures(MovePicker *k, const Position *p, const OrderingHints *hints);

/* The best move left; 0: none. *ordering_score (may be NULL) is its ordering score. */
Move picker_next(MovePicker *k, int *ordering_score);

/* Skips quiet moves from now on: captures remain. */
INLINE void picker_skip_quiets(MovePicker *k) {
    k->no_quiets = true;
}

/* The history score of a quiet move. */
INLINE int quiet_history_score(const Position *p, Move m, const OrderingHints *hints) {
    const int piece = game_piece(p, m), to = game_target(m);
    int sum = hints->histories->quiet[p->turn][game_from_to(m, hints->threats)];
    for (int i = 0; i < CONTINUATIONS; i++) sum += (*hints->continuation[i])[piece][to];
    return sum;
}

INLINE int16_t *capture_history_entry(Histories *h, const Position *p, Move m) {
    const int taken = (int)game_captured(p, m);
    return &h->capture[game_piece(p, m)][game_target(m)][taken < GAME_PIECE_TYPES ? taken : 0];
}
