/* SPDX-License-Identifier: MIT */
/*
 * Units, as ranks count them by turns:
 *
 *     ply 0      o           a unit, or some where they are small: not asked for
 *     ply 1     o o o        each position once; asked for, and expanded where it is not known
 *      ...
 *     floor    o  o  o  o    its children go home
 */
#include <stdlib.h>

#include "base/stop.h"
#include "distributed/perft/scheduler.h"
#include "distributed/perft/unit_group.h"
#include "perft/key_set.h"
#include "rules/movegen.h"
#include "trace_make.h"

static uint32_t owner_hash(Key key, unsigned depth) {
    return (uint32_t)counts_key((TabiaKey){key[0], key[1]}, depth).index;
}

/* ---- plies ---- */

static void ply_free(Ply *p) {
    free(p->position);
    free(p->key);
    free(p->known);
    free(p->leaves);
    *p = (Ply){0};
}

static bool ply_room(Ply *p, size_t n) {
    p->n = n;
    p->position = aligned_alloc(64, (n + 1) * sizeof *p->position);
    p->key = aligned_alloc(64, (n + 4) / 4 * 4 * sizeof *p->key);
    p->known = calloc(n + 1, sizeof *p->known);
    p->leaves = calloc(n + 1, sizeof *p->leaves);
    return p->position && p->key && p->known && p->leaves;
}

/* The children of what is not known of `from`, each once. */
static bool expand(const Making *m, const Ply *from, Ply *to, Fault *fault) {
    KeySet set = {0};
    Move list[MOVES_MAX];
    for (size_t i = 0; i < from->n; i++) {
        if (tabia_stop_requested()) return key_set_free(&set), tabia_fault(fault, "stopped");
        const unsigned n = from->known[i] ? 0 : moves_list(&from->position[i], list);
        for (unsigned k = 0; k < n; k++) {
            const Key key = position_key_after(&from->position[i], from->key[i], list[k], m->zobrist);
            if (key_set_add(&set, key, 1, (uint64_t)i << 16 | list[k], fault)) continue;
            key_set_free(&set);
            return false;
        }
    }
    const bool good =
        ply_room(to, set.used) || tabia_fault(fault, "not enough memory for a ply of %zu positions", set.used);
    for (size_t s = 0, n = 0; good && s < set.slots; s++) {
        if (!set.slot[s].paths) continue;
        const uint64_t origin = set.slot[s].origin;
        position_play(&to->position[n], &from->position[origin >> 16], (Move)(origin & 0xffff));
        to->key[n++] = set.slot[s].key;
    }
    key_set_free(&set);
    return good;
}

/* Of the rank's own table, which holds what it has asked before, and then of the owner's. */
static bool is_known(Making *m, Key key, unsigned depth, uint32_t owner) {
    TabiaTable *const own = m->table[m->rank], *const there = trace_table_of(m, owner);
    const TabiaKey table_key = {key[0], key[1]};
    if (tabia_counts_probe(own, table_key, depth)) return true;
    if (there == own) return false;
    const uint64_t leaves = tabia_counts_probe(there, table_key, depth);
    m->sums.asked++, m->sums.known += leaves != 0;
    if (leaves) tabia_counts_store(own, table_key, depth, leaves);
    return leaves;
}

static void ask(Making *m, Ply *p, unsigned depth) {
    for (size_t i = 0; i < p->n && !tabia_stop_requested(); i++) {
        const uint32_t owner = owner_hash(p->key[i], depth);
        p->known[i] = is_known(m, p->key[i], depth, owner);
        trace_note(m, TRACE_ASK, depth, owner);
        if (m->trace && p->known[i]) trace_was_known(m->trace);
    }
    trace_note(m, TRACE_NEED, 0, 0);
}

static void store(Making *m, const Ply *p, size_t i, unsigned depth, uint64_t leaves) {
    const uint32_t owner = owner_hash(p->key[i], depth);
    TabiaTable *const own = m->table[m->rank], *const there = trace_table_of(m, owner);
    const TabiaKey key = {p->key[i][0], p->key[i][1]};
    tabia_counts_store(own, key, depth, leaves);
    if (there != own) tabia_counts_store(there, key, depth, leaves);
    trace_note(m, TRACE_STORE, depth, owner);
}

/* ---- units ---- */

/* Of a position whose children have been stored: their sum. One that was pushed out is counted again. */
static uint64_t sum_children(Making *m, const Position *p, Key key, int depth) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++) {
        const Key child_key = position_key_after(p, key, list[i], m->zobrist);
        Position child;
        position_play(&child, p, list[i]);
        leaves += trace_count_at_home(m, &child, child_key, depth - 1,
                                      trace_table_of(m, owner_hash(child_key, (unsigned)depth - 1)));
    }
    return leaves;
}

/* Counts the floor, then sums up and stores from there up. Units are not stored: nobody else asks for them. */
static void count_plies(Making *m) {
    const unsigned floor = (unsigned)m->job->floor;
    for (unsigned up = 0; up <= m->plies; up++) {
        const unsigned ply = m->plies - up, depth = floor + up;
        Ply *p = &m->ply[ply];
        for (size_t i = 0; i < p->n && !tabia_stop_requested(); i++)
            if (!p->known[i])
                p->leaves[i] = depth == floor ? trace_count_by_homes(m, &p->position[i], p->key[i], (int)depth)
                                              : sum_children(m, &p->position[i], p->key[i], (int)depth);
        if (depth == floor) trace_note(m, TRACE_NEED, 0, 0);
        for (size_t i = 0; ply && i < p->n && !tabia_stop_requested(); i++)
            if (!p->known[i]) store(m, p, i, depth, p->leaves[i]);
    }
}

static uint64_t paths_of(const Frontier *f, size_t unit) {
    uint64_t paths = 0;
    for (unsigned r = 0; r < f->roots; r++) paths += f->share[unit * f->roots + r];
    return paths;
}

static bool begin_group(Making *m, const uint32_t *unit, size_t n, Fault *fault) {
    if (!ply_room(m->ply, n)) return tabia_fault(fault, "not enough memory for a unit");
    for (size_t i = 0; i < n; i++)
        m->ply->position[i] = m->outer.position[unit[i]], m->ply->key[i] = m->outer.key[unit[i]];
    return true;
}

static bool record_group(Making *m, const uint32_t *unit, size_t n, Fault *fault) {
    trace_take_time(m);
    trace_note(m, TRACE_UNIT, (unsigned)n, 0);
    bool good = begin_group(m, unit, n, fault);
    for (unsigned ply = 1; good && ply <= m->plies; ply++) {
        good = expand(m, &m->ply[ply - 1], &m->ply[ply], fault);
        if (good) ask(m, &m->ply[ply], (unsigned)m->job->floor + m->plies - ply);
    }
    if (good) count_plies(m);
    for (size_t i = 0; good && i < n; i++) m->leaves += (U128)paths_of(&m->outer, unit[i]) * m->ply->leaves[i];
    trace_note(m, TRACE_WORK, 0, 0);
    for (unsigned ply = 0; ply <= m->plies; ply++) ply_free(&m->ply[ply]);
    return good;
}

/* As much as a rank lays out at a time; where units are small, fuller messages come of it. */
static size_t take_group(Scheduler *h, unsigned rank, size_t most, uint32_t *unit) {
    size_t n = 0;
    for (int64_t next; n < most && (next = scheduler_next(h, rank)) >= 0;) unit[n++] = (uint32_t)next;
    return n;
}

/* As time goes, the rank that is done first: it has counted least so far. */
static unsigned next_rank(const Making *m) {
    unsigned least = 0;
    for (unsigned r = 1; r < m->homes; r++)
        if (m->busy[r] < m->busy[least]) least = r;
    return least;
}

static bool count_in_turns(Making *m, Scheduler *h, Fault *fault) {
    const TraceJob *job = m->job;
    const size_t most = unit_group_size((int)m->plies + LEAF_PARENT_DEPTH_MIN);
    uint32_t unit[UNIT_GROUP_SIZE_MAX];
    for (size_t n; (n = take_group(h, m->rank, most, unit)) > 0; m->rank = next_rank(m)) {
        if (!record_group(m, unit, n, fault)) return false;
        if (tabia_stop_requested()) return tabia_fault(fault, "stopped");
        m->done += (double)n;
        if (job->progress) job->progress(job->context, m->done / m->all);
    }
    return true;
}

bool trace_count_units(Making *m, Fault *fault) {
    const size_t units = m->outer.units;
    const SchedulerOptions plan = {
        .ranks = m->homes, .merged = true, .map = m->place ? &m->map[m->place - 1] : NULL, .plies = (int)m->plies};
    Scheduler h = {0};
    uint32_t *all = malloc((units + 1) * sizeof *all);
    for (size_t i = 0; all && i < units; i++) all[i] = (uint32_t)i;
    m->rank = 0;
    m->all = (double)units * (m->job->homes_n + 2);
    const bool good = (all || tabia_fault(fault, "not enough memory for %zu units of work", units)) &&
                      scheduler_init(&h, &m->outer, all, units, &plan, fault) && count_in_turns(m, &h, fault);
    free(all);
    scheduler_release(&h);
    return good;
}
