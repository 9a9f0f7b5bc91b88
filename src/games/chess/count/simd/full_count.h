/* SPDX-License-Identifier: MIT */
/*
 * The full count: B's replies in eight children at once, whatever A's move changed. Checks, double checks, pins,
 * promotions and castling by either side are masks in a lane, never a branch, so that eight children that have nothing
 * in common but their parent go through the same instructions.
 *
 *      make the moves      A's pieces and the occupied squares of each child
 *      checks and pins     ray by ray from B's king, which stands on the same square in all lanes
 *      attacks             all that A attacks
 *      replies             king, castling, pawns, knights, orthogonal and diagonal sliders
 *
 * Moves are never listed. In one direction no square is reached by two sliders, so the squares reached, direction by
 * direction, are counted by their bits. A pinned piece is left out of every direction but those of its pin.
 */
#pragma once
#include "parent.h"

/* Eight children, or four. */
typedef struct {
    BitsVector occ, own;                        /* own: B's remaining pieces */
    BitsVector pawn, knight, diag, orth, king;  /* A's */
    BitsVector pinned, target, enemy, attacked; /* target: where B's pieces other than the king may go */
    BitsVector empty;
    LaneMask in_check;
} ChildBatch;

/* A fill in one diagonal direction: the free squares after steps of 1, 2 and 4. Used for the sliders of both sides. */
typedef struct {
    BitsVector open1, open2, open4;
    int step;
} DiagonalFill;
typedef struct {
    DiagonalFill ne, nw, se, sw;
} DiagonalFills;

/* The rooks' moves of A's castlings among these children. */
typedef struct {
    BitsVector off, on;
} CastlingRooks;

INLINE BitsVector moved_piece(Bits set, BitsVector from, BitsVector to, __m128i pieces, int piece) {
    return masked_or((LaneMask)_mm_test_epi8_mask(pieces, _mm_set1_epi8((char)piece)), set & ~from, to);
}

INLINE void make_moves(ChildBatch *e, const ParentContext *c, __m128i from_squares, __m128i to_squares,
                       __m128i pieces) {
    const BitsVector from = square_bits(from_squares), to = square_bits(to_squares);
    e->pawn = moved_piece(c->a.pawn, from, to, pieces, BIT_PAWN);
    e->knight = moved_piece(c->a.knight, from, to, pieces, BIT_KNIGHT);
    e->diag = moved_piece(c->a.diag, from, to, pieces, BIT_DIAG);
    e->orth = moved_piece(c->a.orth, from, to, pieces, BIT_ORTH);
    e->king = moved_piece(c->a.king, from, to, pieces, BIT_KING);
    e->occ = (c->occ & ~from) | to;
    e->own = c->b.all & ~to;
}

/* In Chess960 king and rook may exchange squares: all leave before any arrives. */
INLINE void move_castling_rooks(ChildBatch *e, const CastlingRooks *r) {
    e->orth = (e->orth & ~r->off) | r->on;
    e->occ = (e->occ & ~r->off) | e->king | r->on;
}

/*
 * One ray from B's king. The first piece on it, if a slider of A, gives check: replies must capture it or interpose,
 * and the king may not step back along the ray. If the first is B's and the second such a slider, the first is pinned.
 */
INLINE void scan_king_ray(ChildBatch *e, const ParentContext *c, int n, BitsVector sliders) {
    assert(n >= NORTH && n < RAYS);
    if (!(c->rays >> n & 1)) return;
    const Bits ray = rays[c->king][n];
    const BitsVector pieces = e->occ & ray;
    BitsVector nearest, second, between;
    if (n < SOUTH) {
        const BitsVector below = pieces + ~0ull, rest = pieces & below;
        nearest = pieces & ~below;
        second = rest & ~(rest + ~0ull);
        between = (pieces ^ below) & ray;
    } else {
        nearest = highest_bit(pieces);
        second = highest_bit(pieces ^ nearest);
        between = -nearest & ray;
    }
    const LaneMask checks = lanes_intersecting(nearest, sliders), pins = lanes_intersecting(second, sliders);
    e->pinned = masked_or(pins, e->pinned, nearest & e->own);
    e->target = masked_and(checks, e->target, between);
    e->attacked = masked_or(checks, e->attacked, broadcast(rays[c->king][n ^ 4] & c->near_king));
    e->in_check |= checks;
}

/*
 * B's targets: all but own pieces; in check the checker or between; in double check two lines intersect in no square.
 */
INLINE void find_checks_and_pins(ChildBatch *e, const ParentContext *c) {
    e->pinned = e->attacked = zero_vector();
    e->target = broadcast(~0ull);
    e->in_check = 0;
    scan_king_ray(e, c, NORTH, e->orth);
    scan_king_ray(e, c, NORTH_EAST, e->diag);
    scan_king_ray(e, c, EAST, e->orth);
    scan_king_ray(e, c, NORTH_WEST, e->diag);
    scan_king_ray(e, c, SOUTH, e->orth);
    scan_king_ray(e, c, SOUTH_WEST, e->diag);
    scan_king_ray(e, c, WEST, e->orth);
    scan_king_ray(e, c, SOUTH_EAST, e->diag);
    const BitsVector knights = e->knight & knight_attacks[c->king], pawns = e->pawn & c->pawn_checks;
    const LaneMask by_knight = lanes_intersecting(knights, knights), by_pawn = lanes_intersecting(pawns, pawns);
    e->target = masked_and(by_knight, e->target, knights);
    e->target = masked_and(by_pawn, e->target, pawns);
    e->in_check |= by_knight | by_pawn;
    e->enemy = e->occ & ~e->own & e->target;
    e->target &= ~e->own;
    e->empty = ~e->occ;
}

INLINE DiagonalFill diagonal_fill(BitsVector empty, Bits entry, int step) {
    DiagonalFill w = {.step = step};
    w.open1 = empty & entry;
    w.open2 = w.open1 & shift_lanes(w.open1, step);
    w.open4 = w.open2 & shift_lanes(w.open2, 2 * step);
    return w;
}
INLINE DiagonalFills diagonal_fills(BitsVector empty) {
    return (DiagonalFills){diagonal_fill(empty, ~FILE_A, 9), diagonal_fill(empty, ~FILE_H, 7),
                           diagonal_fill(empty, ~FILE_A, -7), diagonal_fill(empty, ~FILE_H, -9)};
}
/* The squares that pieces attack that way; the first step over the board's side is the caller's to mask. */
INLINE BitsVector diagonal_attacks(BitsVector pieces, const DiagonalFill *w) {
    pieces |= w->open1 & shift_lanes(pieces, w->step);
    pieces |= w->open2 & shift_lanes(pieces, 2 * w->step);
    pieces |= w->open4 & shift_lanes(pieces, 4 * w->step);
    return shift_lanes(pieces, w->step);
}

/* Orthogonal lines: the four transformations of a board in which a direction runs along a byte (bitboard_vector.h). */
typedef struct {
    BitsVector east, west, south, north;
} LineOrientations;

INLINE LineOrientations orient_lines(BitsVector b) {
    LineOrientations t = {.east = b, .west = mirror_files(b), .south = flip_antidiagonal(b)};
    t.north = mirror_files(t.south);
    return t;
}

INLINE void add_orthogonal_attacks(ChildBatch *e, const LineOrientations *occ) {
    const LineOrientations pieces = orient_lines(e->orth);
    const BitsVector east = o_minus_2r(occ->east, pieces.east) ^ occ->east,
                     west = o_minus_2r(occ->west, pieces.west) ^ occ->west;
    const BitsVector south = o_minus_2r(occ->south, pieces.south) ^ occ->south;
    const BitsVector north = o_minus_2r(occ->north, pieces.north) ^ occ->north;
    e->attacked |= east | mirror_files(west);
    e->attacked |= flip_antidiagonal(south | mirror_files(north));
}

INLINE void add_knight_and_king_attacks(ChildBatch *e, const ParentContext *c) {
    const BitsVector n = e->knight;
    const BitsVector by1 = ((n << 1) & ~FILE_A) | ((n >> 1) & ~FILE_H);
    const BitsVector by2 = ((n << 2) & ~FILES_AB) | ((n >> 2) & ~FILES_GH);
    e->attacked |= by1 << 16 | by1 >> 16;
    e->attacked |= by2 << 8 | by2 >> 8;
    if (c->kings_meet) {
        BitsVector k = e->king | ((e->king << 1) & ~FILE_A) | ((e->king >> 1) & ~FILE_H);
        e->attacked |= k | k << 8 | k >> 8;
    }
}

/* All that A attacks, except through B's king, which scan_king_ray adds. b: the side that replies. */
INLINE void find_attacks(ChildBatch *e, const ParentContext *c, const LineOrientations *occ, const DiagonalFills *w,
                         Colour b, bool with_diagonals) {
    add_orthogonal_attacks(e, occ);
    BitsVector east = shift_lanes(e->pawn, b == WHITE ? -7 : 9), west = shift_lanes(e->pawn, b == WHITE ? -9 : 7);
    if (with_diagonals) {
        east |= diagonal_attacks(e->diag, &w->ne) | diagonal_attacks(e->diag, &w->se);
        west |= diagonal_attacks(e->diag, &w->nw) | diagonal_attacks(e->diag, &w->sw);
    }
    e->attacked |= east & ~FILE_A;
    e->attacked |= west & ~FILE_H;
    add_knight_and_king_attacks(e, c);
}

/* may_castle() of movegen.h, in lanes. */
INLINE BitsVector add_castling(BitsVector n, const ChildBatch *e, const ReplyCastling *c) {
    if (!c->rook) return n;
    const LaneMask free = lanes_disjoint(e->occ, broadcast(c->path)) & lanes_disjoint(e->attacked, broadcast(c->safe));
    const LaneMask rook = lanes_intersecting(e->own & ~e->pinned, broadcast(c->rook));
    return masked_add((LaneMask)(free & rook & ~e->in_check), n, broadcast(1));
}

INLINE BitsVector king_replies(const ChildBatch *e, const ParentContext *c) {
    BitsVector n = popcount_lanes(c->near_king & ~(e->own | e->attacked));
    if (c->castles) n = add_castling(add_castling(n, e, &c->castle[0]), e, &c->castle[1]);
    return n;
}

/* The pieces that may move along that line: those not pinned, and those pinned on it. */
INLINE BitsVector movable(BitsVector pieces, BitsVector pinned, Bits line) {
    return pieces & ~(pinned & ~line);
}

INLINE BitsVector pawn_replies(const ChildBatch *e, const ParentContext *c, Colour b) {
    const BitsVector pawns = e->own & c->b.pawn;
    const BitsVector push = movable(pawns, e->pinned, c->file);
    const BitsVector to_east = movable(pawns, e->pinned, b == WHITE ? c->diagonal : c->antidiagonal);
    const BitsVector to_west = movable(pawns, e->pinned, b == WHITE ? c->antidiagonal : c->diagonal);
    BitsVector one = forward_lanes(push, b) & e->empty;
    const BitsVector two = forward_lanes(one & third_rank(b), b) & e->empty;
    const BitsVector east = shift_lanes(to_east, pawn_up(b) + 1) & ~FILE_A & e->enemy;
    const BitsVector west = shift_lanes(to_west, pawn_up(b) - 1) & ~FILE_H & e->enemy;
    one = ((one | two) & e->target) | east; /* a push and a capture never share a square */
    BitsVector n = popcount_lanes(one) + popcount_lanes(west);
    if (c->promotes) n += three_times(popcount_lanes(one & last_rank(b)) + popcount_lanes(west & last_rank(b)));
    return n;
}

/* A knight's squares are common to all lanes; the knight is left out where it is pinned or was captured. */
INLINE BitsVector add_knight_replies(BitsVector n, const ChildBatch *e, const ParentContext *c) {
    const BitsVector free = e->own & ~e->pinned;
    EACH (s, c->b.knight)
        n = masked_add(lanes_intersecting(free, broadcast(bit((int)s))), n,
                       popcount_lanes(e->target & knight_attacks[s]));
    return n;
}

INLINE BitsVector orthogonal_replies(const ChildBatch *e, const ParentContext *c, const LineOrientations *occ) {
    const BitsVector pieces = e->own & c->b.orth, along = movable(pieces, e->pinned, c->rank),
                     up = movable(pieces, e->pinned, c->file);
    const LineOrientations to = orient_lines(e->target);
    const BitsVector west = mirror_files(along), south = flip_antidiagonal(up), north = mirror_files(south);
    return popcount_lanes((o_minus_2r(occ->east, along) ^ occ->east) & to.east) +
           popcount_lanes((o_minus_2r(occ->west, west) ^ occ->west) & to.west) +
           (popcount_lanes((o_minus_2r(occ->south, south) ^ occ->south) & to.south) +
            popcount_lanes((o_minus_2r(occ->north, north) ^ occ->north) & to.north));
}

INLINE BitsVector diagonal_replies(const ChildBatch *e, const ParentContext *c, const DiagonalFills *w) {
    const BitsVector pieces = e->own & c->b.diag;
    const BitsVector d = movable(pieces, e->pinned, c->diagonal), a = movable(pieces, e->pinned, c->antidiagonal);
    const BitsVector not_a = e->target & ~FILE_A, not_h = e->target & ~FILE_H;
    return popcount_lanes(diagonal_attacks(d, &w->ne) & not_a) + popcount_lanes(diagonal_attacks(d, &w->sw) & not_h) +
           (popcount_lanes(diagonal_attacks(a, &w->nw) & not_h) + popcount_lanes(diagonal_attacks(a, &w->se) & not_a));
}

/*
 * B's replies to the children, a number for each lane. from, to, piece: the lowest bytes, one for each lane. `rooks` may
 * be NULL.
 */
INLINE BitsVector full_count_lanes(const ParentContext *c, __m128i from, __m128i to, __m128i piece,
                                   const CastlingRooks *rooks, Colour b, bool with_diagonals) {
    ChildBatch e;
    make_moves(&e, c, from, to, piece);
    if (UNLIKELY(rooks)) move_castling_rooks(&e, rooks);
    find_checks_and_pins(&e, c);
    const LineOrientations occ = orient_lines(e.occ);
    DiagonalFills w;
    if (with_diagonals) w = diagonal_fills(e.empty);
    find_attacks(&e, c, &occ, &w, b, with_diagonals);
    BitsVector n = add_knight_replies(king_replies(&e, c), &e, c) + pawn_replies(&e, c, b);
    n += orthogonal_replies(&e, c, &occ);
    if (with_diagonals) n += diagonal_replies(&e, c, &w);
    return n;
}
