/* SPDX-License-Identifier: MIT */
/*
 * Path keys against exact results: each form answers the same questions about games in solved endings. A game begins with an empty table; each of its later questions meets a table that holds the scores
 * of the questions before it. After them the game is played out from the last one against perfect play.
 *
 * A score is right within +-PATH_KEY_DRAW_MARGIN centipawns for a draw, and from PATH_KEY_WIN_SCORE on for a win or a
 * loss; a mate that the clock prevents is wrong.
 */
#pragma once
#include "endgame_table.h"
#include "path_keys.h"

/*
 * Games in solved endings, and questions about them as a user asks who goes back and forth: a short line of moves from a
 * position whose win just fits into the 50-move rule, and visits to the positions of that line, each with a halfmove
 * clock of its own and in one of two orders of moves. The result is known for each visit. A game follows from its seed.
 */
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

/* ---- the judge ---- */

enum { ZONE_BELOW, ZONE_EDGE, ZONES }; /* of the halfmove clock: below EDGE_CLOCK, and from there on */

typedef struct {
    uint64_t asked[ZONES][3], wrong[ZONES][3]; /* warm, by the expected result: lost, drawn, won */
    uint64_t asked_cold, wrong_cold;           /* the first question of each game */
    uint64_t better, worse; /* warm questions that this form alone has right, of it and the first; the first alone */
    uint64_t half_points;   /* lost by the moves that were found */
    uint64_t playout_half_points; /* lost in play-outs, one for each game */
    uint64_t playout_moves;
    uint64_t nodes; /* of the questions */
} PathKeyExactResult;

/* What a run does: first it chooses all games, then each form answers their questions. */
typedef enum { PATH_KEY_EXACT_CHOOSES, PATH_KEY_EXACT_ASKS } PathKeyExactWork;

typedef struct {
    uint64_t nodes; /* for an answer; 0: to `depth` */
    int depth;
    unsigned games, threads; /* threads: forms at once */
    uint64_t seed, hash_bytes;
    const EndgameTables *endings;
    const char *const *names;
    unsigned names_n;
    const PathKeyForm *forms;
    unsigned forms_n;
    /* By the calling thread, before each of its games: how many of all are done; true ends the run. May be NULL. */
    bool (*on_progress)(void *context, PathKeyExactWork work, uint64_t done, uint64_t all);
    void *context;
} PathKeyExactRequest;

/* A result for each form. False with an error; *stopped: on_progress() ended it, results are undefined. */
bool path_key_exact(const PathKeyExactRequest *request, PathKeyExactResult *results, bool *stopped, TabiaError *error);
