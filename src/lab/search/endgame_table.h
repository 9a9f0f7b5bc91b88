/* SPDX-License-Identifier: MIT */
/*
 * Endings of up to four pieces, kings included, solved by retrograde analysis under the 50-move rule.
 *
 * For each position the table has the result and the distance: the plies within which the winning side can force mate or
 * a zeroing move (a capture, a move of a pawn) that keeps the win, against the longest defence. What a zeroing move leads
 * to begins with a clock of 0 and has a distance of its own, so nothing else of the clock has to be stored:
 *
 *     won or lost at a halfmove clock c    if c + distance <= 100
 *     drawn                                otherwise
 *
 * The mate may fall on the 100th ply. Distances beyond 100 plies are draws at every clock and are not stored. Along the
 * shortest win the distance falls with every ply, so no position is repeated, and a repetition helps the defence nowhere:
 * the results hold with the rule of threefold repetition too, unless a position after the root has occurred twice before.
 *
 * Constant once created; any number of threads may ask.
 */
#pragma once
#include "base/error.h"
#include "game.h"

typedef struct EndgameTables EndgameTables;

/* Before each ending: how many are solved, and which part of the work that was, 0 to 1. */
typedef void EndgameProgress(void *context, unsigned solved, double fraction);

/*
 * Solves endings by name, white's pieces and then black's: "KQK", "KBNK", "KQKP"; and the endings that their captures
 * and promotions lead to. At most two pieces beside the kings, and one of them a pawn. NULL with an error for another
 * name, if there is no memory, or if a stop was requested. progress may be NULL.
 */
EndgameTables *endgame_tables_create(const char *const *names, unsigned n, EndgameProgress *progress, void *context,
                                     TabiaError *error);
/* NULL is allowed. */
void endgame_tables_free(EndgameTables *t);

/* At a halfmove clock of 0, for the side to move. */
typedef struct {
    int result; /* 1 won, 0 drawn, -1 lost */
    int plies;  /* distance, if not drawn: 1 .. 100 if won, 0 (mated) .. 100 if lost */
} EndgameValue;

/* False: the ending is not solved, or the position is not legal. */
bool endgame_value(const EndgameTables *t, const Position *p, EndgameValue *v);
/* The result at the position's own halfmove clock: 1, 0 or -1 for the side to move. The ending must be solved. */
int endgame_result(const EndgameTables *t, const Position *p);

/*
 * A legal position of a solved ending, the stronger side white, its squares and side to move chosen with equal probability among those that are
 * stored, with a halfmove clock of 0.
 */
Position endgame_random(const EndgameTables *t, const char *name, uint64_t *seed);
