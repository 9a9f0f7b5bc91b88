/* SPDX-License-Identifier: MIT */
/*
 * Our pawns' moves, a set for each kind of step: all pawns that take the same step go into the tally together, and only
 * those that change something else are looked at one by one.
 *
 *      take_west  one  take_east         full: promotions, checks, what a step discovers or pins
 *              \   |   /                 G(f), and their king: square by square
 *               \  |  /                  a double step beside a pawn of theirs: en passant, tried on the board
 *                pawn
 */
#pragma once
#include "checks.h"
#include "moves.h"

typedef struct {
    int step; /* a constant */
    int flag; /* PLAIN or DOUBLE_PUSH, a constant */
    Bits to;
} PawnSteps;

/* Their replies en passant to a double step from f to t. */
INLINE int count_en_passant(const Scene *s, Colour us, Bits f, Bits t) {
    const Bits passed = forward(f, us);
    int n = 0;
    EACH (taker, pawn_attacks[us][first(passed)] & s->they.pawn) {
        const Bits occ = (s->occ ^ bit((int)taker) ^ f) | passed;
        (void)t;
        n += !((rook_attacks(s->they.king_at, occ) & s->we.orth) | (bishop_attacks(s->they.king_at, occ) & s->we.diag));
    }
    return n;
}

INLINE void play_pawns(Moves *r, Colour us, PawnSteps p, Bits full) {
    EACH (t, full) {
        const int flag = bit((int)t) & last_rank(us) ? PROMOTION : p.flag;
        r->sum += play_special(r->s->p, us, (int)t - p.step, (int)t, flag);
    }
}

INLINE void add_pawns(Moves *r, Colour us, PawnSteps p) {
    const Scene *s = r->s;
    const Zone *z = r->zone;
    p.to &= s->only.to & ahead(s->only.from, p.step);
    if (!p.to) return;
    const Bits checks = pawn_attacks[!us][s->they.king_at], opening = ahead(r->lines->openers, p.step);
    const Bits full = p.to & (r->in_full | checks | ahead(r->lines->discover, p.step) | last_rank(us));
    const Bits to = p.to ^ full, recount = to & (z->blocks | z->touch | ahead(z->leaving, p.step));
    tally_add(&r->tally, to);
    if (p.flag == DOUBLE_PUSH) {
        const Bits beside = forward(pawn_hits(s->they.pawn, (Colour)!us), us);
        EACH (t, to & beside) r->sum += count_en_passant(s, us, bit((int)t - p.step), bit((int)t));
    }
    EACH (t, to & ahead(r->pass->sources, p.step)) r->sum += gain(s, r->pass, us, (int)t - p.step, bit((int)t));
    EACH (t, to & z->pawn & ~recount)
        r->sum += count_king_moves(s, z, z->hit | pawn_attacks[us][t], s->occ) - z->replies;
    EACH (t, recount) r->sum += recount_king(s, z, us, PAWN, bit((int)t - p.step), bit((int)t), z->hit) - z->replies;
    EACH (t, to & (r->pin_lines | opening)) r->sum += change_pins(s, r->lines, us, (int)t - p.step, (int)t, false);
    if (UNLIKELY(full)) play_pawns(r, us, p, full);
}

INLINE void add_en_passant(Moves *r, Colour us) {
    const Scene *s = r->s;
    if (LIKELY(!s->p->ep) || !(s->only.to & bit(s->p->ep))) return;
    EACH (f, pawn_attacks[!us][s->p->ep] & s->we.pawn & s->only.from)
        if (ep_leaves_king_safe(s->p, us, (int)f, s->p->ep))
            r->sum += play_special(s->p, us, (int)f, s->p->ep, EN_PASSANT);
}

/* All moves of our pawns; we are not in check. */
INLINE void add_all_pawns(Moves *r, Colour us, const Pins *pins) {
    const Scene *s = r->s;
    const Bits orth = pins->orth, diag = pins->diag, push = s->we.pawn & ~diag, take = s->we.pawn & ~orth;
    const Bits one = (forward(push & ~orth, us) | (forward(push & orth, us) & orth)) & s->empty;
    const Bits two = forward(one & third_rank(us), us) & s->empty;
    const Bits east = (take_east(take & ~diag, us) | (take_east(take & diag, us) & diag)) & s->they.men;
    const Bits west = (take_west(take & ~diag, us) | (take_west(take & diag, us) & diag)) & s->they.men;
    const int up = pawn_up(us);
    add_pawns(r, us, (PawnSteps){up, PLAIN, one});
    add_pawns(r, us, (PawnSteps){2 * up, DOUBLE_PUSH, two});
    add_pawns(r, us, (PawnSteps){up + 1, PLAIN, east});
    add_pawns(r, us, (PawnSteps){up - 1, PLAIN, west});
    add_en_passant(r, us);
}
