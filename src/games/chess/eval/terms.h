/* SPDX-License-Identifier: MIT */
/*
 * The terms of the evaluation, written once: name, how many weights it has, how they lie, what it is. A weight is a
 * pair, for the middlegame and for the endgame, in centipawns of a pawn in the endgame. weights.c holds their values,
 * which the tuner writes. Squares, ranks and sides are seen by the side a term is for: a1 is its own corner.
 *
 * How weights lie tells the tuner which ones ought to be alike:
 *
 *     ALONE     nothing is known
 *     ROW       each like the one before
 *     RANKS_4   rows of four: each like its neighbours in row and column (half a board: left and right are the same)
 *     RANKS_8   rows of eight
 *
 * Three kinds of terms: those that are summed as they are; those that sum to the danger of one king, which counts by
 * the square of that sum; and those that sum to what the better side's advantage is worth more or less in the endgame.
 */
#pragma once
#include "rules/types.h"
#include "terms/tapered.h"

#define SUMMED_TERMS(X)                                                                                                \
    X(MATERIAL, 5, ALONE, "pawn, knight, bishop, rook, queen")                                                         \
    X(PAWN_SQUARE, 32, RANKS_4, "a pawn on each square; the half of a board, the files from the edge to the middle")   \
    X(KNIGHT_SQUARE, 32, RANKS_4, "")                                                                                  \
    X(BISHOP_SQUARE, 32, RANKS_4, "")                                                                                  \
    X(ROOK_SQUARE, 32, RANKS_4, "")                                                                                    \
    X(QUEEN_SQUARE, 32, RANKS_4, "")                                                                                   \
    X(KING_SQUARE, 32, RANKS_4, "")                                                                                    \
    X(KNIGHT_MOBILITY, 9, ROW, "squares of the mobility area that it hits")                                            \
    X(BISHOP_MOBILITY, 14, ROW, "")                                                                                    \
    X(ROOK_MOBILITY, 15, ROW, "")                                                                                      \
    X(QUEEN_MOBILITY, 28, ROW, "")                                                                                     \
    X(ISOLATED, 8, RANKS_4, "a pawn without own pawns on the next files, by file: opposed, and not")                   \
    X(DOUBLED, 2, ALONE, "a pawn with an own pawn ahead on its file: supported, and not")                              \
    X(BACKWARD, 2, ALONE, "own pawns cannot support it and it cannot step on safely: opposed, and not")                \
    X(SUPPORTED, 8, ROW, "a pawn that an own pawn covers, by rank")                                                    \
    X(SUPPORTED_TWICE, 1, ALONE, "that two cover")                                                                     \
    X(PHALANX, 8, ROW, "a pawn beside an own pawn, by rank")                                                           \
    X(CONNECTED_UNOPPOSED, 8, ROW, "a pawn so linked with no enemy pawn ahead on its file, by rank")                   \
    X(WEAK_LEVER, 1, ALONE, "a pawn without support that two pawns hit")                                               \
    X(BLOCKED, 8, ROW, "a pawn that an enemy pawn blocks, by rank")                                                    \
    X(CANDIDATE, 8, ROW, "no enemy pawn ahead on its file, and helpers enough for those beside, by rank")              \
    X(PASSED, 8, ROW, "a pawn that no enemy pawn can stop, by rank")                                                   \
    X(PASSED_FILE, 4, ROW, "by file from the edge")                                                                    \
    X(PASSED_CONNECTED, 8, ROW, "supported or beside an own pawn, by rank")                                            \
    X(PASSED_UNBLOCKED, 8, ROW, "the square ahead of it is empty, by rank")                                            \
    X(PASSED_SAFE_STEP, 8, ROW, "and no enemy hits that square")                                                       \
    X(PASSED_SAFE_PATH, 8, ROW, "and no enemy hits or blocks a square of its way")                                     \
    X(PASSED_DEFENDED, 8, ROW, "the square ahead of it is covered")                                                    \
    X(PASSED_OWN_KING, 8, ROW, "by the distance of the own king to the square ahead, for each rank above the second")  \
    X(PASSED_THEIR_KING, 8, ROW, "by the distance of the enemy's")                                                     \
    X(PASSED_BLOCKER, 4, ALONE, "an enemy knight, bishop, rook or queen, king ahead of it")                            \
    X(PASSED_ROOK, 2, ALONE, "an own, an enemy rook behind it")                                                        \
    X(PASSED_UNSTOPPABLE, 1, ALONE, "the enemy has only pawns, and his king is too far away")                          \
    X(BISHOP_PAIR, 1, ALONE, "")                                                                                       \
    X(KNIGHT_PAIR, 1, ALONE, "")                                                                                       \
    X(ROOK_PAIR, 1, ALONE, "")                                                                                         \
    X(KNIGHT_PAWNS, 1, ALONE, "a knight, for each own pawn above five")                                                \
    X(ROOK_PAWNS, 1, ALONE, "a rook")                                                                                  \
    X(ROOK_OPEN_FILE, 1, ALONE, "a rook on a file without pawns")                                                      \
    X(ROOK_SEMIOPEN_FILE, 1, ALONE, "without own pawns")                                                               \
    X(ROOK_CLOSED_FILE, 1, ALONE, "with an own pawn that cannot move")                                                 \
    X(ROOK_QUEEN_FILE, 1, ALONE, "with a queen")                                                                       \
    X(ROOK_SEVENTH_RANK, 1, ALONE, "a rook on the seventh rank that holds the king on the eighth, or hits pawns")      \
    X(ROOK_TRAPPED, 2, ALONE, "few moves between king and edge: with, without the right to castle")                    \
    X(OUTPOST, 4, ALONE, "covered by a pawn, no pawn can drive it away: knight, bishop; knight, bishop not covered")   \
    X(OUTPOST_REACHABLE, 1, ALONE, "a knight that can go to an outpost")                                               \
    X(MINOR_BEHIND_PAWN, 2, ALONE, "a knight, a bishop with a pawn right ahead")                                       \
    X(KNIGHT_KING_DISTANCE, 8, ROW, "by the distance to the own king")                                                 \
    X(BISHOP_KING_DISTANCE, 8, ROW, "")                                                                                \
    X(BAD_BISHOP, 1, ALONE, "each own pawn on its colour")                                                             \
    X(BAD_BISHOP_BLOCKED, 1, ALONE, "for each that is blocked on the middle files once more")                          \
    X(BISHOP_XRAY_PAWNS, 1, ALONE, "each enemy pawn on its diagonals")                                                 \
    X(BISHOP_LONG_DIAGONAL, 1, ALONE, "a bishop that sees both middle squares of a long diagonal")                     \
    X(WEAK_QUEEN, 1, ALONE, "one piece between the queen and an enemy rook or bishop")                                 \
    X(SHELTER, 32, RANKS_8, "of the king's file and the next, by file from the edge: rank of the rearmost own pawn")   \
    X(STORM, 16, RANKS_8, "of the enemy's most advanced pawn: free, blocked by that own pawn")                         \
    X(KING_PAWN_DISTANCE, 8, ROW, "the king's distance to the nearest pawn")                                           \
    X(PAWNLESS_FLANK, 1, ALONE, "no pawn on the king's side of the board")                                             \
    X(PAWN_THREAT, 4, ALONE, "an enemy knight, bishop, rook, queen that a safe pawn hits")                             \
    X(MINOR_THREAT, 5, ALONE,                                                                                          \
      "a pawn, knight, bishop, rook, queen that a minor hits and no pawn covers, or that is more")                     \
    X(ROOK_THREAT, 5, ALONE, "that a rook hits")                                                                       \
    X(KING_THREAT, 1, ALONE, "a weak piece that the king hits")                                                        \
    X(PUSH_THREAT, 1, ALONE, "an enemy piece that a safe pawn step would hit")                                         \
    X(HANGING, 1, ALONE, "an enemy piece that is hit and not covered, or a piece hit twice and covered once")          \
    X(WEAK_QUEEN_PROTECTION, 1, ALONE, "a weak piece that only a queen covers")                                        \
    X(RESTRICTED, 1, ALONE, "a square that both sides hit, and that is not firmly theirs")                             \
    X(QUEEN_FORK, 2, ALONE, "a square safe for a knight, for a slider from where it would hit the queen")              \
    X(SPACE, 1, ALONE, "safe squares behind the middle pawns, times pieces, in eighths")                               \
    X(TEMPO, 1, ALONE, "the side to move")

/* For the king's owner: what may happen to it. */
#define DANGER_TERMS(X)                                                                                                \
    X(DANGER_BASE, 1, ALONE, "always")                                                                                 \
    X(DANGER_ATTACKER, 4, ALONE, "a knight, bishop, rook, queen that hits the king's ring")                            \
    X(DANGER_KING_ATTACKS, 1, ALONE, "each hit on a square beside the king")                                           \
    X(DANGER_WEAK_SQUARES, 1, ALONE, "each square of the ring that is hit and covered by king or queen at most")       \
    X(DANGER_SAFE_CHECK, 4, ALONE, "a safe check by knight, bishop, rook, queen")                                      \
    X(DANGER_MULTIPLE_CHECKS, 4, ALONE, "and more than one")                                                           \
    X(DANGER_UNSAFE_CHECK, 1, ALONE, "each square from where a check would not be safe")                               \
    X(DANGER_NO_QUEEN, 1, ALONE, "the enemy has no queen")                                                             \
    X(DANGER_KNIGHT_DEFENDER, 1, ALONE, "an own knight covers a square beside the king")                               \
    X(DANGER_BISHOP_DEFENDER, 1, ALONE, "a bishop")                                                                    \
    X(DANGER_PINNED, 1, ALONE, "each piece between the king and an enemy slider")                                      \
    X(DANGER_FLANK_ATTACKS, 1, ALONE, "each square of the king's part of the board that is hit")                       \
    X(DANGER_FLANK_DOUBLE_ATTACKS, 1, ALONE, "hit twice")                                                              \
    X(DANGER_FLANK_DEFENCE, 1, ALONE, "covered")                                                                       \
    X(DANGER_SHELTER, 16, RANKS_8, "on the king's file, on the next: rank of the rearmost own pawn, 0: none")          \
    X(DANGER_STORM, 16, RANKS_8, "of the enemy's most advanced pawn")

/* Only their endgame halves count. */
#define INITIATIVE_TERMS(X)                                                                                            \
    X(INITIATIVE_BASE, 1, ALONE, "always")                                                                             \
    X(INITIATIVE_PAWNS, 1, ALONE, "each pawn of both sides")                                                           \
    X(INITIATIVE_PASSED, 1, ALONE, "each passed pawn")                                                                 \
    X(INITIATIVE_BOTH_FLANKS, 1, ALONE, "pawns on both sides of the board")                                            \
    X(INITIATIVE_OUTFLANKING, 1, ALONE, "files between the kings less ranks between them")                             \
    X(INITIATIVE_INFILTRATION, 1, ALONE, "a king in the other half")                                                   \
    X(INITIATIVE_PAWN_ENDING, 1, ALONE, "kings and pawns only")

#define TERMS(X) SUMMED_TERMS(X) DANGER_TERMS(X) INITIATIVE_TERMS(X)

/* Where each term's weights begin. */
typedef enum {
#define TERM_PLACES(name, n, lie, about) name, name##_LAST = name + (n)-1,
    TERMS(TERM_PLACES)
#undef TERM_PLACES
        WEIGHTS
} Term;

enum {
    DANGER_FIRST = DANGER_BASE,
    INITIATIVE_FIRST = INITIATIVE_BASE,
    DANGERS = INITIATIVE_FIRST - DANGER_FIRST,
};

extern const Weight weights[WEIGHTS];
