/* SPDX-License-Identifier: MIT */
/*
 * Binpack encodes a move as an index among the pseudo-legal targets of a piece. Checks and pins are ignored, so that the
 * targets are found without generating moves; every legal move is among them.
 */
#pragma once
#include <assert.h>

#include "rules/movegen.h"

typedef struct {
    Bits squares;
    Bits castling_rooks[2]; /* of a king that may castle: queenside, kingside; empty or one square */
    bool promotes;          /* each square counts four times, for N B R Q */
} BinpackTargets;

/* Bits that encode a choice among n: ceil(log2 n). */
INLINE unsigned binpack_choice_bits(unsigned n) {
    return n < 2 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

/* The n-th square of a set, from 0; the set has more than n. */
INLINE int nth_square(Bits set, unsigned n) {
    assert(n < (unsigned)popcount(set));
#ifdef __BMI2__
    return lsb(__builtin_ia32_pdep_di(bit((int)n), set));
#else
    for (; n; n--) set &= set - 1;
    return lsb(set);
#endif
}

INLINE Bits binpack_pawn_targets(const Position *p, Colour us, int from) {
    const Bits enemy = p->side[!us], empty = ~occupied(p), step = forward(bit(from), us) & empty;
    const Bits double_step = forward(step & third_rank(us), us) & empty;
    return step | double_step | (pawn_attacks[us][from] & (enemy | (p->ep ? bit(p->ep) : 0)));
}

/* All squares if the set has that one, else none. */
INLINE Bits all_or_none(Bits set, int square) {
    return -(set >> square & 1);
}

/* Of all piece types at once: which one it is, a branch predictor cannot know. */
INLINE BinpackTargets binpack_targets(const Position *p, int from) {
    const Colour us = (Colour)p->turn;
    const Bits occ = occupied(p);
    Bits squares = (all_or_none(p->diag, from) & bishop_attacks_by_lines(from, occ)) |
                   (all_or_none(p->orth, from) & rook_attacks_by_lines(from, occ)) |
                   (all_or_none(p->knight, from) & knight_attacks[from]) |
                   (all_or_none(p->king, from) & king_attacks[from]);
    squares &= ~p->side[us];
    squares |= all_or_none(p->pawn, from) & binpack_pawn_targets(p, us, from);
    BinpackTargets t = {.squares = squares, .promotes = bit(from) & p->pawn & forward(last_rank(us), (Colour)!us)};
    if (UNLIKELY(p->castle[us] && p->king & bit(from))) {
        t.castling_rooks[0] = castling_rook(p, us, false);
        t.castling_rooks[1] = castling_rook(p, us, true);
    }
    return t;
}

INLINE unsigned binpack_target_count(const BinpackTargets *t) {
    return (unsigned)popcount(t->squares) * (t->promotes ? 4u : 1u) + (t->castling_rooks[0] != 0) +
           (t->castling_rooks[1] != 0);
}

/* The move with that index among the targets; it is not always legal. */
INLINE Move binpack_target_move(const Position *p, int from, const BinpackTargets *t, unsigned index) {
    const unsigned squares = (unsigned)popcount(t->squares);
    assert(index < binpack_target_count(t));
    if (t->promotes) return move_encode(from, nth_square(t->squares, index / 4), PROMOTION + KNIGHT + (int)(index % 4));
    if (index >= squares)
        return move_encode(from, lsb(t->castling_rooks[!t->castling_rooks[0] || index > squares]), CASTLING);
    const int to = nth_square(t->squares, index);
    const unsigned is_pawn = p->pawn >> from & 1, two_ranks = to - from == 16 || from - to == 16;
    if (UNLIKELY(p->ep && to == p->ep && is_pawn && file_of(to) != file_of(from)))
        return move_encode(from, to, EN_PASSANT);
    return move_encode(from, to, is_pawn & two_ranks ? DOUBLE_PUSH : PLAIN);
}

/* king_is_safe_after() by lines. */
INLINE bool binpack_king_is_safe(const Position *p, Colour us, int from, int to) {
    const int king = p->king & bit(from) ? to : king_square(p, us);
    const Bits after = (occupied(p) ^ bit(from)) | bit(to);
    return !(attackers_by_lines(p, (Colour)!us, king, after) & ~bit(to));
}

/* Is such a move legal? */
INLINE bool binpack_target_is_legal(const Position *p, Move m) {
    if (LIKELY(move_flag(m) != CASTLING && move_flag(m) != EN_PASSANT))
        return binpack_king_is_safe(p, (Colour)p->turn, move_from(m), move_to(m));
    return move_is_legal(p, m);
}

/* The index of a legal move. */
INLINE unsigned binpack_target_index(const Position *p, const BinpackTargets *t, Move m) {
    const unsigned below = (unsigned)popcount(t->squares & (bit(move_to(m)) - 1));
    (void)p;
    assert(move_flag(m) == CASTLING || t->squares & bit(move_to(m)));
    if (move_promotes(m)) return 4 * below + (unsigned)(move_promotion(m) - KNIGHT);
    if (move_flag(m) != CASTLING) return below;
    return (unsigned)popcount(t->squares) + (t->castling_rooks[0] && !(t->castling_rooks[0] & bit(move_to(m))));
}
