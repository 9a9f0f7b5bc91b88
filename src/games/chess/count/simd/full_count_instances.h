/* SPDX-License-Identifier: MIT */
/*
 * The full count as named instances: who replies, whether there are bishops or queens, and how many lanes. The text is
 * full_count.h each time; that of four lanes is compiled in a file of its own, full_count_x4.c.
 */
#pragma once
#include "child_list.h"
#include "full_count.h"

typedef uint64_t BitsVector4 __attribute__((vector_size(32)));

BitsVector4 full_count_x4_white(const ParentContext *c, __m128i f, __m128i t, __m128i k);
BitsVector4 full_count_x4_black(const ParentContext *c, __m128i f, __m128i t, __m128i k);
BitsVector4 full_count_x4_orthogonal_white(const ParentContext *c, __m128i f, __m128i t, __m128i k);
BitsVector4 full_count_x4_orthogonal_black(const ParentContext *c, __m128i f, __m128i t, __m128i k);

/* The castling children, which are the first two, as rooks in the first lanes. */
INLINE BitsVector in_first_lanes(const Bits squares[2]) {
    return keep_lanes(1, broadcast(squares[0])) | keep_lanes(2, broadcast(squares[1]));
}
INLINE CastlingRooks castling_rooks_in_lanes(const ChildList *l) {
    return (CastlingRooks){in_first_lanes(l->moves->rook_from), in_first_lanes(l->moves->rook_to)};
}

NOINLINE BitsVector full_count_white(const ParentContext *c, __m128i f, __m128i t, __m128i k, const CastlingRooks *r) {
    return full_count_lanes(c, f, t, k, r, WHITE, true);
}
NOINLINE BitsVector full_count_black(const ParentContext *c, __m128i f, __m128i t, __m128i k, const CastlingRooks *r) {
    return full_count_lanes(c, f, t, k, r, BLACK, true);
}
NOINLINE BitsVector full_count_orthogonal_white(const ParentContext *c, __m128i f, __m128i t, __m128i k,
                                                const CastlingRooks *r) {
    return full_count_lanes(c, f, t, k, r, WHITE, false);
}
NOINLINE BitsVector full_count_orthogonal_black(const ParentContext *c, __m128i f, __m128i t, __m128i k,
                                                const CastlingRooks *r) {
    return full_count_lanes(c, f, t, k, r, BLACK, false);
}
INLINE BitsVector full_count(const ParentContext *c, __m128i f, __m128i t, __m128i k, const CastlingRooks *r,
                             Colour b) {
    if (c->diagonals) return b == WHITE ? full_count_white(c, f, t, k, r) : full_count_black(c, f, t, k, r);
    return b == WHITE ? full_count_orthogonal_white(c, f, t, k, r) : full_count_orthogonal_black(c, f, t, k, r);
}
INLINE BitsVector4 full_count_x4(const ParentContext *c, __m128i f, __m128i t, __m128i k, Colour b) {
    if (c->diagonals) return b == WHITE ? full_count_x4_white(c, f, t, k) : full_count_x4_black(c, f, t, k);
    return b == WHITE ? full_count_x4_orthogonal_white(c, f, t, k) : full_count_x4_orthogonal_black(c, f, t, k);
}
