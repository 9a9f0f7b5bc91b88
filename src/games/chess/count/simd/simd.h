/* SPDX-License-Identifier: MIT */
/*
 * The last two plies in lanes (AVX-512: F BW DQ VL VBMI VBMI2 BITALG VPOPCNTDQ, GFNI): the sum of the legal replies to
 * all children of a position, none of which is ever built.
 *
 *      shared.h      what all children have in common          boards.h    eight boards in a register
 *      king_rays.h   checks and pins in the making             tables.h    constant data
 *      child_list.h  the children as lists of bytes
 *      critical.h    which of them are hard: something may change for the king of the side that replies
 *      pass.h        the replies to a pass
 *      effects.h     the others are soft: what they change is a number for each square, looked up for all at once
 *      general.h     hard children, counted in full, eight at a time or four (instances.h, four.c)
 *
 *      | hard | hard | hard | ...        a lane each
 *      soft soft soft soft ...           no lane: replies to a pass (a null move) + effect[from] + effect[to]
 */
#pragma once
#include "effects.h"
#include "instances.h"
#include "null_move.h"

enum { SORTED = 64, FEW_CHILDREN = 8 };

/* The hard ones of the first 64 children; from there on passes (a null move: no square left or entered). */
typedef struct {
    uint8_t from[SORTED], to[SORTED], kind[SORTED];
    int hard, soft;
    int64_t effects; /* of the soft ones */
} __attribute__((aligned(64))) Sorted;

INLINE void sort_children(Sorted *s, const ChildList *l, Bytes kinds, Bytes marks, Bytes effect, Bytes struck) {
    const Subset valid = first_bytes(l->n < SORTED ? l->n : SORTED);
    const Bytes to = _mm512_loadu_si512(l->to), from = _mm512_loadu_si512(l->from), kind = kinds_of(l, kinds, from, 0);
    const Bytes at_both = _mm512_or_si512(_mm512_permutexvar_epi8(to, marks), _mm512_permutexvar_epi8(from, marks));
    const Subset special = first_bytes(l->castlings) | (first_bytes(l->after_promotions) & ~first_bytes(l->promotions));
    const Subset together = on_struck_line(from, to, _mm512_permutexvar_epi8(from, struck));
    const Subset hard = (_mm512_test_epi8_mask(at_both, kind) | special | together) & valid, soft = valid & ~hard;
    s->hard = count(hard);
    s->soft = count(soft);
    s->effects = sum_effects(from, to, effect, soft);

    const Bytes pass = _mm512_set1_epi8(NO_SQUARE);
    _mm512_store_si512(s->to, _mm512_mask_compress_epi8(pass, hard, to));
    _mm512_store_si512(s->from, _mm512_mask_compress_epi8(pass, hard, from));
    _mm512_store_si512(s->kind, _mm512_maskz_compress_epi8(hard, kind));
}

/* Children as lists of bytes, castlings first: all of them, or the hard ones. */
typedef struct {
    const uint8_t *from, *to, *kind;
    int n;
} Lists;

/*
 * The sum of the replies to the children from number `start` on, all counted in full, four at a time where no more are
 * left.
 */
INLINE uint64_t count_children(const Shared *c, const ChildList *l, Lists k, int start, Colour b) {
    Boards sum = no_boards();
    for (int i = start; i < k.n; i += 8) {
        const uint8_t *from = k.from + i, *to = k.to + i, *kind = k.kind + i;
        const bool castling = i == 0 && l->castlings;
        const int left = k.n - i;
        Boards counted;
        if (left <= 4 && !castling) {
            counted = (Boards)_mm512_zextsi256_si512((__m256i)four_counts(c, from, to, kind, b));
        } else {
            Rooks rooks;
            if (UNLIKELY(castling)) rooks = castling_rooks_of(l);
            counted = full_count(c, from, to, kind, UNLIKELY(castling) ? &rooks : 0, b);
        }
        sum = add_where(first_lanes(left < 8 ? left : 8), sum, counted);
    }
    return sum_of(sum);
}

/* Children `start` on, soft ones too. */
INLINE uint64_t count_unsorted(const Shared *c, ChildList *l, Bytes kinds, int start, Colour b) {
    for (int i = start & ~63; i < l->n; i += 64)
        _mm512_storeu_si512(l->kind + i, kinds_of(l, kinds, _mm512_loadu_si512(l->from + i), i));
    return count_children(c, l, (Lists){l->from, l->to, l->kind, l->n}, start, b);
}

/* The replies to A's en passant captures, which are few: played. */
NOINLINE uint64_t replies_to_en_passant(const Position *p) {
    const Colour us = (Colour)p->turn;
    uint64_t n = 0;
    EACH (from, pawn_attacks[!us][p->ep] & p->pawn & p->side[us]) {
        if (!ep_leaves_king_safe(p, us, (int)from, p->ep)) continue;
        Position child;
        position_play(&child, p, move_make((int)from, p->ep, EN_PASSANT));
        n += moves_count(&child);
    }
    return n;
}

/* The sum of the legal replies to all legal moves of `us`, whose turn it is in *p. */
INLINE uint64_t simd_last_two(const Position *p, Colour us) {
    const Colour b = (Colour)!us;
    Shared c;
    ChildList l;
    KingRays r;
    find_shared(&c, p, b);
    find_king_rays(&r, &c);
    list_children(&l, &c, &r, p, us);
    uint64_t sum = l.ep_replies;
    if (UNLIKELY(p->ep)) sum += replies_to_en_passant(p);
    const Bytes kinds = kinds_by_square(p);
    if (l.n <= FEW_CHILDREN || count(c.b.knight) > EFFECT_KNIGHTS_MAX) return sum + count_unsorted(&c, &l, kinds, 0, b);
    Mobility m;
    Critical cr;
    Sorted s;
    find_pawn_mobility(&m, &c, r.pinned, b);
    find_slider_mobility(&m, &c, r.pinned);
    find_critical(&cr, &c, &r, b);
    sort_children(&s, &l, kinds, mark_squares(&cr, &c), find_effects(&m, &c, r.pinned, b), find_struck(&m, &c, b));
    if (UNLIKELY(l.n > SORTED)) sum += count_unsorted(&c, &l, kinds, SORTED, b);
    sum += (uint64_t)s.effects;
    sum += (uint64_t)s.soft * count_pass(&m, &c, cr.hit, r.pinned, b);
    return sum + count_children(&c, &l, (Lists){s.from, s.to, s.kind, s.hard}, 0, b);
}
