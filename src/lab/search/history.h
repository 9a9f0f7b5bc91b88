/* SPDX-License-Identifier: MIT */
/*
 * What path keys are worth: for each form of HistoryKey the nodes to a fixed depth, and how many answers are right on
 * positions whose outcome is known, cold (a fresh table) and warm (a table that has just searched the same position
 * with the clock of the 50-move rule at 0, and so holds scores that are wrong now).
 *
 * Right is: for a draw, a score of at most HISTORY_DRAWN centipawns on either side; for a win, at least HISTORY_WON, or
 * a mate that the clock allows; for a position with a best move or one to avoid, that move played or not. A false mate
 * is one that is announced although the position is a draw or the clock forestalls it.
 */
#pragma once
#include "base/error.h"
#include "search/search.h"

enum { HISTORY_FORMS = HISTORY_GAME + 1, HISTORY_DRAWN = 50, HISTORY_WON = 150 };

typedef enum { OUTCOME_DRAW, OUTCOME_WIN, OUTCOME_MOVE, OUTCOMES } HistoryOutcome;

enum { HISTORY_MOVES_MOST = 64, HISTORY_NAMED_MOST = 8 };
typedef struct {
    Position at;
    Move played[HISTORY_MOVES_MOST]; /* from there, before the question is asked */
    unsigned played_n;
    HistoryOutcome outcome;
    Move best[HISTORY_NAMED_MOST], avoid[HISTORY_NAMED_MOST]; /* OUTCOME_MOVE */
    unsigned best_n, avoid_n;
} HistoryCase;

typedef struct {
    HistoryCase *all;
    unsigned n;
} HistoryCases;

/* Positions of our own: king and queen, and king and rook, against king, in pairs that are solved exactly: the clock
   lets the mate fall on the 100th ply, and one ply too late; and locked positions that nobody can win. False with an
   error if there is no memory. */
bool history_cases_own(HistoryCases *c, TabiaError *error);
/* Those of an EPD: `expect draw`, `expect win`, `draw`, `bm`, `am` in its operations, `pv` for moves before the
   question (coordinates). A line without any of these is passed over. */
bool history_cases_read(HistoryCases *c, const char *path, TabiaError *error);
void history_cases_free(HistoryCases *c);

typedef struct {
    uint64_t nodes; /* to the depth, over positions of several kinds */
    unsigned asked[OUTCOMES], cold[OUTCOMES], warm[OUTCOMES];
    unsigned false_cold, false_warm;
} HistoryFigures;

typedef struct {
    uint64_t nodes; /* for each answer; 0: to the depth of `answer_depth` */
    int answer_depth, depth;
    uint64_t hash_bytes;
    const HistoryCases *cases;
    /* Before each position; true ends the run. */
    bool (*watch)(void *context, unsigned done, unsigned all);
    void *context;
} HistoryJob;

/* The form's figures. False with an error if a search cannot be had; *stopped: watch() ended it, figures are partial. */
bool history_measure(const HistoryJob *job, HistoryKey form, HistoryFigures *figures, bool *stopped, TabiaError *error);
