/* SPDX-License-Identifier: MIT */
/*
 * The number of legal moves of a position: the leaf of everything that is played, and the last ply by itself. The same
 * rules as movegen.h, but nothing is worked out that a number does not need: of the squares that the other side hits
 * only those next to the king, or on the way of a castling that nothing else forbids.
 *
 *      . x o x .      x: own men, or hit by a pawn, a knight or the other king: known for all squares at once
 *      . o k x .      o: what is left is looked at from the square itself, for sliders, the king lifted
 *      . x x x .
 */
#pragma once
#include "castlings.h"
#include "eight.h"
#include "king_lines.h"

/* The position as the side to move counts its own moves. */
typedef struct {
    const Position *p;
    Army own, foe;
    Bits occ, target; /* squares where a man may go: in check, only onto the checker or between */
    Pins pins;
} Leaf;

/* What sliders hit, and how many moves they have. Vectors fill all of them at the price of two; else each is looked
   up. */
#ifdef __AVX2__
INLINE Bits slider_hits(Bits orth, Bits diag, Bits occ) {
    return eight_union(eight_see(orth, diag, ~occ));
}
INLINE int slider_moves(Bits orth, Bits diag, Bits occ, Bits target) {
    return (int)eight_count(eight_and(eight_see(orth, diag, ~occ), target));
}
#else
INLINE Bits slider_hits(Bits orth, Bits diag, Bits occ) {
    Bits hit = 0;
    EACH (s, orth) hit |= rook_attacks((int)s, occ);
    EACH (s, diag) hit |= bishop_attacks((int)s, occ);
    return hit;
}
INLINE int slider_moves(Bits orth, Bits diag, Bits occ, Bits target) {
    int n = 0;
    EACH (s, orth) n += count(rook_attacks((int)s, occ) & target);
    EACH (s, diag) n += count(bishop_attacks((int)s, occ) & target);
    return n;
}
#endif

/* The king's steps and castlings. `checked`: he is in check. */
INLINE int count_king_replies(const Leaf *l, Colour us, bool checked) {
    const Colour them = (Colour)!us;
    const Bits way = checked ? 0 : castling_rooks(l->p, us);
    Bits hit = pawn_hits(l->foe.pawn, them) | king_attacks[l->foe.king_at];
    EACH (s, l->foe.knight) hit |= knight_attacks[s];
    const Bits steps = king_attacks[l->own.king_at] & ~l->own.men & ~hit;
    if (!(steps | way)) return 0;
    hit |= slider_hits(l->foe.orth, l->foe.diag, l->occ ^ l->own.king);
    int n = count(steps & ~hit);
    if (way) {
        const Castlings k = find_castlings(l->p, us, &l->own, l->occ, l->pins.orth);
        n += count_castlings(&k, l->occ, hit);
    }
    return n;
}

INLINE int count_pawn_replies(const Leaf *l, Colour us) {
    const Bits orth = l->pins.orth, diag = l->pins.diag, push = l->own.pawn & ~diag, take = l->own.pawn & ~orth;
    const Bits prey = l->foe.men & l->target, end = last_rank(us);
    const Bits step = (forward(push & ~orth, us) | (forward(push & orth, us) & orth)) & ~l->occ;
    const Bits one = step & l->target, two = forward(step & third_rank(us), us) & ~l->occ & l->target;
    const Bits east = (take_east(take & ~diag, us) | (take_east(take & diag, us) & diag)) & prey;
    const Bits west = (take_west(take & ~diag, us) | (take_west(take & diag, us) & diag)) & prey;
    int n = count(one) + count(two) + count(east) + count(west);
    if (UNLIKELY((one | east | west) & end)) n += 3 * (count(one & end) + count(east & end) + count(west & end));
    if (UNLIKELY(l->p->ep))
        EACH (f, pawn_attacks[!us][l->p->ep] & l->own.pawn) n += ep_leaves_king_safe(l->p, us, (int)f, l->p->ep);
    return n;
}

/* A pinned slider keeps to its line, if it moves that way at all. */
INLINE int count_slider_replies(const Leaf *l) {
    const Army *own = &l->own;
    const Bits pinned = l->pins.orth | l->pins.diag;
    int n = slider_moves(own->orth & ~pinned, own->diag & ~pinned, l->occ, l->target);
    if (UNLIKELY(pinned & (own->orth | own->diag))) {
        EACH (s, own->orth & l->pins.orth) n += count(rook_attacks((int)s, l->occ) & l->target & l->pins.orth);
        EACH (s, own->diag & l->pins.diag) n += count(bishop_attacks((int)s, l->occ) & l->target & l->pins.diag);
    }
    return n;
}

INLINE uint64_t replies_of(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    Leaf l = {.p = p, .own = army_of(p, us), .foe = army_of(p, them)};
    l.occ = l.own.men | l.foe.men;
    l.target = ~l.own.men;
    const Bits checkers = army_hits(&l.foe, them, l.own.king_at, l.occ);
    l.pins = find_pins(&l.own, &l.foe, l.occ);
    int n = count_king_replies(&l, us, checkers != 0);
    if (checkers) {
        if (several(checkers)) return (uint64_t)n;
        l.target &= checkers | squares_between[l.own.king_at][first(checkers)];
    }
    n += count_pawn_replies(&l, us) + count_slider_replies(&l);
    EACH (s, l.own.knight & ~(l.pins.orth | l.pins.diag)) n += count(knight_attacks[s] & l.target);
    return (uint64_t)n;
}

NOINLINE uint64_t count_replies_white(const Position *p) {
    return replies_of(p, WHITE);
}
NOINLINE uint64_t count_replies_black(const Position *p) {
    return replies_of(p, BLACK);
}
INLINE uint64_t count_replies(const Position *p, Colour us) {
    return us == WHITE ? count_replies_white(p) : count_replies_black(p);
}
