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

enum { SORTED_MAX = 64, FEW_CHILDREN = 8 };

/*
 * The first 64 children: the lists of those to be counted in full, filled up with null moves (no square left or
 * entered).
 */
typedef struct {
    uint8_t from[SORTED_MAX], to[SORTED_MAX], piece[SORTED_MAX];
    int full, by_delta;
    int64_t deltas; /* the sum over the other children */
} __attribute__((aligned(64))) SortedChildren;

INLINE void sort_children(SortedChildren *s, const ChildList *l, ByteVector pieces, ByteVector critical,
                          ByteVector delta, ByteVector interactions) {
    const ByteMask valid = lowest_bytes(l->n < SORTED_MAX ? l->n : SORTED_MAX);
    const ByteVector to = _mm512_loadu_si512(l->to), from = _mm512_loadu_si512(l->from),
                     piece = child_pieces(l, pieces, from, 0);
    const ByteVector marked =
        _mm512_or_si512(_mm512_permutexvar_epi8(to, critical), _mm512_permutexvar_epi8(from, critical));
    const ByteMask special =
        lowest_bytes(l->castlings) | (lowest_bytes(l->promotions_end) & ~lowest_bytes(l->first_promotion));
    const ByteMask interacting = on_interaction_line(from, to, _mm512_permutexvar_epi8(from, interactions));
    const ByteMask full = (_mm512_test_epi8_mask(marked, piece) | special | interacting) & valid,
                   by_delta = valid & ~full;
    s->full = popcount(full);
    s->by_delta = popcount(by_delta);
    s->deltas = sum_deltas(from, to, delta, by_delta);
    assert(s->full + s->by_delta == popcount(valid) && l->castlings <= s->full);

    const ByteVector null_moves = _mm512_set1_epi8(NO_SQUARE);
    _mm512_store_si512(s->to, _mm512_mask_compress_epi8(null_moves, full, to));
    _mm512_store_si512(s->from, _mm512_mask_compress_epi8(null_moves, full, from));
    _mm512_store_si512(s->piece, _mm512_maskz_compress_epi8(full, piece));
}

/* Children as lists of bytes, castlings first: all of them, or those to be counted in full. */
typedef struct {
    const uint8_t *from, *to, *piece;
    int n;
} ChildBytes;

/*
 * The sum of the replies to the children from number `start` on, all counted in full, four at a time where no more are
 * left.
 */
INLINE uint64_t count_children(const ParentContext *c, const ChildList *l, ChildBytes k, int start, Colour b) {
    BitsVector sum = zero_vector();
    assert(start >= 0 && k.n <= MOVES_MAX);
    for (int i = start; i < k.n; i += 8) {
        const uint8_t *from = k.from + i, *to = k.to + i, *piece = k.piece + i;
        const bool castling = i == 0 && l->castlings;
        const int left = k.n - i;
        BitsVector counted;
        if (left <= 4 && !castling) {
            counted = (BitsVector)_mm512_zextsi256_si512((__m256i)full_count_x4(c, from, to, piece, b));
        } else {
            CastlingRooks rooks;
            if (UNLIKELY(castling)) rooks = castling_rooks_in_lanes(l);
            counted = full_count(c, from, to, piece, UNLIKELY(castling) ? &rooks : 0, b);
        }
        sum = masked_add(lowest_lanes(left < 8 ? left : 8), sum, counted);
    }
    return sum_lanes(sum);
}

/* The sum of the replies to all children from number `start` on, counted in full. */
INLINE uint64_t count_unsorted(const ParentContext *c, ChildList *l, ByteVector pieces, int start, Colour b) {
    for (int i = start & ~63; i < l->n; i += 64)
        _mm512_storeu_si512(l->piece + i, child_pieces(l, pieces, _mm512_loadu_si512(l->from + i), i));
    return count_children(c, l, (ChildBytes){l->from, l->to, l->piece, l->n}, start, b);
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

/* The sum of the legal replies to all legal moves of `us`, whose turn it is in *p. */
INLINE uint64_t simd_last_two(const Position *p, Colour us) {
    const Colour b = (Colour)!us;
    ParentContext c;
    ChildList l;
    KingRays r;
    assert(position_is_consistent(p) && p->turn == us);
    find_parent_context(&c, p, b);
    find_king_rays(&r, &c);
    list_children(&l, &c, &r, p, us);
    uint64_t sum = l.ep_replies;
    if (UNLIKELY(p->ep)) sum += replies_to_en_passant(p);
    const ByteVector pieces = pieces_by_square(p);
    if (l.n <= FEW_CHILDREN || popcount(c.b.knight) > DELTA_KNIGHTS_MAX)
        return sum + count_unsorted(&c, &l, pieces, 0, b);
    Mobility m;
    CriticalSquares cr;
    SortedChildren s;
    find_pawn_mobility(&m, &c, r.pinned, b);
    find_slider_mobility(&m, &c, r.pinned);
    find_critical_squares(&cr, &c, &r, b);
    sort_children(&s, &l, pieces, mark_squares(&cr, &c), find_square_deltas(&m, &c, r.pinned, b),
                  find_interactions(&m, &c, b));
    if (UNLIKELY(l.n > SORTED_MAX)) sum += count_unsorted(&c, &l, pieces, SORTED_MAX, b);
    sum += (uint64_t)s.deltas;
    sum += (uint64_t)s.by_delta * null_move_replies(&m, &c, cr.attacks, r.pinned, b);
    return sum + count_children(&c, &l, (ChildBytes){s.from, s.to, s.piece, s.full}, 0, b);
}
