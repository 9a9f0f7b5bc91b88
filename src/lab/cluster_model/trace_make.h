/* SPDX-License-Identifier: MIT */
/*
 * Recording a trace, inside: what its parts share.
 *
 *     trace_make     whole counts: one home, recorded, then without a record, for the time; then each number of homes
 *         |
 *     trace_units    the ranks take units by turns, expand them ply by ply and ask for what they find
 *         |
 *     trace_floor    a position of the floor, part by part, each by its home
 */
#pragma once
#include "distributed/perft/partition.h"
#include "perft/frontier.h"
#include "perft/kernel.h"
#include "tabia/counts.h"
#include "trace.h"

enum { PLIES_MAX = 12 };

/* The positions of a ply below a unit; known ones have no children in the next. */
typedef struct {
    size_t n;
    Position *position;
    Key *key;
    bool *known;
    uint64_t *leaves;
} Ply;

typedef struct {
    Trace *trace; /* NULL: only the sums are wanted */
    const TraceJob *job;
    Zobrist *zobrist;
    TabiaTable **table;    /* of each home, which is a rank as well: in front of the others' */
    unsigned homes, place; /* how many, and their place among the numbers that are tried: 0 is one home */
    uint64_t *busy;        /* what each has counted so far */
    unsigned rank;         /* whose turn it is */
    PartitionMap *map;     /* of each number of homes */
    const PerftKernel *kernel;
    Frontier outer;
    unsigned plies; /* from its units to the floor */
    Ply ply[PLIES_MAX];
    double since; /* processor time that has been recorded */
    double look;  /* what a look at that clock costs: as much as some counts, so it is taken off */
    TraceHomes sums;
    U128 leaves;
    double done, all; /* units, of all homes: for progress */
} Making;

/* The processor time since it was last taken, in nanoseconds; 0 where nothing is recorded. */
uint64_t trace_take_time(Making *m);
void trace_note(Making *m, TraceKind kind, unsigned depth, uint32_t owner);

/* The table of the owner that a hash says. */
INLINE TabiaTable *trace_table_of(const Making *m, uint32_t hash) {
    return m->table[(uint64_t)hash * m->homes >> 32];
}

/* Counts all units of m->outer. False with a fault when memory is out or a stop was requested. */
bool trace_count_units(Making *m, Fault *fault);

/* The leaves of a position of the floor, of which each home counts its part. */
uint64_t trace_count_by_homes(Making *m, const Position *p, Key key, int depth);
/* Those of any, from the home's table, or counted there. */
uint64_t trace_count_at_home(Making *m, const Position *p, Key key, int depth, TabiaTable *home);
