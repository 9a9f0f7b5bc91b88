/* SPDX-License-Identifier: MIT */
/*
 * Two kings and two pawns that block each other, solved under the rule of threefold repetition with the game's history.
 *
 *     . . k . .      Only the kings move, so positions come again; who takes the other's pawn wins, or draws, by the solved
 *     . . p . .      ending of king and pawn against king. The ways there are few: a position that was there twice, whose
 *     . . P . K      third time is a draw, can bar the only one.
 *
 * Winning along the shortest way never repeats a position, and a repetition of what was there once before is only its second
 * time. So the whole history is the set of positions that were there twice: to enter one of them is a draw, and with that the
 * results are exact.
 *
 * Constant once created; any number of threads may ask.
 */
#pragma once
#include "endgame_table.h"

/* A state is one placement of the kings and the side to move: a number below LOCKED_STATES, not all of them legal. */
enum { LOCKED_STATES = 2 * 64 * 64, LOCKED_MOVES_MAX = 8 };

typedef struct LockedPawns LockedPawns;

/* pawn: the white one's square, on the second to the sixth rank; the black one stands before it. "KPK" must be solved in t. NULL:
   no memory. */
LockedPawns *locked_pawns_create(const EndgameTables *t, int pawn);
/* NULL is allowed. */
void locked_pawns_free(LockedPawns *l);

bool locked_state_is_legal(const LockedPawns *l, unsigned state);
/* The halfmove clock is 0. The state must be legal. */
Position locked_position(const LockedPawns *l, unsigned state);
/* Of a position with these pawns. */
unsigned locked_state(const Position *p);

/*
 * values: for each legal state the result for the side to move, and the plies to the mate or the capture that decides, as in
 * EndgameValue. twice: for each state whether it was there twice, so that entering it is a draw; asked of a state itself, it does
 * not matter.
 */
void locked_pawns_solve(const LockedPawns *l, const bool twice[LOCKED_STATES], EndgameValue values[LOCKED_STATES]);

typedef struct {
    Move move;
    int result; /* of the side that moves: 1 won, 0 drawn, -1 lost */
} MoveResult;

/* All moves of the state at a halfmove clock with their results. Returns how many. */
unsigned locked_pawns_moves(const LockedPawns *l, unsigned state, int clock, const bool twice[LOCKED_STATES],
                            const EndgameValue values[LOCKED_STATES], MoveResult list[LOCKED_MOVES_MAX]);
