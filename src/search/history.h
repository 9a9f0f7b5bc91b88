/* SPDX-License-Identifier: MIT */
/*
 * Histories of a thread: butterfly, capture and continuation histories; and the correction history, the difference
 * between search results and the static evaluation.
 *
 * Each entry is in +-HISTORY_MAX and moves towards a bonus by less the nearer it is to it ("history gravity").
 */
#pragma once
#include <assert.h>

#include "game.h"
#include "margins.h"

enum { HISTORY_MAX = 16384, CORRECTION_SLOTS = 16384, CORRECTION_MAX = 1024 };

typedef int16_t PieceTo[GAME_PIECES][GAME_SQUARES];

typedef struct {
    int16_t quiet[2][GAME_FROM_TO]; /* [side][from and to, and which is attacked: Berserk, Jay Honnold, 2022] */
    int16_t capture[GAME_PIECES][GAME_SQUARES][GAME_PIECE_TYPES]; /* [piece][target][taken] */
    PieceTo continuation[GAME_PIECES][GAME_SQUARES];              /* [piece, target before][piece, target] */
    PieceTo no_continuation;                                      /* the continuation of no move */
    int16_t correction[3][2][CORRECTION_SLOTS];                   /* [structure, own, their material][side][slot] */
} Histories;

INLINE void history_update(int16_t *entry, int bonus) {
    const int size = bonus < 0 ? -bonus : bonus;
    assert(size <= HISTORY_MAX);
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_MAX);
    assert(*entry >= -HISTORY_MAX && *entry <= HISTORY_MAX);
}

INLINE int history_bonus(int depth) {
    assert(depth > 0);
    const int bonus = HISTORY_BONUS_SLOPE * depth - HISTORY_BONUS_OFFSET;
    return bonus > HISTORY_BONUS_MAX ? HISTORY_BONUS_MAX : bonus;
}

/* The correction entries of a position, looked up once. */
typedef struct {
    int16_t *entry[3];
} Corrections;

INLINE int16_t *correction_entry(Histories *h, const Position *p, int which) {
    const uint64_t word =
        which == 0 ? game_pawn_key(p) : game_non_pawn_key(p, (Colour)(which == 1 ? p->turn : !p->turn));
    return &h->correction[which][p->turn][word >> 40 & (CORRECTION_SLOTS - 1)];
}

/* Looks up and prefetches the entries of p. */
INLINE void corrections_lookup(Corrections *c, Histories *h, const Position *p) {
    for (int i = 0; i < 3; i++) {
        c->entry[i] = correction_entry(h, p, i);
        __builtin_prefetch(c->entry[i]);
    }
}

/* The correction to be added to the evaluation. */
INLINE int correction_value(const Corrections *c) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += *c->entry[i];
    return sum / CORRECTION_DIVISOR;
}

/*
 * Updates the corrections with the difference `more` between the search result and the uncorrected evaluation, at that
 * depth. The update is by the part of `more` that the corrections do not cover yet. With the whole of it they would
 * grow without bound, since the leaves of the search are corrected by the same entries, and an entry that is pushed in
 * one direction only reaches its maximum whatever the size of the push.
 */
INLINE void correction_update(const Corrections *c, int more, int depth) {
    int bonus = (more - correction_value(c)) * depth / CORRECTION_DEPTH_DIVISOR;
    bonus = bonus > CORRECTION_STEP_MAX    ? CORRECTION_STEP_MAX
            : bonus < -CORRECTION_STEP_MAX ? -CORRECTION_STEP_MAX
                                           : bonus;
    for (int i = 0; i < 3; i++) {
        int16_t *entry = c->entry[i];
        *entry = (int16_t)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / CORRECTION_MAX);
        assert(*entry >= -CORRECTION_MAX && *entry <= CORRECTION_MAX);
    }
}
