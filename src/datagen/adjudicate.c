/* SPDX-License-Identifier: MIT */
#include "adjudicate.h"

#include <assert.h>
#include <stdlib.h>

#include "eval/evaluate.h"

const char *termination_name(unsigned termination) {
#define NAME(name, words) #name,
    static const char *const all[] = {GAME_TERMINATIONS(NAME)};
#undef NAME
    assert(termination < TERMINATIONS_N);
    return all[termination];
}

const char *termination_description(unsigned termination) {
#define WORDS(name, words) words,
    static const char *const all[] = {GAME_TERMINATIONS(WORDS)};
#undef WORDS
    assert(termination < TERMINATIONS_N);
    return all[termination];
}

void adjudicator_init(Adjudicator *a, const DatagenAdjudication *rules) {
    *a = (Adjudicator){.rules = rules};
}

/* Only positions since the last capture or pawn move can be equal. */
static bool is_threefold(const Position *positions, unsigned ply) {
    const Position *p = &positions[ply];
    unsigned earlier = 0;
    const unsigned reversible = p->halfmove < ply ? p->halfmove : ply;
    for (unsigned back = 4; back <= reversible; back += 2) earlier += position_same(p, p - back);
    return earlier >= 2;
}

GameTermination adjudicate_position(Adjudicator *a, const Position *positions, unsigned ply) {
    const Position *p = &positions[ply];
    a->white_result = 0;
    if (!moves_count(p)) {
        if (!in_check(p)) return TERMINATION_stalemate;
        a->white_result = p->turn == WHITE ? -1 : 1;
        return TERMINATION_mate;
    }
    if (p->halfmove >= 100) return TERMINATION_fifty_moves;
    if (is_threefold(positions, ply)) return TERMINATION_repetition;
    if (a->rules->insufficient_material && is_dead_draw(p)) return TERMINATION_insufficient_material;
    if (ply >= a->rules->max_ply) return TERMINATION_max_ply;
    return TERMINATION_NONE;
}

GameTermination adjudicate_score(Adjudicator *a, const Position *p, unsigned ply, int score) {
    const DatagenAdjudication *rules = a->rules;
    const int side = (p->turn == WHITE ? score : -score) > 0 ? 1 : -1;
    const uint64_t magnitude = (uint64_t)abs(score);
    assert(a->leading_side || !a->resign_plies);
    a->resign_plies = magnitude < rules->resign_score ? 0 : side == a->leading_side ? a->resign_plies + 1 : 1;
    a->leading_side = side;
    a->draw_plies = magnitude <= rules->draw_score && ply >= rules->draw_min_ply ? a->draw_plies + 1 : 0;
    a->white_result = side;
    if (rules->eval_limit && magnitude >= rules->eval_limit) return TERMINATION_eval_limit;
    if (rules->resign_plies && a->resign_plies >= rules->resign_plies) return TERMINATION_resign;
    a->white_result = 0;
    if (rules->draw_plies && a->draw_plies >= rules->draw_plies) return TERMINATION_draw;
    return TERMINATION_NONE;
}
