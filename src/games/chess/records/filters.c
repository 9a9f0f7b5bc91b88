/* SPDX-License-Identifier: MIT */
#include "records/filters.h"

#include <assert.h>

static bool is_capture(const Position *p, Move m) {
    return move_flag(m) == EN_PASSANT || (move_flag(m) != CASTLING && occupied(p) & bit(move_to(m)));
}

static bool is_checked(const Position *p) {
    return attackers_by_lines(p, (Colour)!p->turn, king_square(p, (Colour)p->turn), occupied(p)) != 0;
}

bool game_filter_matches(unsigned filter, const Position *p, Move m) {
    switch (filter) {
    case GAME_FILTER_filter_tactical:
        return m && (move_promotes(m) || is_capture(p, m));
    case GAME_FILTER_filter_check:
        return is_checked(p);
    default:
        assert(filter == GAME_FILTER_filter_castling);
        return m && move_flag(m) == CASTLING;
    }
}

int position_piece_count(const Position *p) {
    return popcount(occupied(p));
}

static int material(const Position *p, Bits set) {
    return popcount(p->pawn & set) + 3 * popcount((p->knight | (p->diag & ~p->orth)) & set) +
           5 * popcount(p->orth & ~p->diag & set) + 9 * popcount(p->diag & p->orth & set);
}

int position_total_material(const Position *p) {
    return material(p, occupied(p));
}
int position_material_balance(const Position *p) {
    return material(p, p->side[p->turn]) - material(p, p->side[!p->turn]);
}
