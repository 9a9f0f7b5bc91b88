/* SPDX-License-Identifier: MIT */
#include "selfplay/rules.h"

#include "rules/declaration.h"

enum { OCCURRENCES_TO_END = 4 }; /* of a position */

/* Where the last position stood for the first time, if it stands for the fourth time now; else ply. */
static unsigned first_of_four(const Position *positions, unsigned ply) {
    unsigned occurrences = 1, first = ply;
    for (unsigned back = 4; back <= ply && occurrences < OCCURRENCES_TO_END; back += 2) {
        if (!position_same(&positions[ply], &positions[ply - back])) continue;
        occurrences++;
        first = ply - back;
    }
    return occurrences == OCCURRENCES_TO_END ? first : ply;
}

/* Have all moves of a side been checks since the position `first`? */
static bool always_checked(const Position *positions, unsigned first, unsigned ply, Colour us) {
    for (unsigned i = first + 1; i <= ply; i++)
        if (positions[i].turn != us && !in_check(&positions[i])) return false;
    return true;
}

static int won_by(Colour winner) {
    return winner == WHITE ? 1 : -1;
}

static unsigned ending_of_repetition(const Position *positions, unsigned first, unsigned ply, int *white_result) {
    const bool black = always_checked(positions, first, ply, BLACK),
               white = always_checked(positions, first, ply, WHITE);
    if (black == white) return GAME_ENDING_repetition;
    *white_result = won_by(black ? WHITE : BLACK);
    return GAME_ENDING_perpetual_check;
}

/* The fourth occurrence of a position loses for a side all of whose moves since the first were checks. */
unsigned game_ending(const GameRules *rules, const Position *positions, const Move *moves, unsigned ply,
                     int *white_result) {
    const Position *p = &positions[ply];
    const Colour us = (Colour)p->turn;
    (void)moves;
    *white_result = 0;
    if (!moves_count(p)) {
        *white_result = won_by((Colour)!us);
        return in_check(p) ? GAME_ENDING_mate : GAME_ENDING_no_move;
    }
    const unsigned first = first_of_four(positions, ply);
    if (first < ply) return ending_of_repetition(positions, first, ply, white_result);
    if (!rules->declaration || !declaration_wins(p)) return GAME_ENDING_NONE;
    *white_result = won_by(us);
    return GAME_ENDING_declaration;
}

bool move_is_of_king(const Position *p, Move m) {
    return move_from(m) == p->king[p->turn];
}
