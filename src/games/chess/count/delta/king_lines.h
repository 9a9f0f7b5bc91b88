/* SPDX-License-Identifier: MIT */
/*
 * The lines to the kings. A line is pinned when one man of the king's side stands between king and slider:
 *
 *      K . . m . . R        m keeps to the squares up to R and R itself: that set is the pin's line
 *
 * For their king it also matters how our moves would change that. With o for one of ours:
 *
 *      K . . o . . R        o leaves: R gives check            "discover"
 *      K . m . o . R        o leaves: m becomes pinned         "opener", m is "opened"; m and o may also change places
 *      K . m . . R .        R leaves the line: m is free       "pinner"
 *      K . m . x . R        anyone lands on x: m is free       on the pin's line
 *      K . m . . x .        a slider lands on x: pins m        "strike"
 *      K . . x . . .        a slider lands on x: check         "check"
 */
#pragma once
#include "context.h"

/* From the king, without it, to the pinning slider, with it; all straight lines, and all slanted ones. */
typedef struct {
    Bits orth, diag;
} Pins;

typedef struct {
    Pins pins;
    Bits pinners;                  /* our sliders that pin one of theirs */
    Bits discover;                 /* our men whose leaving gives check, or changes a castling */
    Bits openers, opened;          /* our men whose leaving pins, and the men that it pins */
    Bits check_orth, check_diag;   /* a slider there checks */
    Bits strike_orth, strike_diag; /* would pin */
} KingLines;

/* The squares from k toward a, which shares a line with it, up to the edge. */
INLINE Bits ray_through(int k, int a) {
    return line_through[k][a] & (a > k ? ~(Bits)1 << k : bit(k) - 1);
}

/* The pinned lines to a king. A slider that checks him along an open line pins nobody: it is seen already. */
INLINE Pins find_pins(const Army *own, const Army *foe, Bits occ) {
    const int k = own->king_at;
    const Bits orth = rook_attacks(k, occ), diag = bishop_attacks(k, occ);
    const Bits behind_orth = rook_attacks(k, occ ^ (orth & own->men)) & ~orth;
    const Bits behind_diag = bishop_attacks(k, occ ^ (diag & own->men)) & ~diag;
    Pins pins = {0, 0};
    EACH (s, behind_orth & foe->orth) pins.orth |= squares_between[k][s];
    EACH (s, behind_diag & foe->diag) pins.diag |= squares_between[k][s];
    return pins;
}

/* One of our sliders on an open or blocked line to their king. Adds the line to *pins if it pins. */
INLINE void look_along(const Scene *s, KingLines *l, Bits *pins, int slider, Bits castling_rooks) {
    const Bits line = squares_between[s->they.king_at][slider], men = line & s->occ & ~bit(slider);
    const Bits all_but_one = men & (men - 1);
    if (!all_but_one) {
        if (men & s->we.men) {
            l->discover |= men;
        } else {
            *pins |= line;
            l->pinners |= bit(slider);
            /* The king's castling hangs on this pin as well. */
            if (UNLIKELY(men & castling_rooks)) l->discover |= bit(slider);
        }
    } else if (!several(all_but_one) && men & s->they.men) {
        l->openers |= men & s->we.men;
        l->opened |= men & s->they.men;
        if (UNLIKELY(men & castling_rooks)) l->discover |= men & s->we.men;
    }
}

INLINE KingLines find_king_lines(const Scene *s, Colour them) {
    const int k = s->they.king_at;
    const Bits rooks = castling_rooks(s->p, them);
    KingLines l = {.check_orth = rook_attacks(k, s->occ), .check_diag = bishop_attacks(k, s->occ)};
    l.strike_orth = rook_attacks(k, s->occ ^ (l.check_orth & s->they.men)) & ~l.check_orth;
    l.strike_diag = bishop_attacks(k, s->occ ^ (l.check_diag & s->they.men)) & ~l.check_diag;
    EACH (r, rook_lines[k] & s->we.orth) look_along(s, &l, &l.pins.orth, (int)r, rooks);
    EACH (b, bishop_lines[k] & s->we.diag) look_along(s, &l, &l.pins.diag, (int)b, rooks);
    return l;
}
