/* SPDX-License-Identifier: MIT */
/*
 * A record of training data: a position, the move that was played there, what a search said of it, and how the game
 * ended. Every format is read into records and written from them; what a format cannot say is a field it does not hold
 * (format.h).
 *
 * Score and result are those of the side to move, whatever a format writes. Scores are copied as numbers: in which unit
 * they are, engine units or centipawns, is the affair of whoever made them. One number is no score: Stockfish's tools
 * mark a record that trainers are to skip by the score 32002 (VALUE_NONE); where a format has that mark (DATA_SKIP), it
 * is read as `skip`, and in the others 32002 is a score like any other.
 */
#pragma once
#include "rules/movegen.h"

/* The fields that a format may hold or not: name, the words for it. */
#define DATA_FIELDS(FIELD)                                                                                             \
    FIELD(MOVE, "move")                                                                                                \
    FIELD(SCORE, "score")                                                                                              \
    FIELD(RESULT, "result")                                                                                            \
    FIELD(PLY, "ply")                                                                                                  \
    FIELD(TURN, "side to move")                                                                                        \
    FIELD(CASTLING, "castling rights")                                                                                 \
    FIELD(EP, "en passant square")                                                                                     \
    FIELD(CLOCK, "halfmove clock")                                                                                     \
    FIELD(NUMBER, "fullmove number")                                                                                   \
    FIELD(GAMES, "where games begin")                                                                                  \
    FIELD(OPENING, "evaluation of the game's first position")                                                          \
    FIELD(SKIP, "mark to be skipped")

#define DATA_FIELD_NUMBER(name, words) DATA_NUMBER_##name,
enum { DATA_FIELDS(DATA_FIELD_NUMBER) DATA_FIELDS_N };
#define DATA_FIELD_BIT(name, words) DATA_##name = 1 << DATA_NUMBER_##name,
enum { DATA_FIELDS(DATA_FIELD_BIT) DATA_NO_FIELD = 0 };

/* A set of fields: DATA_MOVE | DATA_PLY. */
typedef unsigned DataFields;

/* The score of a record that is marked to be skipped, in the formats that have the mark. */
enum { DATA_SKIP_SCORE = 32002 };

typedef struct {
    Position position; /* passes position_validate(); its clocks are the record's */
    int32_t score;     /* of the side to move, -32768 to 32768: viriformat's 16 bits are white's score */
    Move move;         /* legal there; 0: not known */
    int16_t opening;   /* viriformat's evaluation of the first position of a game; 0 elsewhere */
    uint16_t ply;      /* since the game began, openings included */
    int8_t result;     /* of the side to move: -1 lost, 0 drawn, 1 won */
    bool first;        /* begins a game: it does not follow from the record before it */
    bool skip;         /* marked to be skipped by trainers; the score is DATA_SKIP_SCORE then, and says nothing */
} DataRecord;

/* What the fullmove number says of the ply: formats without a field for it are read so. */
INLINE uint16_t data_ply_of(const Position *p) {
    return (uint16_t)(2 * (p->fullmove - 1) + p->turn);
}

/* The score as white sees it. */
INLINE int32_t data_white_score(const DataRecord *r) {
    return r->position.turn == WHITE ? r->score : -r->score;
}
/* A score where there are 16 bits for it: the nearest that they hold. */
INLINE int16_t data_score16(int32_t score) {
    return (int16_t)(score > INT16_MAX ? INT16_MAX : score < INT16_MIN ? INT16_MIN : score);
}
/* The same for the result: -1, 0, 1. */
INLINE int8_t data_white_result(const DataRecord *r) {
    return r->position.turn == WHITE ? r->result : (int8_t)-r->result;
}

/* Does `later` carry on the game where `earlier` left it: the position after its move, clocks included, the next ply,
   the same end of the game? */
bool data_follows(const DataRecord *earlier, const DataRecord *later);

/* "white score" and the like in faults: the words of one field, by its number. */
const char *data_field_words(unsigned number);
