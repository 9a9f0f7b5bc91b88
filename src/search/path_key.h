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

INLINE const char *path_key_name(PathKeyForm form) {
    static const char *const names[PATH_KEY_FORMS] = {
        GAME_PATH_KEY_NAMES, "last-1", "last-2", "last-3", "last-4", "last-5", "last-6", "last-7", "last-8", "game"};
    return names[form];
}

/* A mixing function: a pseudo-random number for n. */
INLINE uint64_t path_key_mix(uint64_t n) {
    uint64_t state = n * 0xd1342543de82ef95ull + 1;
    return random_next(&state);
}

/* The path key of a root position. */
INLINE uint64_t path_key_root(PathKeyForm form, PathPoint root) {
    if ((int)form < GAME_PATH_KEYS) return game_path_key(form, root);
    const int plies = game_reversible_plies(root.p);
    return (int)form == PATH_KEY_GAME && plies ? path_key_mix((uint64_t)plies) : 0;
}

/*
 * The path key of a position to which a move led: `parent_key` is the parent's; `newest` points at the last of at least k
 * moves, the oldest first (0: none).
 */
INLINE uint64_t path_key_after_move(PathKeyForm form, uint64_t parent_key, const Move *newest, PathPoint at) {
    const int last = (int)form - PATH_KEY_LAST; /* moves */
    if ((int)form < GAME_PATH_KEYS) return game_path_key(form, at);
    if ((int)form == PATH_KEY_GAME) return game_reversible_plies(at.p) == 0 ? 0 : path_key_mix(parent_key ^ *newest);
    assert(last > 0 && last <= PATH_KEY_LAST_MAX);
    uint64_t key = 0;
    for (int i = 0; i < last; i++) key = path_key_mix(key ^ newest[-i]);
    return key;
}
