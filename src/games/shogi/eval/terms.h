/* SPDX-License-Identifier: MIT */
/*
 * The terms of the evaluation, written once: name, how many weights it has, what it is. A weight is a pair, for the
 * middlegame and for the endgame, in centipawns of taking a pawn. weights.c holds their values, which were fitted to games
 * (docs/experiments/2026-11-22-sum-of-terms.md). Squares are seen by the side a term is for, as black sees the board;
 * those of a file on the left and on the right are the same.
 *
 * Two kinds of terms: those that are summed as they are, and those that sum to the danger of one king, which counts by
 * the square of that sum.
 */
#pragma once
#include "eval/tapered.h"
#include "rules/types.h"

#define SUMMED_TERMS(X)                                                                                                \
    X(MATERIAL, 13, "on the board: pawn, lance, knight, silver, bishop, rook, gold, and the six promoted")             \
    X(HAND, 7, "each pawn, lance, knight, silver, bishop, rook, gold in hand")                                         \
    X(HAND_FIRST, 7, "at least one in hand")                                                                           \
    X(PAWN_SQUARE, 45, "on each square: ranks from the far one, files from the middle to the edge")                    \
    X(LANCE_SQUARE, 45, "")                                                                                            \
    X(KNIGHT_SQUARE, 45, "")                                                                                           \
    X(SILVER_SQUARE, 45, "")                                                                                           \
    X(BISHOP_SQUARE, 45, "")                                                                                           \
    X(ROOK_SQUARE, 45, "")                                                                                             \
    X(GOLD_SQUARE, 45, "a gold, or what moves as gold")                                                                \
    X(HORSE_SQUARE, 45, "a promoted bishop")                                                                           \
    X(DRAGON_SQUARE, 45, "a promoted rook")                                                                            \
    X(KING_SQUARE, 45, "")                                                                                             \
    X(PAWN_OWN_KING, 55, "by ranks ahead of the own king, from two behind, and files between, at most four")           \
    X(LANCE_OWN_KING, 55, "")                                                                                          \
    X(KNIGHT_OWN_KING, 55, "")                                                                                         \
    X(SILVER_OWN_KING, 55, "")                                                                                         \
    X(BISHOP_OWN_KING, 55, "")                                                                                         \
    X(ROOK_OWN_KING, 55, "")                                                                                           \
    X(GOLD_OWN_KING, 55, "")                                                                                           \
    X(HORSE_OWN_KING, 55, "")                                                                                          \
    X(DRAGON_OWN_KING, 55, "")                                                                                         \
    X(PAWN_FOE_KING, 55, "by ranks that the other king is away, from two beyond it, and files between")                \
    X(LANCE_FOE_KING, 55, "")                                                                                          \
    X(KNIGHT_FOE_KING, 55, "")                                                                                         \
    X(SILVER_FOE_KING, 55, "")                                                                                         \
    X(BISHOP_FOE_KING, 55, "")                                                                                         \
    X(ROOK_FOE_KING, 55, "")                                                                                           \
    X(GOLD_FOE_KING, 55, "")                                                                                           \
    X(HORSE_FOE_KING, 55, "")                                                                                          \
    X(DRAGON_FOE_KING, 55, "")                                                                                         \
    X(OWN_ZONE, 12, "a square 1 to 4 steps from the own king that we attack once, twice, more: by distance")           \
    X(FOE_ZONE, 12, "likewise from the other king")                                                                    \
    X(MOBILITY, 5, "a square without own piece that a lance, bishop, rook, horse, dragon attacks")                     \
    X(HANGING, 9, "an own piece that is attacked and not defended: pawn to gold, horse, dragon")                       \
    X(TEMPO, 1, "the side to move")

/* For the king's owner: what may happen to it. The ring are the squares beside the king. */
#define DANGER_TERMS(X)                                                                                                \
    X(DANGER_BASE, 1, "always")                                                                                        \
    X(DANGER_ATTACKED, 1, "a square of the ring that is attacked")                                                     \
    X(DANGER_TWICE, 1, "attacked twice")                                                                               \
    X(DANGER_OPEN, 1, "attacked, and defended by the king alone")                                                      \
    X(DANGER_HOLES, 1, "without own piece, and defended by the king alone")                                            \
    X(DANGER_FLIGHTS, 1, "where the king may go")                                                                      \
    X(DANGER_GUARDS, 1, "an own gold or silver at most two steps away")                                                \
    X(DANGER_FOES, 1, "the other side's gold, silver or promoted piece so near")                                       \
    X(DANGER_HAND, 7, "the other side has a pawn, lance, knight, silver, bishop, rook, gold in hand")                  \
    X(DANGER_DROP, 7, "and for each hole, up to four")                                                                 \
    X(DANGER_RESERVE, 1, "each piece but pawns in its hand")

#define TERMS(X) SUMMED_TERMS(X) DANGER_TERMS(X)

/* Where each term's weights begin. */
typedef enum {
#define TERM_PLACES(name, n, about) name, name##_LAST = name + (n)-1,
    TERMS(TERM_PLACES)
#undef TERM_PLACES
        WEIGHTS
} Term;

enum {
    HALF_BOARD = 45,
    KING_RELATIONS = 55,
    SQUARE_KINDS = 9, /* that have tables of their own: what moves as gold is one */
};

extern const Weight weights[WEIGHTS];
