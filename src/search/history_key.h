/* SPDX-License-Identifier: MIT */
/*
 * Path keys: what of the past an entry's score is taken to depend on (Wegner, "semi-path-dependent hashing"). The
 * bucket and the signature are the position's alone, so that the move is found whatever the path; the score counts only
 * where this key agrees.
 *
 *     off          0: the classic table
 *     fifty        0 until the clock of the 50-move rule reaches a threshold, then one constant
 *     fifty-count  0 until then, then a constant for each count
 *     last-1 .. 8  the last k moves
 *     game         all moves since the last one that cannot be taken back
 */
#pragma once
#include "base/random.h"
#include "game.h"

typedef enum {
    HISTORY_OFF,
    HISTORY_FIFTY,
    HISTORY_FIFTY_COUNT,
    HISTORY_LAST = HISTORY_FIFTY_COUNT, /* HISTORY_LAST + k: the last k moves, k from 1 to 8 */
    HISTORY_GAME = HISTORY_LAST + 9,
} HistoryKey;

enum { HISTORY_THRESHOLD = 50, HISTORY_LAST_MOST = 8 };

/* A number as good as random for any other. */
INLINE uint64_t history_random(uint64_t n) {
    uint64_t state = n * 0xd1342543de82ef95ull + 1;
    return random_next(&state);
}

/*
 * What a position inherits from its parent: `path` is the parent's, `recent` the last moves, newest last, at least k of
 * them (0: none). clock: plies since the last irreversible move, after the move.
 */
INLINE uint64_t history_path(HistoryKey form, uint64_t parent_path, const Move *newest, int clock) {
    if (form == HISTORY_OFF) return 0;
    if (form <= HISTORY_FIFTY_COUNT)
        return clock < HISTORY_THRESHOLD ? 0 : history_random(form == HISTORY_FIFTY ? 1 : (uint64_t)clock);
    if (form == HISTORY_GAME) return clock == 0 ? 0 : history_random(parent_path ^ *newest);
    uint64_t path = 0;
    for (int i = 0; i < (int)form - HISTORY_LAST; i++) path = history_random(path ^ newest[-i]);
    return path;
}
