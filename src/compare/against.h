/* SPDX-License-Identifier: MIT */
/*
 * Finds the bug in another program's move generator. Its divide is compared with ours at depth 1, 2, 3, ... until they
 * differ; then both follow the first move whose counts differ, until the lists of moves themselves do:
 *
 *     depth 4   e2e4 9322        9321           differ: one ply down, after e2e4
 *     depth 3   e2e4 d7d5 607    606            after d7d5
 *     depth 2   ...                             after e4e5
 *     depth 1   e5f6             -              here: the move e5f6 is missing
 *
 * Where the other program came to that position by playing moves, it is queried again with ever later positions of the
 * line as the start: so an error in generating (which shows with the position alone) is distinguished from one in
 * playing a move (which needs that move).
 *
 * Two other ends are possible: every count of a position is right but the total is not their sum; and a count below a
 * move is wrong although, after that move, the program counts right (its state is not restored, or its table is bad).
 */
#pragma once
#include "opponent.h"
#include "perft/divide.h"
#include "rules/types.h"
#include "suite.h"

/* Longest line of moves that is looked at, those of --moves included. */
enum { PLAYED_MOVES_MAX = 512 };

/* A position, and how both programs came to it. */
typedef struct {
    char fen[200]; /* as it was given, for the other program */
    Position start, at;
    bool chess960;
    unsigned n;
    Move move[PLAYED_MOVES_MAX];
} PlayedPosition;

typedef enum {
    DIFFERENCE_NONE,
    DIFFERENCE_MOVES, /* missing or extra moves */
    DIFFERENCE_COUNT, /* right moves, but a count is wrong and cannot be followed deeper */
    DIFFERENCE_TOTAL, /* right moves and counts, but not the total */
} DifferenceType;

typedef struct {
    DifferenceType type;
    PlayedPosition line;                 /* where */
    int depth;                           /* of the question that showed it, at that position */
    unsigned missing_count, extra_count; /* DIFFERENCE_MOVES */
    Move missing[MOVES_MAX];             /* legal, but not in its list */
    char extra[DIVIDE_MAX][UCI_MAX];     /* in its list, but not legal, or there already */
    Move move;                           /* DIFFERENCE_COUNT: the move, legal at line.at */
    U128 ours, theirs;                   /* DIFFERENCE_COUNT: the counts below it; DIFFERENCE_TOTAL: the totals */
    unsigned moves_needed;               /* DIFFERENCE_MOVES: the fewest last moves of the line that show it */
    U128 nodes;                          /* leaves compared */
    unsigned questions;
} Difference;

typedef struct {
    const char *command;
    Protocol protocol;
    double seconds;    /* for each question */
    int depth;         /* 1 or more; for suites the depths of the file */
    const char *fen;   /* null: the start position */
    const char *moves; /* UCI or SAN, played first; null: none */
    bool chess960;
    SuiteOptions suite; /* file_name: NULL, or a suite in the place of fen and depth */
} AgainstOptions;

/*
 * Compares one position to options->depth, or each position of a suite to the deepest depth that is not left out.
 * Returns
 *    0   no difference
 *    1   a difference was found (and printed)
 *    2   nothing was found, but the position, the moves or a line of the suite was bad, or the suite cannot be read
 *    3   nothing was found, but the other program hung, crashed, printed unknown lines or did not start (named), or our own
 *        count could not be made
 *  130   stopped
 * The error says why, for 2 and 3, where it was not printed on messages; else its text is empty. Where the one position
 * was not compared to the end, or the program answers no query at all, that error is the only line.
 */
int against_run(const AgainstOptions *options, TabiaError *error);

/* ---- the parts ---- */

/* A line without moves yet, from a FEN. */
bool played_position_begin(PlayedPosition *line, const char *fen, bool chess960, TabiaError *error);
void played_position_append(PlayedPosition *line, Move m);

enum { PLAYED_MOVES_TEXT_MAX = PLAYED_MOVES_MAX * 6 };
/* The moves from number `from` on, in UCI notation, one blank apart. */
void played_position_moves(const PlayedPosition *line, unsigned from, char out[PLAYED_MOVES_TEXT_MAX]);

/* Looks for a difference from this line down. False with an error if a question was not answered. */
bool against_search(const AgainstOptions *options, Opponent *opponent, const PlayedPosition *line, int depth,
                    Difference *difference, TabiaError *error);
