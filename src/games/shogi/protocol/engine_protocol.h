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
#define PROTOCOL_HELLO "usi"
#define PROTOCOL_HELLO_OK "usiok"
#define PROTOCOL_NEW_GAME "usinewgame"
#define PROTOCOL_POSITION "sfen" /* the word after "position" before a position as text */
#define PROTOCOL_POSITION_TITLE "Sfen"
#define PROTOCOL_GAME_OVER "gameover" /* stops a search */
#define PROTOCOL_GO_BYOYOMI "byoyomi" /* before the time for each move, after the rest is used up */

/* In the place of a best move: there is no legal one; the side to move ends the game as won by saying so. */
#define PROTOCOL_NO_MOVE "resign"
#define PROTOCOL_WIN "win"

/* Names of options that clients set unasked; NULL: the game has no such option. */
#define PROTOCOL_OPTION_HASH "USI_Hash"
#define PROTOCOL_OPTION_PONDER "USI_Ponder"
#define PROTOCOL_OPTION_ELO "USI_Elo"
#define PROTOCOL_OPTION_LIMIT_STRENGTH "USI_LimitStrength"
#define PROTOCOL_OPTION_SHOW_WDL "USI_ShowWDL"
#define PROTOCOL_OPTION_CHESS960 NULL
#define PROTOCOL_OPTION_PATH_KEY NULL
/* Listed where the game has networks. */
#define PROTOCOL_OPTION_EVALUATION "Evaluation"
#define PROTOCOL_OPTION_EVAL_FILE "EvalFile"
#define PROTOCOL_OPTION_EVAL_DIR "EvalDir" /* a folder with nn.bin, and its scale: as users of YaneuraOu set them */
#define PROTOCOL_OPTION_EVAL_SCALE "FV_SCALE"

enum {
    PROTOCOL_FIRST = BLACK, /* the side that evaluations for people are of */
    PROTOCOL_BENCH_DEPTH = 8,
    PROTOCOL_OPTION_BLANK = '_', /* what separates the words of an option's name: clients read a name up to a blank */
    PROTOCOL_MATES_IN_PLIES = 1, /* does "score mate" count plies, or moves? */
    PROTOCOL_MATE_IS_TIMED = 1,  /* is "go mate" followed by a time, and answered with the mate? */
    PROTOCOL_BOARD_MAX = (RANKS + 1) * (2 * FILES + 4) + 128,
};

/* The board for people, a line a rank, with coordinates, and the hands. */
void engine_protocol_board(const Position *p, char out[PROTOCOL_BOARD_MAX]);

/* The positions of the bench, to NULL. */
extern const char *const engine_protocol_bench_positions[];
