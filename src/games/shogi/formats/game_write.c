/* SPDX-License-Identifier: MIT */
#include "formats/game_write.h"

#include "notation/fen.h"
#include "rules/declaration.h"

GameEnd game_write_end(const DataEncoder *e, Colour *to_move) {
    Position p;
    position_make_move(&p, &e->last.position, e->last.move);
    *to_move = (Colour)p.turn;
    if (!e->last.result) return GAME_END_DRAWN;
    if (e->last.result > 0) return in_check(&p) && !moves_count(&p) ? GAME_END_MATE : GAME_END_LOST;
    return declaration_wins(&p) ? GAME_END_DECLARED : GAME_END_WON;
}

bool game_write_begins(DataEncoder *e) {
    const bool is_full = e->in_game && e->state.moves == GAME_RECORD_PLIES;
    if (is_full) e->format->end_game(e);
    if (is_full || !e->in_game) e->state.moves = 0;
    return !e->state.moves;
}

bool game_write_is_start(const Position *p) {
    Position start;
    return fen_parse(&start, fen_start, NULL) && position_same(p, &start);
}

int game_write_score(const DataRecord *r) {
    const int black = r->position.turn == BLACK ? r->score : -r->score;
    return black > DATA_SCORE_MAX ? DATA_SCORE_MAX : black < -DATA_SCORE_MAX ? -DATA_SCORE_MAX : black;
}

DataFields game_write_lost(const DataRecord *r) {
    const bool is_beyond = r->score > DATA_SCORE_MAX || r->score < -DATA_SCORE_MAX;
    return is_beyond && !r->skip ? DATA_SCORE : DATA_NO_FIELDS;
}
