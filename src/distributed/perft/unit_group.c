/* SPDX-License-Identifier: MIT */
#include "unit_group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"

enum { PLIES_BELOW_MAX = UNIT_GROUP_PLIES - 1, PLY_CAPACITY_MIN = 128 };

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
    free(p->position);
    free(p->key);
    free(p->known);
    free(p->leaves);
    free(p->edges_end);
    free(p->edge);
    free(p->slot);
    *p = (UnitGroupPly){0};
}

static size_t first_slot(const UnitGroupPly *p, Key key) {
    return (key[1] * 0x9e3779b97f4a7c15ull >> 20) & (p->slots - 1);
}

static bool grow_array(void *array, size_t capacity, size_t each) {
    void **pointer = array;
    void *larger = realloc(*pointer, capacity * each);
    if (larger) *pointer = larger;
    return larger != NULL;
}

static bool grow_ply(UnitGroupPly *p, TabiaError *error) {
    const size_t capacity = p->capacity ? 2 * p->capacity : PLY_CAPACITY_MIN, slots = 2 * capacity;
    Position *position = aligned_alloc(64, capacity * sizeof *position);
    uint32_t *slot = calloc(slots, sizeof *slot);
    const bool good = position && slot && grow_array(&p->key, capacity, sizeof *p->key) &&
                      grow_array(&p->known, capacity, sizeof *p->known) &&
                      grow_array(&p->leaves, capacity, sizeof *p->leaves) &&
                      grow_array(&p->edges_end, capacity, sizeof *p->edges_end);
    if (!good) {
        free(position);
        free(slot);
        return tabia_fail(error, "not enough memory for a ply of %zu positions", capacity);
    }
    if (p->n) memcpy(position, p->position, p->n * sizeof *position);
    free(p->position);
    free(p->slot);
    p->position = position, p->slot = slot, p->slots = slots, p->capacity = capacity;
    for (size_t i = 0; i < p->n; i++) {
        size_t at = first_slot(p, p->key[i]);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    return true;
}

/* The slot that holds the key's number, or the empty one where it would be written. */
static size_t find_slot(const UnitGroupPly *p, Key key) {
    size_t at = first_slot(p, key);
    while (p->slot[at] && !key_same(p->key[p->slot[at] - 1], key)) at = (at + 1) & (p->slots - 1);
    return at;
}

static void clear_ply(UnitGroupPly *p, int depth) {
    p->n = p->edges = 0, p->depth = depth;
    if (p->slots) memset(p->slot, 0, p->slots * sizeof *p->slot);
}

/* Appends a position, for which there is room, and writes its number into slot `at`. Returns the number. */
static uint32_t append_position(UnitGroupPly *p, size_t at, Key key) {
    assert(p->n < p->capacity && at < p->slots);
    const size_t i = p->n++;
    p->slot[at] = (uint32_t)i + 1;
    p->key[i] = key, p->known[i] = 0, p->leaves[i] = 0;
    return (uint32_t)i;
}

static bool add_edge(UnitGroupPly *p, uint32_t child, TabiaError *error) {
    if (p->edges == p->edge_capacity) {
        const size_t capacity = p->edge_capacity ? 2 * p->edge_capacity : 4096;
        if (!grow_array(&p->edge, capacity, sizeof *p->edge))
            return tabia_fail(error, "not enough memory for %zu moves of a ply", capacity);
        p->edge_capacity = capacity;
    }
    p->edge[p->edges++] = child;
    return true;
}

static bool expand_position(UnitGroupPly *from, size_t i, UnitGroupPly *to, const Zobrist *z, TabiaError *error) {
    Move list[MOVES_MAX];
    const Position *p = from->position + i;
    const unsigned n = moves_list(p, list);
    for (unsigned m = 0; m < n; m++) {
        if (to->n == to->capacity && !grow_ply(to, error)) return false;
        const Key key = position_key_after(p, from->key[i], list[m], z);
        const size_t at = find_slot(to, key);
        uint32_t child = to->slot[at];
        if (child)
            child--;
        else
            position_make_move(&to->position[child = append_position(to, at, key)], p, list[m]);
        if (!add_edge(from, child, error)) return false;
    }
    return true;
}

/* ---- groups ---- */

bool unit_group_begin(UnitGroup *g, const WireUnit *unit, size_t n, int depth, TabiaError *error) {
    UnitGroupPly *top = g->ply;
    assert(g->stage == UNIT_GROUP_FREE && n > 0 && n <= unit_group_size(depth) && depth >= LEAF_PARENT_DEPTH_MIN);
    clear_ply(top, depth);
    while (top->capacity < n)
        if (!grow_ply(top, error)) return false;
    /* A message that came twice brings a unit twice: it is then counted twice, and its second result is ignored. */
    for (size_t i = 0; i < n; i++) {
        const Key key = {unit[i].key[0], unit[i].key[1]};
        g->unit[i] = unit[i].unit;
        top->position[i] = wire_position_read(&unit[i].position);
        append_position(top, find_slot(top, key), key);
    }
    g->current = 0, g->leaf_parent = (unsigned)(depth - leaf_parent_depth(depth));
    assert(g->leaf_parent < UNIT_GROUP_PLIES);
    g->probes = (TabiaClusterBatch){0};
    g->stage = UNIT_GROUP_PROBING;
    return true;
}

bool unit_group_expand(UnitGroup *g, TabiaCluster *cluster, const Zobrist *z, TabiaError *error) {
    UnitGroupPly *from = g->ply + g->current;
    assert(g->stage == UNIT_GROUP_PROBING);
    if (g->current == g->leaf_parent) {
        for (size_t i = 0; i < from->n; i++) from->leaves[i] = from->known[i];
        g->stage = UNIT_GROUP_COUNTING;
        return true;
    }
    UnitGroupPly *to = from + 1;
    clear_ply(to, from->depth - 1);
    for (size_t i = 0; i < from->n; i++) {
        from->leaves[i] = from->known[i];
        if (!from->known[i] && !expand_position(from, i, to, z, error)) return false;
        from->edges_end[i] = from->edges;
    }
    g->current++;
    if (cluster && to->n)
        tabia_cluster_counts_probe_batch(cluster, &g->probes, (const TabiaKey *)to->key, (unsigned)to->depth, to->known,
                                         to->n);
    return true;
}

/* Units themselves are not stored: no other rank asks for them. Nor is a sum that an entry cannot hold. */
static void store_ply(const UnitGroupPly *p, TabiaCluster *cluster) {
    for (size_t i = 0; cluster && i < p->n; i++)
        if (!p->known[i] && p->leaves[i] && !(p->leaves[i] >> 64))
            tabia_cluster_counts_store(cluster, (TabiaKey){p->key[i][0], p->key[i][1]}, (unsigned)p->depth,
                                       (uint64_t)p->leaves[i]);
}

void unit_group_sum(UnitGroup *g, TabiaCluster *cluster) {
    for (unsigned ply = g->leaf_parent; ply > 0; ply--) {
        UnitGroupPly *p = g->ply + ply - 1;
        store_ply(p + 1, cluster);
        for (size_t i = 0, e = 0; i < p->n; i++)
            for (; e < p->edges_end[i]; e++) p->leaves[i] += p[1].leaves[p->edge[e]];
    }
    g->stage = UNIT_GROUP_FREE;
}

void unit_group_release(UnitGroup *g) {
    for (unsigned i = 0; i < UNIT_GROUP_PLIES; i++) release_ply(g->ply + i);
}
