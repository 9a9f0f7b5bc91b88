/* SPDX-License-Identifier: MIT */
#include "adjudicate.h"

#include <assert.h>
#include <stdlib.h>

const DataName datagen_terminations[TERMINATIONS_N] = {
#define NAME(name, words) {#name, words},
    TERMINATIONS(NAME)
#undef NAME
};

void adjudicator_init(Adjudicator *a, const GameRules *rules, const DatagenAdjudication *limits) {
    *a = (Adjudicator){.rules = rules, .limits = limits};
}

GameTermination adjudicate_position(Adjudicator *a, const Position *positions, const Move *moves, unsigned ply) {
    const unsigned ending = game_ending(a->rules, positions, moves, ply, &a->white_result);
    if (ending != GAME_ENDING_NONE) return (GameTermination)ending; /* the game's endings are the first */
    return ply >= a->limits->max_ply ? TERMINATION_max_ply : TERMINATION_NONE;
}

GameTermination adjudicate_score(Adjudicator *a, const Position *p, unsigned ply, int score) {
    const DatagenAdjudication *limits = a->limits;
    const int side = (p->turn == WHITE ? score : -score) > 0 ? 1 : -1;
    const uint64_t magnitude = (uint64_t)abs(score);
    assert(a->leading_side || !a->resign_plies);
    a->resign_plies = magnitude < limits->resign_score ? 0 : side == a->leading_side ? a->resign_plies + 1 : 1;
    a->leading_side = side;
    a->draw_plies = magnitude <= limits->draw_score && ply >= limits->draw_min_ply ? a->draw_plies + 1 : 0;
    a->white_result = side;
    if (limits->eval_limit && magnitude >= limits->eval_limit) return TERMINATION_eval_limit;
    if (limits->resign_plies && a->resign_plies >= limits->resign_plies) return TERMINATION_resign;
    a->white_result = 0;
    if (limits->draw_plies && a->draw_plies >= limits->draw_plies) return TERMINATION_draw;
    return TERMINATION_NONE;
}
