/* SPDX-License-Identifier: MIT */
/* What a record of training data of shogi has: fields, filters, statistics. Each list is what fields.h, filters.h and
   statistics.h make constants and tables of. */
#pragma once
#include "rules/position.h"

/* ---- fields (fields.h): identifier, name for messages. MOVE, SCORE, RESULT, PLY, TURN, GAME_STARTS and SKIP are those of
   every game ---- */

#define DATA_FIELDS(FIELD)                                                                                             \
    FIELD(MOVE, "move")                                                                                                \
    FIELD(SCORE, "score")                                                                                              \
    FIELD(RESULT, "result")                                                                                            \
    FIELD(PLY, "ply")                                                                                                  \
    FIELD(TURN, "side to move")                                                                                        \
    FIELD(MOVE_NUMBER, "move number")                                                                                  \
    FIELD(GAME_STARTS, "game boundaries")                                                                              \
    FIELD(SKIP, "skip mark")                                                                                           \
    FIELD(DEEPER_SCORE, "deeper score")

/* What only formats of this game store of a record: dual has a second score, of a deeper search. */
typedef struct {
    int16_t deeper_score;  /* of the side to move */
    bool has_deeper_score; /* else it is 0 */
    bool keeps_score;      /* trainers are to prefer the first score: a king has entered */
} RecordExtra;

/* ---- filters (filters.h) ---- */

/* Rules that are on or off: name, records that it removes, whether it asks for the move. */
#define GAME_FILTERS(FILTER)                                                                                           \
    FILTER(filter_tactical, "whose move captures or promotes", true)                                                   \
    FILTER(filter_check, "where the side to move is in check", false)                                                  \
    FILTER(filter_drop, "whose move is a drop", true)

/* Pieces on the board: a set, a third bishop and a third rook. */
enum { GAME_PIECES_MAX = 42 };

/* What the model of results (data/filter.h) distinguishes of both sides' material, and the unit of its polynomials: from the
   handicap of eight pieces, over that of the even game, which changes by promotions alone, to twice the least. */
enum { WDL_MATERIAL_MIN = 84, WDL_MATERIAL_MAX = 168, WDL_MATERIAL_UNIT = 126 };

/* ---- statistics (statistics.h) ---- */

/* Name, title, what is counted, minimum, bin width, bins. */
#define GAME_HISTOGRAMS(H)                                                                                             \
    H(hands, "Hands", "pieces in both hands", 0, 1, 39)                                                                \
    H(promoted, "Promoted", "promoted pieces on the board", 0, 1, 21)                                                  \
    H(material, "Material", "of the side to move over the other's, in pawns", -30, 2, 31)                              \
    H(legal_moves, "Legal moves", "of the side to move", 0, 10, 60)

/* Name, of moves (only records with a move count) or of positions, words for a report. */
#define GAME_PROPERTIES(PROPERTY)                                                                                      \
    PROPERTY(in_check, false, "in check")                                                                              \
    PROPERTY(captures, true, "captures")                                                                               \
    PROPERTY(promotions, true, "promotions")                                                                           \
    PROPERTY(drops, true, "drops")                                                                                     \
    PROPERTY(may_declare, false, "may declare a win")

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

enum { GAME_CELLS_MAX = 81, GAME_CELL_NAME_MAX = 16 };
