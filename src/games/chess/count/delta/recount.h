/* SPDX-License-Identifier: MIT */
/*
 * Their king's moves after one of ours that concerns him (zone.h), as a set of squares that we then hit. Right on the
 * squares of the zone and on the square we moved to; nobody asks for others.
 */
#pragma once
#include "zone.h"

/*
 * After a man left f, wherever he went, if he did not come to a square of `blocks`: what he held alone is free and what
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

/*
 * After a man went from f to t, and t is not in `blocks`; `hit` is what is hit without him. What he hits from t is
 * added; t itself, next to the king, is hit if another man holds it.
 */
INLINE Bits hit_with(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, int to, Bits hit) {
    const Bits t = bit(to), occ = s->occ ^ f ^ s->they.king;
    hit |= hits_from(us, kind, to, occ);
    if (!(t & z->touch)) return hit;
    return army_hits(&s->we, us, to, occ) & ~f ? hit | t : hit & ~t;
}

/* After any move, square by square. The king is lifted, so that he does not hide the squares behind him. */
INLINE Bits hit_after(const Scene *s, const Zone *z, Colour us, Kind kind, Kind becomes, Bits f, Bits t) {
    Army we = s->we;
    army_flip(&we, kind, f);
    army_flip(&we, becomes, t);
    const Bits occ = ((s->occ ^ f) | t) ^ s->they.king;
    Bits hit = 0;
    EACH (square, z->zone | (z->ring & t)) hit |= (Bits)(army_hits(&we, us, (int)square, occ) != 0) << square;
    return hit;
}

/* The king's moves after ours from f to t, given what we then hit. He is not in check. */
INLINE int king_moves_given(const Scene *s, const Zone *z, Bits hit, Bits f, Bits t) {
    return count(z->ring & ~(s->they.men & ~t) & ~hit) + count_castlings(&z->castlings, (s->occ ^ f) | t, hit);
}

/*
 * After any move that is no promotion. A king, and a pawn, may move along a line that it screens and go on screening
 * it; then only looking at every square is safe. So it is where a line of ours is blocked. For a pawn, `hit` is what we
 * hit before it left.
 */
INLINE Bits hit_after_move(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t, Bits hit) {
    const int from = first(f), to = first(t);
    const bool may_screen = f & z->leaving && line_through[from][to] & (s->we.orth | s->we.diag);
    if (t & z->blocks || ((kind == KING || kind == PAWN) && may_screen)) return hit_after(s, z, us, kind, kind, f, t);
    if (kind == PAWN && f & z->leaving) hit = hit_without(s, z, from, pawn_attacks[us][from]);
    return hit_with(s, z, us, kind, f, to, hit);
}

INLINE int king_moves_after(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t, Bits hit) {
    return king_moves_given(s, z, hit_after_move(s, z, us, kind, f, t, hit), f, t);
}
NOINLINE int king_moves_after_white(const Scene *s, const Zone *z, Kind kind, Bits f, Bits t, Bits hit) {
    return king_moves_after(s, z, WHITE, kind, f, t, hit);
}
NOINLINE int king_moves_after_black(const Scene *s, const Zone *z, Kind kind, Bits f, Bits t, Bits hit) {
    return king_moves_after(s, z, BLACK, kind, f, t, hit);
}
/* The king's moves after any move that does not check him; `hit` is what we hit without the man on f. */
INLINE int recount_king(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t, Bits hit) {
    return us == WHITE ? king_moves_after_white(s, z, kind, f, t, hit) : king_moves_after_black(s, z, kind, f, t, hit);
}
