/* SPDX-License-Identifier: MIT */
/*
 * A perft by owners: one thread does what their ranks do, with a table for each owner. The units are the leaf parents
 * themselves, each position once; their sibling sets are counted by the owners of the moves.
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

enum { UNITS_MAX = 1000000 };

typedef struct {
    const ModelJob *job;
    ModelCounts *counts;
    Zobrist *zobrist;
    const PerftKernel *kernel;
    unsigned owners, created; /* created: so many have a table */
    TabiaTable **table;       /* of each owner */
    uint64_t *counted;        /* positions, by each owner */
    PartitionMap map;
    Frontier frontier;
    int leaf_parent_depth;
    U128 leaves;
} Counter;

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
    unsigned sets = 0, max = 0, moves;
    s.position = p, s.depth = c->leaf_parent_depth, s.key = key;
    s.n = moves_list(p, s.move);
    for (unsigned i = 0; i < s.n; i++) s.owner[i] = partition_owner(&c->map, owner_key_of_move(p, s.move[i]));
    for (unsigned first = 0; first < s.n; first++) {
        if (!s.move[first]) continue;
        leaves += count_set(c, &s, first, &moves);
        sets++;
        if (moves > max) max = moves;
    }
    if (sets) c->counts->sets += sets - 1, c->counts->moves += s.n - max;
    return leaves;
}

/* ---- units ---- */

static uint64_t paths_of(const Frontier *f, size_t unit) {
    uint64_t paths = 0;
    for (unsigned r = 0; r < f->roots; r++) paths += f->multiplicity[unit * f->roots + r];
    return paths;
}

static bool count_units(Counter *c, TabiaError *error) {
    enum { UNITS_A_LOOK = 64 };
    const PositionSet *units = &c->frontier.units;
    const double begun = tabia_clock_cpu();
    for (size_t i = 0; i < units->n; i++) {
        const uint64_t leaves = count_leaf_parent(c, &units->position[i], units->key[i]);
        c->leaves += (U128)paths_of(&c->frontier, i) * leaves;
        if (i % UNITS_A_LOOK) continue;
        if (tabia_stop_requested()) return tabia_fail(error, "stopped");
        if (c->job->progress) c->job->progress(c->job->context, (double)i / (double)units->n);
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
    if (!c->table || !c->counted) return tabia_fail(error, "not enough memory for %u tables", c->owners);
    for (; c->created < c->owners; c->created++)
        if (tabia_table_create(&c->table[c->created], &options, error)) return false;
    return true;
}

/* Leaf parents stand as in a run (unit_group.h), or one ply further down where the perft is too short for that. */
static bool make_units(Counter *c, const Position *root, TabiaError *error) {
    const int depth = c->job->depth;
    c->leaf_parent_depth = depth - 2 < LEAF_PARENT_DEPTH_MIN ? depth - 2 : LEAF_PARENT_DEPTH_MIN;
    const FrontierLimits limits = {depth - c->leaf_parent_depth, SIZE_MAX, UNITS_MAX, true};
    if (!frontier_make(&c->frontier, root, c->zobrist, limits, error)) return false;
    if (c->frontier.ply < limits.max_ply)
        return tabia_fail(error,
                          "depth %d has more than %d positions %d plies above the leaves: a smaller depth is needed",
                          depth, UNITS_MAX, c->leaf_parent_depth);
    c->counts->units = c->frontier.units.n;
    return partition_build(&c->map, &c->frontier, 0, c->owners, error);
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
    free(c.zobrist);
    return good;
}
