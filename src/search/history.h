/* SPDX-License-Identifier: MIT */
/*
 * What a thread remembers of moves that were good: butterfly, capture and continuation histories and counter moves; and
 * of positions: how far the evaluation was off (correction history).
 *
 * Each history is a table of numbers in +-HISTORY_MOST that moves towards a bonus the less the nearer it is to it
 * ("history gravity").
 */
#pragma once
#include "game.h"
#include "margins.h"

enum {
    HISTORY_MOST = 16384,
    CORRECTION_SLOTS = 16384,
    CORRECTION_MOST = 1024,
};

typedef int16_t PieceTo[GAME_PIECES][GAME_SQUARES];

typedef struct {
    int16_t quiet[2][4096];                                 /* [side][way] */
    int16_t capture[GAME_PIECES][GAME_SQUARES][GAME_KINDS]; /* [piece][target][taken] */
    PieceTo continuation[GAME_PIECES][GAME_SQUARES];        /* [piece, target before][piece, target] */
    PieceTo nothing;                                        /* the continuation of no move */
    Move counter[GAME_PIECES][GAME_SQUARES];                /* [piece, target before] */
    int16_t correction[3][2][CORRECTION_SLOTS];             /* [structure, own, their material][side][slot] */
} Histories;

INLINE void history_add(int16_t *entry, int bonus) {
    const int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_MOST);
}

INLINE int history_bonus(int depth) {
    const int bonus = BONUS_SLOPE * depth - BONUS_LESS;
    return bonus > BONUS_MOST ? BONUS_MOST : bonus;
}

/* Where the corrections of a position are: found once, as it takes some multiplications. */
typedef struct {
    int16_t *entry[3];
} Corrections;

INLINE int16_t *correction_entry(Histories *h, const Position *p, int which) {
    const uint64_t word = which == 0 ? game_structure(p) : game_material(p, (Colour)(which == 1 ? p->turn : !p->turn));
    return &h->correction[which][p->turn][word >> 40 & (CORRECTION_SLOTS - 1)];
}

/* Finds those of p and asks for them, before it is known whether they will be needed. */
INLINE void correction_find(Corrections *c, Histories *h, const Position *p) {
    for (int i = 0; i < 3; i++) {
        c->entry[i] = correction_entry(h, p, i);
        __builtin_prefetch(c->entry[i]);
    }
}

/* What to add to the evaluation. */
INLINE int correction_of(const Corrections *c) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += *c->entry[i];
    return sum / CORRECTION_SHARE;
}

/*
 * The search found the position to be worth `more` than its evaluation before corrections, at that depth. What moves
 * them is what they still lack of it: taught by the whole of it, they would grow without end, since the leaves of the
 * search are corrected by the same entries, and an entry that is pushed one way only goes to its most whatever the
 * push.
 */
INLINE void correction_learn(const Corrections *c, int more, int depth) {
    int bonus = (more - correction_of(c)) * depth / CORRECTION_TIMES;
    bonus = bonus > CORRECTION_STEP_MOST    ? CORRECTION_STEP_MOST
            : bonus < -CORRECTION_STEP_MOST ? -CORRECTION_STEP_MOST
                                            : bonus;
    for (int i = 0; i < 3; i++) {
        int16_t *entry = c->entry[i];
        *entry = (int16_t)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / CORRECTION_MOST);
    }
}
