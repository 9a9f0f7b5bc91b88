/* SPDX-License-Identifier: MIT */
/*
 * Captures of c: the victim's own replies are gone, and their men that guard c may take back. Worked out once for each
 * victim and counted as often as we can take it.
 *
 *      replies lost: the victim's moves          gained: their men that see c, which was their own man's square
 */
#pragma once
#include "null_move.h"
#include "tally.h"

INLINE int count_guards(const Pass *v, Colour them, int c) {
    const Bits b = bit(c);
    const int each = b & last_rank(them) ? 4 : 1, pawns = ((v->take_east & b) != 0) + ((v->take_west & b) != 0);
    return eight_lanes_with(v->sight, b) + count(knight_attacks[c] & v->knights) + each * pawns;
}

INLINE int count_moves_of_pawn(const Scene *s, const Pass *v, Colour them, Bits b) {
    const Bits push = forward(b, them) & v->push1, end = last_rank(them);
    const Bits east = take_east(b, them) & v->take_east & s->we.men,
               west = take_west(b, them) & v->take_west & s->we.men;
    const Bits twice = forward(push & third_rank(them), them) & v->push2;
    return count(push) + count(twice) + count(east) + count(west) + 3 * count((push | east | west) & end);
}

/* A pinned man keeps to its line; pinned on a line of the other kind it does not move. */
INLINE int count_moves_of(const Scene *s, const Pass *v, Colour them, int c) {
    const Bits b = bit(c), line = b & v->pinned_squares ? line_through[s->they.king_at][c] : ~(Bits)0;
    if (b & s->they.pawn) return count_moves_of_pawn(s, v, them, b);
    if (b & s->they.knight) return b & v->knights ? count(knight_attacks[c] & ~s->they.men) : 0;
    int n = 0;
    if (b & s->they.orth) n += count(rook_attacks(c, s->occ) & ~s->they.men & line);
    if (b & s->they.diag) n += count(bishop_attacks(c, s->occ) & ~s->they.men & line);
    return n;
}

INLINE int64_t sum_captures(const Scene *s, const Pass *v, Colour them, const Tally *c) {
    int64_t sum = 0;
    EACH (t, (c->digit[0] | c->digit[1] | c->digit[2] | c->digit[3]) & s->they.men)
        sum += tally_at(c, (int)t) * (count_guards(v, them, (int)t) - count_moves_of(s, v, them, (int)t));
    return sum;
}
