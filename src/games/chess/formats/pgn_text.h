/* SPDX-License-Identifier: MIT */
/*
 * What PGN is made of, read one character after the other from a decoder's window, which counts the lines. A line ends with
 * LF, CR or both. Reading ends for any input: what is neither tag nor move may be PGN_SKIPPED_BYTES long.
 */
#pragma once
#include "data/decode.h"

enum {
    PGN_WORD_MAX = 32,           /* of a move or a result, with its '\0' */
    PGN_TAG_MAX = 256,           /* of a tag's value, with its '\0' */
    PGN_SKIPPED_BYTES = 1 << 26, /* between two moves or tags */
    PGN_END = -1,                /* the end of the input, or what is skipped is too long */
    PGN_RESULT_OPEN = 3,         /* of an unfinished game, '*' */
};

/* The next character, which is not consumed; PGN_END at the end. */
int pgn_peek(DataDecoder *d);

/* Consumes a character that was peeked; n that are known and hold no line end; all up to the end of the line. */
void pgn_next(DataDecoder *d);
void pgn_skip(DataDecoder *d, size_t n);
void pgn_skip_line(DataDecoder *d);

/* A tag, [Name "value"], at whose '[' the input stands, and the bytes it takes; nothing is consumed. The value, as it stands
   there, ends before the last "] of the line, or before one that ends the line or has another tag behind it. Of a value that
   is too long the beginning, and *cut. False with an error; the name, if there is one, is set. */
typedef struct {
    char name[PGN_WORD_MAX], value[PGN_TAG_MAX];
    size_t bytes;
    bool cut;
} PgnTag;
bool pgn_peek_tag(DataDecoder *d, PgnTag *tag, TabiaError *error);

/* Within moves: does a game begin here? So does a tag that begins its line, if it is Event or a blank line is before it. */
bool pgn_begins_game(DataDecoder *d);

/* A word: up to a blank or one of {}()[];$ and the end. One that is too long is cut off. */
void pgn_read_word(DataDecoder *d, char word[PGN_WORD_MAX]);

/* The result that a word is, in the standard's spelling or with dashes and halves of typography: 0 to 2 half points of white,
   PGN_RESULT_OPEN, or -1. */
int pgn_result(const char *word);

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

/* Skips what may stand between moves (comments, variations, glyphs, marks such as +/=), and finds the evaluations in the
   comments. Between tags it is comments alone. Marks of letters, as N, stand behind a move only, and no variation stands
   before the first move. False with an error: a comment or variation does not end. */
typedef enum { PGN_BEFORE_TAGS, PGN_BEFORE_MOVES, PGN_BEHIND_NUMBER, PGN_BEHIND_MOVE } PgnPlace;
bool pgn_read_annotations(DataDecoder *d, PgnPlace place, PgnComments *found, TabiaError *error);

/* The evaluation that a comment begins with, as fastchess and cutechess write it: "+0.35/12 0.5s", "-M6/20". */
PgnEvaluation pgn_evaluation(const char *comment);

/* What Lichess writes as [%eval ...], without its brackets, for white: "0.17", "-1.5,20", and "#-3" for a mate in 3 moves,
   whose plies depend on the side to move. */
PgnEvaluation pgn_analysis(const char *text, Colour to_move);

/* The comment that says this score, without its depth. */
enum { PGN_SCORE_MAX = 16 };
void pgn_score_text(int score, char out[PGN_SCORE_MAX]);

/* How the standard spells a result, by the half points of white. */
extern const char *const pgn_results[3];

/* What was read of a game's tags. */
typedef struct {
    unsigned seen;    /* a bit for each that matters, and one for all others */
    bool is_set_up;   /* SetUp is 1 */
    bool is_followed; /* by the tags of the next game */
    uint64_t last_line, fault_line;
    TabiaError fault; /* the first one, where fault_line is not 0 */
} PgnTags;

/* Reads all tags at the '[' of the first, behind a fault too: the moves behind them are this game's. Sets the position and the
   result of the decoder, and what the last comments say. */
void pgn_read_tags(DataDecoder *d, PgnTags *tags, PgnComments *comments);
