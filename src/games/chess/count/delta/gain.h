/* SPDX-License-Identifier: MIT */
/*
 * G(f): what their replies gain and lose because one of ours leaves f.
 *
 *      r - - f + + x        a slider that strikes f sees on, up to x and with it if x is ours        +
 *      p takes f            a pawn has nothing to take on f any more                                 -
 *      p before f           a pawn may push to f, perhaps two squares                                +
 *
 * This is the same number for every move of the man, but where f and the destination t lie on one line with the slider:
 *
 *      r - t - f . . .      t is before f: nothing is seen beyond t, so nothing is gained
 *      r - - - f + t . .    t is behind f: seen is only up to t
 *
 * and where t stands in the push's way. Works on all destinations of one man together. Out of line, because only three
 * to five men of ours are struck, taken or in the way.
 */
#pragma once
#include "null_move.h"

/* May a slider on s, pins minded, move along the line that it strikes f by? */
INLINE bool may_strike(const Scene *s, const Pass *v, int slider, int f) {
    return LIKELY(!(v->pinned_squares & bit(slider))) || line_through[s->they.king_at][slider] & bit(f);
}

INLINE int slider_gain(const Scene *s, const Pass *v, int f, Bits to) {
    const Bits straight = rook_attacks(f, s->occ), slanted = bishop_attacks(f, s->occ);
    const int n = count(to);
    int gain = 0;
    EACH (slider, (straight & s->they.orth) | (slanted & s->they.diag)) {
        if (!may_strike(s, v, (int)slider, f)) continue;
        const Bits before = squares_between[f][slider], beyond = line_through[f][slider] & ~before;
        const Bits seen = (straight | slanted) & beyond & ~s->they.men;
        gain += count(seen) * (n - count(to & before));
        EACH (t, to & beyond) gain += (s->they.men >> t & 1) - count(seen & ~squares_between[f][t]);
    }
    return gain;
}

INLINE int pawn_gain(const Scene *s, const Pass *v, Colour us, int f, Bits to) {
    const Colour them = (Colour)!us;
    const Bits b = bit(f), front = forward(b, us);
    const int each = b & last_rank(them) ? 4 : 1, n = count(to);
    int gain = 0;
    if (b & (v->take_east | v->take_west)) {
        const int takers = ((b & v->take_east) != 0) + ((b & v->take_west) != 0);
        /* A taker that is itself taken is accounted for there. */
        gain -= each * (n * takers - count(to & pawn_attacks[us][f] & v->free_pawns));
    }
    if (b & v->block1) {
        const Bits second = forward(b & third_rank(them), them) & s->empty;
        gain += (each + (second != 0)) * (n - ((to & front) != 0)) - ((to & second) != 0);
    }
    if (b & v->block2) gain += n - count(to & (front | forward(front, us)));
    return gain;
}

INLINE int gain_of(const Scene *s, const Pass *v, Colour us, int f, Bits to) {
    int gain = pawn_gain(s, v, us, f, to);
    if (v->struck & bit(f)) gain += slider_gain(s, v, f, to);
    return gain;
}
NOINLINE int gain_white(const Scene *s, const Pass *v, int f, Bits to) {
    return gain_of(s, v, WHITE, f, to);
}
NOINLINE int gain_black(const Scene *s, const Pass *v, int f, Bits to) {
    return gain_of(s, v, BLACK, f, to);
}
/* The sum of G(f) over the moves from f to each square of `to`. */
INLINE int gain(const Scene *s, const Pass *v, Colour us, int f, Bits to) {
    return us == WHITE ? gain_white(s, v, f, to) : gain_black(s, v, f, to);
}
