/* SPDX-License-Identifier: MIT */
/*
 * Their replies to a check by the man that moved, and by no other: the king steps away, or another man goes between or
 * takes the checker. So there is no need to make the move: the squares that help are known.
 *
 *      k . g g C        g and C are the goal; every free man of theirs that reaches it is a reply.
 *
 * A pinned man never helps: its line and the line of the check share only the king.
 */
#pragma once
#include "recount.h"
#include "replies.h"

/* Their men, `able` of them, that go to a goal square. `taken` is the checker's square: pawns take there, and push
   to the others. */
INLINE int count_movers_to(const Scene *s, Colour them, Bits able, Bits goal, Bits taken, Bits empty) {
    const Army *a = &s->they;
    const Bits pawns = a->pawn & able, end = last_rank(them);
    const Bits step = forward(pawns, them) & empty, one = step & goal;
    const Bits two = forward(step & third_rank(them), them) & empty & goal;
    const Bits east = take_east(pawns, them) & taken, west = take_west(pawns, them) & taken;
    int n = count(one) + count(two) + count(east) + count(west);
    if (UNLIKELY((one | taken) & end)) n += 3 * (count(one & end) + count(east & end) + count(west & end));
    /* One square is looked at from itself; to several, the men are followed. */
    if (several(goal)) {
        EACH (knight, a->knight & able) n += count(knight_attacks[knight] & goal);
        return n + slider_moves(a->orth & able, a->diag & able, ~empty, goal);
    }
    const int g = first(goal);
    return n + count(rook_attacks(g, ~empty) & a->orth & able) + count(bishop_attacks(g, ~empty) & a->diag & able) +
           count(knight_attacks[g] & a->knight & able);
}

/* `hit`: what we hit of the zone after the checker left f. `pinned`: the squares of all pins. */
INLINE int count_evasions(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t, Bits hit, Bits pinned) {
    const int to = first(t);
    const Bits occ = (s->occ ^ f) | t;
    hit = hit_after_move(s, z, us, kind, f, t, hit);
    const Bits goal = kind == KNIGHT ? t : squares_between[s->they.king_at][to];
    return count(z->ring & ~(s->they.men & ~t) & ~hit) + count_movers_to(s, (Colour)!us, ~(pinned | t), goal, t, ~occ);
}

NOINLINE int count_evasions_white(const Scene *s, const Zone *z, Kind kind, Bits f, Bits t, Bits hit, Bits pinned) {
    return count_evasions(s, z, WHITE, kind, f, t, hit, pinned);
}
NOINLINE int count_evasions_black(const Scene *s, const Zone *z, Kind kind, Bits f, Bits t, Bits hit, Bits pinned) {
    return count_evasions(s, z, BLACK, kind, f, t, hit, pinned);
}
INLINE int evasions(const Scene *s, const Zone *z, Colour us, Kind kind, Bits f, Bits t, Bits hit, Bits pinned) {
    return us == WHITE ? count_evasions_white(s, z, kind, f, t, hit, pinned)
                       : count_evasions_black(s, z, kind, f, t, hit, pinned);
}
