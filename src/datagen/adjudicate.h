/* SPDX-License-Identifier: MIT */
/* When a game of self-play ends, and how: by the rules, by its length, or by what the scores have said for some
   time. */
#pragma once
#include "rules/movegen.h"
#include "settings.h"

/* name, words */
#define GAME_ENDS(END)                                                                                                 \
    END(mate, "checkmate")                                                                                             \
    END(stalemate, "stalemate")                                                                                        \
    END(fifty, "fifty moves without capture or pawn move")                                                             \
    END(repetition, "a position for the third time")                                                                   \
    END(material, "nobody can win any more")                                                                           \
    END(eval_limit, "a score at the limit (--eval-limit)")                                                             \
    END(resign, "scores of a won game for some plies (--resign)")                                                      \
    END(draw, "scores of a drawn game for some plies (--draw)")                                                        \
    END(length, "as long as games may be (--write-max-ply)")

typedef enum {
#define GAME_END_NAME(name, words) GAME_END_##name,
    GAME_ENDS(GAME_END_NAME)
#undef GAME_END_NAME
        GAME_ENDS_N,
    GAME_GOES_ON = GAME_ENDS_N
} GameEnd;

/* What the game has come to, told one position after the other. */
typedef struct {
    const Settings *settings;
    int white; /* the result once it has ended: 1 white won, 0, -1 */
    uint64_t decided, even;
    int side; /* that is winning, 1 white, -1 black */
} Adjudicator;

void adjudicator_begin(Adjudicator *a, const Settings *settings);

/* By the rules and by length: asked for each position before it is searched. at[0 .. ply] are the game's positions. */
GameEnd adjudicate_position(Adjudicator *a, const Position *at, unsigned ply);

/* By its score, of the side to move: asked after its search. */
GameEnd adjudicate_score(Adjudicator *a, const Position *p, unsigned ply, int score);
