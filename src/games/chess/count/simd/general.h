/* SPDX-License-Identifier: MIT */
/*
 * The full count: B's replies in eight children at once, whatever A's move did. Checks, double checks, pins, promotions
 * and castling by either side are masks in a lane, never a branch, so that eight children that have nothing in common
 * but their parent go through the same instructions.
 *
 *      move the men        A's men and the occupied squares of each child
 *      checks and pins     ray by ray from B's king, which stands on the same square in all lanes
 *      danger              all that A hits
 *      replies             king, castling, pawns, knights, straight and diagonal sliders
 *
 * Moves are never listed. In one direction no square is reached by two sliders, so the squares reached, direction by
 * direction, are counted by their bits. A pinned man simply drops out of every direction but those of its pin.
 */
#pragma once
#include "shared.h"

/* Eight children, and what is found out about them. */
typedef struct {
    Boards occ, own;                       /* own: B's men that are left */
    Boards pawn, knight, diag, orth, king; /* A's */
    Boards pinned, target, enemy, hit;     /* target: where B's men other than the king may go */
    Boards empty;
    Which in_check;
} Eight;

/* A diagonal direction: steps through free squares of 1, 2, 4 squares. Shared by the sliders of both sides. */
typedef struct {
    Boards open1, open2, open4;
    int step;
} Way;
typedef struct {
    Way ne, nw, se, sw;
} Ways;

/* Castling children of A in these eight: their rooks leave and arrive. */
typedef struct {
    Boards off, on;
} Rooks;

INLINE Boards moved(Bits men, Boards from, Boards to, __m128i kinds, int kind) {
    return join_where((Which)_mm_test_epi8_mask(kinds, _mm_set1_epi8((char)kind)), men & ~from, to);
}

INLINE void move_men(Eight *e, const Shared *c, const uint8_t *from8, const uint8_t *to8, const uint8_t *kind8) {
    const Boards from = men_on(from8), to = men_on(to8);
    const __m128i kinds = load_lanes(kind8);
    e->pawn = moved(c->a.pawn, from, to, kinds, AS_PAWN);
    e->knight = moved(c->a.knight, from, to, kinds, AS_KNIGHT);
    e->diag = moved(c->a.diag, from, to, kinds, AS_DIAG);
    e->orth = moved(c->a.orth, from, to, kinds, AS_ORTH);
    e->king = moved(c->a.king, from, to, kinds, AS_KING);
    e->occ = (c->occ & ~from) | to;
    e->own = c->b.all & ~to;
}

/* In Chess960 king and rook may change places: all leave before any arrives. */
INLINE void move_castling_rooks(Eight *e, const Rooks *r) {
    e->orth = (e->orth & ~r->off) | r->on;
    e->occ = (e->occ & ~r->off) | e->king | r->on;
}

/*
 * One ray from B's king. The first man on it, if a slider of A, gives check: replies must take it or stand between, and
 * the king may not step on along the ray. If the first is B's and the second such a slider, the first is pinned.
 */
INLINE void look_along(Eight *e, const Shared *c, int n, Boards sliders) {
    if (!(c->rays >> n & 1)) return;
    const Bits ray = rays[c->king][n];
    const Boards men = e->occ & ray;
    Boards nearest, second, between;
    if (n < SOUTH) {
        const Boards below = men + ~0ull, rest = men & below;
        nearest = men & ~below;
        second = rest & ~(rest + ~0ull);
        between = (men ^ below) & ray;
    } else {
        nearest = highest_man(men);
        second = highest_man(men ^ nearest);
        between = -nearest & ray;
    }
    const Which checks = meets(nearest, sliders), pins = meets(second, sliders);
    e->pinned = join_where(pins, e->pinned, nearest & e->own);
    e->target = meet_where(checks, e->target, between);
    e->hit = join_where(checks, e->hit, all_lanes(rays[c->king][n ^ 4] & c->near_king));
    e->in_check |= checks;
}

/* B's targets: all but own men; in check the checker or between; in double check the meet of two lines is empty. */
INLINE void find_checks_and_pins(Eight *e, const Shared *c) {
    e->pinned = e->hit = no_boards();
    e->target = all_lanes(~0ull);
    e->in_check = 0;
    look_along(e, c, NORTH, e->orth);
    look_along(e, c, NORTH_EAST, e->diag);
    look_along(e, c, EAST, e->orth);
    look_along(e, c, NORTH_WEST, e->diag);
    look_along(e, c, SOUTH, e->orth);
    look_along(e, c, SOUTH_WEST, e->diag);
    look_along(e, c, WEST, e->orth);
    look_along(e, c, SOUTH_EAST, e->diag);
    const Boards knights = e->knight & knight_attacks[c->king], pawns = e->pawn & c->pawn_checks;
    const Which by_knight = meets(knights, knights), by_pawn = meets(pawns, pawns);
    e->target = meet_where(by_knight, e->target, knights);
    e->target = meet_where(by_pawn, e->target, pawns);
    e->in_check |= by_knight | by_pawn;
    e->enemy = e->occ & ~e->own & e->target;
    e->target &= ~e->own;
    e->empty = ~e->occ;
}

INLINE Way open_way(Boards empty, Bits may_be_entered, int step) {
    Way w = {.step = step};
    w.open1 = empty & may_be_entered;
    w.open2 = w.open1 & step_all(w.open1, step);
    w.open4 = w.open2 & step_all(w.open2, 2 * step);
    return w;
}
INLINE Ways open_ways(Boards empty) {
    return (Ways){open_way(empty, ~FILE_A, 9), open_way(empty, ~FILE_H, 7), open_way(empty, ~FILE_A, -7),
                  open_way(empty, ~FILE_H, -9)};
}
/* The squares that men see that way; the first step over the board's side is the caller's to mask. */
INLINE Boards see(Boards men, const Way *w) {
    men |= w->open1 & step_all(men, w->step);
    men |= w->open2 & step_all(men, 2 * w->step);
    men |= w->open4 & step_all(men, 4 * w->step);
    return step_all(men, w->step);
}

/* Straight lines: the four turns of a board in which a direction runs along a byte (boards.h). */
typedef struct {
    Boards east, west, south, north;
} Turned;

INLINE Turned turned(Boards b) {
    Turned t = {.east = b, .west = mirror(b), .south = transpose(b)};
    t.north = mirror(t.south);
    return t;
}

INLINE void add_straight_danger(Eight *e, const Turned *occ) {
    const Turned men = turned(e->orth);
    const Boards east = toward_h(occ->east, men.east) ^ occ->east, west = toward_h(occ->west, men.west) ^ occ->west;
    const Boards south = toward_h(occ->south, men.south) ^ occ->south;
    const Boards north = toward_h(occ->north, men.north) ^ occ->north;
    e->hit |= east | mirror(west);
    e->hit |= transpose(south | mirror(north));
}

INLINE void add_knight_and_king_danger(Eight *e, const Shared *c) {
    const Boards n = e->knight;
    const Boards by1 = ((n << 1) & ~FILE_A) | ((n >> 1) & ~FILE_H);
    const Boards by2 = ((n << 2) & ~FILES_AB) | ((n >> 2) & ~FILES_GH);
    e->hit |= by1 << 16 | by1 >> 16;
    e->hit |= by2 << 8 | by2 >> 8;
    if (c->kings_meet) {
        Boards k = e->king | ((e->king << 1) & ~FILE_A) | ((e->king >> 1) & ~FILE_H);
        e->hit |= k | k << 8 | k >> 8;
    }
}

/* All that A hits, but through B's king, which look_along knows. b: the side that replies. */
INLINE void find_danger(Eight *e, const Shared *c, const Turned *occ, const Ways *w, Colour b, bool with_diagonals) {
    add_straight_danger(e, occ);
    Boards east = step_all(e->pawn, b == WHITE ? -7 : 9), west = step_all(e->pawn, b == WHITE ? -9 : 7);
    if (with_diagonals) {
        east |= see(e->diag, &w->ne) | see(e->diag, &w->se);
        west |= see(e->diag, &w->nw) | see(e->diag, &w->sw);
    }
    e->hit |= east & ~FILE_A;
    e->hit |= west & ~FILE_H;
    add_knight_and_king_danger(e, c);
}

/* movegen.h, may_castle, in lanes. */
INLINE Boards add_castling(Boards n, const Eight *e, const Castle *c) {
    if (!c->rook) return n;
    const Which free = misses(e->occ, all_lanes(c->path)) & misses(e->hit, all_lanes(c->safe));
    const Which rook = meets(e->own & ~e->pinned, all_lanes(c->rook));
    return add_where((Which)(free & rook & ~e->in_check), n, all_lanes(1));
}

INLINE Boards king_replies(const Eight *e, const Shared *c) {
    Boards n = counts(c->near_king & ~(e->own | e->hit));
    if (c->castles) n = add_castling(add_castling(n, e, &c->castle[0]), e, &c->castle[1]);
    return n;
}

/* The men that may move along that line: those not pinned, and those pinned on it. */
INLINE Boards able(Boards men, Boards pinned, Bits line) {
    return men & ~(pinned & ~line);
}

INLINE Boards pawn_replies(const Eight *e, const Shared *c, Colour b) {
    const Boards pawns = e->own & c->b.pawn;
    const Boards push = able(pawns, e->pinned, c->file);
    const Boards to_east = able(pawns, e->pinned, b == WHITE ? c->diagonal : c->antidiagonal);
    const Boards to_west = able(pawns, e->pinned, b == WHITE ? c->antidiagonal : c->diagonal);
    Boards one = forward_all(push, b) & e->empty;
    const Boards two = forward_all(one & third_rank(b), b) & e->empty;
    const Boards east = step_all(to_east, pawn_up(b) + 1) & ~FILE_A & e->enemy;
    const Boards west = step_all(to_west, pawn_up(b) - 1) & ~FILE_H & e->enemy;
    one = ((one | two) & e->target) | east; /* a push and a capture never share a square */
    Boards n = counts(one) + counts(west);
    if (c->promotes) n += three_times(counts(one & last_rank(b)) + counts(west & last_rank(b)));
    return n;
}

/* A knight's squares are common to all lanes; it drops out where it is pinned or was captured. */
INLINE Boards add_knight_replies(Boards n, const Eight *e, const Shared *c) {
    const Boards free = e->own & ~e->pinned;
    EACH (s, c->b.knight) n = add_where(meets(free, all_lanes(bit((int)s))), n, counts(e->target & knight_attacks[s]));
    return n;
}

INLINE Boards straight_replies(const Eight *e, const Shared *c, const Turned *occ) {
    const Boards men = e->own & c->b.orth, along = able(men, e->pinned, c->rank), up = able(men, e->pinned, c->file);
    const Turned to = turned(e->target);
    const Boards west = mirror(along), south = transpose(up), north = mirror(south);
    return counts((toward_h(occ->east, along) ^ occ->east) & to.east) +
           counts((toward_h(occ->west, west) ^ occ->west) & to.west) +
           (counts((toward_h(occ->south, south) ^ occ->south) & to.south) +
            counts((toward_h(occ->north, north) ^ occ->north) & to.north));
}

INLINE Boards diagonal_replies(const Eight *e, const Shared *c, const Ways *w) {
    const Boards men = e->own & c->b.diag;
    const Boards d = able(men, e->pinned, c->diagonal), a = able(men, e->pinned, c->antidiagonal);
    const Boards not_a = e->target & ~FILE_A, not_h = e->target & ~FILE_H;
    return counts(see(d, &w->ne) & not_a) + counts(see(d, &w->sw) & not_h) +
           (counts(see(a, &w->nw) & not_h) + counts(see(a, &w->se) & not_a));
}

/* Eight numbers: B's replies to the children from8[i], to8[i], kind8[i]. Rooks may be NULL. */
INLINE Boards count_in_full(const Shared *c, const uint8_t *from8, const uint8_t *to8, const uint8_t *kind8,
                            const Rooks *rooks, Colour b, bool with_diagonals) {
    Eight e;
    move_men(&e, c, from8, to8, kind8);
    if (UNLIKELY(rooks)) move_castling_rooks(&e, rooks);
    find_checks_and_pins(&e, c);
    const Turned occ = turned(e.occ);
    Ways w;
    if (with_diagonals) w = open_ways(e.empty);
    find_danger(&e, c, &occ, &w, b, with_diagonals);
    Boards n = add_knight_replies(king_replies(&e, c), &e, c) + pawn_replies(&e, c, b);
    n += straight_replies(&e, c, &occ);
    if (with_diagonals) n += diagonal_replies(&e, c, &w);
    return n;
}
