/* SPDX-License-Identifier: MIT */
/*
 * Path keys: the part of the game's history that an entry's score depends on (Wegner, "semi-path-dependent hashing").
 * Bucket and signature depend on the position alone, so that the move is found whatever the path; the score is used
 * only if the path key is equal. Every game has forms of its own (path.h), and all have:
 *
 *     last-1 .. 8  the last k moves
 *     game         all moves since the last irreversible one
 */
#pragma once
#include <assert.h>

#include "base/random.h"
#include "game.h"
#include "score.h"

enum {
    PATH_KEY_LAST = GAME_PATH_KEYS - 1, /* PATH_KEY_LAST + k: the last k moves, k from 1 to PATH_KEY_LAST_MAX */
    PATH_KEY_LAST_MAX = 8,
    PATH_KEY_GAME = PATH_KEY_LAST + PATH_KEY_LAST_MAX + 1,
    PATH_KEY_FORMS,
};

/* The names of the forms, in the order of their numbers. */
#define PATH_KEY_FORM_NAMES(X)                                                                                         \
    GAME_PATH_KEY_NAMES(X)                                                                                             \
    X("last-1")                                                                                                        \
    X("last-2")                                                                                                        \
    X("last-3")                                                                                                        \
    X("last-4")                                                                                                        \
    X("last-5")                                                                                                        \
    X("last-6")                                                                                                        \
    X("last-7")                                                                                                        \
    X("last-8")                                                                                                        \
    X("game")

/*
 * The bound that an entry implies at another path key, where path keys count plies. With fewer plies left a score is
 * no further from the draw score, on the same side of it: an upper bound from a lower count holds if it is not below
 * the draw, a lower bound from a higher one if it is above, and so for the other side. Sets score_ok if a bound
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

/* A form, and from where on it differs from one score for all paths; the game's forms read it as they like. */
typedef struct {
    PathKeyForm form;
    int threshold;
} PathKeyRule;

/* The path key of a root position. */
INLINE uint64_t path_key_root(PathKeyRule rule, PathPoint root) {
    if ((int)rule.form < GAME_PATH_KEYS) return game_path_key(rule.form, rule.threshold, root);
    const int plies = game_reversible_plies(root.p);
    return (int)rule.form == PATH_KEY_GAME && plies ? path_key_mix((uint64_t)plies) : 0;
}

/*
 * The path key of a position to which a move led: `parent_key` is the parent's; `newest` points at the last of at least k
 * moves, the oldest first (0: none).
 */
INLINE uint64_t path_key_after_move(PathKeyRule rule, uint64_t parent_key, const Move *newest, PathPoint at) {
    const int form = (int)rule.form;
    if (form < GAME_PATH_KEYS) return game_path_key(rule.form, rule.threshold, at);
    if (form == PATH_KEY_GAME) return game_reversible_plies(at.p) == 0 ? 0 : path_key_mix(parent_key ^ *newest);
    assert(form > PATH_KEY_LAST && form <= PATH_KEY_LAST + PATH_KEY_LAST_MAX);
    uint64_t key = 0;
    for (int i = 0; i < form - PATH_KEY_LAST; i++) key = path_key_mix(key ^ newest[-i]);
    return key;
}
