/* SPDX-License-Identifier: MIT */
/*
 * Path keys: the part of the game's history that an entry's score depends on (Wegner, "semi-path-dependent hashing").
 * Bucket and signature depend on the position alone, so that the move is found whatever the path; the score is used
 * only if the path key is equal.
 *
 *     off          0: one score for all paths: the classic table
 *     guard        0 as well, and no score but a proven mate is used from a halfmove clock of 90 on, as in Stockfish
 *     fifty        0 until the halfmove clock reaches a threshold, then one constant
 *     fifty-count  0 until then, then the halfmove clock itself, so that an entry tells how many plies it had left
 *     last-1 .. 8  the last k moves
 *     game         all moves since the last irreversible one
 */
#pragma once
#include <assert.h>

#include "base/random.h"
#include "game.h"
#include "score.h"

typedef enum {
    PATH_KEY_OFF,
    PATH_KEY_GUARD,
    PATH_KEY_FIFTY,
    PATH_KEY_FIFTY_COUNT,
    PATH_KEY_LAST = PATH_KEY_FIFTY_COUNT, /* PATH_KEY_LAST + k: the last k moves, k from 1 to 8 */
    PATH_KEY_GAME = PATH_KEY_LAST + 9,
} PathKeyForm;

/* The names of the forms, in the order of the type. */
#define PATH_KEY_FORM_NAMES(X)                                                                                         \
    X("off")                                                                                                           \
    X("guard")                                                                                                         \
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

enum { PATH_KEY_HALFMOVE_THRESHOLD = 50, PATH_KEY_GUARD_THRESHOLD = 90, PATH_KEY_LAST_MAX = 8 };

/* The halfmove clock from which on guard, fifty and fifty-count differ from off, where the settings name no other. */
INLINE int path_key_default_threshold(PathKeyForm form) {
    return form == PATH_KEY_GUARD ? PATH_KEY_GUARD_THRESHOLD : PATH_KEY_HALFMOVE_THRESHOLD;
}

/* May a score that is no proven mate cut off at this halfmove clock? Only the guard ever refuses it. */
INLINE bool path_key_allows_cutoff(PathKeyForm form, int threshold, int halfmove_clock) {
    return form != PATH_KEY_GUARD || halfmove_clock < threshold;
}

/*
 * fifty-count: the bound that an entry of another halfmove clock implies at this one. With fewer plies left a score is
 * no further from the draw score, on the same side of it: an upper bound from a lower halfmove clock holds if it is not
 * below the draw, a lower bound from a higher one if it is above, and so for the other side. Sets score_ok if a bound
 * remains. Mates are left out: their distance tells whether they hold.
 */
INLINE void path_key_transfer_bound(TabiaHit *hit, uint64_t path_key) {
    TabiaEntry *e = &hit->entry;
    const bool had_more = hit->path < path_key; /* plies left, when it was searched */
    unsigned bound = e->bound & (had_more == (e->score >= 0) ? TABIA_BOUND_UPPER : TABIA_BOUND_LOWER);
    if (e->score == SCORE_DRAW) bound = had_more ? e->bound : 0;
    if (score_is_mate(e->score) || !bound) return;
    e->bound = (uint8_t)bound;
    hit->score_ok = true;
}

/* A mixing function: a pseudo-random number for n. */
INLINE uint64_t path_key_mix(uint64_t n) {
    uint64_t state = n * 0xd1342543de82ef95ull + 1;
    return random_next(&state);
}

/* off, guard, fifty, fifty-count. */
INLINE uint64_t path_key_of_halfmove_clock(PathKeyForm form, int threshold, int halfmove_clock) {
    assert(form <= PATH_KEY_FIFTY_COUNT && halfmove_clock >= 0);
    if (form < PATH_KEY_FIFTY || halfmove_clock < threshold) return 0;
    return form == PATH_KEY_FIFTY ? 1 : (uint64_t)halfmove_clock;
}

/* The path key of a root position with a halfmove clock. */
INLINE uint64_t path_key_root(PathKeyForm form, int threshold, int halfmove_clock) {
    if (form <= PATH_KEY_FIFTY_COUNT) return path_key_of_halfmove_clock(form, threshold, halfmove_clock);
    return form == PATH_KEY_GAME && halfmove_clock ? path_key_mix((uint64_t)halfmove_clock) : 0;
}

/*
 * The path key after a move: `parent_key` is the parent's; `newest` points at the last of at least k moves, the oldest
 * first (0: none). halfmove_clock: plies since the last irreversible move, after the move.
 */
INLINE uint64_t path_key_after_move(PathKeyForm form, int threshold, uint64_t parent_key, const Move *newest,
                                    int halfmove_clock) {
    if (form <= PATH_KEY_FIFTY_COUNT) return path_key_of_halfmove_clock(form, threshold, halfmove_clock);
    if (form == PATH_KEY_GAME) return halfmove_clock == 0 ? 0 : path_key_mix(parent_key ^ *newest);
    assert(form > PATH_KEY_LAST && form <= PATH_KEY_LAST + PATH_KEY_LAST_MAX);
    uint64_t key = 0;
    for (int i = 0; i < (int)form - PATH_KEY_LAST; i++) key = path_key_mix(key ^ newest[-i]);
    return key;
}
