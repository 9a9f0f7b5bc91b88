/* SPDX-License-Identifier: MIT */
/*
 * The eight rays from B's king, a ray in each lane: which of B's men are pinned, and which squares decide on checks and
 * pins. One move of A takes one man off a ray or puts one on, so only the first three men count (S: a slider of A of
 * the ray's kind, A and B: other men of that side):
 *
 *      k . B . S     B is pinned       whoever comes between, takes B, or is S and leaves, changes that
 *      k . A . S     A screens         A leaving discovers a check
 *      k A . B . S   nothing yet       A leaving (it may stand second, too) makes a pin
 *      k A . A . S   nothing, whoever moves
 *
 * and a slider that comes to stand on the ray matters where it sees the king, or would if one man of B left.
 */
#pragma once
#include "bytes.h"
#include "shared.h"

INLINE Boards rays_of(int s) {
    return (Boards)_mm512_load_si512((const void *)rays[s]);
}
/* One board for the straight rays, one for the diagonal rays. */
INLINE Boards straight_and_diagonal(Bits straight, Bits diagonal) {
    return choose(0xaa, all_lanes(diagonal), all_lanes(straight));
}

typedef struct {
    Boards see;      /* squares of the ray up to the first man, or the second if the first is B's */
    Boards critical; /* a man of A that leaves or enters these may change a check or a pin */
    Which used;      /* rays on which that is so */
    Bits pinned;     /* B's men that are */
} KingRays;

/* The man next to the king. The first four rays run toward higher squares. */
INLINE Boards nearest_of(Boards men) {
    return choose(0xf0, highest_man(men), men & -men);
}

/* The squares of the rays up to a man, and with it; the whole ray where there is none. */
INLINE Boards up_to(Boards ray, Boards man) {
    const Boards part = ray & choose(0xf0, -man, man ^ (man - 1));
    return choose(misses(man, man), ray, part);
}

INLINE void find_king_rays(KingRays *r, const Shared *c) {
    const Boards ray = rays_of(c->king), men = ray & c->occ, sliders = straight_and_diagonal(c->a.orth, c->a.diag);
    const Boards first_man = nearest_of(men), men2 = men ^ first_man;
    const Boards second = nearest_of(men2), third = nearest_of(men2 ^ second), two = first_man | second;
    const Which ours = meets(first_man, all_lanes(c->b.all)), pins = meets(second, sliders);
    const Which near_pins = (Which)(meets(third, sliders) & meets(two, all_lanes(c->b.all)));
    r->see = up_to(ray, choose(ours, second, first_man));
    r->critical = only(pins, up_to(ray, second)) | only(near_pins, two & c->a.all);
    r->used = (Which)(pins | near_pins);
    r->pinned = union_of(only((Which)(pins & ours), first_man));
}
