/* SPDX-License-Identifier: MIT */
/* Passed pawns and pieces; that a pawn is passed is in the pawn terms. */
#pragma once
#include "evaluate_pieces.h"

INLINE void blocker_term(EvaluationSum *t, const Position *p, Colour us, Bits ahead) {
    const Bits blocker = ahead & p->side[!us];
    if (!blocker) return;
    const int type = blocker & p->knight ? 0
                     : blocker & p->king ? 3
                     : blocker & p->orth ? 2
                     : blocker & p->diag ? 1
                                         : -1;
    if (type >= 0) add_term(t, us, PASSED_BLOCKER + type, 1);
}

/*
 * The unstoppable pawn: only the enemy king could stop it, and it is too far away, or the own king controls the path.
 */
INLINE bool is_unstoppable(const Position *p, Colour us, int s, Bits way) {
    const Colour them = (Colour)!us;
    if (p->side[them] & ~(p->pawn | p->king) || way & occupied(p)) return false;
    const int rank = relative_rank(us, s), steps = 7 - (rank == 1 ? 2 : rank);
    const int last_square = relative_square(us, 56 + file_of(s));
    if (distance(king_square(p, them), last_square) - (p->turn == them) > steps) return true;
    return !(way & ~king_attacks[king_square(p, us)]);
}

INLINE void passer_terms(EvaluationSum *t, const Position *p, Colour us, Bits passed, const SideAttacks *me,
                         const SideAttacks *them) {
    const int own_king = king_square(p, us), their_king = king_square(p, (Colour)!us);
    const Bits rooks = p->orth & ~p->diag;
    EACH (at, passed & p->side[us]) {
        const int s = (int)at, rank = relative_rank(us, s), ahead = s + pawn_up(us);
        const Bits way = us == WHITE ? (FILE_A << 8) << s : (FILE_H >> 8) >> (63 - s);
        const Bits step = bit(ahead);
        if (rank < 2) continue;
        add_term(t, us, PASSED_OWN_KING + distance(own_king, ahead), rank - 1);
        add_term(t, us, PASSED_THEIR_KING + distance(their_king, ahead), rank - 1);
        blocker_term(t, p, us, step);
        if (me->all & step) add_term(t, us, PASSED_DEFENDED + rank, 1);
        if (!(occupied(p) & step)) {
            add_term(t, us, PASSED_UNBLOCKED + rank, 1);
            if (!(them->all & step)) add_term(t, us, PASSED_SAFE_STEP + rank, 1);
            if (!(way & (them->all | p->side[!us]))) add_term(t, us, PASSED_SAFE_PATH + rank, 1);
        }
        const Bits on_file = rooks & FILE_A << file_of(s) & ~way;
        const Bits behind = on_file ? rook_attacks(s, occupied(p)) & on_file : 0;
        if (behind & p->side[us]) add_term(t, us, PASSED_ROOK, 1);
        if (behind & p->side[!us]) add_term(t, us, PASSED_ROOK + 1, 1);
        if (is_unstoppable(p, us, s, way)) add_term(t, us, PASSED_UNSTOPPABLE, 1);
    }
}
