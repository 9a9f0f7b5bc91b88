/* SPDX-License-Identifier: MIT */
#include "unit_groups.h"

#include <assert.h>
#include <stdlib.h>

enum { SET_WORDS = UNIT_GROUPS_MAX / 64 };

/* A group, and how far its leaf parents are. */
typedef struct {
    UnitGroup group;
    size_t next;    /* the leaf parent to be split next */
    size_t pending; /* sums that have not come */
} GroupSlot;

struct UnitGroups {
    const RankContext *rank;
    UnitGroupsCallbacks callbacks;
    GroupSlot slot[UNIT_GROUPS_MAX];
    Bits used[SET_WORDS];   /* slots that are not free */
    Bits active[SET_WORDS]; /* those of them that may take a step; the others, most, wait for sums */
};

UnitGroups *unit_groups_create(const RankContext *rank, const UnitGroupsCallbacks *callbacks, TabiaError *error) {
    UnitGroups *groups = calloc(1, sizeof *groups);
    if (!groups) return tabia_fail(error, "not enough memory for groups of units"), NULL;
    groups->rank = rank, groups->callbacks = *callbacks;
    return groups;
}

void unit_groups_destroy(UnitGroups *groups) {
    if (!groups) return;
    for (unsigned i = 0; i < UNIT_GROUPS_MAX; i++) unit_group_release(&groups->slot[i].group);
    free(groups);
}

/* ---- sets of groups ---- */

static void set_insert(Bits *set, unsigned i) {
    set[i / 64] |= bit((int)(i % 64));
}
static void set_remove(Bits *set, unsigned i) {
    set[i / 64] &= ~bit((int)(i % 64));
}

static unsigned first_free(const UnitGroups *groups) {
    for (unsigned w = 0; w < SET_WORDS; w++)
        if (~groups->used[w]) return 64 * w + (unsigned)lsb(~groups->used[w]);
    return UNIT_GROUPS_MAX;
}

static unsigned index_of(const UnitGroups *groups, const GroupSlot *slot) {
    return (unsigned)(slot - groups->slot);
}

/* ---- beginning ---- */

/* How many groups may be in memory: less than UNIT_GROUPS_MAX where each has very many positions. */
static unsigned groups_limit(int depth) {
    static const unsigned limit[UNIT_GROUP_PLIES] = {UNIT_GROUPS_MAX, UNIT_GROUPS_MAX / 4, UNIT_GROUPS_MAX / 8,
                                                     UNIT_GROUPS_MAX / 32, UNIT_GROUPS_MAX / 128};
    return limit[depth > LEAF_PARENT_DEPTH_MIN ? depth - leaf_parent_depth(depth) : 0];
}

/* For comparison: does this rank wait for an answer, and count nothing of its own? */
static bool is_waiting(const UnitGroups *groups) {
    const RankContext *rank = groups->rank;
    if (!rank->waits_for_keys) return false;
    for (unsigned w = 0; w < SET_WORDS; w++)
        for (Bits left = groups->used[w]; left;) {
            const GroupSlot *slot = groups->slot + 64 * w + pop_lsb(&left);
            if (slot->group.stage == UNIT_GROUP_PROBING ? !tabia_cluster_batch_done(rank->cluster, &slot->group.probes)
                                                        : rank->waits_for_sums && slot->pending)
                return true;
        }
    return false;
}

/*
 * While two groups have leaf parents to split there is work, and units that are not begun can still be assigned to
 * other ranks. Groups that wait for sums do not count: units of one time resemble each other and have the same owners,
 * so that for a while one rank has all the work, and may not hold up the others. Groups that wait for answers of the
 * table will have work soon, but not now: there are some of them, for as long as answers travel.
 */
bool unit_groups_want_units(const UnitGroups *groups, int depth) {
    enum { SPLITTING = 2, PROBING = 4 };
    unsigned splitting = 0, probing = 0;
    if (first_free(groups) >= groups_limit(depth) || is_waiting(groups)) return false;
    for (unsigned w = 0; w < SET_WORDS; w++)
        for (Bits left = groups->active[w]; left;) {
            const GroupSlot *slot = groups->slot + 64 * w + pop_lsb(&left);
            const UnitGroup *g = &slot->group;
            probing += g->stage == UNIT_GROUP_PROBING;
            splitting += g->stage == UNIT_GROUP_COUNTING && slot->next < g->ply[g->leaf_parent].set.n;
            if (splitting >= SPLITTING || probing >= PROBING) return false;
        }
    return true;
}

bool unit_groups_begin(UnitGroups *groups, const WireUnit *unit, size_t n, int depth, TabiaError *error) {
    const unsigned i = first_free(groups);
    assert(i < groups_limit(depth));
    GroupSlot *slot = groups->slot + i;
    if (!unit_group_begin(&slot->group, unit, n, depth, error)) return false;
    slot->next = slot->pending = 0;
    set_insert(groups->used, i);
    set_insert(groups->active, i);
    return true;
}

/* ---- steps ---- */

static void finish(UnitGroups *groups, GroupSlot *slot) {
    UnitGroup *g = &slot->group;
    unit_group_sum(g, groups->rank->is_shared ? groups->rank->cluster : NULL);
    for (size_t i = 0; i < g->ply[0].set.n; i++)
        groups->callbacks.unit_done(groups->callbacks.context, g->unit[i], g->ply[0].leaves[i]);
    set_remove(groups->used, index_of(groups, slot));
    set_remove(groups->active, index_of(groups, slot));
}

/* The next leaf parent, if its batches have room. Where a sibling set is a matter of microseconds its batch leaves when
   it is full, or no other work is left; a deep one must not wait, because its owner may have no work. */
static bool split_next(UnitGroups *groups, GroupSlot *slot) {
    const UnitGroupsCallbacks *callbacks = &groups->callbacks;
    const UnitGroupPly *ply = unit_group_leaf_parents(&slot->group);
    if (slot->next + 1 < ply->set.n) __builtin_prefetch(&ply->set.position[slot->next + 1]);
    while (slot->next < ply->set.n && ply->known[slot->next]) slot->next++;
    if (slot->next < ply->set.n) {
        const LeafParent parent = {.ref = {index_of(groups, slot), (uint32_t)slot->next},
                                   .child_depth = ply->depth - 1,
                                   .position = ply->set.position + slot->next,
                                   .key = ply->set.key[slot->next]};
        const int sums = callbacks->split(callbacks->context, &parent);
        if (sums < 0) return false;
        slot->pending += (size_t)sums;
        slot->next++;
    }
    if (groups->rank->waits_for_sums || (slot->next == ply->set.n && ply->depth > LEAF_PARENT_DEPTH_MIN))
        callbacks->flush(callbacks->context);
    return true;
}

/* One step of a group, if it can take one. */
static bool step_group(UnitGroups *groups, GroupSlot *slot) {
    const RankContext *rank = groups->rank;
    UnitGroup *g = &slot->group;
    if (g->stage == UNIT_GROUP_PROBING && unit_group_probed(g, rank)) {
        TabiaError error;
        if (!unit_group_expand(g, rank, &error)) run_error_set(rank->error, "%s", error.text);
        return true;
    }
    if (g->stage != UNIT_GROUP_COUNTING) return false;
    if (slot->next < unit_group_leaf_parents(g)->set.n) return split_next(groups, slot);
    if (slot->pending) {
        set_remove(groups->active, index_of(groups, slot));
        return false;
    }
    finish(groups, slot);
    return true;
}

bool unit_groups_step(UnitGroups *groups) {
    if (is_waiting(groups)) return false;
    for (unsigned w = 0; w < SET_WORDS; w++)
        for (Bits left = groups->active[w]; left;)
            if (step_group(groups, groups->slot + 64 * w + pop_lsb(&left))) return true;
    return false;
}

void unit_groups_add_sum(UnitGroups *groups, LeafParentRef parent, U128 sum) {
    assert(parent.group < UNIT_GROUPS_MAX);
    GroupSlot *slot = groups->slot + parent.group;
    UnitGroupPly *ply = unit_group_leaf_parents(&slot->group);
    assert(slot->group.stage == UNIT_GROUP_COUNTING && parent.position < ply->set.n && slot->pending > 0);
    ply->leaves[parent.position] += sum;
    if (--slot->pending == 0) set_insert(groups->active, parent.group);
}
