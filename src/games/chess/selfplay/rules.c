/* SPDX-License-Identifier: MIT */
#include "selfplay/rules.h"

#include "eval/evaluate.h"

/* Only positions since the last capture or pawn move can be equal. */
static bool is_threefold(const Position *positions, unsigned ply) {
    const Position *p = &positions[ply];
    unsigned earlier = 0;
    const unsigned reversible = p->halfmove < ply ? p->halfmove : ply;
    for (unsigned back = 4; back <= reversible; back += 2) earlier += position_same(p, p - back);
    return earlier >= 2;
}

unsigned game_ending(const GameRules *rules, const Position *positions, const Move *moves, unsigned ply,
                     int *white_result) {
    const Position *p = &positions[ply];
    (void)moves;
    *white_result = 0;
    if (!moves_count(p)) {
        if (!in_check(p)) return GAME_ENDING_stalemate;
        *white_result = p->turn == WHITE ? -1 : 1;
        return GAME_ENDING_mate;
    }
    if (p->halfmove >= 100) return GAME_ENDING_fifty_moves;
    if (is_threefold(positions, ply)) return GAME_ENDING_repetition;
    if (rules->insufficient_material && is_dead_draw(p)) return GAME_ENDING_insufficient_material;
    return GAME_ENDING_NONE;
}

bool move_is_of_king(const Position *p, Move m) {
    return p->king & bit(move_from(m));
}
