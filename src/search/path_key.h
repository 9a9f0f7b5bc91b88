/* SPDX-License-Identifier: MIT */
/*
 * Path keys: what of the past an entry's score is taken to depend on (Wegner, "semi-path-dependent hashing"). The
 * bucket and the signature are the position's alone, so that the move is found whatever the path; the score counts only
 * where this key agrees.
 *
 *     off          0: one score for all paths, as in the classic table, but see history_reaches
 *     fifty        0 until the clock of the 50-move rule reaches a threshold, then one constant
 *     fifty-count  0 until then, then the count itself, so that an entry tells how much time it had
 *     last-1 .. 8  the last k moves
 *     game         all moves since the last one that cannot be taken back
 */
#pragma once
#include "base/random.h"
#include "game.h"
#include "score.h"

typedef enum {
    HISTORY_OFF,
    HISTORY_FIFTY,
    HISTORY_FIFTY_COUNT,
    HISTORY_LAST = HISTORY_FIFTY_COUNT, /* HISTORY_LAST + k: the last k moves, k from 1 to 8 */
    HISTORY_GAME = HISTORY_LAST + 9,
} HistoryKey;

/* The names of the forms, in the order of the type. */
#define HISTORY_KEYS(X)                                                                                                \
    X("off")                                                                                                           \
    X("fifty")                                                                                                         \
    X("fifty-count")                                                                                                   \
    X("last-1")                                                                                                        \
    X("last-2")                                                                                                        \
    X("last-3")                                                                                                        \
    X("last-4")                                                                                                        \
    X("last-5")                                                                                                        \
    X("last-6")                                                                                                        \
    X("last-7")                                                                                                        \
    X("last-8")                                                                                                        \
    X("game")

enum { HISTORY_THRESHOLD = 50, HISTORY_LAST_MOST = 8 };

/* May a score end a search at this clock: does the path key tell counts apart near the end? So `off`, too, is not quite
   the classic table: from a clock of 90 on its scores, but for proven mates, are not believed. */
INLINE bool history_reaches(HistoryKey form, int clock) {
    return clock < 90 || form == HISTORY_FIFTY_COUNT || form == HISTORY_GAME;
}

/*
 * fifty-count: what an entry of another count says at this one. With fewer plies left a score is no further from the
 * draw's, on the same side of it: an upper bound from a lower count holds if it is not below the draw, a lower bound
 * from a higher count if it is above, and so for the other side. score_ok is set if anything remains. Mates are not for
 * here: their distance tells by itself whether they hold.
 */
INLINE void history_transfer(TabiaHit *hit, uint64_t path) {
    TabiaEntry *e = &hit->entry;
    const bool had_more = hit->path < path; /* plies left, when it was searched */
    unsigned bound = e->bound & (had_more == (e->score >= 0) ? TABIA_BOUND_UPPER : TABIA_BOUND_LOWER);
    if (e->score == SCORE_DRAW) bound = had_more ? e->bound : 0;
    if (score_is_mate(e->score) || !bound) return;
    e->bound = (uint8_t)bound;
    hit->score_ok = true;
}

/* A number as good as random for any other. */
INLINE uint64_t history_random(uint64_t n) {
    uint64_t state = n * 0xd1342543de82ef95ull + 1;
    return random_next(&state);
}

/* off, fifty, fifty-count. */
INLINE uint64_t history_of_clock(HistoryKey form, int clock) {
    if (form == HISTORY_OFF || clock < HISTORY_THRESHOLD) return 0;
    return form == HISTORY_FIFTY ? 1 : (uint64_t)clock;
}

/* The path of a position that begins a game, with a clock that may have run already. */
INLINE uint64_t history_root(HistoryKey form, int clock) {
    if (form <= HISTORY_FIFTY_COUNT) return history_of_clock(form, clock);
    return form == HISTORY_GAME && clock ? history_random((uint64_t)clock) : 0;
}

/*
 * What a position inherits from its parent: `path` is the parent's; `newest` points at the last move of at least k, the
 * oldest first (0: none). clock: plies since the last irreversible move, after the move.
 */
INLINE uint64_t history_path(HistoryKey form, uint64_t parent_path, const Move *newest, int clock) {
    if (form <= HISTORY_FIFTY_COUNT) return history_of_clock(form, clock);
    if (form == HISTORY_GAME) return clock == 0 ? 0 : history_random(parent_path ^ *newest);
    uint64_t path = 0;
    for (int i = 0; i < (int)form - HISTORY_LAST; i++) path = history_random(path ^ newest[-i]);
    return path;
}
