/* SPDX-License-Identifier: MIT */
/*
 * The positions that were visited on the way to the present one, in the game and in the search, and what of that way the
 * score of a position depends on: in shogi earlier occurrences, and who has given check ever since.
 *
 *     visit[0 .. game_n - 1]             the game before the root
 *     visit[game_n .. game_n + ply - 1]  the search, from the root to the parent of the position at `ply`
 *
 * The fourth occurrence of a position ends the game: a draw, or a loss for a side all of whose moves since the first
 * occurrence were checks. A search need not wait for it: what comes back within the search can come back again. No move
 * is irreversible, since pieces that are captured return, so the whole game counts.
 */
#pragma once
#include <string.h>

#include "rules/position.h"
#include "rules/upcoming.h"
#include "rules/zobrist.h"

enum {
    GAME_PATH_MAX = 2048, /* positions of the game that are kept */
    GAME_PATH_PLIES_MAX = 128,
    GAME_OCCURRENCES_MAX = 4, /* of a position: they end the game */
    GAME_FILTER_WORDS = 64,
};

/* What is kept of a position. */
typedef struct {
    uint64_t board;       /* of its key's second word the part of board and side to move */
    uint32_t hand;        /* of the side to move: together with the board it tells the other hand, too */
    uint16_t checks[2];   /* for how many moves on end each side has given check */
    uint16_t plies;       /* since the first position, or since a null move: no cycle leads over it */
    uint16_t occurrences; /* in the game, up to this one; known of its positions before the last */
} Visit;

typedef struct {
    Visit visit[GAME_PATH_MAX + GAME_PATH_PLIES_MAX];
    unsigned game_n;
    unsigned root_occurrences;
    /* Of a search: a bit for each position of the game; most others are not there. */
    uint64_t filter[GAME_FILTER_WORDS];
} GamePath;

/* For the side to move. */
typedef enum {
    REPETITION_NONE,
    REPETITION_DRAW,
    REPETITION_WIN,
    REPETITION_LOSS,
    REPETITION_SUPERIOR, /* the board has occurred with a smaller hand of the side to move */
    REPETITION_INFERIOR,
} Repetition;

INLINE uint64_t visit_board(const Zobrist *z, const Position *p, Key key) {
    return key[1] ^ zobrist_hands(z, p)[1];
}
/* The visit of the first position of a game. */
INLINE Visit visit_first(const Zobrist *z, const Position *p, Key key) {
    return (Visit){.board = visit_board(z, p, key), .hand = p->hand[p->turn], .occurrences = 1};
}
/* The visit of *to, whose key that is, after a move from *from, which was the visit *before, and after a null move. */
INLINE Visit visit_after_move(const Zobrist *z, const Visit *before, const Position *from, const Position *to,
                              Key key) {
    Visit v = {.board = visit_board(z, to, key), .hand = to->hand[to->turn], .plies = (uint16_t)(before->plies + 1)};
    v.checks[to->turn] = before->checks[to->turn];
    v.checks[from->turn] = in_check(to) ? (uint16_t)(before->checks[from->turn] + 1) : 0;
    return v;
}
INLINE Visit visit_after_null_move(const Zobrist *z, const Position *to, Key key) {
    return (Visit){.board = visit_board(z, to, key), .hand = to->hand[to->turn]};
}

/* The plies since the last move that cannot be undone: there is none. */
INLINE int game_reversible_plies(const Position *p) {
    (void)p;
    return INT16_MAX;
}

INLINE bool visit_same(const Visit *a, const Visit *b) {
    return a->board == b->board && a->hand == b->hand;
}
INLINE uint64_t visit_filter_bit(const Visit *v) {
    return (uint64_t)1 << (v->board & 63);
}
INLINE unsigned visit_filter_word(const Visit *v) {
    return (unsigned)(v->board >> 6) % GAME_FILTER_WORDS;
}

/* What the game is for the side to move, if the position of `plies` plies before has come back. */
INLINE Repetition repetition_result(const Visit *v, Colour turn, int plies) {
    const bool own = v->checks[turn] * 2 >= plies, other = v->checks[!turn] * 2 >= plies;
    return own == other ? REPETITION_DRAW : own ? REPETITION_LOSS : REPETITION_WIN;
}

/* How often *v has occurred in the game, itself included, if it comes after the last position of the path. */
INLINE unsigned game_path_occurrences(const GamePath *path, const Visit *v) {
    for (unsigned back = 4; back <= path->game_n; back += 2) {
        const Visit *earlier = &path->visit[path->game_n - back];
        if (visit_same(earlier, v)) return earlier->occurrences + 1u;
    }
    return 1;
}
/* The game went from a position to p. */
INLINE void game_path_add(GamePath *path, Visit from, const Position *p) {
    (void)p;
    if (path->game_n == GAME_PATH_MAX) memmove(path->visit, path->visit + 2, (path->game_n -= 2) * sizeof *path->visit);
    from.occurrences = (uint16_t)game_path_occurrences(path, &from);
    path->visit[path->game_n++] = from;
}
/* Copies the game for a search that begins at its end, the root. */
INLINE void game_path_begin_search(GamePath *to, const GamePath *from, const Visit *root) {
    memcpy(to->visit, from->visit, from->game_n * sizeof *from->visit);
    to->game_n = from->game_n;
    to->root_occurrences = game_path_occurrences(to, root);
    memset(to->filter, 0, sizeof to->filter);
    for (unsigned i = 0; i < to->game_n; i++)
        to->filter[visit_filter_word(&to->visit[i])] |= visit_filter_bit(&to->visit[i]);
    to->filter[visit_filter_word(root)] |= visit_filter_bit(root);
}

/* A position of the search and the way to it. */
typedef struct {
    const GamePath *path;
    int ply;
    const Position *p;
    const Visit *visit;
} PathPoint;

/* The position of so many plies before. */
INLINE const Visit *path_point_back(PathPoint at, int plies) {
    return &at.path->visit[(int)at.path->game_n + at.ply - plies];
}
/* How far back positions are known that can be repeated. */
INLINE int path_point_plies_back(PathPoint at) {
    const int known = (int)at.path->game_n + at.ply;
    return at.visit->plies < known ? at.visit->plies : known;
}
/* How often the position has occurred in the game, the root included; *first is the plies since it first did. */
INLINE unsigned path_point_occurrences(PathPoint at, int *first) {
    const int max = path_point_plies_back(at);
    unsigned n = 0;
    *first = 0;
    if (LIKELY(!(at.path->filter[visit_filter_word(at.visit)] & visit_filter_bit(at.visit)))) return 0;
    for (int back = at.ply < 4 ? 4 : at.ply + (at.ply & 1); back <= max; back += 2)
        if (visit_same(path_point_back(at, back), at.visit)) n++, *first = back;
    return n;
}

/* The same board with another hand: who waits for the other to come off better? */
INLINE Repetition compare_hands(const Visit *now, const Visit *before) {
    if (hand_covers(now->hand, before->hand)) return REPETITION_SUPERIOR;
    return hand_covers(before->hand, now->hand) ? REPETITION_INFERIOR : REPETITION_NONE;
}

/* Is it a repetition: of a position below the root, or the fourth occurrence in the game? */
INLINE Repetition game_repetition(PathPoint at) {
    const int max = at.visit->plies < at.ply ? at.visit->plies : at.ply - 1;
    const Colour turn = (Colour)at.p->turn;
    for (int back = 4; back <= max; back += 2) {
        const Visit *before = path_point_back(at, back);
        if (LIKELY(before->board != at.visit->board)) continue;
        if (before->hand == at.visit->hand) return repetition_result(at.visit, turn, back);
        const Repetition r = compare_hands(at.visit, before);
        if (r != REPETITION_NONE) return r;
    }
    int first;
    if (path_point_occurrences(at, &first) + 1 < GAME_OCCURRENCES_MAX) return REPETITION_NONE;
    return repetition_result(at.visit, turn, first);
}

INLINE bool game_has_upcoming_repetition(PathPoint at, const UpcomingTable *moves) {
    (void)at, (void)moves;
    return false;
}

/* Path keys: shogi has one score for all paths. */
typedef enum { PATH_KEY_OFF, PATH_KEY_FORMS, PATH_KEY_DEFAULT = PATH_KEY_OFF } PathKeyForm;

INLINE const char *path_key_name(PathKeyForm form) {
    (void)form;
    return "off";
}
INLINE uint64_t game_path_key(PathKeyForm form, const Position *p) {
    (void)form, (void)p;
    return 0;
}
