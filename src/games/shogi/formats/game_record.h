/* SPDX-License-Identifier: MIT */
/*
 * Games as people and servers record them, as csa does: text, whose result stands behind the moves. A game is read whole
 * into the decoder's state, then given out record by record. A move without an evaluation
 * is marked to be skipped, as training data without a score are; the plies count from the start of the game.
 *
 * A game reaches to the line that begins the next one, or to the end of the input. Every line is understood, or the game is a
 * bad record; reading then resumes at the next game, never within the same one. A text is in UTF-8, Shift_JIS or EUC-JP,
 * and the formats see it in UTF-8.
 *
 * Threads: a decoder belongs to one thread at a time.
 */
#pragma once
#include "data/decode.h"
#include "data/encode.h"
#include "data/text_lines.h"

/* Is the line part of the game? An error is set with LINE_IS_BAD only. */
typedef enum { LINE_TAKEN, LINE_IS_BAD } LineEffect;

/* Takes a line into the game. */
typedef LineEffect LineTaker(DataDecoder *d, const char *line, TabiaError *error);

/* Where in a game a line stands. It begins another game if one of the bits `begins` was closed by a line before it: no game
   has two headers, or a header behind its moves. */
typedef struct {
    uint8_t begins, closes;
} LinePart;
enum { LINE_CLOSES_ALL = 0xff };

/* What differs between the formats. `has_free_text`: nothing is lost if the line is cut, as a long comment is. */
typedef struct {
    LineTaker *take;
    LinePart (*part)(const char *line);
    bool (*has_free_text)(const char *line);
} GameRecordFormat;

/* As `read` and `resync` of a DataFormat. */
int game_record_read(const GameRecordFormat *format, DataDecoder *d, DataRecord *r, TabiaError *error);
int game_record_resync(const GameRecordFormat *format, DataDecoder *d, TabiaError *error);

/* LINE_IS_BAD, with the line in front of what is wrong with it. */
LineEffect game_record_bad(const char *line, const char *what, TabiaError *error);

/* What is wrong with the game, at this line, unless a later line of it gives the result. */
void game_record_doubt(DataDecoder *d, const char *line, const char *what);

/* A position that lines fill: empty before the first of them. */
Position *game_record_placed(DataDecoder *d);

/* Gives a side in hand all that is not on the board or in a hand yet. */
void game_record_rest(Position *p, Colour c);

/* No rank of the position was read, or all of them. */
bool game_record_ranks_whole(const DataDecoder *d);

/* No score, and no move: a new start position. */
void game_record_start(DataDecoder *d, const Position *p);

/* Adds a move. One that is not legal (`text` names it) is left out; the game is bad unless it ends by that move. */
LineEffect game_record_move(DataDecoder *d, Move m, const char *text, TabiaError *error);

/* The result, relative to white, of one for the side to move: it has won (1), lost (-1), or drawn. */
int game_record_white_result(const DataDecoder *d, int result);

/* The game has ended. `is_foul`: by an illegal move, which may be the one before. LINE_IS_BAD if that move or an end before
   says something else. */
LineEffect game_record_end(DataDecoder *d, int white_result, bool is_foul, const char *line, TabiaError *error);

/* The text of a comment, behind the '*' of kif or the "'*" of csa. Some are scores of the move read last, for black:
   "* 35 PV" (floodgate), "*評価値=35" and "#評価値=35" (ShogiHome). */
void game_record_comment(DataDecoder *d, const char *text);

/* ---- writing: training data store a result and not how it came about ---- */

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
