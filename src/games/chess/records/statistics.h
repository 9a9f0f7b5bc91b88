/* SPDX-License-Identifier: MIT */
/*
 * What statistics count of a record of chess: values, of which there are histograms, and traits, which it has or not.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Name, title, what is counted, minimum, bin width, bins. */
#define GAME_HISTOGRAMS(H)                                                                                             \
    H(phase, "Phase", "24 at the start, 0 without pieces", 0, 1, 25)                                                   \
    H(pieces, "Pieces", "on the board, pawns and kings included", 2, 1, 31)                                            \
    H(material, "Material", "of the side to move over the other's, in pawns", -15, 1, 31)

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
