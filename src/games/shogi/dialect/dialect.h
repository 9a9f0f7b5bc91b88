/* SPDX-License-Identifier: MIT */
/*
 * What the clients of an engine of this game say and expect, where protocols differ: here the Universal Shogi Interface.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include <stddef.h>

#include "rules/position.h"

/* Commands of the client, and what the engine answers to the first. */
#define DIALECT_HELLO "usi"
#define DIALECT_HELLO_OK "usiok"
#define DIALECT_NEW_GAME "usinewgame"
#define DIALECT_POSITION "sfen" /* the word after "position" before a position as text */
#define DIALECT_POSITION_TITLE "Sfen"
#define DIALECT_GAME_OVER "gameover" /* stops a search */
#define DIALECT_GO_BYOYOMI "byoyomi" /* before the time for each move, after the rest is used up */

/* In the place of a best move: there is no legal one; the side to move ends the game as won by saying so. */
#define DIALECT_NO_MOVE "resign"
#define DIALECT_WIN "win"

/* Names of options that clients set unasked; NULL: the game has no such option. */
#define DIALECT_OPTION_HASH "USI_Hash"
#define DIALECT_OPTION_PONDER "USI_Ponder"
#define DIALECT_OPTION_ELO "USI_Elo"
#define DIALECT_OPTION_LIMIT_STRENGTH "USI_LimitStrength"
#define DIALECT_OPTION_SHOW_WDL "USI_ShowWDL"
#define DIALECT_OPTION_CHESS960 NULL
/* Listed where the game has networks. */
#define DIALECT_OPTION_EVALUATION "Evaluation"
#define DIALECT_OPTION_EVAL_FILE "EvalFile"

enum {
    DIALECT_FIRST = BLACK, /* the side that evaluations for people are of */
    DIALECT_BENCH_DEPTH = 8,
    DIALECT_OPTION_BLANK = '_', /* what parts the words of an option's name: clients read a name up to a blank */
    DIALECT_MATES_IN_PLIES = 1, /* does "score mate" count plies, or moves? */
    DIALECT_MATE_IS_TIMED = 1,  /* is "go mate" followed by a time, and answered with the mate? */
    DIALECT_BOARD_MAX = (RANKS + 1) * (2 * FILES + 4) + 128,
};

/* The board for people, a line a rank, with coordinates, and the hands. */
void dialect_board(const Position *p, char out[DIALECT_BOARD_MAX]);

/* The positions of the bench, to NULL. */
extern const char *const dialect_bench_positions[];
