/* SPDX-License-Identifier: MIT */
/*
 * Moves of ours that pin one of their men, or free one. Such a move is summed like any other, as if m had stayed what
 * it was; then m's moves off the line are put right, looked at after the move:
 *
 *      K . m . x . R        becomes free:  + its moves off the line       (on the line it could move all the time)
 *                           is pinned:     - the same
 *
 * One move may do several of these, to several men, and both to the same man: then they cancel, rightly.
 */
#pragma once
#include "null_move.h"

/* The moves of their man m that leave the line, after ours from f to t. */
INLINE int count_moves_off(const Scene *s, Colour them, int m, Bits line, Bits f, Bits t) {
    const Bits b = bit(m), occ = (s->occ ^ f) | t, we = (s->we.men ^ f) | t, free = ~(s->they.men & ~t) & ~line;
    if (b & t) return 0;
    if (b & s->they.pawn) {
        const Bits push = forward(b, them) & ~occ, twice = forward(push & third_rank(them), them) & ~occ;
        const Bits to = (push | (pawn_attacks[them][m] & we)) & ~line;
        return count(to) + count(twice & ~line) + 3 * count(to & last_rank(them));
    }
    if (b & s->they.knight) return count(knight_attacks[m] & free);
    int n = 0;
    if (b & s->they.orth) n += count(rook_attacks(m, occ) & free);
    if (b & s->they.diag) n += count(bishop_attacks(m, occ) & free);
    return n;
}

/* `strikes`: t is where the mover pins. */
INLINE int pin_change(const Scene *s, const KingLines *l, Colour us, int from, int to, bool strikes) {
    const Colour them = (Colour)!us;
    const int k = s->they.king_at;
    const Bits f = bit(from), t = bit(to), pinned = (l->pins.orth | l->pins.diag) & s->they.men;
    int change = 0;
    if (f & (l->pinners | l->openers) && !(ray_through(k, from) & t)) {
        const Bits ray = ray_through(k, from);
        if (f & l->pinners) change += count_moves_off(s, them, first(ray & pinned), ray, f, t);
        if (f & l->openers) change -= count_moves_off(s, them, first(ray & l->opened), ray, f, t);
    }
    if (t & (l->pins.orth | l->pins.diag) & ~s->they.men) {
        const Bits ray = ray_through(k, to);
        change += count_moves_off(s, them, first(ray & pinned), ray, f, t);
    }
    if (strikes) {
        const Bits ray = ray_through(k, to), man = squares_between[k][to] & s->they.men & ~t;
        change -= count_moves_off(s, them, first(man), ray, f, t);
    }
    return change;
}

NOINLINE int pin_change_white(const Scene *s, const KingLines *l, int f, int t, bool strikes) {
    return pin_change(s, l, WHITE, f, t, strikes);
}
NOINLINE int pin_change_black(const Scene *s, const KingLines *l, int f, int t, bool strikes) {
    return pin_change(s, l, BLACK, f, t, strikes);
}
/* What is to be added to the sum for a move whose pins change. */
INLINE int change_pins(const Scene *s, const KingLines *l, Colour us, int f, int t, bool strikes) {
    return us == WHITE ? pin_change_white(s, l, f, t, strikes) : pin_change_black(s, l, f, t, strikes);
}
