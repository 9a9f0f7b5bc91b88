/* SPDX-License-Identifier: MIT */
/*
 * The terms of the evaluation, written once: name, how many weights it has, what it is. A weight is a pair, for the
 * middlegame and for the endgame, in centipawns of a pawn in the endgame. weights.c holds their values, which the tuner
 * writes. Squares, ranks and sides are seen by the side a term is for: a1 is its own corner.
 */
#pragma once
#include "types.h"

#define TERMS(X)                                                                                                       \
    X(MATERIAL, 5, "pawn, knight, bishop, rook, queen")                                                                \
    X(PAWN_ON, 64, "a pawn on each square")                                                                            \
    X(KNIGHT_ON, 64, "")                                                                                               \
    X(BISHOP_ON, 64, "")                                                                                               \
    X(ROOK_ON, 64, "")                                                                                                 \
    X(QUEEN_ON, 64, "")                                                                                                \
    X(KING_ON, 64, "")                                                                                                 \
    X(KNIGHT_MOVES, 9, "squares it can go to that no enemy pawn hits and no own pawn or king stands on")               \
    X(BISHOP_MOVES, 14, "")                                                                                            \
    X(ROOK_MOVES, 15, "")                                                                                              \
    X(QUEEN_MOVES, 28, "")                                                                                             \
    X(ISOLATED, 1, "a pawn without own pawns on the next files")                                                       \
    X(DOUBLED, 1, "a pawn with an own pawn ahead on its file")                                                         \
    X(BACKWARD, 1, "a pawn that own pawns cannot support and that cannot step on safely")                              \
    X(SUPPORTED, 8, "a pawn that an own pawn covers, by rank")                                                         \
    X(PHALANX, 8, "a pawn beside an own pawn, by rank")                                                                \
    X(PASSED, 8, "a pawn that no enemy pawn can stop, by rank")                                                        \
    X(PASSED_FREE, 8, "and the square ahead of it is empty")                                                           \
    X(PASSED_SAFE, 8, "and no enemy hits a square of its way")                                                         \
    X(PASSED_OWN_KING, 8, "by the distance of the own king to the square ahead")                                       \
    X(PASSED_THEIR_KING, 8, "by the distance of the enemy's")                                                          \
    X(BISHOP_PAIR, 1, "")                                                                                              \
    X(ROOK_OPEN, 1, "a rook on a file without pawns")                                                                  \
    X(ROOK_HALF_OPEN, 1, "without own pawns")                                                                          \
    X(OUTPOST, 2, "a knight, a bishop that a pawn covers and no enemy pawn can drive away")                            \
    X(BEHIND_PAWN, 1, "a minor with an own pawn right ahead")                                                          \
    X(BAD_BISHOP, 1, "each own pawn on its colour")                                                                    \
    X(SHELTER, 16, "on the king's file, and on the next ones: rank of the own rearmost pawn, 0: none")                 \
    X(STORM, 16, "the same of the enemy's most advanced pawn")                                                         \
    X(DANGER, 32, "what hits the king's surroundings, in units")                                                       \
    X(PAWN_THREAT, 4, "an enemy knight, bishop, rook, queen that a pawn hits")                                         \
    X(MINOR_THREAT, 4, "that a minor hits")                                                                            \
    X(ROOK_THREAT, 4, "that a rook hits")                                                                              \
    X(PUSH_THREAT, 1, "an enemy piece that a safe pawn step would hit")                                                \
    X(HANGING, 1, "an enemy man that is hit and not covered")                                                          \
    X(SPACE, 1, "each safe square on the second to fourth rank of the middle files")                                   \
    X(TEMPO, 1, "the side to move")

/* Where each term's weights begin. */
typedef enum {
#define TERM_PLACES(name, n, about) name, name##_LAST = name + (n)-1,
    TERMS(TERM_PLACES)
#undef TERM_PLACES
        WEIGHTS
} Term;

/* A middlegame and an endgame value in one word, added and multiplied together. */
typedef int32_t Score;
INLINE Score score_make(int middle, int end) {
    return (Score)((uint32_t)end << 16) + middle;
}
INLINE int score_middle(Score s) {
    return (int16_t)(uint16_t)(uint32_t)s;
}
INLINE int score_end(Score s) {
    return (int16_t)(uint16_t)((uint32_t)(s + 0x8000) >> 16);
}

typedef struct {
    int16_t middle, end;
} Weight;

extern const Weight weights[WEIGHTS];
