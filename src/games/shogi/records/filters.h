/* SPDX-License-Identifier: MIT */
/*
 * What filters of training data ask of a record of shogi (data/filter.h).
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Rules that are on or off: name, records that it removes, whether it asks for the move. */
#define GAME_FILTERS(FILTER)                                                                                           \
    FILTER(filter_tactical, "whose move captures or promotes", true)                                                   \
    FILTER(filter_check, "where the side to move is in check", false)                                                  \
    FILTER(filter_drop, "whose move is a drop", true)

#define GAME_FILTER_INDEX(name, words, of_move) GAME_FILTER_##name,
enum { GAME_FILTERS(GAME_FILTER_INDEX) GAME_FILTERS_N };

/* Does that filter remove a position and a legal move there? 0: the move is unknown, and is none of these. */
bool game_filter_matches(unsigned filter, const Position *p, Move m);

/* Pieces on the board, at most GAME_PIECES_MAX: a set, a third bishop and a third rook. */
enum { GAME_PIECES_MAX = 42 };
int position_piece_count(const Position *p);

/* The points of a curve over numbers of pieces, which end at those of a set. */
#define GAME_CURVE_WORDS "0, 10, 20, 30 and 40"
enum { GAME_CURVE_STEP = 10 };

/* Of a side, and of both together, and of the side to move less the other's, on the board and in hand: a pawn 1, lance 3,
   knight 4, silver 5, gold and what moves like it 6, bishop 8, rook and horse 10, dragon 12. */
int position_material(const Position *p, Colour c);
int position_total_material(const Position *p);
int position_material_balance(const Position *p);

/* What the model of results (data/wdl_fit.h) tells apart of both sides' material, and the unit of its polynomials: from the
   handicap of eight pieces, over that of the even game, which changes by promotions alone, to twice the least. */
enum { WDL_MATERIAL_LEAST = 84, WDL_MATERIAL_MOST = 168, WDL_MATERIAL_UNIT = 126 };
