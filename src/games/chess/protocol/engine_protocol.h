/* SPDX-License-Identifier: MIT */
/*
 * What the clients of an engine of this game say and expect, where protocols differ: here the Universal Chess Interface.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"

/* Commands of the client, and what the engine answers to the first. */
#define PROTOCOL_HELLO "uci"
#define PROTOCOL_HELLO_OK "uciok"
#define PROTOCOL_NEW_GAME "ucinewgame"
#define PROTOCOL_POSITION "fen" /* the word after "position" before a position as text */
#define PROTOCOL_POSITION_TITLE "Fen"
#define PROTOCOL_GAME_OVER ""    /* stops a search; no word is empty */
#define PROTOCOL_GO_BYOYOMI NULL /* before the time for each move, after the rest is used up; NULL: there is none */

/* In the place of a best move: there is no legal one; the side to move ends the game as won by saying so. */
#define PROTOCOL_NO_MOVE "(none)"
#define PROTOCOL_WIN "(none)"

/* Names of options that clients set unasked; NULL: the game has no such option. */
#define PROTOCOL_OPTION_HASH "Hash"
#define PROTOCOL_OPTION_PONDER "Ponder"
#define PROTOCOL_OPTION_ELO "UCI_Elo"
#define PROTOCOL_OPTION_LIMIT_STRENGTH "UCI_LimitStrength"
#define PROTOCOL_OPTION_SHOW_WDL "UCI_ShowWDL"
#define PROTOCOL_OPTION_CHESS960 "UCI_Chess960"
#define PROTOCOL_OPTION_PATH_KEY "PathKey"
/* Listed where the game has networks. */
#define PROTOCOL_OPTION_EVALUATION NULL
#define PROTOCOL_OPTION_EVAL_FILE "EvalFile"
#define PROTOCOL_OPTION_EVAL_DIR NULL
#define PROTOCOL_OPTION_EVAL_SCALE NULL

enum {
    PROTOCOL_FIRST = WHITE, /* the side that evaluations for people are of */
    PROTOCOL_BENCH_DEPTH = 12,
    PROTOCOL_OPTION_BLANK = ' ', /* what separates the words of an option's name */
    PROTOCOL_MATES_IN_PLIES = 0, /* does "score mate" count plies, or moves? */
    PROTOCOL_MATE_IS_TIMED = 0,  /* is "go mate" followed by a time, and answered with the mate? */
    PROTOCOL_BOARD_MAX = 9 * (2 + 2 * 8 + 1) + 1,
};

/* The board for people, a line a rank, with coordinates. */
void engine_protocol_board(const Position *p, char out[PROTOCOL_BOARD_MAX]);

/* The positions of the bench, to NULL. */
extern const char *const engine_protocol_bench_positions[];
