/* SPDX-License-Identifier: MIT */
/*
 * Promotions. What a promotion does to their replies at f and t does not depend on what the pawn becomes; only their
 * king and their pins mind that. So each of the four is an arrival on t like any other, in a tally of its own (three
 * pawns by four kinds: twelve to a square), and only what the new piece hits is looked at, through f, which it left:
 *
 *      t  Q          Q on t sees down the file through f; the pawn on f was in the way before
 *      f  |
 *         k
 *
 * One that checks is played.
 */
#pragma once
#include "full.h"
#include "gain.h"
#include "pin_change.h"
#include "recount.h"
#include "tally.h"

/* What the promotions of a position come to. Kept in memory: they are rare, and registers are dear. */
typedef struct {
    const Scene *s;
    const KingLines *lines;
    const Zone *zone;
    const Pass *pass;
    Tally arrivals;
    int64_t sum; /* of what is not in the tally */
} Promotions;

/* Would a slider of that kind on t pin a man of theirs, f being empty? */
INLINE bool promotion_pins(const Scene *s, Kind kind, Bits f, Bits t) {
    const int k = s->they.king_at;
    const Bits lines_of_kind = (kind != ROOK ? bishop_lines[k] : 0) | (kind != BISHOP ? rook_lines[k] : 0);
    if (kind == KNIGHT || !(lines_of_kind & t)) return false;
    const Bits men = squares_between[k][first(t)] & s->occ & ~(f | t);
    return men & s->they.men && !several(men);
}

/* What one promotion that does not check adds to the replies, besides what every arrival on t does. */
INLINE int promotion_change(const Promotions *v, Colour us, Kind kind, int from, int to, Bits hits) {
    const Scene *s = v->s;
    const Zone *z = v->zone;
    const Bits f = bit(from), t = bit(to);
    int change = 0;
    if ((t & (z->blocks | z->touch)) | (f & z->leaving) | (hits & z->zone))
        change += king_moves_given(s, z, hit_after(s, z, us, PAWN, kind, f, t), f, t) - z->replies;
    const bool pins = promotion_pins(s, kind, f, t);
    if (pins | ((f & v->lines->openers) != 0) | ((t & v->pass->pinned_squares & ~s->they.men) != 0))
        change += change_pins(s, v->lines, us, from, to, pins);
    return change;
}

/* The four promotions from one square to another; the pawn's leaving discovers no check. */
INLINE void add_promotion(Promotions *v, Colour us, int from, int to) {
    const Scene *s = v->s;
    int arrivals = 0;
    for (Kind kind = KNIGHT; kind <= QUEEN; kind++) {
        const Bits hits = hits_from(us, kind, to, s->occ ^ bit(from));
        if (hits & s->they.king) {
            v->sum += play_special(s->p, us, from, to, PROMOTION + (int)kind);
        } else {
            v->sum += promotion_change(v, us, kind, from, to, hits);
            tally_add(&v->arrivals, bit(to));
            arrivals++;
        }
    }
    if (bit(from) & v->pass->sources) v->sum += arrivals * gain(s, v->pass, us, from, bit(to));
}

NOINLINE void add_promotions_white(Promotions *v, Bits to, int step) {
    EACH (t, to) add_promotion(v, WHITE, (int)t - step, (int)t);
}
NOINLINE void add_promotions_black(Promotions *v, Bits to, int step) {
    EACH (t, to) add_promotion(v, BLACK, (int)t - step, (int)t);
}
/* All promotions by one kind of step. */
INLINE void add_promotions(Promotions *v, Colour us, Bits to, int step) {
    if (us == WHITE)
        add_promotions_white(v, to, step);
    else
        add_promotions_black(v, to, step);
}
