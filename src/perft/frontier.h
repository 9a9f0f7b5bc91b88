/* SPDX-License-Identifier: MIT */
/*
 * The frontier: the positions a few plies below the root, each once, with the number of paths that lead to it.
 *
 *              root                 multiplicity of a position = sum of those of its parents (one for each edge),
 *         a /   b |  \ c            kept apart for each root move, so that a divide can be printed:
 *          o      o    o
 *         / \   / |   /                  leaves below the root move r  =  sum over units u of
 *        o    o   o  o                         multiplicity[u][r] * leaves below u
 *            a:1
 *            b:1                    What transposes in front of the frontier is counted once,
 *                                   whatever the table forgets.
 *
 * The order of the units is that in which a walk ply by ply meets them first: it depends on the position alone, not on
 * keys, threads or machine, so that a unit has the same number in every run (the ledger relies on it).
 */
#pragma once
#include <stddef.h>

#include "base/u128.h"
#include "position_set.h"

/* So far down every multiplicity fits 64 bits, whatever the position. */
enum { FRONTIER_PLIES_MAX = PLIES_64_BIT };

typedef struct {
    unsigned roots; /* legal moves of the root, in the generator's order */
    Move root_move[MOVES_MAX];
    int ply;                                     /* how far below the root the units stand */
    size_t positions_at[FRONTIER_PLIES_MAX + 1]; /* the numbers of units that stood at each ply down to it */
    PositionSet units;
    uint64_t *multiplicity; /* [units.n][roots]: paths that begin with that root move */
    size_t capacity;        /* units for which there are multiplicities */
} Frontier;

typedef struct {
    int max_ply;   /* never deeper than this, nor than FRONTIER_PLIES_MAX */
    size_t enough; /* stop going deeper once there are this many units */
    size_t max;    /* and never make more than this many */
    bool merge;    /* false: every path is a unit of its own */
} FrontierLimits;

/* Makes the frontier of root; *f need not be initialised. A root without moves gives a frontier without units. */
bool frontier_make(Frontier *f, const Position *root, const Zobrist *z, FrontierLimits limits, TabiaError *error);
void frontier_free(Frontier *f);

/* A unit will be counted soon: its position and key are brought into the caches. */
INLINE void frontier_prefetch(const Frontier *f, size_t unit) {
    __builtin_prefetch(&f->units.position[unit]);
    __builtin_prefetch(&f->units.key[unit]);
}
