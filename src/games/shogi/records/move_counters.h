/* SPDX-License-Identifier: MIT */
/*
 * The counter of a position of shogi, the number of the move to come: what two positions may differ in and still be the
 * same.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "records/fields.h"

/* The ply since the start of the game that follows from the move number, for formats that store no ply. */
INLINE uint16_t move_counters_ply(const Position *p) {
    return (uint16_t)(p->ply - 1);
}

INLINE bool move_counters_same(const Position *a, const Position *b) {
    return a->ply == b->ply;
}

/* As at the start of a game. */
INLINE void move_counters_reset(Position *p) {
    p->ply = 1;
}

/* For messages: "34". */
enum { MOVE_COUNTERS_TEXT_MAX = 24 };
const char *move_counters_text(const Position *p, char out[MOVE_COUNTERS_TEXT_MAX]);

/* False with an error if no game has this move number. It limits nothing: always true. */
bool move_counters_possible(const Position *p, DataFields fields, unsigned ply, TabiaError *error);
