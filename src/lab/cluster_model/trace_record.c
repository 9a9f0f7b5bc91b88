/* SPDX-License-Identifier: MIT */
/* Recording a trace: whole perfts by one thread that does what ranks of a cluster do, with a table for each owner. */
#include "trace_recorder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/time.h"
#include "notation/fen.h"

/* As tabia-mpi does it. */
enum { UNITS_MAX = 1000000, UNITS_TARGET = 20000, HASH_BYTES = 256 << 20 };

uint64_t trace_elapsed_ns(TraceRecorder *r) {
    if (!r->trace) return 0;
    const double before = r->clock;
    r->clock = tabia_clock_cpu();
    const double elapsed = r->clock - before - r->clock_cost;
    return elapsed > 0 ? (uint64_t)(elapsed * 1e9) : 0;
}

static double measure_clock_cost(void) {
    enum { READINGS = 1000 };
    const double begun = tabia_clock_cpu();
    for (unsigned i = 1; i < READINGS; i++) tabia_clock_cpu();
    return (tabia_clock_cpu() - begun) / READINGS;
}

void trace_record_event(TraceRecorder *r, TraceEventType type, unsigned depth, uint32_t owner) {
    if (r->trace) trace_add(r->trace, type, depth, owner, trace_elapsed_ns(r));
}

static bool create_tables(TraceRecorder *r, unsigned owners, TabiaError *error) {
    enum { BYTES_MIN = 1 << 12 };
    const uint64_t all = r->options->hash_bytes ? r->options->hash_bytes : HASH_BYTES, each = all / owners;
    /* Memory is touched now: clearing a page takes as long as some thousand counts, and is not an owner's work. */
    const TabiaOptions options = {.type = TABIA_COUNTS,
                                  .bytes = each > BYTES_MIN ? each : BYTES_MIN,
                                  .watch = &(TabiaWatch){.stop = tabia_stop_watch}};
    r->owners = 0;
    r->table = calloc(owners, sizeof *r->table);
    r->counted = calloc(owners, sizeof *r->counted);
    if (!r->table || !r->counted) return tabia_fail(error, "not enough memory for %u tables", owners);
    for (; r->owners < owners; r->owners++)
        if (tabia_table_create(&r->table[r->owners], &options, error)) return false;
    return true;
}

static void free_tables(TraceRecorder *r) {
    for (unsigned i = 0; r->table && i < r->owners; i++) tabia_table_destroy(r->table[i]);
    free(r->table);
    free(r->counted);
    r->table = NULL, r->counted = NULL;
}

/* A whole count with so many owners, the partition of that number. trace: where it is recorded, or NULL. */
static bool count_once(TraceRecorder *r, unsigned number, unsigned owners, Trace *trace, TabiaError *error) {
    r->trace = trace;
    r->partition = number;
    r->sums = (TracePartition){.owners = owners};
    r->leaves = 0;
    const bool good = create_tables(r, owners, error) && trace_count_units(r, error);
    free_tables(r);
    return good;
}

/* With one owner, recorded, and then again without recording, for the time. */
static bool count_twice(TraceRecorder *r, Trace *trace, TabiaError *error) {
    if (!count_once(r, 0, 1, trace, error)) return false;
    trace->partition[0] = r->sums;
    const double recorded = trace_sums(trace).work, begun = tabia_clock_cpu();
    if (!count_once(r, 0, 1, NULL, error)) return false;
    const double elapsed = tabia_clock_cpu() - begun;
    trace->slowdown = elapsed > 0 ? recorded / elapsed : 0;
    if (recorded > 0) trace_scale(trace, elapsed / recorded);
    return true;
}

static bool build_partitions(TraceRecorder *r, TabiaError *error) {
    const TraceOptions *options = r->options;
    r->map = malloc((options->partitions + 1) * sizeof *r->map);
    bool good = r->map || tabia_fail(error, "not enough memory for the partition maps");
    for (unsigned i = 0; good && i < options->partitions; i++)
        good = partition_build(&r->map[i], &r->frontier, (int)r->plies, options->owners[i], error);
    return good;
}

static bool record(TraceRecorder *r, const Position *root, Trace *trace, TabiaError *error) {
    const TraceOptions *options = r->options;
    const FrontierLimits limits = {options->depth - options->leaf_parent_depth,
                                   options->target_units ? options->target_units : UNITS_TARGET, UNITS_MAX, true};
    trace->partitions = options->partitions + 1;
    zobrist_init(r->zobrist, 1);
    r->kernel = perft_kernel_at(0);
    assert(trace->partitions <= TRACE_PARTITIONS_MAX);
    if (!frontier_make(&r->frontier, root, r->zobrist, limits, error)) return false;
    r->plies = (unsigned)(options->depth - options->leaf_parent_depth - r->frontier.ply);
    assert(r->plies < PLIES_MAX);
    bool good = build_partitions(r, error) && count_twice(r, trace, error);
    const U128 leaves = r->leaves;
    for (unsigned i = 0; good && i < options->partitions; i++) {
        good = count_once(r, i + 1, options->owners[i], NULL, error);
        trace->partition[i + 1] = r->sums;
        if (good && r->leaves != leaves)
            good = tabia_fail(error, "%u owners count something else than one", options->owners[i]);
    }
    frontier_free(&r->frontier);
    free(r->map);
    return good;
}

static bool check_options(const TraceOptions *options, TabiaError *error) {
    enum { DEPTH_MAX = 12 };
    if (options->depth < 5 || options->depth > DEPTH_MAX || options->leaf_parent_depth < 3 ||
        options->leaf_parent_depth > options->depth - 2)
        return tabia_fail(error,
                          "depth %d with leaf parents at %d plies: depths are 5 to %d, leaf parents 3 to the depth - 2",
                          options->depth, options->leaf_parent_depth, DEPTH_MAX);
    for (unsigned i = 0; i < options->partitions; i++)
        if (options->partitions >= TRACE_PARTITIONS_MAX || options->owners[i] < 2 || options->owners[i] > UINT16_MAX ||
            (i && options->owners[i] <= options->owners[i - 1]))
            return tabia_fail(error, "numbers of owners: at most %d of them, rising from 2 on",
                              TRACE_PARTITIONS_MAX - 1);
    return true;
}

bool trace_record(Trace *t, const TraceOptions *options, uint64_t *leaves, TabiaError *error) {
    *t = (Trace){0};
    const char *fen = options->fen ? options->fen : fen_start;
    TraceRecorder r = {.options = options, .clock_cost = measure_clock_cost()};
    Position root;
    if (!check_options(options, error) || !fen_parse(&root, fen, error)) return false;
    r.zobrist = aligned_alloc(64, (sizeof *r.zobrist + 63) / 64 * 64);
    bool good = r.zobrist ? record(&r, &root, t, error) : tabia_fail(error, "not enough memory to begin");
    if (good && t->out_of_memory) good = tabia_fail(error, "not enough memory for the trace");
    free(r.zobrist);
    *leaves = (uint64_t)r.leaves;
    snprintf(t->text, sizeof t->text, "perft %d of %.100s, leaf parents at %d", options->depth, fen,
             options->leaf_parent_depth);
    t->source = (TraceSource){(uint64_t)options->depth, (uint64_t)options->leaf_parent_depth,
                              options->hash_bytes ? options->hash_bytes : HASH_BYTES,
                              options->target_units ? options->target_units : UNITS_TARGET, ""};
    snprintf(t->source.fen, sizeof t->source.fen, "%.127s", fen);
    if (!good) trace_free(t);
    return good;
}
