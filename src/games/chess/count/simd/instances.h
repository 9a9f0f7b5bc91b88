/* SPDX-License-Identifier: MIT */
/*
 * The full count as named instances: who replies, whether there are bishops or queens, and whether four lanes do. The
 * text is general.h each time; that of four lanes is compiled in a file of its own, four.c.
 */
#pragma once
#include "child_list.h"
#include "general.h"

typedef uint64_t FourBoards __attribute__((vector_size(32)));

FourBoards lanes_four_white(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k);
FourBoards lanes_four_black(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k);
FourBoards lanes_four_straight_white(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k);
FourBoards lanes_four_straight_black(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k);

/* The castling children, which are the first two, as rooks in the first lanes. */
INLINE Boards in_first_lanes(const Bits squares[2]) {
    return only(1, all_lanes(squares[0])) | only(2, all_lanes(squares[1]));
}
INLINE Rooks castling_rooks_of(const ChildList *l) {
    return (Rooks){in_first_lanes(l->rook_off), in_first_lanes(l->rook_on)};
}

NOINLINE Boards full_white(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k, const Rooks *r) {
    return count_in_full(c, f, t, k, r, WHITE, true);
}
NOINLINE Boards full_black(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k, const Rooks *r) {
    return count_in_full(c, f, t, k, r, BLACK, true);
}
NOINLINE Boards straight_white(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k, const Rooks *r) {
    return count_in_full(c, f, t, k, r, WHITE, false);
}
NOINLINE Boards straight_black(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k, const Rooks *r) {
    return count_in_full(c, f, t, k, r, BLACK, false);
}
INLINE Boards full_count(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k, const Rooks *r,
                         Colour b) {
    if (c->diagonals) return b == WHITE ? full_white(c, f, t, k, r) : full_black(c, f, t, k, r);
    return b == WHITE ? straight_white(c, f, t, k, r) : straight_black(c, f, t, k, r);
}
INLINE FourBoards four_counts(const Shared *c, const uint8_t *f, const uint8_t *t, const uint8_t *k, Colour b) {
    if (c->diagonals) return b == WHITE ? lanes_four_white(c, f, t, k) : lanes_four_black(c, f, t, k);
    return b == WHITE ? lanes_four_straight_white(c, f, t, k) : lanes_four_straight_black(c, f, t, k);
}
