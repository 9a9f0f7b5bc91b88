/* SPDX-License-Identifier: MIT */
/*
 * Games in solved endings, and questions about them as a user asks who goes back and forth: a short line of moves from a
 * position whose win just fits into the 50-move rule, and visits to the positions of that line, each with a halfmove
 * clock of its own and in one of two orders of moves. The result is known for each visit. A game follows from its seed.
 */
#pragma once
#include "endgame_table.h"

enum { LINE_PLIES_MAX = 28, QUESTIONS_A_GAME = 12, EDGE_CLOCK = 80 };

typedef struct {
    unsigned ply;    /* of the line */
    int clock;       /* halfmove clock there */
    bool transposed; /* reached with two moves of one side exchanged */
    int expected;    /* 1 won, 0 drawn, -1 lost, for the side to move */
} Question;

typedef struct {
    Position at[LINE_PLIES_MAX + 1]; /* their halfmove clocks: those of the game itself */
    Move moves[LINE_PLIES_MAX];
    unsigned plies;
    Question question[QUESTIONS_A_GAME];
} EndgameGame;

/* names: of the endings that games are played in; they must be solved. */
void endgame_game(const EndgameTables *t, const char *const *names, unsigned n, uint64_t seed, EndgameGame *g);

/* What leads to a question: the start with its clock, and the moves from there. */
typedef struct {
    Position start;
    Move moves[LINE_PLIES_MAX];
} QuestionLine;
QuestionLine question_line(const EndgameGame *g, const Question *q);

/* A move of perfect play, chosen by chance among equals: the shortest win, the longest defence. */
Move endgame_perfect_move(const EndgameTables *t, const Position *p, uint64_t *seed);
