/* SPDX-License-Identifier: MIT */
/*
 * A perft by owners: one thread does what their ranks do, with a table for each owner.
 *
 *     ply 0             o           a unit, or a group of small ones: not probed
 *     ply 1            o o o        each position once; probed at its owner, and expanded where it is a miss
 *      ...
 *     leaf parents    o  o  o  o    their sibling sets are counted by the owners of the moves
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/time.h"
#include "distributed/perft/partition.h"
#include "distributed/perft/unit_group.h"
#include "model.h"
#include "notation/fen.h"
#include "perft/frontier.h"
#include "perft/kernel.h"
#include "rules/movegen.h"
#include "tabia/counts.h"

enum { PLIES_MAX = 12, UNITS_MAX = 1000000, UNITS_TARGET = 20000 };

/* The positions of a ply below a group of units; hits have no children in the next. */
typedef struct {
    PositionSet set;
    bool *is_hit;
    uint64_t *leaves;
} Ply;

typedef struct {
    const ModelJob *job;
    ModelCounts *counts;
    Zobrist *zobrist;
    const PerftKernel *kernel;
    unsigned owners, created; /* created: so many have a table */
    TabiaTable **table;       /* of each owner */
    uint64_t *counted;        /* positions, by each owner */
    unsigned *requested;      /* keys of the current ply, of each owner */
    PartitionMap map;
    Frontier frontier;
    int leaf_parent_depth;
    unsigned plies; /* from the units to the leaf parents */
    Ply ply[PLIES_MAX];
    U128 leaves;
} Counter;

/* ---- plies ---- */

static unsigned owner_of(const Counter *c, Key key, unsigned depth) {
    const uint32_t hash = (uint32_t)counts_key((TabiaKey){key[0], key[1]}, depth).index;
    return (unsigned)((uint64_t)hash * c->owners >> 32);
}

static void ply_free(Ply *p) {
    position_set_free(&p->set);
    free(p->is_hit);
    free(p->leaves);
    *p = (Ply){0};
}

/* The positions are known: makes room for what is kept of each. */
static bool ply_complete(Ply *p, TabiaError *error) {
    position_set_complete(&p->set);
    p->is_hit = calloc(p->set.n + 1, sizeof *p->is_hit);
    p->leaves = calloc(p->set.n + 1, sizeof *p->leaves);
    return (p->is_hit && p->leaves) || tabia_fail(error, "not enough memory for a ply of %zu positions", p->set.n);
}

/* The units of a group. */
static bool make_first_ply(Counter *c, size_t first, size_t n, TabiaError *error) {
    PositionSet *set = &c->ply->set;
    set->is_multiset = true;
    for (size_t i = 0; i < n; i++) {
        size_t number;
        bool is_new;
        if (!position_set_add(set, c->frontier.units.key[first + i], &number, &is_new, error)) return false;
        set->position[number] = c->frontier.units.position[first + i];
    }
    return ply_complete(c->ply, error);
}

/* The children of the misses of a ply, each once. */
static bool make_next_ply(const Counter *c, const Ply *from, Ply *to, TabiaError *error) {
    ChildNumbers numbers;
    for (size_t i = 0; i < from->set.n; i++)
        if (!from->is_hit[i] &&
            !position_set_expand(&to->set, &from->set.position[i], from->set.key[i], c->zobrist, &numbers, error))
            return false;
    return ply_complete(to, error);
}

/* Keys that rank 0 does not own are requested: what holds for it holds for every rank. Hits it has requested before. */
static void probe_ply(Counter *c, Ply *p, unsigned depth) {
    memset(c->requested, 0, c->owners * sizeof *c->requested);
    for (size_t i = 0; i < p->set.n; i++) {
        const unsigned owner = owner_of(c, p->set.key[i], depth);
        const TabiaKey key = {p->set.key[i][0], p->set.key[i][1]};
        p->is_hit[i] = tabia_counts_probe(c->table[owner], key, depth);
        c->requested[owner] += !p->is_hit[i];
    }
    for (unsigned owner = 1; owner < c->owners; owner++) {
        c->counts->keys += c->requested[owner];
        c->counts->key_messages += (c->requested[owner] + c->job->batch_keys - 1) / c->job->batch_keys;
    }
}

/* ---- leaf parents ---- */

/* The moves of a leaf parent and the owners of the positions after them. */
typedef struct {
    const Position *position;
    Key key;
    int depth; /* plies to the leaves */
    unsigned n;
    Move move[MOVES_MAX]; /* 0: counted */
    unsigned owner[MOVES_MAX];
} SiblingSets;

/* As an owner counts n of the moves. Positions two plies above the leaves are not probed; each counts as unknown. */
static uint64_t count_siblings(const Counter *c, KernelContext *k, const SiblingSets *s, const Move *list, unsigned n) {
    enum { PROBED_DEPTH_MIN = 3 };
    const int depth = s->depth - 1;
    Key keys[MOVES_MAX];
    if (depth >= PROBED_DEPTH_MIN) {
        c->kernel->keys(c->zobrist, s->position, s->key, list, n, keys);
        const Siblings children = {s->position, list, keys, n, depth};
        c->kernel->prefetch(k, &children);
        return (uint64_t)c->kernel->children(k, &children);
    }
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++, k->probes++) {
        Position child;
        position_make_move(&child, s->position, list[i]);
        leaves += c->kernel->last_two(&child);
    }
    return leaves;
}

/* Counts the moves from `first` on that have its owner, and marks them as counted. *moves: how many. */
static uint64_t count_set(Counter *c, SiblingSets *s, unsigned first, unsigned *moves) {
    const unsigned owner = s->owner[first];
    KernelContext k = {.zobrist = c->zobrist, .table = c->table[owner], .stop = tabia_stop_flag()};
    Move list[MOVES_MAX];
    *moves = 0;
    for (unsigned i = first; i < s->n; i++) {
        if (!s->move[i] || s->owner[i] != owner) continue;
        list[(*moves)++] = s->move[i];
        s->move[i] = 0;
    }
    const uint64_t leaves = count_siblings(c, &k, s, list, *moves);
    c->counted[owner] += k.probes - k.hits;
    return leaves;
}

/* The rank that owns most of the moves counts the position, so that its largest set is not sent. */
static uint64_t count_leaf_parent(Counter *c, const Position *p, Key key) {
    SiblingSets s;
    uint64_t leaves = 0;
    unsigned sets = 0, most = 0, moves;
    s.position = p, s.depth = c->leaf_parent_depth, s.key = key;
    s.n = moves_list(p, s.move);
    for (unsigned i = 0; i < s.n; i++) s.owner[i] = partition_owner(&c->map, owner_key_of_move(p, s.move[i]));
    for (unsigned first = 0; first < s.n; first++) {
        if (!s.move[first]) continue;
        leaves += count_set(c, &s, first, &moves);
        sets++;
        if (moves > most) most = moves;
    }
    if (sets) c->counts->sets += sets - 1, c->counts->moves += s.n - most;
    return leaves;
}

/* ---- upwards ---- */

/* From the owner's table, or, where it was replaced, counted again. */
static uint64_t count_at_owner(Counter *c, const Position *p, Key key, int depth) {
    const unsigned owner = owner_of(c, key, (unsigned)depth);
    const TabiaKey table_key = {key[0], key[1]};
    uint64_t leaves = tabia_counts_probe(c->table[owner], table_key, (unsigned)depth);
    if (leaves) return leaves;
    KernelContext k = {.zobrist = c->zobrist, .table = c->table[owner], .stop = tabia_stop_flag()};
    leaves = (uint64_t)c->kernel->count(&k, p, key, depth);
    c->counted[owner] += k.probes - k.hits + 1;
    tabia_counts_store(c->table[owner], table_key, (unsigned)depth, leaves);
    return leaves;
}

static uint64_t sum_children(Counter *c, const Position *p, Key key, int depth) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        position_make_move(&child, p, list[i]);
        leaves += count_at_owner(c, &child, position_key_after(p, key, list[i], c->zobrist), depth - 1);
    }
    return leaves;
}

static void count_leaf_parents(Counter *c, Ply *p) {
    const double begun = tabia_clock_cpu();
    for (size_t i = 0; i < p->set.n && !tabia_stop_requested(); i++)
        if (!p->is_hit[i]) p->leaves[i] = count_leaf_parent(c, &p->set.position[i], p->set.key[i]);
    c->counts->owner_work += tabia_clock_cpu() - begun;
}

/* Units are not stored: no other rank probes them. */
static void store_ply(Counter *c, const Ply *p, unsigned depth) {
    for (size_t i = 0; i < p->set.n && !tabia_stop_requested(); i++) {
        const TabiaKey key = {p->set.key[i][0], p->set.key[i][1]};
        if (!p->is_hit[i]) tabia_counts_store(c->table[owner_of(c, p->set.key[i], depth)], key, depth, p->leaves[i]);
    }
}

/* Counts the leaf parents, then sums and stores ply by ply upwards. */
static void count_plies(Counter *c) {
    count_leaf_parents(c, &c->ply[c->plies]);
    for (unsigned up = 0; up <= c->plies; up++) {
        Ply *p = &c->ply[c->plies - up];
        const int depth = c->leaf_parent_depth + (int)up;
        for (size_t i = 0; up && i < p->set.n && !tabia_stop_requested(); i++)
            if (!p->is_hit[i]) p->leaves[i] = sum_children(c, &p->set.position[i], p->set.key[i], depth);
        if (up < c->plies) store_ply(c, p, (unsigned)depth);
    }
}

/* ---- units ---- */

static uint64_t paths_of(const Frontier *f, size_t unit) {
    uint64_t paths = 0;
    for (unsigned r = 0; r < f->roots; r++) paths += f->multiplicity[unit * f->roots + r];
    return paths;
}

static bool count_group(Counter *c, size_t first, size_t n, TabiaError *error) {
    bool good = make_first_ply(c, first, n, error);
    for (unsigned ply = 1; good && ply <= c->plies; ply++) {
        good = make_next_ply(c, &c->ply[ply - 1], &c->ply[ply], error);
        if (good) probe_ply(c, &c->ply[ply], (unsigned)c->leaf_parent_depth + c->plies - ply);
    }
    if (good) count_plies(c);
    for (size_t i = 0; good && i < n; i++) c->leaves += (U128)paths_of(&c->frontier, first + i) * c->ply->leaves[i];
    for (unsigned ply = 0; ply <= c->plies; ply++) ply_free(&c->ply[ply]);
    c->counts->groups++;
    return good && (!tabia_stop_requested() || tabia_fail(error, "stopped"));
}

static bool count_units(Counter *c, TabiaError *error) {
    const size_t units = c->frontier.units.n, size = unit_group_size((int)c->plies + LEAF_PARENT_DEPTH_MIN);
    const double begun = tabia_clock_cpu();
    for (size_t first = 0; first < units; first += size) {
        if (!count_group(c, first, units - first < size ? units - first : size, error)) return false;
        if (c->job->progress) c->job->progress(c->job->context, (double)first / (double)units);
    }
    c->counts->work = tabia_clock_cpu() - begun;
    return true;
}

/* ---- the whole perft ---- */

static bool create_tables(Counter *c, TabiaError *error) {
    enum { BYTES_MIN = 1 << 12 };
    const uint64_t each = c->job->hash_bytes / c->owners;
    const TabiaOptions options = {.type = TABIA_COUNTS,
                                  .bytes = each > BYTES_MIN ? each : BYTES_MIN,
                                  .watch = &(TabiaWatch){.stop = tabia_stop_watch}};
    c->table = calloc(c->owners, sizeof *c->table);
    c->counted = calloc(c->owners, sizeof *c->counted);
    c->requested = calloc(c->owners, sizeof *c->requested);
    if (!c->table || !c->counted || !c->requested)
        return tabia_fail(error, "not enough memory for %u tables", c->owners);
    for (; c->created < c->owners; c->created++)
        if (tabia_table_create(&c->table[c->created], &options, error)) return false;
    return true;
}

/* Leaf parents stand as in a run (unit_group.h), or one ply further down where the perft is too short for that. */
static bool make_units(Counter *c, const Position *root, TabiaError *error) {
    const int depth = c->job->depth;
    c->leaf_parent_depth = depth - 2 < LEAF_PARENT_DEPTH_MIN ? depth - 2 : LEAF_PARENT_DEPTH_MIN;
    const unsigned units = c->job->units ? c->job->units : UNITS_TARGET;
    const FrontierLimits limits = {depth - c->leaf_parent_depth, units, UNITS_MAX, true};
    if (!frontier_make(&c->frontier, root, c->zobrist, limits, error)) return false;
    c->plies = (unsigned)(depth - c->leaf_parent_depth - c->frontier.ply);
    assert(c->plies < PLIES_MAX);
    c->counts->units = c->frontier.units.n;
    c->counts->waits = c->plies + 1;
    return partition_build(&c->map, &c->frontier, (int)c->plies, c->owners, error);
}

static void sum_up(Counter *c) {
    ModelCounts *n = c->counts;
    n->leaves = (uint64_t)c->leaves;
    for (unsigned i = 0; i < c->owners; i++) {
        n->counted += c->counted[i];
        if (c->counted[i] > n->busiest) n->busiest = c->counted[i];
    }
}

bool model_count(const ModelJob *job, unsigned ranks, ModelCounts *counts, TabiaError *error) {
    Position root;
    Counter c = {.job = job, .counts = counts, .owners = ranks, .kernel = perft_kernel_at(0)};
    *counts = (ModelCounts){.ranks = ranks};
    assert(job->depth >= MODEL_DEPTH_MIN && job->depth <= MODEL_DEPTH_MAX && ranks <= MODEL_RANKS_MAX);
    if (!fen_parse(&root, job->fen ? job->fen : fen_start, error)) return false;
    c.zobrist = aligned_alloc(64, (sizeof *c.zobrist + 63) / 64 * 64);
    bool good = c.zobrist || tabia_fail(error, "not enough memory to begin");
    if (good) {
        zobrist_init(c.zobrist, 1);
        good = make_units(&c, &root, error) && create_tables(&c, error) && count_units(&c, error);
        if (good) sum_up(&c);
        frontier_free(&c.frontier);
    }
    for (unsigned i = 0; i < c.created; i++) tabia_table_destroy(c.table[i]);
    free(c.table);
    free(c.counted);
    free(c.requested);
    free(c.zobrist);
    return good;
}
