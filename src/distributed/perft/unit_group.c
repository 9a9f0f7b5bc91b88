/* SPDX-License-Identifier: MIT */
#include "unit_group.h"

#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"

enum { PLIES_BELOW_MOST = UNIT_GROUP_PLIES - 1, UNIT_GROUP_PLY_ROOM = 128 };

int leaf_parent_depth(int depth) {
    return depth - LEAF_PARENT_DEPTH_MIN > PLIES_BELOW_MOST ? depth - PLIES_BELOW_MOST : LEAF_PARENT_DEPTH_MIN;
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

unsigned unit_groups_max(int depth) {
    static const unsigned number[UNIT_GROUP_PLIES] = {UNIT_GROUPS, UNIT_GROUPS / 4, UNIT_GROUPS / 8, UNIT_GROUPS / 32,
                                                      UNIT_GROUPS / 128};
    return number[depth > LEAF_PARENT_DEPTH_MIN ? depth - leaf_parent_depth(depth) : 0];
}

/* ---- plies ---- */

static void ply_free(GroupPly *p) {
    free(p->position);
    free(p->key);
    free(p->known);
    free(p->leaves);
    free(p->edges_end);
    free(p->edge);
    free(p->slot);
    *p = (GroupPly){0};
}

static size_t slot_of(const GroupPly *p, Key key) {
    return (key[1] * 0x9e3779b97f4a7c15ull >> 20) & (p->slots - 1);
}

static bool grow_array(void *array, size_t room, size_t each) {
    void **pointer = array;
    void *larger = realloc(*pointer, room * each);
    if (larger) *pointer = larger;
    return larger != NULL;
}

static bool ply_grow(GroupPly *p, Fault *fault) {
    const size_t room = p->room ? 2 * p->room : UNIT_GROUP_PLY_ROOM, slots = 2 * room;
    Position *position = aligned_alloc(64, room * sizeof *position);
    uint32_t *slot = calloc(slots, sizeof *slot);
    const bool good = position && slot && grow_array(&p->key, room, sizeof *p->key) &&
                      grow_array(&p->known, room, sizeof *p->known) &&
                      grow_array(&p->leaves, room, sizeof *p->leaves) &&
                      grow_array(&p->edges_end, room, sizeof *p->edges_end);
    if (!good) {
        free(position);
        free(slot);
        return tabia_fault(fault, "not enough memory for a ply of %zu positions", room);
    }
    if (p->n) memcpy(position, p->position, p->n * sizeof *position);
    free(p->position);
    free(p->slot);
    p->position = position, p->slot = slot, p->slots = slots, p->room = room;
    for (size_t i = 0; i < p->n; i++) {
        size_t at = slot_of(p, p->key[i]);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Where the key's number is, or would be written. */
static size_t ply_seek(const GroupPly *p, Key key) {
    size_t at = slot_of(p, key);
    while (p->slot[at] && !key_same(p->key[p->slot[at] - 1], key)) at = (at + 1) & (p->slots - 1);
    return at;
}

static void ply_clear(GroupPly *p, int depth) {
    p->n = p->edges = 0, p->depth = depth;
    if (p->slots) memset(p->slot, 0, p->slots * sizeof *p->slot);
}

/* A new position; there is room, and `at` is its empty slot. */
static uint32_t ply_put(GroupPly *p, size_t at, Key key) {
    const size_t i = p->n++;
    p->slot[at] = (uint32_t)i + 1;
    p->key[i] = key, p->known[i] = 0, p->leaves[i] = 0;
    return (uint32_t)i;
}

static bool add_edge(GroupPly *p, uint32_t child, Fault *fault) {
    if (p->edges == p->edge_room) {
        const size_t room = p->edge_room ? 2 * p->edge_room : 4096;
        if (!grow_array(&p->edge, room, sizeof *p->edge))
            return tabia_fault(fault, "not enough memory for %zu moves of a ply", room);
        p->edge_room = room;
    }
    p->edge[p->edges++] = child;
    return true;
}

static bool expand_position(GroupPly *from, size_t i, GroupPly *to, const Zobrist *z, Fault *fault) {
    Move list[MOVES_MAX];
    const Position *p = from->position + i;
    const unsigned n = moves_list(p, list);
    for (unsigned m = 0; m < n; m++) {
        if (to->n == to->room && !ply_grow(to, fault)) return false;
        const Key key = position_key_after(p, from->key[i], list[m], z);
        const size_t at = ply_seek(to, key);
        uint32_t child = to->slot[at];
        if (child)
            child--;
        else
            position_play(&to->position[child = ply_put(to, at, key)], p, list[m]);
        if (!add_edge(from, child, fault)) return false;
    }
    return true;
}

/* ---- a group's life ---- */

bool group_begin(Group *g, const WireUnit *unit, size_t n, int depth, Fault *fault) {
    GroupPly *top = g->ply;
    ply_clear(top, depth);
    while (top->room < n)
        if (!ply_grow(top, fault)) return false;
    for (size_t i = 0; i < n; i++) {
        const Key key = {unit[i].key[0], unit[i].key[1]};
        g->unit[i] = unit[i].unit;
        top->position[i] = wire_position_read(&unit[i].position);
        ply_put(top, ply_seek(top, key), key);
    }
    g->at = 0, g->floor = (unsigned)(depth - leaf_parent_depth(depth));
    g->batch = (TabiaClusterBatch){0};
    g->next = g->open = 0;
    g->stage = GROUP_ASKING;
    return true;
}

bool group_expand(Group *g, TabiaCluster *cluster, const Zobrist *z, Fault *fault) {
    GroupPly *from = g->ply + g->at;
    if (g->at == g->floor) {
        for (size_t i = 0; i < from->n; i++) from->leaves[i] = from->known[i];
        g->stage = GROUP_COUNTING;
        return true;
    }
    GroupPly *to = from + 1;
    ply_clear(to, from->depth - 1);
    for (size_t i = 0; i < from->n; i++) {
        from->leaves[i] = from->known[i];
        if (!from->known[i] && !expand_position(from, i, to, z, fault)) return false;
        from->edges_end[i] = from->edges;
    }
    g->at++;
    if (cluster && to->n)
        tabia_cluster_counts_probe_batch(cluster, &g->batch, (const TabiaKey *)to->key, (unsigned)to->depth, to->known,
                                         to->n);
    return true;
}

/* Units are asked for by nobody else: they are not stored. What an entry cannot hold is not either. */
static void store_ply(const GroupPly *p, TabiaCluster *cluster) {
    for (size_t i = 0; cluster && i < p->n; i++)
        if (!p->known[i] && p->leaves[i] && !(p->leaves[i] >> 64))
            tabia_cluster_counts_store(cluster, (TabiaKey){p->key[i][0], p->key[i][1]}, (unsigned)p->depth,
                                       (uint64_t)p->leaves[i]);
}

void group_sum(Group *g, TabiaCluster *cluster) {
    for (unsigned ply = g->floor; ply > 0; ply--) {
        GroupPly *p = g->ply + ply - 1;
        store_ply(p + 1, cluster);
        for (size_t i = 0, e = 0; i < p->n; i++)
            for (; e < p->edges_end[i]; e++) p->leaves[i] += p[1].leaves[p->edge[e]];
    }
    g->stage = GROUP_FREE;
}

void group_free(Group *g) {
    for (unsigned i = 0; i < UNIT_GROUP_PLIES; i++) ply_free(g->ply + i);
}
