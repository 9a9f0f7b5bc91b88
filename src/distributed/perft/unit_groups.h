/* SPDX-License-Identifier: MIT */
/*
 * The unit groups that a rank has in memory, many at a time, so that there is work while answers of other ranks travel.
 *
 *     begin -> probing ply by ply -> counting: leaf parents go to the owners of their children -> all sums in -> done
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "leaf_parent.h"
#include "rank_context.h"
#include "unit_group.h"

enum { UNIT_GROUPS_MAX = 256 };

typedef struct UnitGroups UnitGroups;

/* What groups need of others; each is called from unit_groups_step(). */
typedef struct {
    void *context;
    /* Sends the children of a leaf parent to their owners. How many sums will come back by unit_groups_add_sum(), later
       than this returns; -1: not just now. */
    int (*split)(void *context, const LeafParent *parent);
    void (*flush)(void *context); /* what was split is not to wait any longer */
    void (*unit_done)(void *context, uint64_t unit, U128 leaves);
} UnitGroupsCallbacks;

/* *rank must outlive the groups. NULL with an error when memory is out. */
UnitGroups *unit_groups_create(const RankContext *rank, const UnitGroupsCallbacks *callbacks, TabiaError *error);
void unit_groups_destroy(UnitGroups *groups);

/* Should units of that depth be begun now? */
bool unit_groups_want_units(const UnitGroups *groups, int depth);

/* Begins a group of n units (1 to unit_group_size(depth)); units are wanted. False with an error: memory is out. */
bool unit_groups_begin(UnitGroups *groups, const WireUnit *unit, size_t n, int depth, TabiaError *error);

/* One step of the first group that can take one. False: none can. Failures go to the rank's error. */
bool unit_groups_step(UnitGroups *groups);

/* A sum of children of a leaf parent, one of those that split() announced. */
void unit_groups_add_sum(UnitGroups *groups, LeafParentRef parent, U128 sum);
