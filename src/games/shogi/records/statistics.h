/* SPDX-License-Identifier: MIT */
/*
 * What statistics count of a record of shogi: values, of which there are histograms; traits, which it has or not; and
 * tables, of squares and of piece types.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Name, title, what is counted, minimum, bin width, bins. */
#define GAME_HISTOGRAMS(H)                                                                                             \
    H(hands, "Hands", "pieces in both hands", 0, 1, 39)                                                                \
    H(promoted, "Promoted", "promoted pieces on the board", 0, 1, 21)                                                  \
    H(material, "Material", "of the side to move over the other's, in pawns", -30, 2, 31)                              \
    H(legal_moves, "Legal moves", "of the side to move", 0, 10, 60)

#define GAME_HISTOGRAM_INDEX(name, title, description, min, width, bins) GAME_HISTOGRAM_##name,
enum { GAME_HISTOGRAMS(GAME_HISTOGRAM_INDEX) GAME_HISTOGRAMS_N };

/* The value of each histogram. */
void position_values(const Position *p, int value[GAME_HISTOGRAMS_N]);

/* Name, of moves (only records with a move count) or of positions, words for a report. */
#define GAME_TRAITS(TRAIT)                                                                                             \
    TRAIT(in_check, false, "in check")                                                                                 \
    TRAIT(captures, true, "captures")                                                                                  \
    TRAIT(promotions, true, "promotions")                                                                              \
    TRAIT(drops, true, "drops")                                                                                        \
    TRAIT(may_declare, false, "may declare a win")

#define GAME_TRAIT_INDEX(name, of_move, words) GAME_TRAIT_##name,
enum { GAME_TRAITS(GAME_TRAIT_INDEX) GAME_TRAITS_N };

/* The traits of a position and of a legal move there (0: unknown), as a set of their indices. */
unsigned record_traits(const Position *p, Move m);

/* Name, title, cells, cells in a row when it is shown, of which the last row is the first. Squares are as the side to move
   sees them: the board is turned around for white. */
#define GAME_TABLES(T)                                                                                                 \
    T(own_king, "King of the side to move", 81, 9)                                                                     \
    T(other_king, "King of the other side", 81, 9)                                                                     \
    T(move_from, "Moves from (but drops)", 81, 9)                                                                      \
    T(move_to, "Moves and drops to", 81, 9)                                                                            \
    T(drops, "Drops by piece type", 7, 7)                                                                              \
    T(moved_pieces, "Moves by piece type (but drops)", 14, 7)                                                          \
    T(own_pieces, "Pieces of the side to move on the board", 14, 7)                                                    \
    T(other_pieces, "Pieces of the other side on the board", 14, 7)

#define GAME_TABLE_INDEX(name, title, cells, columns) GAME_TABLE_##name,
enum { GAME_TABLES(GAME_TABLE_INDEX) GAME_TABLES_N, GAME_CELLS_MAX = 81, GAME_CELL_NAME_MAX = 16 };

typedef struct {
    uint64_t cell[GAME_CELLS_MAX];
} GameTable;

/* Adds a position, and a legal move there unless it is 0, to all tables. */
void record_count_cells(const Position *p, Move m, GameTable table[GAME_TABLES_N]);

/* "5e", or "knight". */
void game_cell_name(unsigned table, unsigned cell, char out[GAME_CELL_NAME_MAX]);
