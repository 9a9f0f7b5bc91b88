/* SPDX-License-Identifier: MIT */
/*
 * Units, as ranks count them in turns:
 *
 *     ply 0             o           a unit, or a group of small ones: not probed
 *     ply 1            o o o        each position once; probed, and expanded where it is a miss
 *      ...
 *     leaf parents    o  o  o  o    their siblings go to the owners
 */
#include <assert.h>
#include <stdlib.h>

#include "base/stop.h"
#include "distributed/perft/scheduler.h"
#include "distributed/perft/unit_group.h"
#include "rules/movegen.h"
#include "trace_recorder.h"

static uint32_t owner_hash(Key key, unsigned depth) {
    return (uint32_t)counts_key((TabiaKey){key[0], key[1]}, depth).index;
}

/* ---- plies ---- */

static void ply_free(TracePly *p) {
    position_set_free(&p->set);
    free(p->is_hit);
    free(p->leaves);
    *p = (TracePly){0};
}

/* An empty ply with room for n positions; those that are added need no comparison. */
static bool ply_begin(TracePly *p, size_t n, TabiaError *error) {
    p->set.is_multiset = true;
    p->is_hit = calloc(n + 1, sizeof *p->is_hit);
    p->leaves = calloc(n + 1, sizeof *p->leaves);
    if (!p->is_hit || !p->leaves) return tabia_fail(error, "not enough memory for a ply of %zu positions", n);
    return position_set_reserve(&p->set, n, error);
}

static void ply_append(TracePly *p, const Position *position, Key key) {
    assert(p->set.n < p->set.capacity);
    p->set.position[p->set.n] = *position;
    p->set.key[p->set.n++] = key;
}

static bool find_children(const TraceRecorder *r, const TracePly *from, PositionSet *children, TabiaError *error) {
    ChildNumbers numbers;
    for (size_t i = 0; i < from->set.n; i++) {
        if (tabia_stop_requested()) return tabia_fail(error, "stopped");
        if (!from->is_hit[i] &&
            !position_set_expand(children, &from->set.position[i], from->set.key[i], r->zobrist, &numbers, error))
            return false;
    }
    return true;
}

/* The children of the misses of `from`, each once, in the order of the slots of a set with at least this capacity, as in
   all traces so far: two traces can be compared event by event. */
static bool expand(const TraceRecorder *r, const TracePly *from, TracePly *to, TabiaError *error) {
    enum { CAPACITY_MIN = 12288 };
    PositionSet children = {0};
    const bool good = position_set_reserve(&children, CAPACITY_MIN, error) &&
                      find_children(r, from, &children, error) && ply_begin(to, children.n, error);
    for (size_t s = 0; good && s < children.slots; s++) {
        const size_t number = children.slot[s];
        if (number) ply_append(to, &children.position[number - 1], children.key[number - 1]);
    }
    position_set_free(&children);
    return good;
}

/* Probes the rank's own table, which holds what it has requested before, and then the owner's. */
static bool probe(TraceRecorder *r, Key key, unsigned depth, uint32_t owner) {
    TabiaTable *const own = r->table[r->rank], *const remote = trace_owner_table(r, owner);
    const TabiaKey table_key = {key[0], key[1]};
    if (tabia_counts_probe(own, table_key, depth)) return true;
    if (remote == own) return false;
    assert(remote != own);
    const uint64_t leaves = tabia_counts_probe(remote, table_key, depth);
    r->sums.remote_probes++, r->sums.remote_hits += leaves != 0;
    if (leaves) tabia_counts_store(own, table_key, depth, leaves);
    return leaves;
}

static void probe_ply(TraceRecorder *r, TracePly *p, unsigned depth) {
    for (size_t i = 0; i < p->set.n && !tabia_stop_requested(); i++) {
        const uint32_t owner = owner_hash(p->set.key[i], depth);
        p->is_hit[i] = probe(r, p->set.key[i], depth, owner);
        trace_record_event(r, TRACE_PROBE, depth, owner);
        if (r->trace && p->is_hit[i]) trace_mark_hit(r->trace);
    }
    trace_record_event(r, TRACE_WAIT, 0, 0);
}

static void store(TraceRecorder *r, const TracePly *p, size_t i, unsigned depth, uint64_t leaves) {
    const uint32_t owner = owner_hash(p->set.key[i], depth);
    TabiaTable *const own = r->table[r->rank], *const remote = trace_owner_table(r, owner);
    const TabiaKey key = {p->set.key[i][0], p->set.key[i][1]};
    tabia_counts_store(own, key, depth, leaves);
    if (remote != own) tabia_counts_store(remote, key, depth, leaves);
    trace_record_event(r, TRACE_STORE, depth, owner);
}

/* ---- units ---- */

/* The sum over the children of a position, which have been stored. One that was replaced is counted again. */
static uint64_t sum_children(TraceRecorder *r, const Position *p, Key key, int depth) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++) {
        const Key child_key = position_key_after(p, key, list[i], r->zobrist);
        Position child;
        position_make_move(&child, p, list[i]);
        leaves += trace_count_at_owner(r, &child, child_key, depth - 1,
                                       trace_owner_table(r, owner_hash(child_key, (unsigned)depth - 1)));
    }
    return leaves;
}

/* Counts the leaf parents, then sums and stores ply by ply upwards. Units are not stored: no other rank probes them. */
static void count_plies(TraceRecorder *r) {
    const unsigned leaf_parent_depth = (unsigned)r->options->leaf_parent_depth;
    for (unsigned up = 0; up <= r->plies; up++) {
        const unsigned ply = r->plies - up, depth = leaf_parent_depth + up;
        TracePly *p = &r->ply[ply];
        for (size_t i = 0; i < p->set.n && !tabia_stop_requested(); i++)
            if (!p->is_hit[i])
                p->leaves[i] = depth == leaf_parent_depth
                                   ? trace_count_leaf_parent(r, &p->set.position[i], p->set.key[i], (int)depth)
                                   : sum_children(r, &p->set.position[i], p->set.key[i], (int)depth);
        if (depth == leaf_parent_depth) trace_record_event(r, TRACE_WAIT, 0, 0);
        for (size_t i = 0; ply && i < p->set.n && !tabia_stop_requested(); i++)
            if (!p->is_hit[i]) store(r, p, i, depth, p->leaves[i]);
    }
}

static uint64_t paths_of(const Frontier *f, size_t unit) {
    uint64_t paths = 0;
    for (unsigned r = 0; r < f->roots; r++) paths += f->multiplicity[unit * f->roots + r];
    return paths;
}

static bool begin_group(TraceRecorder *r, const uint32_t *unit, size_t n, TabiaError *error) {
    const PositionSet *units = &r->frontier.units;
    if (!ply_begin(r->ply, n, error)) return false;
    for (size_t i = 0; i < n; i++) ply_append(r->ply, &units->position[unit[i]], units->key[unit[i]]);
    return true;
}

static bool record_group(TraceRecorder *r, const uint32_t *unit, size_t n, TabiaError *error) {
    assert(n <= UNIT_GROUP_SIZE_MAX && r->plies < PLIES_MAX);
    trace_elapsed_ns(r);
    trace_record_event(r, TRACE_UNIT, (unsigned)n, 0);
    bool good = begin_group(r, unit, n, error);
    for (unsigned ply = 1; good && ply <= r->plies; ply++) {
        good = expand(r, &r->ply[ply - 1], &r->ply[ply], error);
        if (good) probe_ply(r, &r->ply[ply], (unsigned)r->options->leaf_parent_depth + r->plies - ply);
    }
    if (good) count_plies(r);
    for (size_t i = 0; good && i < n; i++) r->leaves += (U128)paths_of(&r->frontier, unit[i]) * r->ply->leaves[i];
    trace_record_event(r, TRACE_WORK, 0, 0);
    for (unsigned ply = 0; ply <= r->plies; ply++) ply_free(&r->ply[ply]);
    return good;
}

/* A group is as much as a rank expands at a time: of small units several, so that messages are fuller. */
static size_t take_group(Scheduler *h, unsigned rank, size_t max, uint32_t *unit) {
    size_t n = 0;
    for (int64_t next; n < max && (next = scheduler_next(h, rank)) >= 0;) unit[n++] = (uint32_t)next;
    return n;
}

/* The rank that would be ready first: it has counted least so far. */
static unsigned next_rank(const TraceRecorder *r) {
    unsigned least = 0;
    assert(r->owners > 0);
    for (unsigned rank = 1; rank < r->owners; rank++)
        if (r->counted[rank] < r->counted[least]) least = rank;
    return least;
}

static bool count_in_turns(TraceRecorder *r, Scheduler *h, TabiaError *error) {
    const TraceOptions *options = r->options;
    const size_t max = unit_group_size((int)r->plies + LEAF_PARENT_DEPTH_MIN);
    uint32_t unit[UNIT_GROUP_SIZE_MAX];
    for (size_t n; (n = take_group(h, r->rank, max, unit)) > 0; r->rank = next_rank(r)) {
        if (!record_group(r, unit, n, error)) return false;
        if (tabia_stop_requested()) return tabia_fail(error, "stopped");
        r->done += (double)n;
        if (options->progress) options->progress(options->context, r->done / r->all);
    }
    return true;
}

bool trace_count_units(TraceRecorder *r, TabiaError *error) {
    const size_t units = r->frontier.units.n;
    const SchedulerOptions scheduler_options = {.ranks = r->owners,
                                                .merged = true,
                                                .map = r->partition ? &r->map[r->partition - 1] : NULL,
                                                .plies = (int)r->plies};
    Scheduler scheduler = {0};
    uint32_t *all = malloc((units + 1) * sizeof *all);
    for (size_t i = 0; all && i < units; i++) all[i] = (uint32_t)i;
    r->rank = 0;
    r->all = (double)units * (r->options->partitions + 2);
    const bool good = (all || tabia_fail(error, "not enough memory for %zu units of work", units)) &&
                      scheduler_init(&scheduler, &r->frontier, all, units, &scheduler_options, error) &&
                      count_in_turns(r, &scheduler, error);
    free(all);
    scheduler_release(&scheduler);
    return good;
}
