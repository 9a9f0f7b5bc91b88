/* SPDX-License-Identifier: MIT */
/*
 * The children of a parent as two lists of bytes: where the man comes from, and where it goes. What it is, its square
 * tells (kinds_by_square); but for promotions, which have a third list. No child is built, and no loop runs over moves:
 * the destinations of a man, a set of squares, become a list at one stroke, by packing the numbers 0 to 63 under the
 * set.
 *
 *      destinations   . . 1 . . 1 1 . .      VPCOMPRESSB
 *      numbers        0 1 2 3 4 5 6 7 8  ->  2 5 6
 *
 *      to     | 2 5 6 | 16 24 | 40 33 26 ...
 *      from   | 4 4 4 |  8  8 | 47 47 47 ...
 *
 * En passant captures are not in the list: they are few, and played (lanes.h). A double push is, and the en passant
 * replies to it, which depend on nothing else, are counted here.
 */
#pragma once
#include "king_rays.h"

/* Up to 64 bytes are stored at a time. */
enum { CHILDREN_MAX = MOVES_MAX + 64 };

typedef struct {
    uint8_t from[CHILDREN_MAX], to[CHILDREN_MAX];
    uint8_t kind[CHILDREN_MAX];       /* only for promotions, which are the children: */
    int promotions, after_promotions; /* from this one up to that one */
    int n;
    int castlings; /* 0 to 2: these are the first children, as moves of the king; their rooks: */
    Bits rook_off[2], rook_on[2];
    unsigned ep_replies; /* to all double pushes */
} ChildList;

INLINE void put_list(ChildList *l, Bits to, int from) {
    const Bytes t = _mm512_maskz_compress_epi8(to, all_squares());
    _mm256_storeu_si256((__m256i *)(l->to + l->n), _mm512_castsi512_si256(t));
    _mm256_storeu_si256((__m256i *)(l->from + l->n), _mm256_set1_epi8((char)from));
    l->n += count(to);
}

/* The same for at most eight. */
INLINE void put_short_list(ChildList *l, Bits to, int from) {
    const Bytes t = _mm512_maskz_compress_epi8(to, all_squares());
    _mm_storel_epi64((__m128i *)(l->to + l->n), _mm512_castsi512_si128(t));
    _mm_storel_epi64((__m128i *)(l->from + l->n), _mm_set1_epi8((char)from));
    l->n += count(to);
}

/* The same for pawns, at most sixteen; `sources` holds for each destination the square that the pawn comes from. */
INLINE void put_pawn_list(ChildList *l, Bits to, Bytes sources) {
    const Bytes t = _mm512_maskz_compress_epi8(to, all_squares()), f = _mm512_maskz_compress_epi8(to, sources);
    _mm_storeu_si128((__m128i *)(l->to + l->n), _mm512_castsi512_si128(t));
    _mm_storeu_si128((__m128i *)(l->from + l->n), _mm512_castsi512_si128(f));
    l->n += count(to);
}
/* The same for more than sixteen. */
INLINE void put_long_list(ChildList *l, Bits to, Bytes sources) {
    _mm512_storeu_si512(l->to + l->n, _mm512_maskz_compress_epi8(to, all_squares()));
    _mm512_storeu_si512(l->from + l->n, _mm512_maskz_compress_epi8(to, sources));
    l->n += count(to);
}
INLINE Bytes squares_before(int step) {
    return _mm512_sub_epi8(all_squares(), _mm512_set1_epi8((char)step));
}

INLINE void put_one(ChildList *l, int from, int to) {
    l->from[l->n] = (uint8_t)from;
    l->to[l->n++] = (uint8_t)to;
}

INLINE void put_castling(ChildList *l, const Position *p, Colour us, bool is_short, const Limits *v) {
    if (!may_castle(p, us, is_short, v)) return;
    put_one(l, v->king, castled_king(us, is_short));
    l->rook_off[l->castlings] = castling_rook(p, us, is_short);
    l->rook_on[l->castlings++] = bit(castled_rook(us, is_short));
}

/* A double push that B's pawns may take en passant: each capture is tried on the board. */
NOINLINE unsigned ep_replies(const Shared *c, Bits pushed, Colour us) {
    const Colour them = (Colour)!us;
    unsigned n = 0;
    EACH (to, pushed) {
        const Bits t = bit((int)to), passed = forward(t, them), from = forward(passed, them);
        EACH (taker, ((t & ~FILE_A) >> 1 | (t & ~FILE_H) << 1) & c->b.pawn) {
            const Bits after = c->occ ^ from ^ passed ^ bit((int)taker); /* the pawn on `to` has come and gone */
            n += !((rook_attacks(c->king, after) & c->a.orth) | (bishop_attacks(c->king, after) & c->a.diag));
        }
    }
    return n;
}

INLINE void put_promotions_to(ChildList *l, Bits to, int step, int kind) {
    _mm_storeu_si128((__m128i *)(l->kind + l->n), _mm_set1_epi8((char)kind));
    put_pawn_list(l, to, squares_before(step));
}
INLINE void put_all_promotions(ChildList *l, Bits to, int step) {
    put_promotions_to(l, to, step, AS_ORTH | AS_DIAG);
    put_promotions_to(l, to, step, AS_ORTH);
    put_promotions_to(l, to, step, AS_DIAG);
    put_promotions_to(l, to, step, AS_KNIGHT);
}

/* The kind of man on each square; of those of no colour, nothing. A position is eight sets: lane n becomes bit n. */
INLINE Bytes kinds_by_square(const Position *p) {
    return _mm512_and_si512(bits_by_square(_mm512_load_si512((const void *)p)), _mm512_set1_epi8(AS_ANY));
}

/* What becomes of the men of 64 children from number `start` on, which come from these squares. */
INLINE Bytes kinds_of(const ChildList *l, Bytes kinds, Bytes from, int start) {
    const Bytes kind = _mm512_permutexvar_epi8(from, kinds);
    if (LIKELY(l->promotions >= l->after_promotions)) return kind;
    const int first_one = l->promotions > start ? l->promotions - start : 0;
    const int end = l->after_promotions > start ? l->after_promotions - start : 0;
    const Subset promoted = first_bytes(end < 64 ? end : 64) & ~first_bytes(first_one < 64 ? first_one : 64);
    return _mm512_mask_loadu_epi8(kind, promoted, l->kind + start);
}

/* All pawn moves but en passant. Returns where pawns promote. (movegen.h says what pins mean for pawns.) */
INLINE Bits list_pawn_moves(ChildList *l, const Shared *c, Colour us, const Limits *v) {
    const int up = pawn_up(us);
    const Bits pushers = c->a.pawn & ~v->pin_diag, takers = c->a.pawn & ~v->pin_orth;
    const Bits free = takers & ~v->pin_diag, pinned = takers & v->pin_diag, prey = v->foe & v->target;
    Bits one = (forward(pushers & ~v->pin_orth, us) | (forward(pushers & v->pin_orth, us) & v->pin_orth)) & ~v->occ;
    const Bits two = forward(one & third_rank(us), us) & ~v->occ & v->target;
    one &= v->target;
    const Bits east = (take_east(free, us) | (take_east(pinned, us) & v->pin_diag)) & prey;
    const Bits west = (take_west(free, us) | (take_west(pinned, us) & v->pin_diag)) & prey;

    const Bits beside = two & ((c->b.pawn & ~FILE_A) >> 1 | (c->b.pawn & ~FILE_H) << 1), end = last_rank(us);
    l->ep_replies = UNLIKELY(beside) ? ep_replies(c, beside, us) : 0;
    /* Pushes and captures toward one side never share a square: one list. */
    Bytes sources = _mm512_mask_mov_epi8(squares_before(up), two, squares_before(2 * up));
    sources = _mm512_mask_mov_epi8(sources, east, squares_before(up + 1));
    put_long_list(l, (one & ~end) | two | (east & ~end), sources);
    put_pawn_list(l, west & ~end, squares_before(up - 1));
    const Bits promoting = (one | east | west) & end;
    l->promotions = l->after_promotions = l->n;
    if (UNLIKELY(promoting)) {
        put_all_promotions(l, one & end, up);
        put_all_promotions(l, east & end, up + 1);
        put_all_promotions(l, west & end, up - 1);
        l->after_promotions = l->n;
    }
    return promoting;
}

INLINE Bits slider_moves(int s, Bits diag, Bits orth, const Limits *v) {
    const Bits me = bit(s);
    Bits to = 0;
    if (diag & me && !(v->pin_orth & me)) to |= bishop_attacks(s, v->occ) & (v->pin_diag & me ? v->pin_diag : ~0ull);
    if (orth & me && !(v->pin_diag & me)) to |= rook_attacks(s, v->occ) & (v->pin_orth & me ? v->pin_orth : ~0ull);
    return to & v->target;
}

/*
 * The rays from B's king that can matter in some child. A promotion, and castling, may look through the square that is
 * left.
 */
INLINE Which rays_in_use(const ChildList *l, const Shared *c, const KingRays *r, Bits to_orth, Bits to_diag,
                         Bits promoting) {
    const Boards all = rays_of(c->king);
    Which used =
        (Which)(r->used | meets(r->see, straight_and_diagonal(to_orth, to_diag)) | meets(all, all_lanes(promoting)));
    if (UNLIKELY(l->castlings))
        used |= meets(all, straight_and_diagonal(c->a.orth | l->rook_on[0] | l->rook_on[1], c->a.diag));
    return used;
}

/* Lists the children of p, where `us` moves, and completes what their parent knows. */
INLINE void list_children(ChildList *l, Shared *c, const KingRays *r, const Position *p, Colour us) {
    const Limits v = find_limits(p, us);
    l->n = l->castlings = 0;
    l->ep_replies = 0;
    if (p->castle[us] && !v.in_check) {
        l->rook_off[0] = l->rook_off[1] = l->rook_on[0] = l->rook_on[1] = 0;
        put_castling(l, p, us, true, &v);
        put_castling(l, p, us, false, &v);
    }
    put_short_list(l, king_attacks[v.king] & ~v.own & ~v.attacked, v.king);

    Bits to_diag = 0, to_orth = 0;
    const Bits promoting = list_pawn_moves(l, c, us, &v);
    EACH (s, c->a.knight & ~(v.pin_orth | v.pin_diag)) put_short_list(l, knight_attacks[s] & v.target, (int)s);
    const Bits queens = c->a.diag & c->a.orth;
    EACH (s, (c->a.diag ^ queens) & ~v.pin_orth) {
        const Bits to = slider_moves((int)s, ~0ull, 0, &v);
        to_diag |= to;
        put_list(l, to, (int)s);
    }
    EACH (s, (c->a.orth ^ queens) & ~v.pin_diag) {
        const Bits to = slider_moves((int)s, 0, ~0ull, &v);
        to_orth |= to;
        put_list(l, to, (int)s);
    }
    EACH (s, queens) {
        const Bits to = slider_moves((int)s, ~0ull, ~0ull, &v);
        to_diag |= to;
        to_orth |= to;
        put_list(l, to, (int)s);
    }
    c->rays = rays_in_use(l, c, r, to_orth, to_diag, promoting);
    c->diagonals = (c->a.diag | c->b.diag | promoting) != 0;
}
