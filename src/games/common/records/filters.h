/* SPDX-License-Identifier: MIT */
/*
 * What filters of training data ask of a record (data/filter.h).
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "records/lists.h"
#include "rules/movegen.h"

#define GAME_FILTER_INDEX(name, words, of_move) GAME_FILTER_##name,
enum { GAME_FILTERS(GAME_FILTER_INDEX) GAME_FILTERS_N };

/* Does that filter remove a position and a legal move there? 0: the move is unknown, and is none of these. */
bool game_filter_matches(unsigned filter, const Position *p, Move m);

/* Pieces on the board, at most GAME_PIECES_MAX. */
int position_piece_count(const Position *p);

/* Of a side, in pawns; of both together; and of the side to move less the other's. */
int position_material(const Position *p, Colour c);
INLINE int position_total_material(const Position *p) {
    return position_material(p, WHITE) + position_material(p, BLACK);
}
INLINE int position_material_balance(const Position *p) {
    return position_material(p, (Colour)p->turn) - position_material(p, (Colour)!p->turn);
}
