/* SPDX-License-Identifier: MIT */
/* Recording a trace from a perft on one thread, which does what a rank of a cluster would do. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/stop.h"
#include "fen.h"
#include "lab/trace.h"
#include "perft/frontier.h"
#include "perft/path.h"
#include "tabia/counts.h"

enum { INNER_MOST = 1 << 20, UNITS_MOST = 1 << 16, UNITS_ENOUGH = 300 };

typedef struct {
    Trace *trace;
    const TraceJob *job;
    Zobrist *zobrist;
    TabiaTable *table;
    const PerftPath *path;
    Frontier outer;
    atomic_bool stop; /* stays false; for count */
    double since;     /* processor time that has been recorded */
    U128 leaves;
} Making;

/* The event, with the processor time since the last one. */
static void note(Making *m, TraceKind kind, Key key) {
    const double now = tabia_clock_cpu();
    const unsigned depth = kind == TRACE_ASK || kind == TRACE_STORE ? (unsigned)m->job->ask_depth : 0;
    const TabiaKey mixed = counts_key((TabiaKey){key[0], key[1]}, depth);
    trace_add(m->trace, kind, depth, depth ? (uint32_t)mixed.index : 0, (uint64_t)((now - m->since) * 1e9));
    m->since = now;
}

static uint64_t paths_of(const Frontier *f, size_t unit) {
    uint64_t sum = 0;
    for (unsigned r = 0; r < f->roots; r++) sum += f->share[unit * f->roots + r];
    return sum;
}

/* Asks for all positions of one unit, and counts and stores what no unit before it did. */
static U128 count_all(Making *m, const Frontier *inner) {
    const Key none = {0, 0};
    const unsigned depth = (unsigned)m->job->ask_depth;
    U128 sum = 0;
    for (size_t i = 0; i < inner->units; i++) note(m, TRACE_ASK, inner->key[i]);
    note(m, TRACE_NEED, none);
    for (size_t i = 0; i < inner->units; i++) {
        const TabiaKey key = {inner->key[i][0], inner->key[i][1]};
        uint64_t leaves = tabia_counts_probe(m->table, key, depth);
        if (!leaves) {
            CountContext c = {.zobrist = m->zobrist, .table = m->table, .stop = &m->stop};
            leaves = (uint64_t)m->path->count(&c, &inner->position[i], inner->key[i], (int)depth);
            if (leaves) tabia_counts_store(m->table, key, depth, leaves);
            if (leaves) note(m, TRACE_STORE, inner->key[i]);
        }
        sum += (U128)paths_of(inner, i) * leaves;
    }
    return sum;
}

static bool record_unit(Making *m, size_t unit, Fault *fault) {
    const Key none = {0, 0};
    const int plies = m->job->depth - m->outer.ply - m->job->ask_depth;
    const FrontierLimits limits = {plies, SIZE_MAX, INNER_MOST, true};
    Frontier inner;
    m->since = tabia_clock_cpu();
    note(m, TRACE_UNIT, none);
    if (!frontier_make(&inner, &m->outer.position[unit], m->zobrist, limits, fault)) return false;
    const bool whole = inner.ply == plies || !inner.units;
    if (whole) m->leaves += paths_of(&m->outer, unit) * count_all(m, &inner);
    frontier_free(&inner);
    note(m, TRACE_WORK, none);
    return whole || tabia_fault(fault, "too many positions below a unit; take more units, or a larger ask depth");
}

static bool record_units(Making *m, Fault *fault) {
    const TraceJob *job = m->job;
    for (size_t i = 0; i < m->outer.units; i++) {
        if (!record_unit(m, i, fault)) return false;
        if (tabia_stop_requested()) return tabia_fault(fault, "stopped");
        if (job->progress) job->progress(job->context, (double)(i + 1) / (double)m->outer.units);
    }
    return true;
}

static bool check_job(const TraceJob *job, Fault *fault) {
    enum { DEPTH_MAX = 12 };
    if (job->depth < 4 || job->depth > DEPTH_MAX || job->ask_depth < 2 || job->ask_depth > job->depth - 2)
        return tabia_fault(fault, "depth %d with asks at %d: depths are 4 to %d, asks from 2 up to the depth - 2",
                           job->depth, job->ask_depth, DEPTH_MAX);
    return true;
}

static bool make(Making *m, const Position *root, Fault *fault) {
    const TraceJob *job = m->job;
    const FrontierLimits limits = {job->depth - job->ask_depth - 1, job->units ? job->units : UNITS_ENOUGH, UNITS_MOST,
                                   true};
    zobrist_init(m->zobrist, 1);
    m->path = perft_path_at(0);
    if (!frontier_make(&m->outer, root, m->zobrist, limits, fault)) return false;
    const bool good = record_units(m, fault);
    frontier_free(&m->outer);
    return good;
}

bool trace_make(Trace *t, const TraceJob *job, uint64_t *leaves, Fault *fault) {
    enum { BYTES = 256 << 20 };
    *t = (Trace){0};
    const TabiaOptions options = {.face = TABIA_COUNTS, .bytes = job->hash_bytes ? job->hash_bytes : BYTES};
    const char *fen = job->fen ? job->fen : fen_start;
    Making m = {.trace = t, .job = job};
    Position root;
    TabiaReason why;
    if (!check_job(job, fault) || !fen_parse(&root, fen, fault)) return false;
    m.zobrist = aligned_alloc(64, (sizeof *m.zobrist + 63) / 64 * 64);
    bool good = m.zobrist || tabia_fault(fault, "not enough memory to begin");
    if (good && tabia_table_create(&m.table, &options, &why)) good = tabia_fault(fault, "%s", why.text);
    good = good && make(&m, &root, fault);
    if (good && t->no_memory) good = tabia_fault(fault, "not enough memory for the trace");
    tabia_table_destroy(m.table);
    free(m.zobrist);
    *leaves = (uint64_t)m.leaves;
    snprintf(t->text, sizeof t->text, "perft %d of %.100s, asks at depth %d", job->depth, fen, job->ask_depth);
    if (!good) trace_free(t);
    return good;
}
