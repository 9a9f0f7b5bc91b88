/* SPDX-License-Identifier: MIT */
/*
 * What the clients of an engine of this game say and expect, where protocols differ: here the Universal Chess Interface.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"

/* Commands of the client, and what the engine answers to the first. */
#define DIALECT_HELLO "uci"
#define DIALECT_HELLO_OK "uciok"
#define DIALECT_NEW_GAME "ucinewgame"
#define DIALECT_POSITION "fen" /* the word after "position" before a position as text */
#define DIALECT_POSITION_TITLE "Fen"
#define DIALECT_GAME_OVER ""    /* stops a search; no word is empty */
#define DIALECT_GO_BYOYOMI NULL /* before the time for each move, after the rest is used up; NULL: there is none */

/* In the place of a best move: there is no legal one; the side to move ends the game as won by saying so. */
#define DIALECT_NO_MOVE "(none)"
#define DIALECT_WIN "(none)"

/* Names of options that clients set unasked; NULL: the game has no such option. */
#define DIALECT_OPTION_HASH "Hash"
#define DIALECT_OPTION_PONDER "Ponder"
#define DIALECT_OPTION_ELO "UCI_Elo"
#define DIALECT_OPTION_LIMIT_STRENGTH "UCI_LimitStrength"
#define DIALECT_OPTION_SHOW_WDL "UCI_ShowWDL"
#define DIALECT_OPTION_CHESS960 "UCI_Chess960"
/* Listed where the game has networks. */
#define DIALECT_OPTION_EVALUATION NULL
#define DIALECT_OPTION_EVAL_FILE "EvalFile"

enum {
    DIALECT_FIRST = WHITE, /* the side that evaluations for people are of */
    DIALECT_BENCH_DEPTH = 12,
    DIALECT_OPTION_BLANK = ' ', /* what parts the words of an option's name */
    DIALECT_MATES_IN_PLIES = 0, /* does "score mate" count plies, or moves? */
    DIALECT_MATE_IS_TIMED = 0,  /* is "go mate" followed by a time, and answered with the mate? */
    DIALECT_BOARD_MAX = 9 * (2 + 2 * 8 + 1) + 1,
};

/* The board for people, a line a rank, with coordinates. */
void dialect_board(const Position *p, char out[DIALECT_BOARD_MAX]);

/* The positions of the bench, to NULL. */
extern const char *const dialect_bench_positions[];
