/* SPDX-License-Identifier: MIT */
/*
 * The counters of a position of chess, halfmove clock and fullmove number: what two positions may differ in and still be
 * the same.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "records/fields.h"

/* The ply since the start of the game that follows from the fullmove number, for formats that store no ply. */
INLINE uint16_t move_counters_ply(const Position *p) {
    return (uint16_t)(2 * (p->fullmove - 1) + p->turn);
}

INLINE bool move_counters_same(const Position *a, const Position *b) {
    return a->halfmove == b->halfmove && a->fullmove == b->fullmove;
}

/* As at the start of a game. */
INLINE void move_counters_reset(Position *p) {
    p->halfmove = 0;
    p->fullmove = 1;
}

/* For messages: "7 and 34". */
enum { MOVE_COUNTERS_TEXT_MAX = 24 };
const char *move_counters_text(const Position *p, char out[MOVE_COUNTERS_TEXT_MAX]);

/* False with an error if no game has this halfmove clock. `fields` are those that the format stores, `ply` is the
   record's. */
bool move_counters_possible(const Position *p, DataFields fields, unsigned ply, TabiaError *error);
