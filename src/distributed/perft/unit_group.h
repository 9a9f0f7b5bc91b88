/* SPDX-License-Identifier: MIT */
/*
 * The units that a rank works on, in groups. A group is expanded ply by ply down to the leaf-parent ply, whose positions'
 * children are counted by their owners:
 *
 *     ply 0          o   o   o            units, all of one depth
 *                   / \ / \ / \
 *     ply 1        o   o   o   o          each position once; those that this rank's table knows are not expanded
 *                 ...
 *     leaf-parent  o o o o o o o o        their sums come in set by set; then all is summed up towards the units, and
 *     ply                                 what was not known before is stored in this rank's table
 *
 * Many groups are in memory at a time, so that there is work while the sums of others travel:
 *
 *     begin -> next(): a leaf parent, until there is none -> split() says how many sums come -> add_sum() -> finish()
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "base/u128.h"
#include "rank_context.h"
#include "wire.h"

enum { UNIT_GROUP_SIZE_MAX = 80, UNIT_GROUPS_MAX = 256, LEAF_PARENT_DEPTH_MIN = 4 /* plies below a leaf parent */ };

/* Which position of the leaf-parent ply a sum belongs to. */
typedef struct {
    uint32_t group, position;
} LeafParentRef;

typedef struct {
    LeafParentRef ref;
    int child_depth; /* plies below each child */
    const Position *position;
    Key key;
} LeafParent;

/* The counts of a group's units; the arrays are the groups' until the next call. */
typedef struct {
    size_t n;
    const uint64_t *unit;
    const U128 *leaves;
} UnitCounts;

typedef struct UnitGroups UnitGroups;

/* The depth of the leaf parents of units of `depth`: LEAF_PARENT_DEPTH_MIN, or more where that would be too many plies
   to keep. */
int leaf_parent_depth(int depth);
/* How many units of that depth make a group. */
size_t unit_group_size(int depth);

/* *rank must outlive the groups. NULL with an error when memory is out. */
UnitGroups *unit_groups_create(const RankContext *rank, TabiaError *error);
void unit_groups_destroy(UnitGroups *groups);

/* Should units of that depth be begun now? */
bool unit_groups_want_units(const UnitGroups *groups, int depth);
/* Begins a group of n units (1 to unit_group_size(depth)) of depth 4 or more; units are wanted. False with an error:
   memory is out. */
bool unit_groups_begin(UnitGroups *groups, const WireUnit *unit, size_t n, int depth, TabiaError *error);

/* The next leaf parent to be split. The same again, until it is. False: there is none. */
bool unit_groups_next(UnitGroups *groups, LeafParent *parent);
/* It is split: so many sums come for it, later than this returns. True: nothing more of its group is to come, and what was split
   must not wait, because its owner may have no work. */
bool unit_groups_split(UnitGroups *groups, LeafParentRef parent, unsigned sums);
/* A sum of children of a leaf parent, one of those that were announced. */
void unit_groups_add_sum(UnitGroups *groups, LeafParentRef parent, U128 sum);
/* Ends a group whose sums are all in. False: there is none. */
bool unit_groups_finish(UnitGroups *groups, UnitCounts *counts);
