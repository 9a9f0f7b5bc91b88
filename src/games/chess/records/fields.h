/* SPDX-License-Identifier: MIT */
/*
 * What a record of training data may hold in chess, and what of a position a format may leave out.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/position.h"

/* The fields that a format may store: identifier, name for messages. MOVE, SCORE, RESULT, PLY, TURN, GAME_STARTS and SKIP
   are those of every game. */
#define DATA_FIELDS(FIELD)                                                                                             \
    FIELD(MOVE, "move")                                                                                                \
    FIELD(SCORE, "score")                                                                                              \
    FIELD(RESULT, "result")                                                                                            \
    FIELD(PLY, "ply")                                                                                                  \
    FIELD(TURN, "side to move")                                                                                        \
    FIELD(CASTLING, "castling rights")                                                                                 \
    FIELD(EP, "en passant square")                                                                                     \
    FIELD(HALFMOVE_CLOCK, "halfmove clock")                                                                            \
    FIELD(FULLMOVE_NUMBER, "fullmove number")                                                                          \
    FIELD(GAME_STARTS, "game boundaries")                                                                              \
    FIELD(OPENING_EVAL, "evaluation of the game's first position")                                                     \
    FIELD(SKIP, "skip mark")

#define DATA_FIELD_INDEX(name, words) DATA_FIELD_##name,
enum { DATA_FIELDS(DATA_FIELD_INDEX) DATA_FIELDS_N };
#define DATA_FIELD_BIT(name, words) DATA_##name = 1 << DATA_FIELD_##name,
enum { DATA_FIELDS(DATA_FIELD_BIT) DATA_NO_FIELDS = 0 };

/* A set of fields: DATA_MOVE | DATA_PLY. */
typedef unsigned DataFields;

/* What only formats of this game store of a record. */
typedef struct {
    int16_t opening_eval; /* viriformat's evaluation of the first position of a game; 0 elsewhere */
} RecordExtra;

/* The fields whose values differ from those that a format without them reads. */
DataFields position_fields(const Position *p);
INLINE DataFields extra_fields(RecordExtra extra) {
    return extra.opening_eval ? DATA_OPENING_EVAL : DATA_NO_FIELDS;
}

/* The position as a format with these fields reads it back, its clocks aside: without castling rights and en passant
   square, or as the side to move sees it. */
Position position_stored(const Position *p, DataFields fields);
