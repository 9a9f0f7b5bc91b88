/* SPDX-License-Identifier: MIT */
/*
 * All positions that can come of one, where they are few: solved backward from the mates, as endgame tables are (Richard
 * Bellman, 1965). What is not mated then is not mated at all, whatever the path; so regions of loops are solved here, whose
 * paths are too many to be searched one after the other.
 *
 * The region ends at what the table knows. It is closed if it has no more positions than there is room for.
 */
#include <stdlib.h>
#include <string.h>

#include "mate_worker.h"

enum { REGION_FIRST = 1 << 10, REGION_MAX = 1 << 18, EDGES = 16, NOT_FOUND = UINT32_MAX };

/* A position; one without edges is known to be what its numbers say. */
typedef struct {
    MateFrame at;
    unsigned first, edges;
} RegionNode;

struct MateRegion {
    RegionNode *node;
    unsigned *edge, *slot;
    unsigned nodes, edges, slots;
    unsigned room, room_max; /* nodes */
};

enum { NODE_BYTES = sizeof(RegionNode) + (EDGES + 2) * sizeof(unsigned) };

static size_t room_in(size_t bytes) {
    return mate_fit(bytes, NODE_BYTES, REGION_MAX);
}

size_t mate_region_bytes(size_t max) {
    return room_in(max) * NODE_BYTES;
}

MateRegion *mate_region_create(size_t bytes) {
    MateRegion *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->room_max = (unsigned)room_in(bytes);
    mate_region_reset(r);
    return r;
}

void mate_region_reset(MateRegion *r) {
    r->room = r->room_max < REGION_FIRST ? r->room_max : REGION_FIRST;
}

void mate_region_destroy(MateRegion *r) {
    if (!r) return;
    tabia_aligned_free(r->node), free(r->edge), free(r->slot), free(r);
}

static bool reserve(MateRegion *r) {
    if (r->slots == r->room * 2) return true;
    tabia_aligned_free(r->node), free(r->slot), free(r->edge);
    r->slots = r->room * 2;
    r->node = mate_allocate(r->room * sizeof *r->node);
    r->slot = malloc(r->slots * sizeof *r->slot);
    r->edge = malloc((size_t)r->room * EDGES * sizeof *r->edge);
    return r->node && r->slot && r->edge;
}

/* Where the number of a position's node is, or would be. */
static unsigned *slot_of(const MateRegion *r, Key key) {
    unsigned slot = (unsigned)(key[1] % r->slots);
    while (r->slot[slot] != NOT_FOUND && !key_same(r->node[r->slot[slot]].at.key, key)) slot = (slot + 1) % r->slots;
    return &r->slot[slot];
}

/* The number of a position, which is added if it is not there; NOT_FOUND: there is no room. */
static unsigned find_or_add(MateRegion *r, const MateFrame *at) {
    unsigned *slot = slot_of(r, at->key);
    if (*slot != NOT_FOUND) return *slot;
    if (r->nodes == r->room) return NOT_FOUND;
    r->node[r->nodes] = (RegionNode){.at = *at};
    return *slot = r->nodes++;
}

static void set_result(MateFrame *f, bool proven, unsigned length, Move m) {
    f->number[PROOF] = proven ? 0 : MATE_NUMBER_MAX, f->number[DISPROOF] = proven ? MATE_NUMBER_MAX : 0;
    f->length = (uint16_t)length, f->move = m;
}

/* Adds what a node's moves lead to; false: there is no room. */
static bool add_children(const MateSolver *s, MateRegion *r, unsigned i) {
    Move list[MOVES_MAX];
    MateFrame *f = &r->node[i].at;
    const bool attacks = f->attacks;
    MateRecord known;
    if (mate_has_ended(s, f->key)) return set_result(f, false, 0, 0), true;
    if (mate_probe(s, f, &known)) return set_result(f, !known.number[PROOF], known.length, known.move), true;
    const unsigned n = mate_moves(s, &f->position, attacks, list);
    if (!n) return set_result(f, !attacks && game_no_move_loses(&f->position), 0, 0), true;
    if (r->edges + n > r->room * EDGES) return false;
    r->node[i].first = r->edges, r->node[i].edges = n;
    for (unsigned m = 0; m < n; m++) {
        MateFrame child = {.key = game_key_after(s->zobrist, &f->position, f->key, list[m]),
                           .number = {1, 1},
                           .move = list[m],
                           .attacks = !attacks};
        game_make_move(&child.position, &f->position, list[m]);
        if ((r->edge[r->edges++] = find_or_add(r, &child)) == NOT_FOUND) return false;
    }
    return true;
}

/* Is the node proven by what its children are now? */
static bool prove(MateRegion *r, RegionNode *n) {
    unsigned length = n->at.attacks ? UINT32_MAX : 0;
    const MateFrame *best = NULL;
    for (unsigned e = 0; e < n->edges; e++) {
        const MateFrame *child = &r->node[r->edge[n->first + e]].at;
        if (!n->at.attacks && child->number[PROOF]) return false;
        if (child->number[PROOF] || (best && (n->at.attacks ? child->length >= length : child->length <= length)))
            continue;
        best = child, length = child->length;
    }
    if (best) set_result(&n->at, true, length + 1, 0);
    return best != NULL;
}

static void solve(MateSolver *s, MateRegion *r) {
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = r->nodes; i-- > 0;)
            if (r->node[i].edges && r->node[i].at.number[PROOF]) more |= prove(r, &r->node[i]);
    }
    for (unsigned i = 0; i < r->nodes; i++) {
        MateFrame *f = &r->node[i].at;
        if (!r->node[i].edges) continue;
        if (f->number[PROOF]) set_result(f, false, 0, 0);
        mate_store_result(s, f, r->nodes);
    }
}

bool mate_solve_region(MateWorker *w, int ply) {
    MateRegion *r = w->region;
    MateFrame *f = &w->frame[ply];
    const MateFrame root = {.position = f->position, .key = f->key, .number = {1, 1}, .attacks = f->attacks};
    if (!reserve(r)) return atomic_store(&w->solver->has_failed, true), false;
    memset(r->slot, 0xff, r->slots * sizeof *r->slot);
    r->nodes = r->edges = 0;
    find_or_add(r, &root);
    bool closed = true;
    for (unsigned i = 0; i < r->nodes && closed; i++)
        closed = add_children(w->solver, r, i) && (i % 256 || !mate_is_over(w->solver));
    w->nodes += r->nodes;
    if (!closed) return false;
    solve(w->solver, r);
    set_result(f, !r->node[0].at.number[PROOF], r->node[0].at.length, r->node[0].at.move);
    f->hand = mate_hand(&f->position, f->attacks);
    return true;
}

void mate_grow_region(MateWorker *w) {
    if (w->region->room < w->region->room_max) w->region->room *= 2;
}

unsigned mate_region_room(const MateWorker *w) {
    return w->region->room;
}
