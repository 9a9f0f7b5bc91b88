/* SPDX-License-Identifier: MIT */
/*
 * The last two plies in SIMD lanes (AVX-512: F BW DQ VL VBMI VBMI2 BITALG VPOPCNTDQ, GFNI): the sum of the legal
 * replies to all children of a position, none of which is built.
 *
 *      parent.h            what all children have in common        bitboard_vector.h   bitboards in lanes
 *      king_rays.h         checks and pins one move away           byte_vector.h       a register as 64 bytes
 *      child_list.h        the children as lists of bytes          tables.h            constant data
 *      critical_squares.h  which of them may change something for the king of the side that replies
 *      null_move.h         the replies to a null move
 *      pawn_mobility.h     where pawns move, and what keeps them from it
 *      square_deltas.h     what the others change, a number for each square, looked up for all at once
 *      full_count.h        the children that are counted in full, eight at a time or four (full_count_instances.h)
 *
 *      | full | full | full | ...           a lane each
 *      delta  delta  delta  delta ...       no lane: replies to a null move + delta[from] + delta[to]
 */
#pragma once
#include "full_count_instances.h"
#include "null_move.h"
#include "square_deltas.h"

/* Up to 64 children: the lowest n bytes of each. Castlings come first. */
typedef struct {
    ByteVector from, to, piece;
    int n;
} Children;

/* Those of the first 64 children that are counted in full, and the sum over the others. */
typedef struct {
    Children full;
    int by_delta;
    BitsVector deltas; /* in lanes, DELTA_BIAS a child too high */
} SortedChildren;

/* Up to 64 children from number `start` on. */
INLINE Children load_children(const ChildList *l, ByteVector pieces, int start) {
    const ByteVector from = _mm512_loadu_si512(l->moves->from + start), to = _mm512_loadu_si512(l->moves->to + start);
    const int left = l->n - start;
    return (Children){from, to, child_pieces(l, pieces, from, start), left < 64 ? left : 64};
}

INLINE void sort_children(SortedChildren *s, const ChildList *l, ByteVector pieces, ByteVector critical,
                          ByteVector delta, ByteVector interactions) {
    const Children k = load_children(l, pieces, 0);
    const ByteMask valid = lowest_bytes(k.n);
    const ByteVector marked =
        _mm512_or_si512(_mm512_permutexvar_epi8(k.to, critical), _mm512_permutexvar_epi8(k.from, critical));
    const ByteMask special =
        lowest_bytes(l->castlings) | (lowest_bytes(l->promotions_end) & ~lowest_bytes(l->first_promotion));
    const ByteMask interacting = on_interaction_line(k.from, k.to, _mm512_permutexvar_epi8(k.from, interactions));
    const ByteMask full = (_mm512_test_epi8_mask(marked, k.piece) | special | interacting) & valid,
                   by_delta = valid & ~full;
    s->by_delta = popcount(by_delta);
    s->deltas = sum_deltas(k.from, k.to, delta, by_delta);

    /* Filled up with null moves (no square left or entered). */
    const ByteVector null_moves = _mm512_set1_epi8(NO_SQUARE);
    s->full.to = _mm512_mask_compress_epi8(null_moves, full, k.to);
    s->full.from = _mm512_mask_compress_epi8(null_moves, full, k.from);
    s->full.piece = _mm512_maskz_compress_epi8(full, k.piece);
    s->full.n = popcount(full);
    assert(s->full.n + s->by_delta == popcount(valid) && l->castlings <= s->full.n);
}

/* Moves the bytes of the next eight children to the lowest lane. */
INLINE ByteVector next_eight(ByteVector children) {
    return _mm512_alignr_epi64(children, children, 1);
}

/*
 * The sum of the replies to children, all counted in full, four at a time where no more are left. castlings: as
 * castling_rooks_in_lanes() wants them; NULL if there are none among these children.
 */
INLINE BitsVector count_children(const ParentContext *c, const ChildList *castlings, Children k, Colour b) {
    BitsVector sum = zero_vector();
    for (; k.n > 0; k.n -= 8) {
        const __m128i from = _mm512_castsi512_si128(k.from), to = _mm512_castsi512_si128(k.to),
                      piece = _mm512_castsi512_si128(k.piece);
        BitsVector counted;
        if (k.n <= 4 && !castlings) {
            counted = (BitsVector)_mm512_zextsi256_si512((__m256i)full_count_x4(c, from, to, piece, b));
        } else {
            CastlingRooks rooks;
            if (UNLIKELY(castlings)) rooks = castling_rooks_in_lanes(castlings);
            counted = full_count(c, from, to, piece, UNLIKELY(castlings) ? &rooks : 0, b);
        }
        sum = masked_add(lowest_lanes(k.n < 8 ? k.n : 8), sum, counted);
        k.from = next_eight(k.from), k.to = next_eight(k.to), k.piece = next_eight(k.piece);
        castlings = 0;
    }
    return sum;
}

/* The sum of the replies to all children from number `start` on, counted in full. */
INLINE BitsVector count_unsorted(const ParentContext *c, const ChildList *l, ByteVector pieces, int start, Colour b) {
    BitsVector sum = zero_vector();
    for (int i = start; i < l->n; i += 64)
        sum += count_children(c, i == 0 && l->castlings ? l : 0, load_children(l, pieces, i), b);
    return sum;
}

/* The replies to A's en passant captures, which are few: made. */
NOINLINE uint64_t replies_to_en_passant(const Position *p) {
    const Colour us = (Colour)p->turn;
    uint64_t n = 0;
    EACH (from, pawn_attacks[!us][p->ep] & p->pawn & p->side[us]) {
        if (!ep_leaves_king_safe(p, us, (int)from, p->ep)) continue;
        Position child;
        position_make_move(&child, p, move_encode((int)from, p->ep, EN_PASSANT));
        n += moves_count(&child);
    }
    return n;
}

/* Replies to moves that no register holds. */
INLINE uint64_t replies_to_unlisted(const ChildList *l, const Position *p) {
    return l->ep_replies + (UNLIKELY(p->ep) ? replies_to_en_passant(p) : 0);
}

/* A is in check and has few moves: all are counted in full. */
INLINE uint64_t replies_to_evasions(ParentContext *c, const KingRays *r, const Position *p, Colour us) {
    const LegalMasks v = find_legal_masks(p, us);
    ChildMoves moves;
    ChildList l = {.moves = &moves};
    list_pieces(&l, c, r, list_king_and_pawns(&l, c, p, us, &v), &v);
    return replies_to_unlisted(&l, p) + sum_lanes(count_unsorted(c, &l, pieces_by_square(p), 0, (Colour)!us));
}

/*
 * The sum of the legal replies to all legal moves of `us`, whose turn it is in *p. The list is stored in parts and
 * loaded whole, which the processor cannot forward: everything that needs no list stands between.
 */
INLINE uint64_t simd_last_two(const Position *p, Colour us) {
    const Colour b = (Colour)!us;
    ParentContext c;
    KingRays r;
    assert(position_is_consistent(p) && p->turn == us);
    find_parent_context(&c, p, b);
    find_king_rays(&r, &c);
    Mobility m;
    find_free_mobility(&m, &c);
    const Bits attacked = attacked_by_b(&m, &c, b);
    if (UNLIKELY(attacked & c.a.king)) return replies_to_evasions(&c, &r, p, us);

    const LegalMasks v = masks_without_check(p, us, attacked);
    ChildMoves moves;
    ChildList l = {.moves = &moves};
    CriticalSquares cr;
    SortedChildren s;
    const Bits promoting = list_king_and_pawns(&l, &c, p, us, &v);
    find_pawn_mobility(&m.pawn, &c, r.pinned, b);
    find_piece_mobility(&m, &c, r.pinned);
    list_pieces(&l, &c, &r, promoting, &v);
    find_critical_squares(&cr, &c, &r, b);
    const ByteVector marks = mark_squares(&cr), deltas = find_square_deltas(&m, &c, b);
    const ByteVector interactions = find_interactions(&m, &c), pieces = pieces_by_square(p);
    const int king_replies = null_move_king_replies(&c, parent_attacks(&c, cr.attacks, b), r.pinned);
    sort_children(&s, &l, pieces, marks, deltas, interactions);

    const uint64_t by_delta = (uint64_t)s.by_delta;
    uint64_t sum = replies_to_unlisted(&l, p) + by_delta * ((uint64_t)king_replies - DELTA_BIAS);
    if (UNLIKELY(l.n > 64)) sum += sum_lanes(count_unsorted(&c, &l, pieces, 64, b));
    const BitsVector lanes = s.deltas + multiply_lanes(null_move_piece_replies(&m, &c, b), broadcast(by_delta));
    return sum + sum_lanes(lanes + count_children(&c, l.castlings ? &l : 0, s.full, b));
}
