/* SPDX-License-Identifier: MIT */
/* What hangs, what is about to be won, and room. */
#pragma once
#include "evaluate_pieces.h"

INLINE void threats_by(Tally *t, const Position *p, Colour us, int term, Bits prey) {
    if (!prey) return;
    add(t, us, term + 0, count(prey & p->pawn));
    add(t, us, term + 1, count(prey & p->knight));
    add(t, us, term + 2, count(prey & p->diag & ~p->orth));
    add(t, us, term + 3, count(prey & p->orth & ~p->diag));
    add(t, us, term + 4, count(prey & p->orth & p->diag));
}

INLINE void pawn_threats(Tally *t, const Position *p, Colour us, const Side *me, const Side *them) {
    const Bits own = p->pawn & p->side[us], foe = p->side[!us] & ~p->pawn & ~p->king;
    const Bits good = me->all | ~them->all, prey = pawn_hits(own & good, us) & foe;
    add(t, us, PAWN_THREAT + 0, count(prey & p->knight));
    add(t, us, PAWN_THREAT + 1, count(prey & p->diag & ~p->orth));
    add(t, us, PAWN_THREAT + 2, count(prey & p->orth & ~p->diag));
    add(t, us, PAWN_THREAT + 3, count(prey & p->orth & p->diag));
    const Bits empty = ~occupied(p), once = forward(own, us) & empty;
    const Bits steps = (once | (forward(once & third_rank(us), us) & empty)) & ~them->by[PAWN] & good;
    add(t, us, PUSH_THREAT, count(pawn_hits(steps, us) & foe & ~pawn_hits(own, us)));
}

/* Safe squares from where a knight or a slider would hit the enemy's only queen. `firm`: what it holds well. */
INLINE void queen_threats(Tally *t, const Position *p, Colour us, const Side *me, Bits firm) {
    const Bits queens = p->side[!us] & p->diag & p->orth;
    if (!queens || several(queens)) return;
    const int s = first(queens);
    const Bits occ = occupied(p), safe = me->area & ~firm & ~(p->pawn & p->side[us]);
    add(t, us, QUEEN_FORK, count(me->by[KNIGHT] & knight_attacks[s] & safe));
    const Bits sliders = (me->by[BISHOP] & bishop_attacks(s, occ)) | (me->by[ROOK] & rook_attacks(s, occ));
    add(t, us, QUEEN_FORK + 1, count(sliders & safe & me->twice));
}

INLINE void threat_terms(Tally *t, const Position *p, Colour us, const Side *me, const Side *them) {
    const Bits foe = p->side[!us] & ~p->king;
    const Bits firm = them->by[PAWN] | (them->twice & ~me->twice);
    const Bits weak = foe & ~firm & me->all, firm_pieces = foe & firm & ~p->pawn;
    if (weak | firm_pieces) {
        const Bits rich = weak | firm_pieces;
        threats_by(t, p, us, MINOR_THREAT, rich & (me->by[KNIGHT] | me->by[BISHOP]));
        threats_by(t, p, us, ROOK_THREAT, weak & me->by[ROOK]);
        if (weak & me->by[KING]) add(t, us, KING_THREAT, 1);
        add(t, us, HANGING, count(weak & (~them->all | (me->twice & ~p->pawn))));
        add(t, us, WEAK_COVERED_BY_QUEEN, count(weak & them->by[QUEEN]));
    }
    add(t, us, RESTRICTED, count(them->all & ~firm & me->all));
    pawn_threats(t, p, us, me, them);
    queen_threats(t, p, us, me, firm);
}

/* Room counts more the more men there are to use it. */
INLINE void space_terms(Tally *t, const Position *p, Colour us, const Side *them) {
    const Bits own_pawns = p->pawn & p->side[us];
    const Bits safe = FILE_A * 0x3c & ranks_of(us, 1, 3) & ~own_pawns & ~them->by[PAWN];
    Bits behind = own_pawns;
    behind |= forward(behind, (Colour)!us), behind |= forward(forward(behind, (Colour)!us), (Colour)!us);
    const int room = count(safe) + count(behind & safe & ~them->all);
    const int pieces = count(p->side[us] & ~p->pawn);
    add(t, us, SPACE, room * pieces / 8);
}
