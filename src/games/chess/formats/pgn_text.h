/* SPDX-License-Identifier: MIT */
/*
 * What PGN is made of, read one character after the other from a decoder's window, which counts the lines. Reading ends for
 * any input: what is neither tag nor move may be PGN_SKIPPED_BYTES long.
 */
#pragma once
#include "data/decode.h"

enum {
    PGN_WORD_MAX = 32,           /* of a move or a result, with its '\0' */
    PGN_TAG_MAX = 256,           /* of a tag's value, with its '\0' */
    PGN_SKIPPED_BYTES = 1 << 20, /* between two moves or tags */
    PGN_END = -1,                /* the end of the input, or what is skipped is too long */
};

/* The next character, which is not consumed; PGN_END at the end. */
int pgn_peek(DataDecoder *d);

/* Consumes a character that was peeked. */
void pgn_next(DataDecoder *d);

/* Skips blanks and line ends, and returns the character behind them. */
int pgn_skip_blanks(DataDecoder *d);

/* A tag, [Name "value"], at whose '[' the input stands. A value that is too long is cut off, *cut tells it. False with an
   error. */
typedef struct {
    char name[PGN_WORD_MAX], value[PGN_TAG_MAX];
    bool cut;
} PgnTag;
bool pgn_read_tag(DataDecoder *d, PgnTag *tag, TabiaError *error);

/* A word: up to a blank or one of {}()[];$ and the end. One that is too long is cut off. */
void pgn_read_word(DataDecoder *d, char word[PGN_WORD_MAX]);

/* What comments say of a position, in centipawns; mate in n plies is 32000 - n. */
typedef struct {
    bool found, in_range;
    int score;
} PgnEvaluation;

/* The first of each kind behind a move: what the search of the side that moved said of the position before it; and what an
   analysis says of the position behind it, for white. */
typedef struct {
    PgnEvaluation of_search, of_analysis;
} PgnComments;

/* Skips what may stand behind a move (comments, variations, glyphs), and finds the evaluations in the comments. False with
   an error: a comment or variation does not end. */
bool pgn_read_annotations(DataDecoder *d, PgnComments *found, TabiaError *error);

/* The evaluation that a comment begins with, as fastchess and cutechess write it: "+0.35/12 0.5s", "-M6/20". */
PgnEvaluation pgn_evaluation(const char *comment);

/* What Lichess writes as [%eval ...], without its brackets, for white: "0.17", "-1.5,20", and "#-3" for a mate in 3 moves,
   whose plies depend on the side to move. */
PgnEvaluation pgn_analysis(const char *text, Colour to_move);

/* The comment that says this score, without its depth. */
enum { PGN_SCORE_MAX = 16 };
void pgn_score_text(int score, char out[PGN_SCORE_MAX]);
