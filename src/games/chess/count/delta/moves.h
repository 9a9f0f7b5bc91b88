/* SPDX-License-Identifier: MIT */
/* What is known before our moves are looked at, and what is summed while they are. */
#pragma once
#include "promotions.h"

/* The pointers are to what functions out of line see too; the rest stays in registers. */
typedef struct {
    const Scene *s;
    const KingLines *lines;
    const Zone *zone;
    const Pass *pass;
    Promotions *promotions;
    Bits odd;       /* sources with anything to mind */
    Bits pin_lines; /* to here: a pinned man is freed */
    Bits in_full;   /* to here: played in full, for the sake of a castling */
    Tally tally;    /* the moves that were summed */
    int64_t sum;    /* of what is not in the tally */
} Moves;

/*
 * Where a move may change whether they can castle, other than by what the zone sees: it takes the rook, or comes to the
 * rook's line beyond it, or, if the rook is pinned, between.
 */
INLINE Bits find_in_full(const Scene *s, const KingLines *l, const Castlings *c, Colour them) {
    Bits set = 0;
    EACH (rook, c->rooks | (castling_rooks(s->p, them) & l->pins.orth)) {
        const Bits ray = ray_through(s->they.king_at, (int)rook), pinned = l->pins.orth & bit((int)rook);
        set |= bit((int)rook) | (pinned ? ray : ray & ~squares_between[s->they.king_at][rook]);
    }
    return set;
}

INLINE Moves begin_moves(const Scene *s, const KingLines *l, const Zone *z, const Pass *pass, Promotions *promotions,
                         Colour us) {
    Moves r = {.s = s, .lines = l, .zone = z, .pass = pass, .promotions = promotions};
    r.odd = pass->sources | z->leaving | l->discover | l->pinners | l->openers;
    r.pin_lines = pass->pinned_squares & ~s->they.men;
    if (s->p->castle[!us]) r.in_full = find_in_full(s, l, &z->castlings, (Colour)!us);
    return r;
}
