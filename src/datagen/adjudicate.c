/* SPDX-License-Identifier: MIT */
#include "adjudicate.h"

#include <stdlib.h>

#include "eval/evaluate.h"

void adjudicator_begin(Adjudicator *a, const Settings *settings) {
    *a = (Adjudicator){.settings = settings};
}

/* Was it there twice before? Only positions since the last capture or pawn move can be the same. */
static bool third_time(const Position *at, unsigned ply) {
    unsigned times = 0;
    const unsigned most = at[ply].halfmove < ply ? at[ply].halfmove : ply;
    for (unsigned back = 4; back <= most; back += 2) times += position_same(&at[ply], &at[ply - back]);
    return times >= 2;
}

GameEnd adjudicate_position(Adjudicator *a, const Position *at, unsigned ply) {
    const Position *p = &at[ply];
    a->white = 0;
    if (!moves_count(p)) {
        if (!in_check(p)) return GAME_END_stalemate;
        a->white = p->turn == WHITE ? -1 : 1;
        return GAME_END_mate;
    }
    if (p->halfmove >= 100) return GAME_END_fifty;
    if (third_time(at, ply)) return GAME_END_repetition;
    if (a->settings->insufficient && is_dead_draw(p)) return GAME_END_material;
    if (ply >= a->settings->write_max_ply) return GAME_END_length;
    return GAME_GOES_ON;
}

GameEnd adjudicate_score(Adjudicator *a, const Position *p, unsigned ply, int score) {
    const Settings *s = a->settings;
    const int white = p->turn == WHITE ? score : -score, side = white > 0 ? 1 : -1;
    const uint64_t size = (uint64_t)abs(score);
    a->decided = size < s->resign_score ? 0 : side == a->side ? a->decided + 1 : 1;
    a->side = side;
    a->even = size <= s->draw_score && ply >= s->draw_from ? a->even + 1 : 0;
    a->white = side;
    if (s->eval_limit && size >= s->eval_limit) return GAME_END_eval_limit;
    if (s->resign_plies && a->decided >= s->resign_plies) return GAME_END_resign;
    a->white = 0;
    if (s->draw_plies && a->even >= s->draw_plies) return GAME_END_draw;
    return GAME_GOES_ON;
}
