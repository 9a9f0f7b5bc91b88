/* SPDX-License-Identifier: MIT */
/*
 * What statistics count of a record (lists.h): values, of which there are histograms; properties, which it has or not; and
 * tables, of squares and of piece types.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "records/lists.h"
#include "rules/movegen.h"

#define GAME_HISTOGRAM_INDEX(name, title, description, min, width, bins) GAME_HISTOGRAM_##name,
enum { GAME_HISTOGRAMS(GAME_HISTOGRAM_INDEX) GAME_HISTOGRAMS_N };

/* The value of each histogram. */
void position_values(const Position *p, int value[GAME_HISTOGRAMS_N]);

#define GAME_PROPERTY_INDEX(name, of_move, words) GAME_PROPERTY_##name,
enum { GAME_PROPERTIES(GAME_PROPERTY_INDEX) GAME_PROPERTIES_N };

/* The properties of a position and of a legal move there (0: unknown), as a set of their indices. */
unsigned record_properties(const Position *p, Move m);

#define GAME_TABLE_INDEX(name, title, cells, columns) GAME_TABLE_##name,
enum { GAME_TABLES(GAME_TABLE_INDEX) GAME_TABLES_N };

typedef struct {
    uint64_t cell[GAME_CELLS_MAX];
} GameTable;

/* Adds a position, and a legal move there unless it is 0, to all tables. */
void record_count_cells(const Position *p, Move m, GameTable table[GAME_TABLES_N]);

/* "e4", or "knight". */
void game_cell_name(unsigned table, unsigned cell, char out[GAME_CELL_NAME_MAX]);
