/* SPDX-License-Identifier: MIT */
/*
 * A trace: the remote accesses of one rank during a perft, and the work between them, so that a cost model can predict
 * the same work on other numbers of ranks and other networks (lab/cluster_model/model.h).
 *
 *     unit | probe probe probe . wait | work . siblings siblings . wait | store . store | unit | ...
 *
 *     unit        a new unit of work begins
 *     probe       a position is requested from its owner
 *     siblings    a set of siblings, moves of one leaf parent with the same owner, is sent to the owner, which counts
 *                 them and answers the sum. Sets that follow with a number (depth) other than 0 are of the same leaf
 *                 parent: those for one rank are sent as one
 *     wait        the work that follows needs the answers to all probes and siblings before it
 *     store       a count is sent to its owner
 *     work        nothing but the work before it
 *
 * Each event carries the processor time since the one before it; that of siblings is spent by their owner. Owners of
 * positions are stored as hashes of 32 bits: of P ranks, rank hash * P / 2^32. Owners of siblings depend on a partition
 * map made for one number of ranks, so a trace holds them for some numbers of ranks; and for each number what so many
 * ranks would count and request, with units scheduled as in a run (distributed/perft/scheduler.h). A trace is recorded
 * on one rank, where remote accesses cost nothing.
 *
 * Threads: one at a time.
 */
#pragma once
#include "base/error.h"
#include <stdint.h>

/* member, name */
#define TRACE_TYPE_LIST(X)                                                                                             \
    X(UNIT, "unit")                                                                                                    \
    X(PROBE, "probe")                                                                                                  \
    X(SIBLINGS, "siblings")                                                                                            \
    X(STORE, "store")                                                                                                  \
    X(WAIT, "wait")                                                                                                    \
    X(WORK, "work")

typedef enum {
#define TRACE_MEMBER(member, name) TRACE_##member,
    TRACE_TYPE_LIST(TRACE_MEMBER)
#undef TRACE_MEMBER
        TRACE_TYPES
} TraceEventType;

typedef struct {
    uint32_t owner;   /* of probes and stores the hash of the owner; of siblings their number, from 0 on */
    uint32_t work_ns; /* processor time before it; of siblings, of their owner */
    uint8_t type;
    uint8_t depth;  /* of siblings the number of the set; of a unit how many positions it is, 0 for one */
    uint8_t detail; /* of siblings how many moves; of a probe whether it was a hit: 0 or 1 */
    uint8_t reserved;
} TraceEvent;

enum { TRACE_TEXT_MAX = 256, TRACE_PARTITIONS_MAX = 16, TRACE_FEN_MAX = 128 };

/* What so many owners count, each its part of the partition with its own table in front of the others': positions that
   no table knew; keys that they request from each other, and how many of these the owner knows. */
typedef struct {
    uint64_t owners, counted, remote_probes, remote_hits;
} TracePartition;

/* What was counted. All 0: unknown. */
typedef struct {
    uint64_t depth, leaf_parent_depth, hash_bytes, target_units;
    char fen[TRACE_FEN_MAX];
} TraceSource;

/* {0} is an empty one. */
typedef struct {
    TraceEvent *event;
    uint64_t events, capacity;
    uint16_t *set_owner; /* sibling_sets * (partitions - 1): the owners of each set, for partition[1], [2], ... */
    uint64_t sibling_sets, set_capacity;
    unsigned partitions;                            /* 0: there are no sibling sets */
    TracePartition partition[TRACE_PARTITIONS_MAX]; /* by rising number of owners, from 1 on */
    char text[TRACE_TEXT_MAX];                      /* a description */
    TraceSource source;
    double slowdown;    /* of the work while it was recorded; not in files, 0: unknown */
    bool out_of_memory; /* an event was lost: the trace cannot be written */
} Trace;

/* Appends an event other than siblings. Work of more than 4 s is split. The first event must be a unit. */
void trace_add(Trace *t, TraceEventType type, unsigned depth, uint32_t owner, uint64_t work_ns);
/* Marks the last event, a probe, as a hit. */
void trace_mark_hit(Trace *t);
/* Appends siblings: the number of the set within its leaf parent, its moves, and its owners, partitions - 1 of them. */
void trace_add_siblings(Trace *t, unsigned set, unsigned moves, const uint16_t *owner, uint64_t work_ns);
/* Multiplies all work by a factor. */
void trace_scale(Trace *t, double factor);

/* *place: of the partition for that number of ranks. False: there is none, but there are sibling sets. */
bool trace_find_partition(const Trace *t, unsigned ranks, unsigned *place);

/* Sums over all events. */
typedef struct {
    uint64_t of_type[TRACE_TYPES], hits;
    double work; /* seconds */
} TraceSums;
TraceSums trace_sums(const Trace *t);

/* Writes a file, atomically. */
bool trace_write(const Trace *t, const char *file_name, TabiaError *error);
/* Reads a file; everything is verified, and a damaged file is refused with the place of the damage. trace_free() it. */
bool trace_read(Trace *t, const char *file_name, TabiaError *error);
void trace_free(Trace *t);

/* What trace_record() records. */
typedef struct {
    int depth;              /* of a perft of the start position, or of fen */
    const char *fen;        /* NULL: the start position */
    int leaf_parent_depth;  /* siblings are the moves of positions with so many plies to go: 3 to depth - 2 */
    uint64_t hash_bytes;    /* of the tables of all owners together. 0: 256 MiB */
    unsigned target_units;  /* at least so many units, if there are. 0: 20,000 */
    const unsigned *owners; /* numbers of owners, rising from 2 to 65535, each a whole count; at most 15 of them */
    unsigned partitions;    /* how many numbers */
    /* Called now and then with the share done, 0 to 1. May be NULL. */
    void (*progress)(void *context, double share);
    void *context;
} TraceOptions;

/*
 * Counts with one thread as a rank of a cluster does (distributed/perft): a unit is expanded ply by ply, each position
 * once; the positions of a ply are probed together, and hits are not expanded; the siblings below a leaf parent go to
 * their owners (distributed/perft/partition.h); the results of misses are stored. *leaves is the count. False with an
 * error: memory, invalid options, or a stop was requested.
 *
 * Reading the processor clock costs as much as some counts, and there is one reading for each event. So everything is
 * counted once more without recording, and the work between events is scaled to the time that took.
 */
bool trace_record(Trace *t, const TraceOptions *options, uint64_t *leaves, TabiaError *error);
