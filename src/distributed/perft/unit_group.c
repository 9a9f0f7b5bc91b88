/* SPDX-License-Identifier: MIT */
#include "unit_group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES_BELOW_MAX = UNIT_GROUP_PLIES - 1 };

int leaf_parent_depth(int depth) {
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

static void release_ply(UnitGroupPly *p) {
    position_set_free(&p->set);
    free(p->known);
    free(p->leaves);
    free(p->edges_end);
    free(p->edge);
    *p = (UnitGroupPly){0};
}

static void clear_ply(UnitGroupPly *p, int depth) {
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
static bool begin_counts(UnitGroupPly *p, TabiaError *error) {
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

static bool add_edges(UnitGroupPly *p, const ChildNumbers *children, TabiaError *error) {
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
static bool make_next_ply(UnitGroupPly *from, UnitGroupPly *to, const Zobrist *z, TabiaError *error) {
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

/* ---- groups ---- */

bool unit_group_begin(UnitGroup *g, const WireUnit *unit, size_t n, int depth, TabiaError *error) {
    UnitGroupPly *top = g->ply;
    assert(g->stage == UNIT_GROUP_FREE && n > 0 && n <= unit_group_size(depth) && depth >= LEAF_PARENT_DEPTH_MIN);
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
    if (!begin_counts(top, error)) return false;
    g->current = 0, g->leaf_parent = (unsigned)(depth - leaf_parent_depth(depth));
    assert(g->leaf_parent < UNIT_GROUP_PLIES);
    g->probes = (TabiaClusterBatch){0};
    g->asked = top->set.n;
    g->stage = UNIT_GROUP_PROBING;
    return true;
}

/* All keys that are left, or, where answers are awaited, one after the other up to the first that another rank must answer. */
static void probe_ply(UnitGroup *g, const RankContext *rank) {
    UnitGroupPly *p = g->ply + g->current;
    do {
        const size_t first = g->asked, n = rank->waits_for_keys ? 1 : p->set.n - first;
        tabia_cluster_counts_probe_batch(rank->cluster, &g->probes, (const TabiaKey *)p->set.key + first,
                                         (unsigned)p->depth, p->known + first, n);
        g->asked += n;
    } while (g->asked < p->set.n && tabia_cluster_batch_done(rank->cluster, &g->probes));
    if (rank->waits_for_keys) tabia_cluster_flush(rank->cluster);
}

bool unit_group_probed(UnitGroup *g, const RankContext *rank) {
    assert(g->stage == UNIT_GROUP_PROBING);
    if (!tabia_cluster_batch_done(rank->cluster, &g->probes)) return false;
    if (g->asked == g->ply[g->current].set.n) return true;
    probe_ply(g, rank);
    return g->asked == g->ply[g->current].set.n && tabia_cluster_batch_done(rank->cluster, &g->probes);
}

bool unit_group_expand(UnitGroup *g, const RankContext *rank, TabiaError *error) {
    UnitGroupPly *from = g->ply + g->current;
    assert(g->stage == UNIT_GROUP_PROBING);
    if (g->current == g->leaf_parent) {
        for (size_t i = 0; i < from->set.n; i++) from->leaves[i] = from->known[i];
        g->stage = UNIT_GROUP_COUNTING;
        return true;
    }
    UnitGroupPly *to = from + 1;
    clear_ply(to, from->depth - 1);
    if (!make_next_ply(from, to, &rank->zobrist, error)) return false;
    g->current++;
    g->asked = rank->is_shared ? 0 : to->set.n;
    if (g->asked < to->set.n) probe_ply(g, rank);
    return true;
}

/* Units themselves are not stored: no other rank probes them. Nor is a sum that an entry cannot hold. */
static void store_ply(const UnitGroupPly *p, TabiaCluster *cluster) {
    for (size_t i = 0; cluster && i < p->set.n; i++)
        if (!p->known[i] && p->leaves[i] && !(p->leaves[i] >> 64))
            tabia_cluster_counts_store(cluster, (TabiaKey){p->set.key[i][0], p->set.key[i][1]}, (unsigned)p->depth,
                                       (uint64_t)p->leaves[i]);
}

void unit_group_sum(UnitGroup *g, TabiaCluster *cluster) {
    assert(g->stage == UNIT_GROUP_COUNTING);
    for (unsigned ply = g->leaf_parent; ply > 0; ply--) {
        UnitGroupPly *p = g->ply + ply - 1;
        store_ply(p + 1, cluster);
        for (size_t i = 0, e = 0; i < p->set.n; i++)
            for (; e < p->edges_end[i]; e++) p->leaves[i] += p[1].leaves[p->edge[e]];
    }
    g->stage = UNIT_GROUP_FREE;
}

void unit_group_release(UnitGroup *g) {
    for (unsigned i = 0; i < UNIT_GROUP_PLIES; i++) release_ply(g->ply + i);
}
