/* SPDX-License-Identifier: MIT */
/* Recording a trace: whole perfts by one thread that does what ranks of a cluster do, with a table for each home. */
#include "trace_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "notation/fen.h"

/* As tabia-mpi does it (perft/units.c). */
enum { UNITS_MOST = 1000000, UNITS_ENOUGH = 20000, HASH_BYTES = 256 << 20 };

uint64_t trace_take_time(Making *m) {
    if (!m->trace) return 0;
    const double before = m->since;
    m->since = tabia_clock_cpu();
    const double took = m->since - before - m->look;
    return took > 0 ? (uint64_t)(took * 1e9) : 0;
}

static double cost_of_a_look(void) {
    enum { LOOKS = 1000 };
    const double begun = tabia_clock_cpu();
    for (unsigned i = 1; i < LOOKS; i++) tabia_clock_cpu();
    return (tabia_clock_cpu() - begun) / LOOKS;
}

void trace_note(Making *m, TraceKind kind, unsigned depth, uint32_t owner) {
    if (m->trace) trace_add(m->trace, kind, depth, owner, trace_take_time(m));
}

static bool make_tables(Making *m, unsigned homes, Fault *fault) {
    enum { LEAST = 1 << 12 };
    const uint64_t all = m->job->hash_bytes ? m->job->hash_bytes : HASH_BYTES, each = all / homes;
    /* Touched now: to clear a page takes as long as some thousand counts, and is no home's work. */
    const TabiaOptions options = {.face = TABIA_COUNTS, .bytes = each > LEAST ? each : LEAST};
    TabiaReason why;
    m->homes = 0;
    m->table = calloc(homes, sizeof *m->table);
    m->busy = calloc(homes, sizeof *m->busy);
    if (!m->table || !m->busy) return tabia_fault(fault, "not enough memory for %u tables", homes);
    for (; m->homes < homes; m->homes++)
        if (tabia_table_create(&m->table[m->homes], &options, &why)) return tabia_fault(fault, "%s", why.text);
    return true;
}

static void free_tables(Making *m) {
    for (unsigned i = 0; m->table && i < m->homes; i++) tabia_table_destroy(m->table[i]);
    free(m->table);
    free(m->busy);
    m->table = NULL, m->busy = NULL;
}

/* A whole count with so many homes. trace: where it is recorded, or NULL. */
static bool count_once(Making *m, unsigned number, unsigned homes, Trace *trace, Fault *fault) {
    m->trace = trace;
    m->place = number;
    m->sums = (TraceHomes){.homes = homes};
    m->leaves = 0;
    const bool good = make_tables(m, homes, fault) && trace_count_units(m, fault);
    free_tables(m);
    return good;
}

/* With one home, recorded, and then again without a record, for the time. */
static bool count_twice(Making *m, Trace *trace, Fault *fault) {
    if (!count_once(m, 0, 1, trace, fault)) return false;
    trace->homes[0] = m->sums;
    const double recorded = trace_sums(trace).work, begun = tabia_clock_cpu();
    if (!count_once(m, 0, 1, NULL, fault)) return false;
    const double took = tabia_clock_cpu() - begun;
    trace->slowed = took > 0 ? recorded / took : 0;
    if (recorded > 0) trace_scale(trace, took / recorded);
    return true;
}

static bool make_maps(Making *m, Fault *fault) {
    const TraceJob *job = m->job;
    m->map = malloc((job->homes_n + 1) * sizeof *m->map);
    bool good = m->map || tabia_fault(fault, "not enough memory for the homes");
    for (unsigned i = 0; good && i < job->homes_n; i++)
        good = partition_build(&m->map[i], &m->outer, (int)m->plies, job->homes[i], fault);
    return good;
}

static bool make(Making *m, const Position *root, Trace *trace, Fault *fault) {
    const TraceJob *job = m->job;
    const FrontierLimits limits = {job->depth - job->floor, job->units ? job->units : UNITS_ENOUGH, UNITS_MOST, true};
    trace->homes_n = job->homes_n + 1;
    zobrist_init(m->zobrist, 1);
    m->kernel = perft_kernel_at(0);
    if (!frontier_make(&m->outer, root, m->zobrist, limits, fault)) return false;
    m->plies = (unsigned)(job->depth - job->floor - m->outer.ply);
    bool good = make_maps(m, fault) && count_twice(m, trace, fault);
    const U128 leaves = m->leaves;
    for (unsigned i = 0; good && i < job->homes_n; i++) {
        good = count_once(m, i + 1, job->homes[i], NULL, fault);
        trace->homes[i + 1] = m->sums;
        if (good && m->leaves != leaves)
            good = tabia_fault(fault, "%u homes count something else than one", job->homes[i]);
    }
    frontier_free(&m->outer);
    free(m->map);
    return good;
}

static bool check_job(const TraceJob *job, Fault *fault) {
    enum { DEPTH_MAX = 12 };
    if (job->depth < 5 || job->depth > DEPTH_MAX || job->floor < 3 || job->floor > job->depth - 2)
        return tabia_fault(fault, "depth %d with the floor at %d: depths are 5 to %d, floors 3 to the depth - 2",
                           job->depth, job->floor, DEPTH_MAX);
    for (unsigned i = 0; i < job->homes_n; i++)
        if (job->homes_n >= TRACE_HOMES_MAX || job->homes[i] < 2 || job->homes[i] > UINT16_MAX ||
            (i && job->homes[i] <= job->homes[i - 1]))
            return tabia_fault(fault, "numbers of homes: at most %d of them, rising from 2 on", TRACE_HOMES_MAX - 1);
    return true;
}

bool trace_make(Trace *t, const TraceJob *job, uint64_t *leaves, Fault *fault) {
    *t = (Trace){0};
    const char *fen = job->fen ? job->fen : fen_start;
    Making m = {.job = job, .look = cost_of_a_look()};
    Position root;
    if (!check_job(job, fault) || !fen_parse(&root, fen, fault)) return false;
    m.zobrist = aligned_alloc(64, (sizeof *m.zobrist + 63) / 64 * 64);
    bool good = m.zobrist ? make(&m, &root, t, fault) : tabia_fault(fault, "not enough memory to begin");
    if (good && t->no_memory) good = tabia_fault(fault, "not enough memory for the trace");
    free(m.zobrist);
    *leaves = (uint64_t)m.leaves;
    snprintf(t->text, sizeof t->text, "perft %d of %.100s, floor %d", job->depth, fen, job->floor);
    t->of = (TraceOf){(uint64_t)job->depth, (uint64_t)job->floor, job->hash_bytes ? job->hash_bytes : HASH_BYTES,
                      job->units ? job->units : UNITS_ENOUGH, ""};
    snprintf(t->of.fen, sizeof t->of.fen, "%.127s", fen);
    if (!good) trace_free(t);
    return good;
}
