/* SPDX-License-Identifier: MIT */
/*
 * A record of training data: a position, the move played there, the score of a search, and the result of the game. A
 * record of a table (tabia/record.h) is another thing: data words under a key.
 * Every format is decoded into records and encoded from them. A format does not store every field (format.h).
 *
 * Score and result are relative to the side to move, whatever a format stores. Scores are copied as numbers; their unit
 * (internal units or centipawns) is that of the program that wrote them. Stockfish's tools mark a record that trainers
 * are to skip by the score 32002 (VALUE_NONE). Formats with this mark (DATA_SKIP) are read into `skip`; in the other
 * formats 32002 is a score like any other.
 */
#pragma once
#include "records/fields.h"
#include "records/move_counters.h"
#include "rules/movegen.h"

/* The score that marks a record to be skipped, in the formats that have the mark. */
enum { DATA_SKIP_SCORE = 32002 };
/* The greatest score that verify accepts, and that a text is read as, whatever it says. */
enum { DATA_SCORE_MAX = 32000 };

typedef struct {
    Position position; /* passes position_validate(); includes its move counters */
    int32_t score;     /* of the side to move, -32768 to 32768: some formats store 16 bits relative to white */
    Move move;         /* legal in `position`; 0: unknown */
    RecordExtra extra; /* what only formats of this game store */
    uint64_t number;   /* among the good ones that a source (source.h) has read; 0: it was read otherwise */
    uint16_t ply;      /* since the start of the game, opening included */
    int8_t result;     /* of the side to move: -1 lost, 0 drawn, 1 won */
    bool starts_game;  /* does not follow from the record before it */
    bool unused;       /* bits that its format leaves unused are set; they have no meaning, and are not written */
    bool skip;         /* trainers are to skip it; the score is DATA_SKIP_SCORE and has no meaning */
} DataRecord;

/* A row of a list: its name in options and counts, and words for a report. */
typedef struct {
    const char *name, *words;
} DataName;

/* The score relative to white. */
INLINE int32_t data_white_score(const DataRecord *r) {
    return r->position.turn == WHITE ? r->score : -r->score;
}
/* A score clamped to 16 bits. */
INLINE int16_t data_score16(int32_t score) {
    return (int16_t)(score > INT16_MAX ? INT16_MAX : score < INT16_MIN ? INT16_MIN : score);
}
/* The result relative to white: -1, 0, 1. */
INLINE int8_t data_white_result(const DataRecord *r) {
    return r->position.turn == WHITE ? r->result : (int8_t)-r->result;
}

/* True if `later` continues the game of `earlier`: its position is the one after the move, move counters included, its ply is
   the next, and the result of the game is the same. */
bool data_follows(const DataRecord *earlier, const DataRecord *later);

/* The name of a field for messages, by its index: "halfmove clock". */
const char *data_field_name(unsigned index);
