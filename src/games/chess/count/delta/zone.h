/* SPDX-License-Identifier: MIT */
/*
 * Their king. His moves depend on which squares around him we hit, so they must be counted anew after some of our
 * moves; the zone says after which. It is made of the squares he could step on and those his castlings need.
 *
 *      . z z z .       A square z of the zone that we do not hit becomes hit
 *      . z k z .         - when a man comes to where its kind hits z              "orth, diag, knight, pawn, king"
 *      . z z z .         - when a man leaves that screened z from our slider      "leaving"
 *                      A square that we hit may become free
 *                        - when its only holder leaves                            "leaving"; z is "sole"
 *                        - when a man comes between a holder and it               "blocks"
 *                          (three holders are never lost by one move; two only together with a block)
 *                      A man that comes next to the king can be taken unless another holds that square, and one that
 *                      comes to the way of a castling bars it                       "touch"
 *
 * All these sets may be larger than need be, never smaller: a move outside them leaves the king's moves as they are,
 * any other is counted (recount.h).
 */
#pragma once
#include "castlings.h"
#include "king_lines.h"

typedef struct {
    Bits ring;                           /* the squares next to the king */
    Bits zone;                           /* those of them that they do not occupy, and the ways of castlings */
    Bits hit;                            /* the squares of the zone that we hit */
    Bits sole, screened;                 /* hit by one man only; free, but there is a slider behind a man of ours */
    Bits leaving, blocks, touch;         /* moves from here, or to here, concern the king, whatever the man */
    Bits orth, diag, knight, pawn, king; /* moves to here do, of a man of that kind: he newly hits the zone */
    Castlings castlings;
    int replies; /* the king's moves if we passed */
} Zone;

INLINE void look_at_free(const Scene *s, Zone *z, Colour us, int square) {
    const Bits straight = rook_attacks(square, s->occ), slanted = bishop_attacks(square, s->occ);
    z->orth |= straight;
    z->diag |= slanted;
    z->knight |= knight_attacks[square];
    z->pawn |= pawn_attacks[!us][square];
    z->king |= king_attacks[square];
    const Bits behind_own = (rook_attacks(square, s->occ ^ (straight & s->we.men)) & s->we.orth) |
                            (bishop_attacks(square, s->occ ^ (slanted & s->we.men)) & s->we.diag);
    if (UNLIKELY(behind_own)) {
        z->screened |= bit(square);
        EACH (slider, behind_own) z->leaving |= squares_between[slider][square] & s->we.men;
    }
}

INLINE void look_at_hit(Zone *z, int square, Bits holders) {
    const Bits others = holders & (holders - 1), b = bit(square);
    z->hit |= b;
    if (several(others)) return;
    z->blocks |= squares_between[first(holders)][square] & ~b;
    if (others) {
        z->blocks |= squares_between[first(others)][square] & ~b;
    } else {
        z->sole |= b;
        z->leaving |= holders;
    }
}

INLINE int count_king_moves(const Scene *s, const Zone *z, Bits hit, Bits occ) {
    return count(z->ring & ~s->they.men & ~hit) + count_castlings(&z->castlings, occ, hit);
}

INLINE Zone find_zone(const Scene *s, Colour us, const KingLines *their_lines) {
    Zone z = {.ring = king_attacks[s->they.king_at]};
    z.castlings = find_castlings(s->p, (Colour)!us, &s->they, s->they.men, their_lines->pins.orth);
    if (z.castlings.rooks)
        for (int i = 0; i < 2; i++)
            if (!(z.castlings.clear[i] & s->they.men)) z.touch |= z.castlings.clear[i] | z.castlings.safe[i];
    z.zone = (z.ring & ~s->they.men) | z.touch;
    z.leaving = z.zone & s->we.men;
    EACH (square, z.zone) {
        const Bits holders = army_hits(&s->we, us, (int)square, s->occ);
        if (holders) {
            look_at_hit(&z, (int)square, holders);
        } else {
            look_at_free(s, &z, us, (int)square);
        }
    }
    z.touch |= z.ring & ~(z.hit & ~z.sole);
    z.replies = count_king_moves(s, &z, z.hit, s->occ);
    return z;
}
