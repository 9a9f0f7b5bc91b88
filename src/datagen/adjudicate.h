/* SPDX-License-Identifier: MIT */
/* The end of a game of self-play: by the rules, by its length, or by the scores of some plies (adjudication). */
#pragma once
#include "rules/movegen.h"
#include "settings.h"

/* The game's own endings (selfplay/rules.h), then those of every game: name, description. */
#define TERMINATIONS(TERMINATION)                                                                                      \
    GAME_TERMINATIONS(TERMINATION)                                                                                     \
    TERMINATION(eval_limit, "score limit (--eval-limit)")                                                              \
    TERMINATION(resign, "adjudicated as won (--resign)")                                                               \
    TERMINATION(draw, "adjudicated as drawn (--draw)")                                                                 \
    TERMINATION(max_ply, "maximum length (--write-max-ply)")

typedef enum {
#define TERMINATION_CONSTANT(name, words) TERMINATION_##name,
    TERMINATIONS(TERMINATION_CONSTANT)
#undef TERMINATION_CONSTANT
        TERMINATIONS_N,
    TERMINATION_NONE = TERMINATIONS_N /* the game continues */
} GameTermination;

extern const DataName datagen_terminations[TERMINATIONS_N];

/* The state of the rules that look at several plies. */
typedef struct {
    const GameRules *rules;
    const DatagenAdjudication *limits;
    int white_result;      /* once the game has ended: 1 white won, 0 drawn, -1 black won */
    uint64_t resign_plies; /* successive plies at which leading_side was at least resign_score ahead */
    uint64_t draw_plies;   /* successive plies with scores of at most draw_score */
    int leading_side;      /* 1 white, -1 black; 0: no score yet */
} Adjudicator;

void adjudicator_init(Adjudicator *a, const GameRules *rules, const DatagenAdjudication *limits);

/* By the rules and by length. Call it for each position before its search. positions[0 .. ply] are those of the game,
   moves[0 .. ply - 1] led from one to the next. */
GameTermination adjudicate_position(Adjudicator *a, const Position *positions, const Move *moves, unsigned ply);

/* By the score of a position, relative to the side to move. Call it after its search. */
GameTermination adjudicate_score(Adjudicator *a, const Position *p, unsigned ply, int score);
