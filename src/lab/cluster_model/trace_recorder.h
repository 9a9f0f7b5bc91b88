/* SPDX-License-Identifier: MIT */
/*
 * Recording a trace, from inside.
 *
 *     trace_record           whole counts: one owner, recorded; the same without recording, for the time; then each
 *         |                  number of owners
 *     trace_units            ranks take units in turns, expand them ply by ply and probe what they find
 *         |
 *     trace_leaf_parents     the siblings of a leaf parent, set by set, each by its owner
 */
#pragma once
#include "distributed/perft/partition.h"
#include "perft/frontier.h"
#include "perft/kernel.h"
#include "tabia/counts.h"
#include "trace.h"

enum { PLIES_MAX = 12 };

/* The positions of a ply below a unit; hits have no children in the next. */
typedef struct {
    PositionSet set;
    bool *is_hit;
    uint64_t *leaves;
} TracePly;

typedef struct {
    Trace *trace; /* NULL: nothing is recorded */
    const TraceOptions *options;
    Zobrist *zobrist;
    TabiaTable **table;         /* of each owner, which is a rank as well */
    unsigned owners, partition; /* how many; which of the numbers of owners, 0: one owner */
    uint64_t *counted;          /* by each owner so far */
    unsigned rank;              /* whose turn it is */
    PartitionMap *map;          /* of each number of owners */
    const PerftKernel *kernel;
    Frontier frontier;
    unsigned plies; /* from its units to the leaf parents */
    TracePly ply[PLIES_MAX];
    double clock;      /* processor time that has been recorded */
    double clock_cost; /* seconds of one reading of that clock; subtracted */
    TracePartition sums;
    U128 leaves;
    double done, all; /* units, of all counts: for progress */
} TraceRecorder;

/* Nanoseconds of processor time since the last call; 0 where nothing is recorded. */
uint64_t trace_elapsed_ns(TraceRecorder *r);
void trace_record_event(TraceRecorder *r, TraceEventType type, unsigned depth, uint32_t owner);

/* The table of the owner of a hash. */
INLINE TabiaTable *trace_owner_table(const TraceRecorder *r, uint32_t hash) {
    return r->table[(uint64_t)hash * r->owners >> 32];
}

/* Counts all units of r->frontier. False with an error when memory is short or a stop was requested. */
bool trace_count_units(TraceRecorder *r, TabiaError *error);

/* The leaves of a leaf parent, whose siblings are counted by their owners. */
uint64_t trace_count_leaf_parent(TraceRecorder *r, const Position *p, Key key, int depth);
/* The leaves of any position, from the owner's table, or counted there. */
uint64_t trace_count_at_owner(TraceRecorder *r, const Position *p, Key key, int depth, TabiaTable *owner);
