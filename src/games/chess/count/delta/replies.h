/* SPDX-License-Identifier: MIT */
/*
 * The number of legal moves of a position: the leaf of everything that is made, and the last ply by itself. The rules
 * are those of movegen.h, but nothing is computed that a number does not need: of the squares that the other side
 * attacks only those next to the king, or on the path of a castling that nothing else forbids.
 *
 *      . x o x .      x: own pieces, or attacked by a pawn, a knight or the other king: known for all squares at once
 *      . o k x .      o: the rest is tested for attacks by sliders, with the king removed
 *      . x x x .
 */
#pragma once
#include "castlings.h"
#include "king_lines.h"
#include "ray_attacks.h"

/* The position as the side to move counts its own moves. */
typedef struct {
    const Position *position;
    SidePieces own, enemy;
    Bits occ, target; /* squares where a piece may go: in check, only onto the checker or between */
    Pins pins;
} LeafContext;

/* What sliders attack, and how many moves they have. Vectors fill the rays of all sliders for the price of two
   look-ups; without vectors each slider is looked up. */
#ifdef __AVX2__
INLINE Bits all_slider_attacks(Bits orth, Bits diag, Bits occ) {
    return ray_attacks_union(ray_attacks_fill(orth, diag, ~occ));
}
INLINE int count_slider_moves(Bits orth, Bits diag, Bits occ, Bits target) {
    return (int)ray_attacks_count(ray_attacks_and(ray_attacks_fill(orth, diag, ~occ), target));
}
#else
INLINE Bits all_slider_attacks(Bits orth, Bits diag, Bits occ) {
    Bits attacked = 0;
    EACH (s, orth) attacked |= rook_attacks((int)s, occ);
    EACH (s, diag) attacked |= bishop_attacks((int)s, occ);
    return attacked;
}
INLINE int count_slider_moves(Bits orth, Bits diag, Bits occ, Bits target) {
    int n = 0;
    EACH (s, orth) n += popcount(rook_attacks((int)s, occ) & target);
    EACH (s, diag) n += popcount(bishop_attacks((int)s, occ) & target);
    return n;
}
#endif

/* The king's steps and castlings. */
INLINE int count_king_replies(const LeafContext *leaf, Colour us, bool checked) {
    const Colour them = (Colour)!us;
    const SidePieces *enemy = &leaf->enemy;
    const Bits rooks = checked ? 0 : castling_rooks(leaf->position, us);
    Bits attacked = pawn_set_attacks(enemy->pawn, them) | king_attacks[enemy->king_square];
    EACH (s, enemy->knight) attacked |= knight_attacks[s];
    const Bits steps = king_attacks[leaf->own.king_square] & ~leaf->own.all & ~attacked;
    if (!(steps | rooks)) return 0;
    attacked |= all_slider_attacks(enemy->orth, enemy->diag, leaf->occ ^ leaf->own.king);
    int n = popcount(steps & ~attacked);
    if (rooks) {
        const CastlingPaths castlings = find_castling_paths(leaf->position, us, &leaf->own, leaf->occ, leaf->pins.orth);
        n += count_castlings(&castlings, leaf->occ, attacked);
    }
    return n;
}

INLINE int count_pawn_replies(const LeafContext *leaf, Colour us) {
    const Bits orth = leaf->pins.orth, diag = leaf->pins.diag, pawns = leaf->own.pawn;
    const Bits push = pawns & ~diag, capture = pawns & ~orth;
    const Bits victims = leaf->enemy.all & leaf->target, end = last_rank(us);
    const Bits step = (forward(push & ~orth, us) | (forward(push & orth, us) & orth)) & ~leaf->occ;
    const Bits one = step & leaf->target, two = forward(step & third_rank(us), us) & ~leaf->occ & leaf->target;
    const Bits east =
        (pawn_east_attacks(capture & ~diag, us) | (pawn_east_attacks(capture & diag, us) & diag)) & victims;
    const Bits west =
        (pawn_west_attacks(capture & ~diag, us) | (pawn_west_attacks(capture & diag, us) & diag)) & victims;
    int n = popcount(one) + popcount(two) + popcount(east) + popcount(west);
    if (UNLIKELY((one | east | west) & end))
        n += 3 * (popcount(one & end) + popcount(east & end) + popcount(west & end));
    if (UNLIKELY(leaf->position->ep))
        EACH (f, pawn_attacks[!us][leaf->position->ep] & pawns)
            n += ep_leaves_king_safe(leaf->position, us, (int)f, leaf->position->ep);
    return n;
}

/* A pinned slider keeps to its line, if it moves that way at all. */
INLINE int count_slider_replies(const LeafContext *leaf) {
    const SidePieces *own = &leaf->own;
    const Bits pinned = leaf->pins.orth | leaf->pins.diag;
    int n = count_slider_moves(own->orth & ~pinned, own->diag & ~pinned, leaf->occ, leaf->target);
    if (UNLIKELY(pinned & (own->orth | own->diag))) {
        EACH (s, own->orth & leaf->pins.orth)
            n += popcount(rook_attacks((int)s, leaf->occ) & leaf->target & leaf->pins.orth);
        EACH (s, own->diag & leaf->pins.diag)
            n += popcount(bishop_attacks((int)s, leaf->occ) & leaf->target & leaf->pins.diag);
    }
    return n;
}

INLINE uint64_t replies_of(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    assert(p->turn == us);
    LeafContext leaf = {.position = p, .own = side_pieces(p, us), .enemy = side_pieces(p, them)};
    leaf.occ = leaf.own.all | leaf.enemy.all;
    leaf.target = ~leaf.own.all;
    const Bits checkers = side_attackers(&leaf.enemy, them, leaf.own.king_square, leaf.occ);
    leaf.pins = find_pins(&leaf.own, &leaf.enemy, leaf.occ);
    int n = count_king_replies(&leaf, us, checkers != 0);
    if (checkers) {
        if (more_than_one(checkers)) return (uint64_t)n;
        leaf.target &= checkers | squares_between[leaf.own.king_square][lsb(checkers)];
    }
    n += count_pawn_replies(&leaf, us) + count_slider_replies(&leaf);
    EACH (s, leaf.own.knight & ~(leaf.pins.orth | leaf.pins.diag)) n += popcount(knight_attacks[s] & leaf.target);
    assert(n >= 0 && n <= MOVES_MAX);
    return (uint64_t)n;
}

NOINLINE uint64_t count_replies_white(const Position *p) {
    return replies_of(p, WHITE);
}
NOINLINE uint64_t count_replies_black(const Position *p) {
    return replies_of(p, BLACK);
}
INLINE uint64_t count_replies(const Position *p, Colour us) {
    return us == WHITE ? count_replies_white(p) : count_replies_black(p);
}
