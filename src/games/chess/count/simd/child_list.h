/* SPDX-License-Identifier: MIT */
/*
 * The children of a parent as two lists of bytes: the origin and the destination of each move. The piece follows from
 * the origin (pieces_by_square), except for promotions, which have a third list. No child is built, and no loop runs
 * over moves: the destinations of a piece, a set of squares, become a list in one instruction, which packs the numbers
 * 0 to 63 under the set as a mask.
 *
 *      destinations   . . 1 . . 1 1 . .      VPCOMPRESSB
 *      numbers        0 1 2 3 4 5 6 7 8  ->  2 5 6
 *
 *      to     | 2 5 6 | 16 24 | 40 33 26 ...
 *      from   | 4 4 4 |  8  8 | 47 47 47 ...
 *
 * En passant captures are not in the list: they are few, and are made (simd.h). A double push is in the list; the en
 * passant replies to it, which depend on nothing else, are counted here.
 */
#pragma once
#include "king_rays.h"

/* Room behind the last move: up to 64 bytes are stored at a time. */
enum { CHILDREN_MAX = MOVES_MAX + 64 };

/* Apart from ChildList, whose counts stay in registers then. No store into the first half of a list crosses a page. */
typedef struct {
    uint8_t from[CHILDREN_MAX], to[CHILDREN_MAX];
    uint8_t piece[CHILDREN_MAX];   /* for promotions only: the children from first_promotion */
    Bits rook_from[2], rook_to[2]; /* of castlings */
} __attribute__((aligned(256))) ChildMoves;

typedef struct {
    ChildMoves *moves;
    int first_promotion, promotions_end; /* up to promotions_end, without it */
    int n;
    int castlings;       /* 0 to 2; they are the first children, as moves of the king */
    unsigned ep_replies; /* to all double pushes */
} ChildList;

INLINE void append_moves(ChildList *l, Bits to, int from) {
    assert(popcount(to) <= 32);
    const ByteVector t = _mm512_maskz_compress_epi8(to, square_numbers());
    _mm256_storeu_si256((__m256i *)(l->moves->to + l->n), _mm512_castsi512_si256(t));
    _mm256_storeu_si256((__m256i *)(l->moves->from + l->n), _mm256_set1_epi8((char)from));
    l->n += popcount(to);
}

/* The same for at most eight destinations. */
INLINE void append_moves_upto8(ChildList *l, Bits to, int from) {
    assert(popcount(to) <= 8);
    const ByteVector t = _mm512_maskz_compress_epi8(to, square_numbers());
    _mm_storel_epi64((__m128i *)(l->moves->to + l->n), _mm512_castsi512_si128(t));
    _mm_storel_epi64((__m128i *)(l->moves->from + l->n), _mm_set1_epi8((char)from));
    l->n += popcount(to);
}

/* The same for pawns, at most sixteen; `sources` holds for each destination the square that the pawn comes from. */
INLINE void append_pawn_moves_upto16(ChildList *l, Bits to, ByteVector sources) {
    assert(popcount(to) <= 16);
    const ByteVector t = _mm512_maskz_compress_epi8(to, square_numbers()), f = _mm512_maskz_compress_epi8(to, sources);
    _mm_storeu_si128((__m128i *)(l->moves->to + l->n), _mm512_castsi512_si128(t));
    _mm_storeu_si128((__m128i *)(l->moves->from + l->n), _mm512_castsi512_si128(f));
    l->n += popcount(to);
}
/* The same for any number. */
INLINE void append_pawn_moves(ChildList *l, Bits to, ByteVector sources) {
    _mm512_storeu_si512(l->moves->to + l->n, _mm512_maskz_compress_epi8(to, square_numbers()));
    _mm512_storeu_si512(l->moves->from + l->n, _mm512_maskz_compress_epi8(to, sources));
    l->n += popcount(to);
}
INLINE ByteVector origins_by_step(int step) {
    return _mm512_sub_epi8(square_numbers(), _mm512_set1_epi8((char)step));
}

INLINE void append_move(ChildList *l, int from, int to) {
    l->moves->from[l->n] = (uint8_t)from;
    l->moves->to[l->n++] = (uint8_t)to;
}

INLINE void append_castling(ChildList *l, const Position *p, Colour us, bool is_short, const LegalMasks *v) {
    if (!may_castle(p, us, is_short, v)) return;
    assert(l->castlings == l->n && l->castlings < 2);
    append_move(l, v->king, castled_king(us, is_short));
    l->moves->rook_from[l->castlings] = castling_rook(p, us, is_short);
    l->moves->rook_to[l->castlings++] = bit(castled_rook(us, is_short));
}

/* The en passant replies to double pushes that B's pawns may capture: each capture is tried on the board. */
NOINLINE unsigned ep_replies(const ParentContext *c, Bits pushed, Colour us) {
    const Colour them = (Colour)!us;
    unsigned n = 0;
    EACH (to, pushed) {
        const Bits t = bit((int)to), passed = forward(t, them), from = forward(passed, them);
        assert(from & c->a.pawn && !((t | passed) & c->occ));
        EACH (capturer, ((t & ~FILE_A) >> 1 | (t & ~FILE_H) << 1) & c->b.pawn) {
            const Bits after = c->occ ^ from ^ passed ^ bit((int)capturer); /* the pawn on `to` has come and gone */
            n += !((rook_attacks(c->king, after) & c->a.orth) | (bishop_attacks(c->king, after) & c->a.diag));
        }
    }
    return n;
}

INLINE void append_promotions(ChildList *l, Bits to, int step, int piece) {
    _mm_storeu_si128((__m128i *)(l->moves->piece + l->n), _mm_set1_epi8((char)piece));
    append_pawn_moves_upto16(l, to, origins_by_step(step));
}
INLINE void append_all_promotions(ChildList *l, Bits to, int step) {
    append_promotions(l, to, step, BIT_ORTH | BIT_DIAG);
    append_promotions(l, to, step, BIT_ORTH);
    append_promotions(l, to, step, BIT_DIAG);
    append_promotions(l, to, step, BIT_KNIGHT);
}

/* The piece on each square, as BIT_ values without the colour. A position is eight sets: lane n becomes bit n. */
INLINE ByteVector pieces_by_square(const Position *p) {
    return _mm512_and_si512(bits_by_square(_mm512_load_si512((const void *)p)), _mm512_set1_epi8(BIT_ANY));
}

/* The pieces that stand on the destinations of 64 children from number `start` on, whose origins are `from`. */
INLINE ByteVector child_pieces(const ChildList *l, ByteVector pieces, ByteVector from, int start) {
    const ByteVector piece = _mm512_permutexvar_epi8(from, pieces);
    if (LIKELY(l->first_promotion >= l->promotions_end)) return piece;
    const int from_child = l->first_promotion > start ? l->first_promotion - start : 0;
    const int end = l->promotions_end > start ? l->promotions_end - start : 0;
    const ByteMask promoted = lowest_bytes(end < 64 ? end : 64) & ~lowest_bytes(from_child < 64 ? from_child : 64);
    return _mm512_mask_loadu_epi8(piece, promoted, l->moves->piece + start);
}

/* Appends all pawn moves but en passant. Returns where pawns promote. (movegen.h says what pins mean for pawns.) */
INLINE Bits list_pawn_moves(ChildList *l, const ParentContext *c, Colour us, const LegalMasks *v) {
    const int up = pawn_up(us);
    const Bits pushers = c->a.pawn & ~v->pin_diag, capturers = c->a.pawn & ~v->pin_orth;
    const Bits free = capturers & ~v->pin_diag, pinned = capturers & v->pin_diag, victims = v->foe & v->target;
    Bits one = (forward(pushers & ~v->pin_orth, us) | (forward(pushers & v->pin_orth, us) & v->pin_orth)) & ~v->occ;
    const Bits two = forward(one & third_rank(us), us) & ~v->occ & v->target;
    one &= v->target;
    const Bits east = (pawn_east_attacks(free, us) | (pawn_east_attacks(pinned, us) & v->pin_diag)) & victims;
    const Bits west = (pawn_west_attacks(free, us) | (pawn_west_attacks(pinned, us) & v->pin_diag)) & victims;

    const Bits beside = two & ((c->b.pawn & ~FILE_A) >> 1 | (c->b.pawn & ~FILE_H) << 1), end = last_rank(us);
    l->ep_replies = UNLIKELY(beside) ? ep_replies(c, beside, us) : 0;
    /* Pushes and captures toward one side never share a square: one list. */
    ByteVector sources = _mm512_mask_mov_epi8(origins_by_step(up), two, origins_by_step(2 * up));
    sources = _mm512_mask_mov_epi8(sources, east, origins_by_step(up + 1));
    append_pawn_moves(l, (one & ~end) | two | (east & ~end), sources);
    append_pawn_moves_upto16(l, west & ~end, origins_by_step(up - 1));
    const Bits promoting = (one | east | west) & end;
    l->first_promotion = l->promotions_end = l->n;
    if (UNLIKELY(promoting)) {
        append_all_promotions(l, one & end, up);
        append_all_promotions(l, east & end, up + 1);
        append_all_promotions(l, west & end, up - 1);
        l->promotions_end = l->n;
    }
    return promoting;
}

INLINE Bits slider_destinations(int s, Bits diag, Bits orth, const LegalMasks *v) {
    const Bits me = bit(s);
    assert(v->own & me);
    Bits to = 0;
    if (diag & me && !(v->pin_orth & me)) to |= bishop_attacks(s, v->occ) & (v->pin_diag & me ? v->pin_diag : ~0ull);
    if (orth & me && !(v->pin_diag & me)) to |= rook_attacks(s, v->occ) & (v->pin_orth & me ? v->pin_orth : ~0ull);
    return to & v->target;
}

/*
 * The rays from B's king that can matter in some child. A promotion, and castling, may look through the square that is
 * left.
 */
INLINE LaneMask rays_in_use(const ChildList *l, const ParentContext *c, const KingRays *r, Bits to_orth, Bits to_diag,
                            Bits promoting) {
    const BitsVector all = rays_of(c->king);
    LaneMask used = (LaneMask)(r->used | lanes_intersecting(r->approach, orth_and_diag(to_orth, to_diag)) |
                               lanes_intersecting(all, broadcast(promoting)));
    if (UNLIKELY(l->castlings))
        used |=
            lanes_intersecting(all, orth_and_diag(c->a.orth | l->moves->rook_to[0] | l->moves->rook_to[1], c->a.diag));
    return used;
}

/* Starts a list with A's moves of king and pawns. Returns where pawns promote. */
INLINE Bits list_king_and_pawns(ChildList *l, const ParentContext *c, const Position *p, Colour us,
                                const LegalMasks *v) {
    l->n = l->castlings = 0;
    l->ep_replies = 0;
    if (p->castle[us] && !v->in_check) {
        l->moves->rook_from[0] = l->moves->rook_from[1] = l->moves->rook_to[0] = l->moves->rook_to[1] = 0;
        append_castling(l, p, us, true, v);
        append_castling(l, p, us, false, v);
    }
    return list_pawn_moves(l, c, us, v);
}

/* Appends the moves of the other pieces, and sets the rays and diagonals of the parent. */
INLINE void list_pieces(ChildList *l, ParentContext *c, const KingRays *r, Bits promoting, const LegalMasks *v) {
    Bits to_diag = 0, to_orth = 0;
    EACH (s, c->a.knight & ~(v->pin_orth | v->pin_diag)) append_moves_upto8(l, knight_attacks[s] & v->target, (int)s);
    const Bits queens = c->a.diag & c->a.orth;
    EACH (s, (c->a.diag ^ queens) & ~v->pin_orth) {
        const Bits to = slider_destinations((int)s, ~0ull, 0, v);
        to_diag |= to;
        append_moves(l, to, (int)s);
    }
    EACH (s, (c->a.orth ^ queens) & ~v->pin_diag) {
        const Bits to = slider_destinations((int)s, 0, ~0ull, v);
        to_orth |= to;
        append_moves(l, to, (int)s);
    }
    EACH (s, queens) {
        const Bits to = slider_destinations((int)s, ~0ull, ~0ull, v);
        to_diag |= to;
        to_orth |= to;
        append_moves(l, to, (int)s);
    }
    append_moves_upto8(l, king_attacks[v->king] & ~v->own & ~v->attacked, v->king);
    assert(l->n <= MOVES_MAX);
    c->rays = rays_in_use(l, c, r, to_orth, to_diag, promoting);
    c->diagonals = (c->a.diag | c->b.diag | promoting) != 0;
}
