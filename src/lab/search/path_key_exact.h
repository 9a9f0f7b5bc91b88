/* SPDX-License-Identifier: MIT */
/*
 * Path keys against exact results: each form answers the same questions about games in solved endings. A game begins
 * with an empty table; each of its later questions meets a table that holds the scores of those before it. After them the game is played out from the last one against perfect play.
 *
 * A score is right within +-PATH_KEY_DRAW_MARGIN centipawns for a draw, and from PATH_KEY_WIN_SCORE on for a win or a
 * loss; a mate that the clock prevents is wrong.
 */
#pragma once
#include "endgame_table.h"
#include "search/search.h"

enum { PATH_KEY_DRAW_MARGIN = 50, PATH_KEY_WIN_SCORE = 150 };

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

/* What is counted in each game, of its warm questions and of its play-out; the fewer the better. */
typedef enum { EXACT_WRONG, EXACT_MOVES, EXACT_PLAYOUT, EXACT_MEASURES } ExactMeasure;

/* The mean difference of paired values, with its 95 % limits by the normal distribution. */
typedef struct {
    double mean, low, high;
} PairedDifference;

/* Of n differences with that sum and sum of squares; n of 0 or 1 gives no finite limits. */
PairedDifference paired_difference(uint64_t n, int64_t sum, uint64_t squares);
/* The probability of a split at least as uneven as that, were both sides equally likely. */
double sign_test(uint64_t a, uint64_t b);

typedef struct {
    uint64_t asked[3], wrong[3];    /* warm questions, by the expected result: lost, drawn, won */
    uint64_t better, worse;         /* questions that this form alone has right, of it and the first; the first alone */
    uint64_t total[EXACT_MEASURES]; /* wrong answers; half points that moves and play-outs lose */
    PairedDifference against[EXACT_MEASURES]; /* of a game, this form's less the first's */
    uint64_t nodes;                           /* of all answers */
} PathKeyExactResult;

/* What a run does: first it chooses all games, then each form answers their questions. */
typedef enum { PATH_KEY_EXACT_CHOOSES, PATH_KEY_EXACT_ASKS } PathKeyExactWork;

typedef struct {
    uint64_t nodes; /* for an answer; 0: to `depth` */
    int depth;
    unsigned games, playouts; /* the first games are played out */
    unsigned threads;         /* games at once */
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

/*
 * A result for each form, of the first *judged games: fewer than requested if the run was ended. They depend on the
 * request alone, not on its threads. False with an error.
 */
bool path_key_exact(const PathKeyExactRequest *request, PathKeyExactResult *results, unsigned *judged,
                    TabiaError *error);
