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

#include "rules/upcoming.h"

enum {
    GAME_HALFMOVE_DRAW = 100, /* plies without a capture or pawn move that make a draw */
    GAME_HALFMOVE_LATE = 50,  /* from here on results tell of the draw, not of the evaluation */
    GAME_PATH_MAX = 2048,     /* positions of the game that are kept */
    GAME_PATH_PLIES_MAX = 128,
    GAME_OCCURRENCES_MAX = 3, /* of a position: they end the game */
};

/* What is kept of a position. */
typedef struct {
    uint64_t key; /* the second word of its key; 0: a null move was made from it, and nothing is repeated */
} Visit;

typedef struct {
    Visit visit[GAME_PATH_MAX + GAME_PATH_PLIES_MAX];
    unsigned game_n;
} GamePath;

/* For the side to move. Chess has draws only. */
typedef enum {
    REPETITION_NONE,
    REPETITION_DRAW,
    REPETITION_WIN,
    REPETITION_LOSS,
    REPETITION_SUPERIOR,
    REPETITION_INFERIOR,
} Repetition;

/* The visit of the first position of a game. */
INLINE Visit visit_first(const Zobrist *z, const Position *p, Key key) {
    (void)z, (void)p;
    return (Visit){key[1]};
}
/* The visit of *to, whose key that is, after a move from *from, which was the visit *before, and after a null move. */
INLINE Visit visit_after_move(const Zobrist *z, const Visit *before, const Position *from, const Position *to,
                              Key key) {
    (void)before, (void)from;
    return visit_first(z, to, key);
}
INLINE Visit visit_after_null_move(const Zobrist *z, const Position *to, Key key) {
    return visit_first(z, to, key);
}

/* The plies since the last move that cannot be undone: no earlier position can come back. */
INLINE int game_reversible_plies(const Position *p) {
    return p->halfmove;
}

/* The game went from a position to p. */
INLINE void game_path_add(GamePath *path, Visit from, const Position *p) {
    if (path->game_n == GAME_PATH_MAX) memmove(path->visit, path->visit + 2, (path->game_n -= 2) * sizeof *path->visit);
    path->visit[path->game_n++] = from;
    if (game_reversible_plies(p) == 0) path->game_n = 0;
}
/* Copies the game for a search that begins at its end, the root. */
INLINE void game_path_begin_search(GamePath *to, const GamePath *from, const Visit *root) {
    (void)root;
    memcpy(to->visit, from->visit, from->game_n * sizeof *from->visit);
    to->game_n = from->game_n;
}

/* A position of the search and the way to it. */
typedef struct {
    const GamePath *path;
    int ply;
    const Position *p;
    const Visit *visit;
} PathPoint;

INLINE const Visit *path_point_now(PathPoint at) {
    return &at.path->visit[at.path->game_n + (unsigned)at.ply];
}
/* How far back positions are known that can be repeated. */
INLINE int path_point_plies_back(PathPoint at) {
    const int known = (int)at.path->game_n + at.ply, reversible = game_reversible_plies(at.p);
    return reversible < known ? reversible : known;
}
/* Is it a repetition: of a position below the root, or of two? */
INLINE Repetition game_repetition(PathPoint at) {
    const Visit *now = path_point_now(at);
    const int max = path_point_plies_back(at);
    bool before = false;
    for (int back = 4; back <= max; back += 2) {
        if (now[-back].key != at.visit->key) continue;
        if (back < at.ply || before) return REPETITION_DRAW;
        before = true;
    }
    return REPETITION_NONE;
}
/* Can the side to move repeat a position of the search with its next move, and so draw at least? */
INLINE bool game_has_upcoming_repetition(PathPoint at, const UpcomingTable *moves) {
    const Visit *now = path_point_now(at);
    const int max = path_point_plies_back(at);
    for (int back = 3; back <= max; back += 2) {
        if (!now[-back].key || !now[1 - back].key) return false; /* a null move lies between */
        if (back < at.ply && upcoming_finds_move(moves, at.p, at.visit->key ^ now[-back].key)) return true;
    }
    return false;
}

/*
 * Path keys: what an entry's score holds for besides the position. Bucket and signature depend on the position alone, so
 * that the move is found whatever the path; the score is used only if the path key is equal.
 *
 *     off          0: one score for all paths: the classic table
 *     fifty-count  0 until the halfmove clock reaches GAME_HALFMOVE_LATE, then the clock itself, so that an entry says
 *                  how many plies it had left: bounds hold for other path keys, too
 */
typedef enum {
    PATH_KEY_OFF,
    PATH_KEY_FIFTY_COUNT,
    PATH_KEY_FORMS,
    PATH_KEY_DEFAULT = PATH_KEY_FIFTY_COUNT
} PathKeyForm;

INLINE const char *path_key_name(PathKeyForm form) {
    return form == PATH_KEY_OFF ? "off" : "fifty-count";
}
INLINE uint64_t game_path_key(PathKeyForm form, const Position *p) {
    return form == PATH_KEY_OFF || p->halfmove < GAME_HALFMOVE_LATE ? 0 : p->halfmove;
}
