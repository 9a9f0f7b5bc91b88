/* SPDX-License-Identifier: MIT */
/*
 * What a record of training data may hold in shogi, and what of a position a format may leave out.
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
    FIELD(MOVE_NUMBER, "move number")                                                                                  \
    FIELD(GAME_STARTS, "game boundaries")                                                                              \
    FIELD(SKIP, "skip mark")

#define DATA_FIELD_INDEX(name, words) DATA_FIELD_##name,
enum { DATA_FIELDS(DATA_FIELD_INDEX) DATA_FIELDS_N };
#define DATA_FIELD_BIT(name, words) DATA_##name = 1 << DATA_FIELD_##name,
enum { DATA_FIELDS(DATA_FIELD_BIT) DATA_NO_FIELDS = 0 };

/* A set of fields: DATA_MOVE | DATA_PLY. */
typedef unsigned DataFields;

/* What only formats of this game store of a record: nothing so far. */
typedef struct {
    uint8_t none;
} RecordExtra;

/* The fields whose values differ from those that a format without them reads. */
DataFields position_fields(const Position *p);
INLINE DataFields extra_fields(RecordExtra extra) {
    (void)extra;
    return DATA_NO_FIELDS;
}

/* The position as a format with these fields reads it back, its move number aside. */
Position position_stored(const Position *p, DataFields fields);
