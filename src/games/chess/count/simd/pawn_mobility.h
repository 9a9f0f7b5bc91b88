/* SPDX-License-Identifier: MIT */
/*
 * Where B's pawns move, and where a piece of A would add a move or take one, a kind of step in each lane. The lanes of the
 * pushes and of the captures are those of the rays that they follow (tables.h), one way or the other.
 *
 *      lane            step                                waits for
 *      NORTH           one square                          A to leave
 *      NORTH_EAST      capture, along this diagonal        A to enter
 *      EAST            one square, of a double push        A to leave: then both steps are free
 *      NORTH_WEST      capture, along this diagonal        A to enter
 *      SOUTH           double push                         A to leave
 *      SOUTH_EAST      double push, for the square between
 */
#pragma once
#include "critical_squares.h"

typedef struct {
    BitsVector moves; /* where pawns can move to */
    BitsVector waits; /* a piece of A that leaves or enters here adds a move */
} PawnMobility;

enum {
    PUSH_LANE = 1 << NORTH,
    CAPTURE_LANES = 1 << NORTH_EAST | 1 << NORTH_WEST,
    BEYOND_LANE = 1 << EAST,
    DOUBLE_LANE = 1 << SOUTH,
    BETWEEN_LANE = 1 << SOUTH_EAST,
    PAWN_MOVE_LANES = PUSH_LANE | CAPTURE_LANES | DOUBLE_LANE
};

/* Rotations of the board, by the colour that moves. */
typedef struct {
    Bits step[RAYS], second_step[RAYS], back[RAYS], entry[RAYS];
} PawnSteps;

static const PawnSteps pawn_steps[2] __attribute__((aligned(64))) = {
    [WHITE] = {{8, 9, 8, 7, 8, 0, 0, 8},
               {0, 0, 0, 0, 8, 0, 0, 8},
               {56, 55, 0, 57, 48, 0, 0, 56},
               {~0ull, ~FILE_A, ~0ull, ~FILE_H, ~0ull, 0, 0, ~0ull}},
    [BLACK] = {{56, 55, 56, 57, 56, 0, 0, 56},
               {0, 0, 0, 0, 56, 0, 0, 56},
               {8, 9, 0, 7, 16, 0, 0, 8},
               {~0ull, ~FILE_H, ~0ull, ~FILE_A, ~0ull, 0, 0, ~0ull}},
};

INLINE BitsVector load_lanes(const Bits lanes[RAYS]) {
    return (BitsVector)_mm512_load_si512((const void *)lanes);
}

/* A pinned pawn takes only the steps along its pin. */
INLINE BitsVector free_pawns(const ParentContext *c, Bits pinned) {
    const BitsVector pawns = broadcast(c->b.pawn);
    if (LIKELY(!(pinned & c->b.pawn))) return pawns;
    const BitsVector line = vector_of(c->file, c->diagonal, c->file, c->antidiagonal, c->file, 0, 0, c->file);
    return pawns & ~(pinned & ~line);
}

INLINE void find_pawn_mobility(PawnMobility *m, const ParentContext *c, Bits pinned, Colour b) {
    const PawnSteps *s = &pawn_steps[b];
    const BitsVector a = broadcast(c->a.all), empty = broadcast(~c->occ);
    BitsVector to = rotate_lanes(free_pawns(c, pinned), load_lanes(s->step)) & load_lanes(s->entry);
    to = masked_and(DOUBLE_LANE | BETWEEN_LANE, to, broadcast(~c->occ & third_rank(b)));
    to = rotate_lanes(to, load_lanes(s->second_step));
    m->moves = to & keep_lanes(PAWN_MOVE_LANES | BETWEEN_LANE, blend_lanes(CAPTURE_LANES, a, empty));
    const Bits before_empty = third_rank(b) & forward(~c->occ, (Colour)!b);
    m->waits =
        masked_and(BEYOND_LANE, to & keep_lanes(PAWN_MOVE_LANES | BEYOND_LANE, blend_lanes(CAPTURE_LANES, ~a, a)),
                   broadcast(before_empty));
}

/* Where the pawns stand, or pass, that make these moves. */
INLINE BitsVector pawn_origins(BitsVector moves, Colour b) {
    return rotate_lanes(moves, load_lanes(pawn_steps[b].back));
}
