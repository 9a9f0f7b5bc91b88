/* SPDX-License-Identifier: MIT */
/*
 * What filters of training data ask of a record of chess (data/filter.h).
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Rules that are on or off: name, records that it removes, whether it asks for the move. */
#define GAME_FILTERS(FILTER)                                                                                           \
    FILTER(filter_tactical, "whose move captures or promotes", true)                                                   \
    FILTER(filter_check, "where the side to move is in check", false)                                                  \
    FILTER(filter_castling, "whose move castles", true)

#define GAME_FILTER_INDEX(name, words, of_move) GAME_FILTER_##name,
enum { GAME_FILTERS(GAME_FILTER_INDEX) GAME_FILTERS_N };

/* Does that filter remove a position and a legal move there? 0: the move is unknown, and is none of these. */
bool game_filter_matches(unsigned filter, const Position *p, Move m);

/* Pieces on the board, at most GAME_PIECES_MAX. */
enum { GAME_PIECES_MAX = 32 };
int position_piece_count(const Position *p);

/* The points of a curve over numbers of pieces, which end at those of a set. */
#define GAME_CURVE_WORDS "0, 8, 16, 24 and 32"
enum { GAME_CURVE_STEP = 8 };

/* Of both sides together, and of the side to move less the other's: a pawn 1, knight and bishop 3, rook 5, queen 9. */
int position_total_material(const Position *p);
int position_material_balance(const Position *p);

/* What the model of results (data/wdl_fit.h) tells apart of both sides' material, and the unit of its polynomials. */
enum { WDL_MATERIAL_LEAST = 17, WDL_MATERIAL_MOST = 78, WDL_MATERIAL_UNIT = 58 };
