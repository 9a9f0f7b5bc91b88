/* SPDX-License-Identifier: MIT */
/*
 * Some units, expanded ply by ply down to the floor, where each position's children go to their homes:
 *
 *     ply 0     o   o   o            units, all of one depth
 *              / \ / \ / \
 *     ply 1   o   o   o   o          each position once; those that the table of all ranks knows are not expanded
 *            ...
 *     floor   o o o o o o o o        their counts come in family by family; then all is summed up towards the units,
 *                                    and what was not known before is stored
 *
 * A ply's answers are waited for while other groups are worked on.
 */
#pragma once
#include "base/u128.h"
#include "wire.h"

enum {
    UNIT_GROUP_PLIES = 5,
    UNIT_GROUP_SIZE_MAX = 80,
    UNIT_GROUPS = 256,
    LEAF_PARENT_DEPTH_MIN = 4 /* the least depth of a floor */
};

/* The positions of a ply. */
typedef struct {
    int depth; /* plies that remain below */
    size_t n, room;
    Position *position;
    Key *key;
    uint64_t *known;   /* by the table; 0: unknown */
    U128 *leaves;      /* known, or summed up */
    size_t *edges_end; /* of each position's edges to the next ply */
    uint32_t *edge;
    size_t edges, edge_room;
    uint32_t *slot; /* an open hash table of numbers + 1 */
    size_t slots;
} GroupPly;

typedef enum { GROUP_FREE, GROUP_ASKING, GROUP_COUNTING } GroupStage;

typedef struct {
    GroupStage stage;
    uint64_t unit[UNIT_GROUP_SIZE_MAX];
    GroupPly ply[UNIT_GROUP_PLIES];
    unsigned at;    /* the ply that is asked for, then the floor */
    unsigned floor; /* its number */
    TabiaClusterBatch batch;
    size_t next; /* position of the floor to be sent to its homes */
    size_t open; /* families that are under way, to homes or to be counted here */
} Group;

/* The depth of the floor for units of that depth: LEAF_PARENT_DEPTH_MIN, or more where that would be too many plies to keep. */
int leaf_parent_depth(int depth);
/* How many units make a group of that depth. */
size_t unit_group_size(int depth);

/* How many of them a rank may have in memory: UNIT_GROUPS, or less where each has very many positions. */
unsigned unit_groups_max(int depth);

/* Takes n units (1 to unit_group_size(depth)), of depth 4 or more. */
bool group_begin(Group *g, const WireUnit *unit, size_t n, int depth, Fault *fault);
/* Where the ply that was asked for is answered: makes the next one, and asks for it, or goes over to counting. cluster
   is NULL where nobody is to be asked. */
bool group_expand(Group *g, TabiaCluster *cluster, const Zobrist *z, Fault *fault);
/* All families are in: sums up, stores what was not known; the units' counts are ply[0].leaves. The group is free. */
void group_sum(Group *g, TabiaCluster *cluster);
void group_free(Group *g);
