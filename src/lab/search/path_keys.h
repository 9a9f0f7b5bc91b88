/* SPDX-License-Identifier: MIT */
/*
 * The value of path keys: for each form the nodes to a fixed depth, and the number of correct results on positions
 * whose outcome is known, cold (an empty table) and warm (a table that has just searched the same position with a
 * halfmove clock of 0, in shogi without the game before it, and so holds scores that are wrong now).
 *
 * Correct is: for a draw, a score within +-PATH_KEY_DRAW_MARGIN centipawns; for a win, at least PATH_KEY_WIN_SCORE, or
 * a mate that the halfmove clock allows; for a position with best moves or moves to avoid, a move among them, or none
 * of them. A false mate is a mate score although the position is a draw or the halfmove clock prevents it.
 */
#pragma once
#include "base/error.h"
#include "search/search.h"

enum { PATH_KEY_DRAW_MARGIN = 50, PATH_KEY_WIN_SCORE = 150 };

typedef enum { OUTCOME_DRAW, OUTCOME_WIN, OUTCOME_MOVE, OUTCOMES } PathKeyOutcome;

enum { PATH_KEY_CASE_MOVES_MAX = 64, PATH_KEY_CASE_BEST_MAX = 8 };
typedef struct {
    Position at;
    Move moves[PATH_KEY_CASE_MOVES_MAX]; /* from there to the position that is searched */
    unsigned moves_n;
    PathKeyOutcome expected;
    Move best[PATH_KEY_CASE_BEST_MAX], avoid[PATH_KEY_CASE_BEST_MAX]; /* OUTCOME_MOVE */
    unsigned best_n, avoid_n;
} PathKeyCase;

typedef struct {
    PathKeyCase *all;
    unsigned n;
} PathKeyCases;

/* Positions of our own. Of chess: king and queen, and king and rook, against king, in pairs that are solved exactly: the clock
   lets the mate fall on the 100th ply, and one ply too late; and locked positions that nobody can win. Of shogi: games in which
   repetitions and perpetual checks are about to end. False with an error if there is no memory. */
bool path_key_cases_built_in(PathKeyCases *c, TabiaError *error);
/*
 * The positions of an EPD file: operations `expect draw`, `expect win`, `draw`, `bm`, `am`; `pv` for moves to make
 * first (coordinates). A line without any of these is skipped.
 */
bool path_key_cases_read(PathKeyCases *c, const char *path, TabiaError *error);
void path_key_cases_free(PathKeyCases *c);

/* Of each game, to NULL: the cases of our own, as lines of such a file; and where nodes to a fixed depth are counted. */
extern const char *const path_key_built_in[], *const path_key_node_positions[];

typedef struct {
    uint64_t nodes; /* to the depth, over positions of several types */
    unsigned total[OUTCOMES], correct_cold[OUTCOMES], correct_warm[OUTCOMES];
    unsigned false_mates_cold, false_mates_warm;
} PathKeyResult;

typedef struct {
    uint64_t nodes; /* for each result; 0: to the depth of `answer_depth` */
    int answer_depth, depth;
    uint64_t hash_bytes;
    const PathKeyCases *cases;
    /* Before each position; true ends the run. */
    bool (*on_progress)(void *context, unsigned done, unsigned all);
    void *context;
} PathKeyRequest;

/*
 * Measures a form. False with an error if a search cannot be created; *stopped: on_progress() ended it, results are
 * partial.
 */
bool path_key_measure(const PathKeyRequest *request, PathKeyForm form, PathKeyResult *result, bool *stopped,
                      TabiaError *error);
