/* SPDX-License-Identifier: MIT */
/* Threats and space. */
#pragma once
#include "evaluate_pieces.h"

INLINE void piece_threat_terms(EvaluationSum *t, const Position *p, Colour us, int term, Bits targets) {
    if (!targets) return;
    add_term(t, us, term + 0, popcount(targets & p->pawn));
    add_term(t, us, term + 1, popcount(targets & p->knight));
    add_term(t, us, term + 2, popcount(targets & p->diag & ~p->orth));
    add_term(t, us, term + 3, popcount(targets & p->orth & ~p->diag));
    add_term(t, us, term + 4, popcount(targets & p->orth & p->diag));
}

INLINE void pawn_threat_terms(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *me,
                              const SideAttacks *them) {
    const Bits own = p->pawn & p->side[us], foe = p->side[!us] & ~p->pawn & ~p->king;
    const Bits good = me->all | ~them->all, targets = pawn_set_attacks(own & good, us) & foe;
    add_term(t, us, PAWN_THREAT + 0, popcount(targets & p->knight));
    add_term(t, us, PAWN_THREAT + 1, popcount(targets & p->diag & ~p->orth));
    add_term(t, us, PAWN_THREAT + 2, popcount(targets & p->orth & ~p->diag));
    add_term(t, us, PAWN_THREAT + 3, popcount(targets & p->orth & p->diag));
    const Bits empty = ~occupied(p), once = forward(own, us) & empty;
    const Bits steps = (once | (forward(once & third_rank(us), us) & empty)) & ~them->by[PAWN] & good;
    add_term(t, us, PUSH_THREAT, popcount(pawn_set_attacks(steps, us) & foe & ~pawn_set_attacks(own, us)));
}

/* Safe squares from which a knight or a slider would attack the enemy's only queen. */
INLINE void queen_threat_terms(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *me,
                               Bits strongly_protected) {
    const Bits queens = p->side[!us] & p->diag & p->orth;
    if (!queens || more_than_one(queens)) return;
    const int s = lsb(queens);
    const Bits occ = occupied(p), safe = me->mobility_area & ~strongly_protected & ~(p->pawn & p->side[us]);
    add_term(t, us, QUEEN_FORK, popcount(me->by[KNIGHT] & knight_attacks[s] & safe));
    const Bits sliders = (me->by[BISHOP] & bishop_attacks(s, occ)) | (me->by[ROOK] & rook_attacks(s, occ));
    add_term(t, us, QUEEN_FORK + 1, popcount(sliders & safe & me->twice));
}

INLINE void threat_terms(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *me,
                         const SideAttacks *them) {
    const Bits foe = p->side[!us] & ~p->king;
    const Bits strongly_protected = them->by[PAWN] | (them->twice & ~me->twice);
    const Bits weak = foe & ~strongly_protected & me->all, protected_pieces = foe & strongly_protected & ~p->pawn;
    if (weak | protected_pieces) {
        const Bits rich = weak | protected_pieces;
        piece_threat_terms(t, p, us, MINOR_THREAT, rich & (me->by[KNIGHT] | me->by[BISHOP]));
        piece_threat_terms(t, p, us, ROOK_THREAT, weak & me->by[ROOK]);
        if (weak & me->by[KING]) add_term(t, us, KING_THREAT, 1);
        add_term(t, us, HANGING, popcount(weak & (~them->all | (me->twice & ~p->pawn))));
        add_term(t, us, WEAK_QUEEN_PROTECTION, popcount(weak & them->by[QUEEN]));
    }
    add_term(t, us, RESTRICTED, popcount(them->all & ~strongly_protected & me->all));
    pawn_threat_terms(t, p, us, me, them);
    queen_threat_terms(t, p, us, me, strongly_protected);
}

/* Space counts more with more pieces. */
INLINE void space_terms(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *them) {
    const Bits own_pawns = p->pawn & p->side[us];
    const Bits safe = FILE_A * 0x3c & ranks_of(us, 1, 3) & ~own_pawns & ~them->by[PAWN];
    Bits behind = own_pawns;
    behind |= forward(behind, (Colour)!us), behind |= forward(forward(behind, (Colour)!us), (Colour)!us);
    const int room = popcount(safe) + popcount(behind & safe & ~them->all);
    const int pieces = popcount(p->side[us] & ~p->pawn);
    add_term(t, us, SPACE, room * pieces / 8);
}
