/* SPDX-License-Identifier: MIT */
/*
 * The last two plies in lanes (AVX-512: F BW DQ VL VBMI VBMI2 BITALG VPOPCNTDQ, GFNI): the legal replies to all
 * children of a position are counted eight children at a time, and no child is ever built.
 *
 *      boards.h      eight boards in a register                 general.h   eight children counted in full
 *      shared.h      what all children have in common           soft.h      eight soft children counted cheaply
 *      king_rays.h   checks and pins in the making
 *      child_list.h  the children as lists of bytes
 *      critical.h    which of them must be counted in full
 *
 * The children are sorted into four sorts, and the first three packed one after the other into lanes:
 *
 *      | pass | hard children ... | soft captures ... | soft quiet ... | pass pass pass      and: unchanged, no lane
 *      |<--- full counts, filled up --->|<- captures ->|<--- quiet --->|
 *
 * The pass (a null move of A) rides in the first lane: what it counts is the count of every unchanged child, and the
 * base for every soft one. The last lane is a pass again, which tells what pawns and sliders count for it.
 */
#pragma once
#include "critical.h"
#include "soft.h"

enum { SORTED = 64, FEW_CHILDREN = 8 };

/* The first 64 children, pass included, in order of their sort; from there on passes. */
typedef struct {
    uint8_t from[2 * SORTED], to[2 * SORTED], kind[SORTED];
    int hard, captures, quiet, same;
} __attribute__((aligned(64))) Sorted;

INLINE Bytes after(Bytes list, int n, Subset members) {
    const Subset room = first_bytes(n + count(members)) & ~first_bytes(n);
    return _mm512_mask_expand_epi8(list, room, _mm512_maskz_compress_epi8(members, all_squares()));
}

INLINE void sort_children(Sorted *s, const ChildList *l, Bytes marks) {
    const Subset valid = first_bytes(l->n < SORTED ? l->n : SORTED);
    const Bytes to = _mm512_loadu_si512(l->to), from = _mm512_loadu_si512(l->from), kind = _mm512_loadu_si512(l->kind);
    const Bytes at_to = _mm512_permutexvar_epi8(to, marks);
    const Bytes at_both = _mm512_or_si512(at_to, _mm512_permutexvar_epi8(from, marks));
    const Subset hard = _mm512_test_epi8_mask(at_both, kind) & valid;
    const Subset captures = _mm512_test_epi8_mask(at_to, _mm512_set1_epi8(CAPTURES)) & valid & ~hard;
    const Subset quiet = _mm512_movepi8_mask(at_both) & valid & ~hard & ~captures; /* TOUCHES */
    s->hard = count(hard);
    s->captures = count(captures);
    s->quiet = count(quiet);
    s->same = count(valid) - s->hard - s->captures - s->quiet;

    Bytes order = _mm512_maskz_compress_epi8(hard, all_squares());
    order = after(order, s->hard, captures);
    order = after(order, s->hard + s->captures, quiet);
    const Subset used = first_bytes(s->hard + s->captures + s->quiet);
    const Bytes pass = _mm512_set1_epi8(NO_SQUARE);
    _mm512_store_si512(s->to, _mm512_mask_permutexvar_epi8(pass, used, order, to));
    _mm512_store_si512(s->to + SORTED, pass);
    _mm512_store_si512(s->from, _mm512_mask_permutexvar_epi8(pass, used, order, from));
    _mm512_store_si512(s->from + SORTED, pass);
    _mm512_store_si512(s->kind, _mm512_permutexvar_epi8(order, kind));
}

/* ChildList `from` on, unsorted, all in full. */
INLINE uint64_t count_unsorted(const Shared *c, const ChildList *l, int from, Colour b) {
    Boards sum = no_boards();
    for (int i = from; i < l->n; i += 8) {
        const bool castling = i == 1 && l->castlings;
        Rooks rooks;
        if (UNLIKELY(castling)) rooks = castling_rooks_of(l, 0);
        const Boards n = full_count(c, l->from + i, l->to + i, l->kind + i, castling ? &rooks : 0, b);
        sum = add_where(first_lanes(l->n - i < 8 ? l->n - i : 8), sum, n);
    }
    return sum_of(sum);
}

/* How many batches of eight, and of what kind. */
typedef struct {
    int full, captures, quiet, soft_children;
} Batches;

INLINE Batches plan(const Sorted *s) {
    Batches n = {.full = (s->hard + 7) / 8};
    const int all = s->hard + s->captures + s->quiet, with_captures = s->hard + s->captures;
    n.soft_children = all > 8 * n.full ? all - 8 * n.full : 0;
    n.captures = with_captures > 8 * n.full ? (with_captures - 8 * n.full + 7) / 8 : 0;
    n.quiet = n.soft_children >= 8 * n.captures ? (n.soft_children - 8 * n.captures) / 8 + (n.soft_children > 0) : 0;
    return n;
}

/* The full batches; *pass is the count after the pass, which is not in the sum. */
INLINE uint64_t count_full_batches(const Shared *c, const ChildList *l, const Sorted *s, int batches, Colour b,
                                   uint64_t *pass) {
    const int all = s->hard + s->captures + s->quiet;
    Rooks rooks;
    if (UNLIKELY(l->castlings)) rooks = castling_rooks_of(l, 1);
    const Boards n = full_count(c, s->from, s->to, s->kind, UNLIKELY(l->castlings) ? &rooks : 0, b);
    *pass = n[0];
    Boards sum = only(first_lanes(all < 8 ? all : 8) & ~1, n);
    for (int i = 8; i < 8 * batches; i += 8) {
        const Which used = first_lanes(all - i < 8 ? all - i : 8);
        sum = add_where(used, sum, full_count(c, s->from + i, s->to + i, s->kind + i, 0, b));
    }
    return sum_of(sum);
}

INLINE uint64_t count_sorted(const Shared *c, const ChildList *l, const KingRays *r, Bits hit, Colour b) {
    Sorted s;
    Soft q;
    SoftBatch batch[SORTED / 8 + 1];
    sort_children(&s, l, mark_squares(c, r, hit, b));
    const Batches n = plan(&s);
    const int soft = n.captures + n.quiet;
    if (soft) find_soft(&q, c, r->pinned, b);
    for (int i = 0; i < soft; i++)
        begin_soft(&batch[i], c, &q, s.from + 8 * (n.full + i), s.to + 8 * (n.full + i), i < n.captures);

    uint64_t pass, sum = count_full_batches(c, l, &s, n.full, b, &pass);
    sum += (uint64_t)s.same * pass;
    if (!soft) return sum;
    Boards latest = no_boards(), soft_sum = no_boards();
    for (int i = 0; i < n.captures; i++) soft_sum += latest = count_captures(&batch[i], c, &q, b);
    for (int i = n.captures; i < soft; i++) soft_sum += latest = count_quiet(&batch[i], c, &q, b);
    /* Of 8 * soft lanes soft_children are children, the rest passes; those of captures also count the knights. */
    const uint64_t pass_again = latest[7] - (n.quiet ? 0 : q.knight_moves);
    return sum + sum_of(soft_sum) + (uint64_t)n.soft_children * pass - 8 * (uint64_t)soft * pass_again -
           8 * (uint64_t)n.captures * q.knight_moves;
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
INLINE uint64_t lanes_last_two(const Position *p, Colour us) {
    const Colour b = (Colour)!us;
    Shared c;
    ChildList l;
    KingRays r;
    find_shared(&c, p, b);
    find_king_rays(&r, &c);
    const Bits hit = list_children(&l, &c, &r, p, us);
    uint64_t sum = l.ep_replies;
    if (UNLIKELY(p->ep)) sum += replies_to_en_passant(p);
    if (l.n <= FEW_CHILDREN + 1 || count(c.b.diag) > SOFT_DIAG_MAX) return sum + count_unsorted(&c, &l, 1, b);
    sum += count_sorted(&c, &l, &r, hit, b);
    if (UNLIKELY(l.n > SORTED)) sum += count_unsorted(&c, &l, SORTED, b);
    return sum;
}
