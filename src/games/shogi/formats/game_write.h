/* SPDX-License-Identifier: MIT */
/*
 * What csa and kif share when games are written. Training data store a result and not how it came about: an end is named where the
 * last position shows it, and else the side to move is taken to have resigned.
 *
 * Threads: an encoder belongs to one thread at a time.
 */
#pragma once
#include "data/encode.h"

/* Of the side to move behind the last move. GAME_END_WON: its opponent may have broken a rule, or a referee has ended the game. */
typedef enum { GAME_END_MATE, GAME_END_LOST, GAME_END_DRAWN, GAME_END_DECLARED, GAME_END_WON } GameEnd;

/* The end of the open game, and who is to move there. */
GameEnd game_write_end(const DataEncoder *e, Colour *to_move);

/* Does the next record begin a game in the file? state.moves is 0 then. A game that is longer than readers take is divided. */
bool game_write_begins(DataEncoder *e);

/* Is it the start of a game without a handicap? */
bool game_write_is_start(const Position *p);

/* For black, as far as it is stored; DATA_SCORE if it is not. */
int game_write_score(const DataRecord *r);
DataFields game_write_lost(const DataRecord *r);
