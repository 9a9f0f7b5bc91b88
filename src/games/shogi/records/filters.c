/* SPDX-License-Identifier: MIT */
#include "records/filters.h"

#include <assert.h>

bool game_filter_matches(unsigned filter, const Position *p, Move m) {
    switch (filter) {
    case GAME_FILTER_filter_tactical:
        return m && (move_promotes(m) || has_square(occupied(p), move_to(m)));
    case GAME_FILTER_filter_check:
        return in_check(p);
    default:
        assert(filter == GAME_FILTER_filter_drop);
        return m && move_is_drop(m);
    }
}

int position_piece_count(const Position *p) {
    return squares_count(occupied(p));
}

/* On the board and in hand: a pawn 1, lance 3, knight 4, silver 5, gold and what moves like it 6, bishop 8, rook and horse
   10, dragon 12. */
int position_material(const Position *p, Colour c) {
    static const uint8_t plain[HAND_TYPES] = {1, 3, 4, 5, 8, 10, 6}, promoted[HAND_TYPES] = {6, 6, 6, 6, 10, 12, 0};
    int sum = 0;
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) {
        const Squares own = p->type[t] & p->side[c];
        sum += plain[t] * ((int)hand_count(p->hand[c], t) + squares_count(own & ~p->promoted));
        sum += promoted[t] * squares_count(own & p->promoted);
    }
    return sum;
}
