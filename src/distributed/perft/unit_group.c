/* SPDX-License-Identifier: MIT */
#include "unit_group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "perft/position_set.h"
#include "tabia/counts.h"

enum { PLIES = 5, SET_WORDS = UNIT_GROUPS_MAX / 64 };

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
} GroupPly;

typedef struct {
    uint64_t unit[UNIT_GROUP_SIZE_MAX];
    GroupPly ply[PLIES];
    unsigned leaf_parent; /* the number of that ply */
    size_t next;          /* the leaf parent to be split next */
    size_t pending;       /* sums that have not come */
} UnitGroup;

struct UnitGroups {
    const RankContext *rank;
    UnitGroup group[UNIT_GROUPS_MAX];
    Bits used[SET_WORDS];   /* those that are not free */
    Bits active[SET_WORDS]; /* those of them that may take a step; the others, most, wait for sums */
};

int leaf_parent_depth(int depth) {
    enum { PLIES_BELOW_MAX = PLIES - 1 };
    return depth - LEAF_PARENT_DEPTH_MIN > PLIES_BELOW_MAX ? depth - PLIES_BELOW_MAX : LEAF_PARENT_DEPTH_MIN;
}

size_t unit_group_size(int depth) {
    switch (depth - leaf_parent_depth(depth)) {
    case 0:
        return UNIT_GROUP_SIZE_MAX;
    case 1:
        return 16;
    default:
        return 1;
    }
}

/* ---- plies ---- */

static void release_ply(GroupPly *p) {
    position_set_free(&p->set);
    free(p->known);
    free(p->leaves);
    free(p->edges_end);
    free(p->edge);
    *p = (GroupPly){0};
}

static void clear_ply(GroupPly *p, int depth) {
    position_set_clear(&p->set);
    p->edges = 0, p->depth = depth;
}

static bool grow_array(void *array, size_t capacity, size_t each) {
    void **pointer = array;
    void *larger = realloc(*pointer, capacity * each);
    if (larger) *pointer = larger;
    return larger != NULL;
}

/* All positions of the ply are there: nothing is known of them yet. */
static bool begin_counts(GroupPly *p, TabiaError *error) {
    const size_t n = p->set.n, capacity = p->set.capacity;
    assert(n <= capacity);
    if (p->capacity < n) {
        if (!grow_array(&p->known, capacity, sizeof *p->known) ||
            !grow_array(&p->leaves, capacity, sizeof *p->leaves) ||
            !grow_array(&p->edges_end, capacity, sizeof *p->edges_end))
            return tabia_fail(error, "not enough memory for a ply of %zu positions", capacity);
        p->capacity = capacity;
    }
    for (size_t i = 0; i < n; i++) p->known[i] = 0, p->leaves[i] = 0;
    return true;
}

static bool add_edges(GroupPly *p, const ChildNumbers *children, TabiaError *error) {
    enum { EDGES_MIN = 4096 };
    while (p->edges + children->n > p->edge_capacity) {
        const size_t capacity = p->edge_capacity ? 2 * p->edge_capacity : EDGES_MIN;
        if (!grow_array(&p->edge, capacity, sizeof *p->edge))
            return tabia_fail(error, "not enough memory for %zu moves of a ply", capacity);
        p->edge_capacity = capacity;
    }
    assert(p->edges + children->n <= p->edge_capacity);
    memcpy(p->edge + p->edges, children->number, children->n * sizeof *children->number);
    p->edges += children->n;
    return true;
}

/* The ply below, without what is known not to need it. */
static bool make_next_ply(GroupPly *from, GroupPly *to, const Zobrist *z, TabiaError *error) {
    ChildNumbers children;
    for (size_t i = 0; i < from->set.n; i++) {
        from->leaves[i] = from->known[i];
        if (!from->known[i] &&
            (!position_set_expand(&to->set, from->set.position + i, from->set.key[i], z, &children, error) ||
             !add_edges(from, &children, error)))
            return false;
        from->edges_end[i] = from->edges;
    }
    return begin_counts(to, error);
}

/* What the table knows of a ply. */
static void probe_ply(GroupPly *p, const TabiaTable *table) {
    tabia_counts_probe_batch(table, (const TabiaKey *)p->set.key, (unsigned)p->depth, p->known, p->set.n);
}

/* Units themselves are not stored, since no probe asks for them. Nor is a sum that an entry cannot hold. */
static void store_ply(const GroupPly *p, TabiaTable *table) {
    for (size_t i = 0; i < p->set.n; i++)
        if (!p->known[i] && p->leaves[i] && !(p->leaves[i] >> 64))
            tabia_counts_store(table, (TabiaKey){p->set.key[i][0], p->set.key[i][1]}, (unsigned)p->depth,
                               (uint64_t)p->leaves[i]);
}

/* ---- groups ---- */

UnitGroups *unit_groups_create(const RankContext *rank, TabiaError *error) {
    UnitGroups *groups = calloc(1, sizeof *groups);
    if (!groups) return tabia_fail(error, "not enough memory for groups of units"), NULL;
    groups->rank = rank;
    return groups;
}

void unit_groups_destroy(UnitGroups *groups) {
    if (!groups) return;
    for (unsigned i = 0; i < UNIT_GROUPS_MAX; i++)
        for (unsigned ply = 0; ply < PLIES; ply++) release_ply(groups->group[i].ply + ply);
    free(groups);
}

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

/* How many groups may be in memory: less than UNIT_GROUPS_MAX where each has very many positions. */
static unsigned groups_limit(int depth) {
    static const unsigned limit[PLIES] = {UNIT_GROUPS_MAX, UNIT_GROUPS_MAX / 4, UNIT_GROUPS_MAX / 8,
                                          UNIT_GROUPS_MAX / 32, UNIT_GROUPS_MAX / 128};
    return limit[depth > LEAF_PARENT_DEPTH_MIN ? depth - leaf_parent_depth(depth) : 0];
}

static bool has_leaf_parents(const UnitGroup *g) {
    return g->next < g->ply[g->leaf_parent].set.n;
}

/*
 * While two groups have leaf parents to split there is work, and units that are not begun can still be assigned to
 * other ranks. Groups that wait for sums do not count: units of one time resemble each other and have the same owners,
 * so that for a while one rank has all the work, and may not hold up the others.
 */
bool unit_groups_want_units(const UnitGroups *groups, int depth) {
    enum { SPLITTING = 2 };
    unsigned splitting = 0;
    if (first_free(groups) >= groups_limit(depth)) return false;
    for (unsigned w = 0; w < SET_WORDS; w++)
        for (Bits left = groups->active[w]; left;) {
            splitting += has_leaf_parents(groups->group + 64 * w + pop_lsb(&left));
            if (splitting >= SPLITTING) return false;
        }
    return true;
}

static bool begin_units(UnitGroup *g, const WireUnit *unit, size_t n, int depth, TabiaError *error) {
    GroupPly *top = g->ply;
    clear_ply(top, depth);
    /* A message that came twice brings a unit twice: it is then counted twice, and its second result is ignored. */
    top->set.is_multiset = true;
    for (size_t i = 0; i < n; i++) {
        size_t number;
        bool is_new;
        if (!position_set_add(&top->set, (Key){unit[i].key[0], unit[i].key[1]}, &number, &is_new, error)) return false;
        top->set.position[number] = position_unpack(&unit[i].position);
        g->unit[number] = unit[i].unit;
    }
    return begin_counts(top, error);
}

bool unit_groups_begin(UnitGroups *groups, const WireUnit *unit, size_t n, int depth, TabiaError *error) {
    const RankContext *rank = groups->rank;
    const unsigned number = first_free(groups);
    UnitGroup *g = groups->group + number;
    assert(number < groups_limit(depth) && n > 0 && n <= unit_group_size(depth) && depth >= LEAF_PARENT_DEPTH_MIN);
    if (!begin_units(g, unit, n, depth, error)) return false;
    g->leaf_parent = (unsigned)(depth - leaf_parent_depth(depth));
    assert(g->leaf_parent < PLIES);
    g->next = g->pending = 0;
    for (unsigned i = 0; i < g->leaf_parent; i++) {
        GroupPly *below = g->ply + i + 1;
        clear_ply(below, g->ply[i].depth - 1);
        if (!make_next_ply(g->ply + i, below, &rank->zobrist, error)) return false;
        probe_ply(below, rank->table);
    }
    GroupPly *last = g->ply + g->leaf_parent;
    for (size_t i = 0; i < last->set.n; i++) last->leaves[i] = last->known[i];
    set_insert(groups->used, number);
    set_insert(groups->active, number);
    return true;
}

/* ---- steps ---- */

/* The next of a group that the table does not know. */
static bool next_of_group(UnitGroup *g, unsigned number, LeafParent *parent) {
    const GroupPly *ply = g->ply + g->leaf_parent;
    while (has_leaf_parents(g) && ply->known[g->next]) g->next++;
    if (!has_leaf_parents(g)) return false;
    if (g->next + 1 < ply->set.n) __builtin_prefetch(&ply->set.position[g->next + 1]);
    *parent = (LeafParent){.ref = {number, (uint32_t)g->next},
                           .child_depth = ply->depth - 1,
                           .position = ply->set.position + g->next,
                           .key = ply->set.key[g->next]};
    return true;
}

bool unit_groups_next(UnitGroups *groups, LeafParent *parent) {
    for (unsigned w = 0; w < SET_WORDS; w++)
        for (Bits left = groups->active[w]; left;) {
            const unsigned number = 64 * w + (unsigned)pop_lsb(&left);
            UnitGroup *g = groups->group + number;
            if (next_of_group(g, number, parent)) return true;
            if (g->pending) set_remove(groups->active, number);
        }
    return false;
}

/* Where a sibling set is a matter of microseconds its batch leaves when it is full, or no other work is left; a deep one
   must not wait. */
bool unit_groups_split(UnitGroups *groups, LeafParentRef parent, unsigned sums) {
    UnitGroup *g = groups->group + parent.group;
    assert(parent.position == g->next && has_leaf_parents(g));
    g->pending += sums;
    g->next++;
    return !has_leaf_parents(g) && g->ply[g->leaf_parent].depth > LEAF_PARENT_DEPTH_MIN;
}

void unit_groups_add_sum(UnitGroups *groups, LeafParentRef parent, U128 sum) {
    assert(parent.group < UNIT_GROUPS_MAX);
    UnitGroup *g = groups->group + parent.group;
    GroupPly *ply = g->ply + g->leaf_parent;
    assert(parent.position < ply->set.n && g->pending > 0);
    ply->leaves[parent.position] += sum;
    if (--g->pending == 0) set_insert(groups->active, parent.group);
}

static void sum_up(UnitGroup *g, TabiaTable *table) {
    for (unsigned ply = g->leaf_parent; ply > 0; ply--) {
        GroupPly *p = g->ply + ply - 1;
        store_ply(p + 1, table);
        for (size_t i = 0, e = 0; i < p->set.n; i++)
            for (; e < p->edges_end[i]; e++) p->leaves[i] += p[1].leaves[p->edge[e]];
    }
}

bool unit_groups_finish(UnitGroups *groups, UnitCounts *counts) {
    for (unsigned w = 0; w < SET_WORDS; w++)
        for (Bits left = groups->active[w]; left;) {
            const unsigned number = 64 * w + (unsigned)pop_lsb(&left);
            UnitGroup *g = groups->group + number;
            if (has_leaf_parents(g) || g->pending) continue;
            sum_up(g, groups->rank->table);
            set_remove(groups->used, number);
            set_remove(groups->active, number);
            *counts = (UnitCounts){.n = g->ply->set.n, .unit = g->unit, .leaves = g->ply->leaves};
            return true;
        }
    return false;
}
