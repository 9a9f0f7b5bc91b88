/* SPDX-License-Identifier: MIT */
/*
 * What a record of training data may hold (lists.h), and what of a position a format may leave out.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "records/lists.h"
#include "rules/movegen.h"

#define DATA_FIELD_INDEX(name, words) DATA_FIELD_##name,
enum { DATA_FIELDS(DATA_FIELD_INDEX) DATA_FIELDS_N };
#define DATA_FIELD_BIT(name, words) DATA_##name = 1 << DATA_FIELD_##name,
enum { DATA_FIELDS(DATA_FIELD_BIT) DATA_NO_FIELDS = 0 };

/* A set of fields: DATA_MOVE | DATA_PLY. */
typedef unsigned DataFields;

/* The fields whose values differ from those that a format without them reads. */
DataFields position_fields(const Position *p);
DataFields extra_fields(RecordExtra extra);

/* How the game ends that this is the last position of: "mate" and its like, and in *result that of the side to move; null: it
   has a move. */
const char *position_ending(const Position *p, int *result);

/* Does a format of these fields store the score of a deeper search as a second one? Then it is put there. */
bool extra_take_deeper_score(RecordExtra *extra, DataFields stored, int32_t score);
