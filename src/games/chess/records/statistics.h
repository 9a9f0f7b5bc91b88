/* SPDX-License-Identifier: MIT */
/*
 * What statistics count of a record of chess: values, of which there are histograms; traits, which it has or not; and
 * tables, of squares and of piece types.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Name, title, what is counted, minimum, bin width, bins. */
#define GAME_HISTOGRAMS(H)                                                                                             \
    H(phase, "Phase", "24 at the start, 0 without pieces", 0, 1, 25)                                                   \
    H(pieces, "Pieces", "on the board, pawns and kings included", 2, 1, 31)                                            \
    H(material, "Material", "of the side to move over the other's, in pawns", -15, 1, 31)                              \
    H(legal_moves, "Legal moves", "of the side to move", 0, 2, 41)

#define GAME_HISTOGRAM_INDEX(name, title, description, min, width, bins) GAME_HISTOGRAM_##name,
enum { GAME_HISTOGRAMS(GAME_HISTOGRAM_INDEX) GAME_HISTOGRAMS_N };

/* The value of each histogram. */
void position_values(const Position *p, int value[GAME_HISTOGRAMS_N]);

/* Name, of moves (only records with a move count) or of positions, words for a report. */
#define GAME_TRAITS(TRAIT)                                                                                             \
    TRAIT(in_check, false, "in check")                                                                                 \
    TRAIT(captures, true, "captures")                                                                                  \
    TRAIT(promotions, true, "promotions")                                                                              \
    TRAIT(with_castling_rights, false, "castling rights")                                                              \
    TRAIT(with_chess960_rights, false, "Chess960 rights")

#define GAME_TRAIT_INDEX(name, of_move, words) GAME_TRAIT_##name,
enum { GAME_TRAITS(GAME_TRAIT_INDEX) GAME_TRAITS_N };

/* The traits of a position and of a legal move there (0: unknown), as a set of their indices. */
unsigned record_traits(const Position *p, Move m);

/* Name, title, cells, cells in a row when it is shown, of which the last row is the first. Squares are as the side to move
   sees them: black's are turned by ranks. */
#define GAME_TABLES(T)                                                                                                 \
    T(own_king, "King of the side to move", 64, 8)                                                                     \
    T(other_king, "King of the other side", 64, 8)                                                                     \
    T(move_from, "Moves from", 64, 8)                                                                                  \
    T(move_to, "Moves to (a castling move goes to its rook)", 64, 8)                                                   \
    T(moved_pieces, "Moves by piece type", 6, 6)                                                                       \
    T(own_pieces, "Pieces of the side to move", 6, 6)                                                                  \
    T(other_pieces, "Pieces of the other side", 6, 6)

#define GAME_TABLE_INDEX(name, title, cells, columns) GAME_TABLE_##name,
enum { GAME_TABLES(GAME_TABLE_INDEX) GAME_TABLES_N, GAME_CELLS_MAX = 64, GAME_CELL_NAME_MAX = 8 };

typedef struct {
    uint64_t cell[GAME_CELLS_MAX];
} GameTable;

/* Adds a position, and a legal move there unless it is 0, to all tables. */
void record_count_cells(const Position *p, Move m, GameTable table[GAME_TABLES_N]);

/* "e4", or "knight". */
void game_cell_name(unsigned table, unsigned cell, char out[GAME_CELL_NAME_MAX]);
