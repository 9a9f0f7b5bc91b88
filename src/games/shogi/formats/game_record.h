/* SPDX-License-Identifier: MIT */
/*
 * Games as people and servers record them, as csa does: text, whose result stands behind the moves. A game is read whole
 * into the decoder's state, then given out record by record. Such formats are only read. A move without an evaluation
 * is marked to be skipped, as training data without a score are; the plies count from the start of the game.
 *
 * Threads: a decoder belongs to one thread at a time.
 */
#pragma once
#include "data/decode.h"
#include "data/text_lines.h"

/* How a line goes on with the game; an error is set with LINE_IS_BAD only. */
typedef enum { LINE_TAKEN, LINE_ENDS_GAME, LINE_IS_BAD } LineEffect;

/* What differs between the formats: takes a line. `d->white_result` is set with LINE_ENDS_GAME. */
typedef LineEffect LineTaker(DataDecoder *d, const char *line, TabiaError *error);

/* `starts`: does the line begin a game? Where another one has moves already, that one has no result. */
typedef struct {
    LineTaker *take;
    bool (*starts)(const char *line);
} GameRecordDialect;

/* As `read` and `resync` of a DataFormat. */
int game_record_read(const GameRecordDialect *dialect, DataDecoder *d, DataRecord *r, TabiaError *error);
int game_record_resync(const GameRecordDialect *dialect, DataDecoder *d, TabiaError *error);

/* The game goes on with a move; LINE_IS_BAD if it is not legal (`text` names it). */
LineEffect game_record_move(DataDecoder *d, Move m, const char *text, TabiaError *error);

/* The game has ended: the side to move has won (1), lost (-1), or drawn. */
LineEffect game_record_end(DataDecoder *d, int result);

/* The score for the side to move of the move read last. */
void game_record_score(DataDecoder *d, int score);

/* No score, and no move: a new start position. */
void game_record_start(DataDecoder *d, const Position *p);
