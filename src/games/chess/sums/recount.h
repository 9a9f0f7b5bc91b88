/* SPDX-License-Identifier: MIT */
/*
 * Their king's moves after one of ours that concerns him (zone.h), as a set of squares that we then hit. Right on the
 * squares of the zone and on the square we moved to; nobody asks for others.
 */
#pragma once
#include "zone.h"

/*
 * After a man left f, wherever he went, if he did not come to a square of `coming`: what he held alone is free and what
 * he screened is hit. A slider behind him on the same line makes both the second case. `held` is what he hit from f.
 */
INLINE Bits hit_without(const Scene *s, const Zone *z, int f, Bits held) {
    const Bits lost = held & z->sole, occ = s->occ ^ bit(f);
    Bits hit = z->hit & ~lost;
    EACH (square, lost | (z->screened & (rook_lines[f] | bishop_lines[f]))) {
        const Bits sliders =
            (rook_attacks((int)square, occ) & s->we.orth) | (bishop_attacks((int)square, occ) & s->we.diag);
        if (sliders & ~bit(f)) hit |= bit((int)square);
    }
    return hit;
}

/* After any move, square by square. The king is lifted, so that he does not hide the squares behind him. */
INLINE Bits hit_after(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t) {
    const Army we = army_moved(s->we, kind, f | t);
    const Bits occ = ((s->occ ^ f) | t) ^ s->they.king;
    Bits hit = 0;
    EACH (square, z->zone | (z->ring & t)) hit |= (Bits)(army_hits(&we, us, (int)square, occ) != 0) << square;
    return hit;
}

INLINE int king_moves_after(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t) {
    const Bits hit = hit_after(s, z, us, kind, f, t);
    return count(z->ring & ~(s->they.men & ~t) & ~hit) + count_castlings(&z->castlings, (s->occ ^ f) | t, hit);
}

NOINLINE int king_moves_after_white(const Scene *s, const Zone *z, Kind kind, Bits f, Bits t) {
    return king_moves_after(s, z, WHITE, kind, f, t);
}
NOINLINE int king_moves_after_black(const Scene *s, const Zone *z, Kind kind, Bits f, Bits t) {
    return king_moves_after(s, z, BLACK, kind, f, t);
}
INLINE int recount_king(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t) {
    return us == WHITE ? king_moves_after_white(s, z, kind, f, t) : king_moves_after_black(s, z, kind, f, t);
}
