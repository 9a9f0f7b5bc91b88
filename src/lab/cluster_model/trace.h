/* SPDX-License-Identifier: MIT */
/*
 * A trace: what one rank asked of others during a perft, and the work it did between, so that a cost model can say what
 * the same work would be like on other numbers of ranks and other networks (lab/cluster_model/simulate.h).
 *
 *     unit | ask ask ask . need | work . send send . send . need | store . store | unit | ...
 *
 *     unit     a new unit of work begins
 *     ask      a position is asked of its owner
 *     send     a position is sent to the home of some of its children, which counts them and answers their sum. The
 *              next ones with a number (depth) other than 0 are of the same position: those that go to one rank go as
 *              one
 *     need     the work that follows needs the answers to all that was asked and sent
 *     store    a result is sent to its owner
 *     work     nothing but the work before it
 *
 * Each event carries the processor time since the one before it, a send that of its home. Owners are kept as hashes of
 * 32 bits: of P ranks, rank hash * P / 2^32. Homes depend on the number of ranks in ways of their own, so a trace holds
 * them for some numbers; and beside each what so many ranks would count and ask, as units go out to them
 * (distributed/perft/scheduler.h). A trace is recorded on one rank, where all that would be remote costs nothing.
 *
 * One thread at a time.
 */
#pragma once
#include "base/fault.h"
#include <stdint.h>

/* member, name */
#define TRACE_KIND_LIST(X)                                                                                             \
    X(UNIT, "unit")                                                                                                    \
    X(ASK, "ask")                                                                                                      \
    X(SEND, "send")                                                                                                    \
    X(STORE, "store")                                                                                                  \
    X(NEED, "need")                                                                                                    \
    X(WORK, "work")

typedef enum {
#define TRACE_MEMBER(member, name) TRACE_##member,
    TRACE_KIND_LIST(TRACE_MEMBER)
#undef TRACE_MEMBER
        TRACE_KINDS
} TraceKind;

typedef struct {
    uint32_t owner;   /* hash, of asks and stores; of sends their number, from 0 on */
    uint32_t work_ns; /* processor time before it; of a send, at home */
    uint8_t kind;
    uint8_t depth; /* of a send the number of the part; of a unit how many positions it is, 0 for one */
    uint8_t more;  /* of a send how many moves; of an ask whether it was known: 0 or 1 */
    uint8_t zero;
} TraceEvent;

enum { TRACE_TEXT_MAX = 256, TRACE_HOMES_MAX = 16, TRACE_FEN_MAX = 128 };

/* What so many ranks count, each home to its part and with its own table in front of the others': positions that none
   knew; keys that they ask of each other, and those of them that the owner knows. */
typedef struct {
    uint64_t homes, counted, asked, known;
} TraceHomes;

/* What was counted, so that it can be counted again (programs/mpi_check.c). All 0: unknown. */
typedef struct {
    uint64_t depth, floor, hash_bytes, units; /* units: at least so many were wished */
    char fen[TRACE_FEN_MAX];
} TraceOf;

/* {0} is an empty one. */
typedef struct {
    TraceEvent *event;
    uint64_t events, room;
    uint16_t *home; /* sends * (homes_n - 1): of each send its home, for homes[1], homes[2], ... */
    uint64_t sends, home_room;
    unsigned homes_n;                  /* 0: there are no sends */
    TraceHomes homes[TRACE_HOMES_MAX]; /* rising from 1 on */
    char text[TRACE_TEXT_MAX];         /* of what: for people */
    TraceOf of;
    double slowed;  /* as recorded, the work took so many times as long; not in files, 0: unknown */
    bool no_memory; /* an event was lost: it cannot be written */
} Trace;

/* Appends an event, which is no send. Work of more than 4 s is split. The first one must be a unit. */
void trace_add(Trace *t, TraceKind kind, unsigned depth, uint32_t owner, uint64_t work_ns);
/* Says of the last event, an ask, that the table knew it. */
void trace_was_known(Trace *t);
/* Appends a send: the number of this part of its position, its moves, and its homes, homes_n - 1 of them. */
void trace_add_send(Trace *t, unsigned part, unsigned moves, const uint16_t *home, uint64_t work_ns);
/* Makes all work so many times as long. */
void trace_scale(Trace *t, double factor);

/* The place of that number of ranks in homes[]. False: the trace knows nothing of it, and has sends. */
bool trace_find_homes(const Trace *t, unsigned ranks, unsigned *place);

/* Sums over all of it. */
typedef struct {
    uint64_t of_kind[TRACE_KINDS], known; /* known: asks */
    double work;                          /* seconds */
} TraceSums;
TraceSums trace_sums(const Trace *t);

/* Writes a file, whole or not at all. */
bool trace_write(const Trace *t, const char *path, Fault *fault);
/* Reads one; everything is checked, and a damaged file is refused with its place. trace_free() what was read. */
bool trace_read(Trace *t, const char *path, Fault *fault);
void trace_free(Trace *t);

/* What a trace is made of. */
typedef struct {
    int depth;       /* of a perft of the start position, or of fen */
    const char *fen; /* NULL: the start position */
    int floor;       /* positions with so many plies to go are sent to the homes of their children: 3 to depth - 2 */
    uint64_t hash_bytes;   /* of the tables of all homes together. 0: 256 MiB */
    unsigned units;        /* at least so many, if there are. 0: 20,000 */
    const unsigned *homes; /* numbers of homes to try, rising from 2 to 65535, each a whole count; at most 15 */
    unsigned homes_n;
    /* Called now and then with the share done. May be NULL. */
    void (*progress)(void *context, double share);
    void *context;
} TraceJob;

/*
 * Counts by one thread as a rank of a cluster does (perft/ranks): a unit is expanded ply by ply, each position once;
 * those of a ply are asked for together, and what is known is not expanded; a position of the floor goes to the homes
 * of its children (distributed/perft/partition.h); what was not known is stored. *leaves is the result. False with
 * a fault: memory, a job that makes no sense, or a stop was requested.
 *
 * A look at the clock of the processor costs as much as some counts, and there is one for each event. So the same is
 * counted once more without a record, and the work between events is scaled to what that took.
 */
bool trace_make(Trace *t, const TraceJob *job, uint64_t *leaves, Fault *fault);
