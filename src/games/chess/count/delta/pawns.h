/* SPDX-License-Identifier: MIT */
/*
 * Our pawns' moves, a set for each kind of step: all pawns that take the same step go into the tally together, and only
 * those that change something else are looked at one by one.
 *
 *      take_west  one  take_east         full: what a step discovers; checks by a double step
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

/* Their replies en passant to a double step from f: each is tried on the board. */
INLINE int count_en_passant(const Scene *s, Colour us, Bits f) {
    const Bits passed = forward(f, us);
    int n = 0;
    EACH (taker, pawn_attacks[us][first(passed)] & s->they.pawn) {
        const Bits occ = (s->occ ^ bit((int)taker) ^ f) | passed;
        n += !((rook_attacks(s->they.king_at, occ) & s->we.orth) | (bishop_attacks(s->they.king_at, occ) & s->we.diag));
    }
    return n;
}

/* The pawns' moves to `to` by one kind of step, played; a promotion is four moves. */
INLINE int64_t pawns_played(const Position *p, Colour us, Bits to, int step, int flag) {
    int64_t sum = 0;
    EACH (t, to & ~last_rank(us)) sum += play_special(p, us, (int)t - step, (int)t, flag);
    EACH (t, to & last_rank(us))
        for (int kind = KNIGHT; kind <= QUEEN; kind++)
            sum += play_special(p, us, (int)t - step, (int)t, PROMOTION + kind);
    return sum;
}
NOINLINE int64_t play_white_pawns(const Position *p, Bits to, int step, int flag) {
    return pawns_played(p, WHITE, to, step, flag);
}
NOINLINE int64_t play_black_pawns(const Position *p, Bits to, int step, int flag) {
    return pawns_played(p, BLACK, to, step, flag);
}
INLINE int64_t play_pawns(const Position *p, Colour us, Bits to, int step, int flag) {
    return us == WHITE ? play_white_pawns(p, to, step, flag) : play_black_pawns(p, to, step, flag);
}

INLINE void add_pawns(Moves *r, Colour us, PawnSteps p) {
    const Scene *s = r->s;
    const Zone *z = r->zone;
    p.to &= s->only.to & ahead(s->only.from, p.step);
    if (!p.to) return;
    const Bits opening = ahead(r->lines->openers, p.step), bend = r->pin_lines | opening;
    const Bits checks = p.to & pawn_attacks[!us][s->they.king_at];
    Bits full = p.to & (r->in_full | ahead(r->lines->discover, p.step));
    full |= checks & (p.flag == DOUBLE_PUSH ? ~(Bits)0 : bend);
    const Bits promotions = p.to & last_rank(us) & ~full, check = checks & ~full;
    const Bits to = p.to & ~(full | check | promotions),
               recount = to & (z->blocks | z->touch | ahead(z->leaving, p.step));
    tally_add(&r->tally, to);
    if (p.flag == DOUBLE_PUSH) {
        const Bits beside = forward(pawn_hits(s->they.pawn, (Colour)!us), us);
        EACH (t, to & beside) r->sum += count_en_passant(s, us, bit((int)t - p.step));
    }
    EACH (t, to & ahead(r->pass->sources, p.step)) r->sum += gain(s, r->pass, us, (int)t - p.step, bit((int)t));
    EACH (t, to & z->pawn & ~recount)
        r->sum += count_king_moves(s, z, z->hit | pawn_attacks[us][t], s->occ) - z->replies;
    EACH (t, recount) r->sum += recount_king(s, z, us, PAWN, bit((int)t - p.step), bit((int)t), z->hit) - z->replies;
    EACH (t, to & bend) r->sum += change_pins(s, r->lines, us, (int)t - p.step, (int)t, false);
    EACH (t, check)
        r->sum += evasions(s, z, us, PAWN, bit((int)t - p.step), bit((int)t), z->hit, r->pass->pinned_squares);
    if (UNLIKELY(promotions)) add_promotions(r->promotions, us, promotions, p.step);
    if (UNLIKELY(full)) r->sum += play_pawns(s->p, us, full, p.step, p.flag);
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
