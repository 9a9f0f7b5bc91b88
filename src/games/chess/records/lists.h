/* SPDX-License-Identifier: MIT */
/* What a record of training data of chess has: fields, filters, statistics. Each list is what fields.h, filters.h and
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
    FIELD(CASTLING, "castling rights")                                                                                 \
    FIELD(EP, "en passant square")                                                                                     \
    FIELD(HALFMOVE_CLOCK, "halfmove clock")                                                                            \
    FIELD(FULLMOVE_NUMBER, "fullmove number")                                                                          \
    FIELD(GAME_STARTS, "game boundaries")                                                                              \
    FIELD(OPENING_EVAL, "evaluation of the game's first position")                                                     \
    FIELD(SKIP, "skip mark")

/* What only formats of this game store of a record. */
typedef struct {
    int16_t opening_eval; /* viriformat's evaluation of the first position of a game; 0 elsewhere */
} RecordExtra;

/* ---- filters (filters.h) ---- */

/* Rules that are on or off: name, records that it removes, whether it asks for the move. */
#define GAME_FILTERS(FILTER)                                                                                           \
    FILTER(filter_tactical, "whose move captures or promotes", true)                                                   \
    FILTER(filter_check, "where the side to move is in check", false)                                                  \
    FILTER(filter_castling, "whose move castles", true)

/* Pieces on the board. */
enum { GAME_PIECES_MAX = 32 };

/* What the model of results (data/filter.h) distinguishes of both sides' material, and the unit of its polynomials. */
enum { WDL_MATERIAL_MIN = 17, WDL_MATERIAL_MAX = 78, WDL_MATERIAL_UNIT = 58 };

/* ---- statistics (statistics.h) ---- */

/* Name, title, what is counted, minimum, bin width, bins. */
#define GAME_HISTOGRAMS(H)                                                                                             \
    H(phase, "Phase", "24 at the start, 0 without pieces", 0, 1, 25)                                                   \
    H(pieces, "Pieces", "on the board, pawns and kings included", 2, 1, 31)                                            \
    H(material, "Material", "of the side to move over the other's, in pawns", -15, 1, 31)                              \
    H(legal_moves, "Legal moves", "of the side to move", 0, 2, 41)

/* Name, of moves (only records with a move count) or of positions, words for a report. */
#define GAME_PROPERTIES(PROPERTY)                                                                                      \
    PROPERTY(in_check, false, "in check")                                                                              \
    PROPERTY(captures, true, "captures")                                                                               \
    PROPERTY(promotions, true, "promotions")                                                                           \
    PROPERTY(with_castling_rights, false, "castling rights")                                                           \
    PROPERTY(with_chess960_rights, false, "Chess960 rights")

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

enum { GAME_CELLS_MAX = 64, GAME_CELL_NAME_MAX = 8 };
