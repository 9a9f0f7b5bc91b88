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

/* A pawn 1, knight and bishop 3, rook 5, queen 9. */
int position_material(const Position *p, Colour c) {
    const Bits own = p->side[c];
    return popcount(p->pawn & own) + 3 * popcount((p->knight | (p->diag & ~p->orth)) & own) +
           5 * popcount(p->orth & ~p->diag & own) + 9 * popcount(p->diag & p->orth & own);
}
