/* SPDX-License-Identifier: MIT */
/* What pieces and kings mean for passed pawns; that they are passed is in the pawns' own terms. */
#pragma once
#include "evaluate_pieces.h"

INLINE void blocker_term(Tally *t, const Position *p, Colour us, Bits ahead) {
    const Bits blocker = ahead & p->side[!us];
    if (!blocker) return;
    const int kind = blocker & p->knight ? 0
                     : blocker & p->king ? 3
                     : blocker & p->orth ? 2
                     : blocker & p->diag ? 1
                                         : -1;
    if (kind >= 0) add(t, us, PASSED_BLOCKER + kind, 1);
}

/* Nothing but the king could stop it, and he comes too late, or the own king holds its way. */
INLINE bool runs_home(const Position *p, Colour us, int s, Bits way) {
    const Colour them = (Colour)!us;
    if (p->side[them] & ~(p->pawn | p->king) || way & occupied(p)) return false;
    const int rank = rank_of(us, s), steps = 7 - (rank == 1 ? 2 : rank);
    const int last_square = seen_by(us, 56 + square_file(s));
    if (distance(king_square(p, them), last_square) - (p->turn == them) > steps) return true;
    return !(way & ~king_attacks[king_square(p, us)]);
}

INLINE void passer_terms(Tally *t, const Position *p, Colour us, Bits passed, const Side *me, const Side *them) {
    const int own_king = king_square(p, us), their_king = king_square(p, (Colour)!us);
    const Bits rooks = p->orth & ~p->diag;
    EACH (at, passed & p->side[us]) {
        const int s = (int)at, rank = rank_of(us, s), ahead = s + pawn_up(us);
        const Bits way = us == WHITE ? (FILE_A << 8) << s : (FILE_H >> 8) >> (63 - s);
        const Bits step = bit(ahead);
        if (rank < 2) continue;
        add(t, us, PASSED_OWN_KING + distance(own_king, ahead), rank - 1);
        add(t, us, PASSED_THEIR_KING + distance(their_king, ahead), rank - 1);
        blocker_term(t, p, us, step);
        if (me->all & step) add(t, us, PASSED_COVERED + rank, 1);
        if (!(occupied(p) & step)) {
            add(t, us, PASSED_FREE + rank, 1);
            if (!(them->all & step)) add(t, us, PASSED_STEP + rank, 1);
            if (!(way & (them->all | p->side[!us]))) add(t, us, PASSED_SAFE + rank, 1);
        }
        const Bits on_file = rooks & FILE_A << square_file(s) & ~way;
        const Bits behind = on_file ? rook_attacks(s, occupied(p)) & on_file : 0;
        if (behind & p->side[us]) add(t, us, PASSED_ROOK, 1);
        if (behind & p->side[!us]) add(t, us, PASSED_ROOK + 1, 1);
        if (runs_home(p, us, s, way)) add(t, us, PASSED_RUNS, 1);
    }
}
