/* SPDX-License-Identifier: MIT */
/*
 * The eight rays from B's king, a ray in each lane: which of B's pieces are pinned, and which squares decide on checks
 * and pins. One move of A removes one piece from a ray or adds one, so only the first three pieces count (S: a slider
 * of A of the ray's kind, A and B: other pieces of that side):
 *
 *      k . B . S     B is pinned       a piece that comes between, captures B, or is S and leaves, changes that
 *      k . A . S     A screens         A leaving discovers a check
 *      k A . B . S   nothing yet       A leaving (it may stand second, too) makes a pin
 *      k A . A . S   nothing, whoever moves
 *
 * and a slider that comes to stand on the ray matters where it attacks the king, or would if one piece of B left.
 */
#pragma once
#include "byte_vector.h"
#include "parent.h"

INLINE BitsVector rays_of(int s) {
    return (BitsVector)_mm512_load_si512((const void *)rays[s]);
}
/* The first for the orthogonal rays, the second for the diagonal rays. */
INLINE BitsVector orth_and_diag(Bits orth, Bits diag) {
    return blend_lanes(0xaa, broadcast(diag), broadcast(orth));
}

typedef struct {
    BitsVector approach; /* squares of the ray up to the first piece, or the second if the first is B's */
    BitsVector critical; /* a piece of A that leaves or enters these may change a check or a pin */
    LaneMask used;       /* rays on which that is so */
    Bits pinned;         /* B's pinned pieces */
} KingRays;

/* The piece of each ray next to the king. The first four rays run toward higher squares. */
INLINE BitsVector nearest_to_king(BitsVector pieces) {
    return blend_lanes(0xf0, highest_bit(pieces), pieces & -pieces);
}

/* The squares of the rays up to a piece, included; the whole ray where there is none. */
INLINE BitsVector ray_up_to(BitsVector ray, BitsVector piece) {
    const BitsVector part = ray & blend_lanes(0xf0, -piece, piece ^ (piece - 1));
    return blend_lanes(lanes_disjoint(piece, piece), ray, part);
}

INLINE void find_king_rays(KingRays *r, const ParentContext *c) {
    const BitsVector ray = rays_of(c->king), pieces = ray & c->occ, sliders = orth_and_diag(c->a.orth, c->a.diag);
    const BitsVector nearest = nearest_to_king(pieces), behind = pieces ^ nearest;
    const BitsVector second = nearest_to_king(behind), third = nearest_to_king(behind ^ second), two = nearest | second;
    const LaneMask is_b = lanes_intersecting(nearest, broadcast(c->b.all)), pins = lanes_intersecting(second, sliders);
    const LaneMask near_pins =
        (LaneMask)(lanes_intersecting(third, sliders) & lanes_intersecting(two, broadcast(c->b.all)));
    r->approach = ray_up_to(ray, blend_lanes(is_b, second, nearest));
    r->critical = keep_lanes(pins, ray_up_to(ray, second)) | keep_lanes(near_pins, two & c->a.all);
    r->used = (LaneMask)(pins | near_pins);
    r->pinned = union_lanes(keep_lanes((LaneMask)(pins & is_b), nearest));
}
