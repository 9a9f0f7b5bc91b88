/* SPDX-License-Identifier: MIT */
/*
 * The positions that were visited on the way to the present one, in the game and in the search, and what of that way the
 * score of a position depends on: in chess earlier occurrences, which make a draw, and the halfmove clock.
 *
 *     visit[0 .. game_n - 1]            the game before the root, since its last irreversible move
 *     visit[game_n .. game_n + ply - 1]  the search, from the root to the parent of the position at `ply`
 */
#pragma once
#include <string.h>

#include "rules/cuckoo.h"

enum {
    GAME_HALFMOVE_DRAW = 100, /* plies without a capture or pawn move that make a draw */
    GAME_HALFMOVE_LATE = 50,  /* from here on results tell of the draw, not of the evaluation */
    GAME_PATH_MAX = 2048,     /* positions of the game that are kept */
    GAME_PATH_PLIES_MAX = 128,
};

/* What is kept of a position. */
typedef struct {
    uint64_t key; /* the second word of its key; 0: a null move was made from it, and nothing is repeated */
} Visit;

typedef struct {
    Visit visit[GAME_PATH_MAX + GAME_PATH_PLIES_MAX];
    unsigned game_n;
} GamePath;

typedef enum { REPETITION_NONE, REPETITION_DRAW, REPETITION_WIN, REPETITION_LOSS } Repetition;

/* The visit of the first position of a game, of the position after a move, and of that after a null move. */
INLINE Visit visit_first(const Position *p, Key key) {
    (void)p;
    return (Visit){key[1]};
}
INLINE Visit visit_after_move(const Visit *before, const Position *p, Key key) {
    (void)before;
    return visit_first(p, key);
}
INLINE Visit visit_after_null_move(const Position *p, Key key) {
    return visit_first(p, key);
}

/* The plies since the last move that cannot be undone: no earlier position can come back. */
INLINE int game_reversible_plies(const Position *p) {
    return p->halfmove;
}

INLINE void game_path_clear(GamePath *path) {
    path->game_n = 0;
}
/* The game went from a position to p. */
INLINE void game_path_add(GamePath *path, Visit from, const Position *p) {
    if (path->game_n == GAME_PATH_MAX) memmove(path->visit, path->visit + 2, (path->game_n -= 2) * sizeof *path->visit);
    path->visit[path->game_n++] = from;
    if (game_reversible_plies(p) == 0) path->game_n = 0;
}
/* Copies the game. */
INLINE void game_path_copy_game(GamePath *to, const GamePath *from) {
    memcpy(to->visit, from->visit, from->game_n * sizeof *from->visit);
    to->game_n = from->game_n;
}
/* The search makes a move from the position at `ply`, or a null move. */
INLINE void game_path_leave(GamePath *path, int ply, Visit from) {
    path->visit[path->game_n + (unsigned)ply] = from;
}
INLINE void game_path_leave_by_null_move(GamePath *path, int ply) {
    path->visit[path->game_n + (unsigned)ply] = (Visit){0};
}

/* How far back positions are known that p, at `ply`, can repeat. */
INLINE int game_path_plies_back(const GamePath *path, int ply, const Position *p) {
    const int known = (int)path->game_n + ply;
    return game_reversible_plies(p) < known ? game_reversible_plies(p) : known;
}
/* Is p, at `ply`, a repetition: of a position below the root, or of two? */
INLINE Repetition game_repetition(const GamePath *path, int ply, const Position *p, const Visit *visit) {
    const Visit *now = &path->visit[path->game_n + (unsigned)ply];
    const int most = game_path_plies_back(path, ply, p);
    bool before = false;
    for (int back = 4; back <= most; back += 2) {
        if (now[-back].key != visit->key) continue;
        if (back < ply || before) return REPETITION_DRAW;
        before = true;
    }
    return REPETITION_NONE;
}
/* Can the side to move repeat a position of the search with its next move, and so draw at least? */
INLINE bool game_has_upcoming_repetition(const GamePath *path, int ply, const Position *p, const Visit *visit,
                                         const CuckooTable *moves) {
    const Visit *now = &path->visit[path->game_n + (unsigned)ply];
    const int most = game_path_plies_back(path, ply, p);
    for (int back = 3; back <= most; back += 2) {
        if (!now[-back].key || !now[1 - back].key) return false; /* a null move lies between */
        if (back < ply && cuckoo_finds_move(moves, p, visit->key ^ now[-back].key)) return true;
    }
    return false;
}

/*
 * The forms of path keys that chess has of its own (search/path_key.h), by the halfmove clock:
 *
 *     off          0: one score for all paths: the classic table
 *     guard        0 as well, and no score but a proven mate is used from a halfmove clock of 90 on, as in Stockfish
 *     fifty        0 until the halfmove clock reaches a threshold, then one constant
 *     fifty-count  0 until then, then the halfmove clock itself, so that an entry tells how many plies it had left
 */
typedef enum {
    PATH_KEY_OFF,
    PATH_KEY_GUARD,
    PATH_KEY_FIFTY,
    PATH_KEY_FIFTY_COUNT,
    GAME_PATH_KEYS,
    PATH_KEY_DEFAULT = PATH_KEY_FIFTY_COUNT,
} PathKeyForm;

/* Their names. */
#define GAME_PATH_KEY_NAMES(X)                                                                                         \
    X("off")                                                                                                           \
    X("guard")                                                                                                         \
    X("fifty")                                                                                                         \
    X("fifty-count")

enum { PATH_KEY_GUARD_THRESHOLD = 90 };

/* The halfmove clock from which on they differ from off, where the settings name no other. */
INLINE int path_key_default_threshold(PathKeyForm form) {
    return form == PATH_KEY_GUARD ? PATH_KEY_GUARD_THRESHOLD : GAME_HALFMOVE_LATE;
}
INLINE uint64_t game_path_key(PathKeyForm form, int threshold, const Position *p, const Visit *visit) {
    (void)visit;
    if (form < PATH_KEY_FIFTY || p->halfmove < threshold) return 0;
    return form == PATH_KEY_FIFTY ? 1 : p->halfmove;
}
/* May a score that is no proven mate cut off? Only the guard ever refuses it. */
INLINE bool game_path_key_allows_cutoff(PathKeyForm form, int threshold, const Position *p) {
    return form != PATH_KEY_GUARD || p->halfmove < threshold;
}
/* Is the path key the number of plies that are gone of those to a draw? Then bounds hold for other path keys, too. */
INLINE bool game_path_key_counts_plies(PathKeyForm form) {
    return form == PATH_KEY_FIFTY_COUNT;
}
