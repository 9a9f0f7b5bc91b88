/* SPDX-License-Identifier: MIT */
/*
 * Some units, expanded ply by ply down to the leaf-parent ply, whose positions' children are counted by their owners:
 *
 *     ply 0          o   o   o            units, all of one depth
 *                   / \ / \ / \
 *     ply 1        o   o   o   o          each position once; those that the table of all ranks knows are not expanded
 *                 ...
 *     leaf-parent  o o o o o o o o        their sums come in set by set; then all is summed up towards the units, and
 *     ply                                 what was not known before is stored
 *
 * While a ply's probes are answered, other groups are worked on (unit_groups.h).
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "base/u128.h"
#include "leaf_parent.h"
#include "perft/position_set.h"
#include "rank_context.h"
#include "wire.h"

enum { UNIT_GROUP_PLIES = 5, UNIT_GROUP_SIZE_MAX = 80, LEAF_PARENT_DEPTH_MIN = 4 /* plies below a leaf parent */ };

/* The positions of a ply, each once, and their edges to the next ply. */
typedef struct {
    int depth; /* plies that remain below */
    PositionSet set;
    uint64_t *known;   /* leaves below, by the table; 0: unknown */
    U128 *leaves;      /* known, or summed up */
    size_t *edges_end; /* of each position's edges */
    size_t capacity;   /* of these three */
    uint32_t *edge;    /* numbers of positions of the next ply */
    size_t edges, edge_capacity;
} UnitGroupPly;

typedef enum { UNIT_GROUP_FREE, UNIT_GROUP_PROBING, UNIT_GROUP_COUNTING } UnitGroupStage;

typedef struct {
    UnitGroupStage stage;
    uint64_t unit[UNIT_GROUP_SIZE_MAX];
    UnitGroupPly ply[UNIT_GROUP_PLIES];
    unsigned current;         /* the ply that is probed; when counting, the leaf-parent ply */
    unsigned leaf_parent;     /* the number of that ply */
    size_t asked;             /* so many keys of the current ply have been looked up or requested */
    TabiaClusterBatch probes; /* of the current ply */
} UnitGroup;

/* The depth of the leaf parents of units of `depth`: LEAF_PARENT_DEPTH_MIN, or more where that would be too many plies
   to keep. */
int leaf_parent_depth(int depth);
/* How many units of that depth make a group. */
size_t unit_group_size(int depth);

/* Takes over n units (1 to unit_group_size(depth)) of depth 4 or more. False with an error when memory is out. */
bool unit_group_begin(UnitGroup *g, const WireUnit *unit, size_t n, int depth, TabiaError *error);
/* Are all keys of the current ply known or answered? Where each answer is awaited, asks for the next key. */
bool unit_group_probed(UnitGroup *g, const RankContext *rank);
/* When they are: makes the next ply and probes it, or goes over to counting. False with an error when memory is out. */
bool unit_group_expand(UnitGroup *g, const RankContext *rank, TabiaError *error);
/* All sums are in: sums up and stores what was not known. The units' counts are ply[0].leaves; the group is free. */
void unit_group_sum(UnitGroup *g, TabiaCluster *cluster);
void unit_group_release(UnitGroup *g);

/* The positions whose children are counted by their owners. */
INLINE UnitGroupPly *unit_group_leaf_parents(UnitGroup *g) {
    return g->ply + g->leaf_parent;
}
