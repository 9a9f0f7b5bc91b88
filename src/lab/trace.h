/* SPDX-License-Identifier: MIT */
/*
 * A trace: what one rank asked of a table that is spread over many, and the work it did between, so that a cost model
 * can say what the same work would be like on other numbers of ranks and other networks (lab/simulate.h).
 *
 *     unit | work . ask ask ask . need | work . store . work . store | unit | ...
 *
 *     ask      a position is asked of its owner          need     the work that follows needs all answers to what
 *     store    its result is sent to its owner                    was asked before; without it, nobody waits
 *     unit     a new unit of work begins                 work     nothing but the work before it
 *
 * Each event carries the processor time since the one before it, which belongs to the same unit. The owner is kept as a
 * hash of 32 bits, as good as random: of P ranks, rank hash * P / 2^32 owns the position. A trace is best recorded on
 * one rank, where everything that would be remote is asked for and costs nothing.
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
    uint32_t owner;   /* hash; of asks and stores, else 0 */
    uint32_t work_ns; /* processor time before it */
    uint8_t kind, depth;
    uint8_t zero[2];
} TraceEvent;

enum { TRACE_TEXT_MAX = 256 };

/* {0} is an empty one. */
typedef struct {
    TraceEvent *event;
    uint64_t events, room;
    char text[TRACE_TEXT_MAX]; /* of what: for people */
    bool no_memory;            /* an event was lost: it cannot be written */
} Trace;

/* Appends an event. Work of more than 4 s is split. Before the first unit only a unit may come. */
void trace_add(Trace *t, TraceKind kind, unsigned depth, uint32_t owner, uint64_t work_ns);

/* Sums over all of it. */
typedef struct {
    uint64_t of_kind[TRACE_KINDS];
    double work; /* seconds */
} TraceSums;
TraceSums trace_sums(const Trace *t);

/* Writes a file, whole or not at all. */
bool trace_write(const Trace *t, const char *path, Fault *fault);
/* Reads one; everything is checked, and a damaged file is refused with its place. trace_free() what was read. */
bool trace_read(Trace *t, const char *path, Fault *fault);
void trace_free(Trace *t);

/* What a trace is made of when no cluster has recorded one. */
typedef struct {
    int depth;           /* of a perft of the start position, or of fen */
    const char *fen;     /* NULL: the start position */
    int ask_depth;       /* positions with so many plies to go are asked for and stored: 2 to depth - 1 */
    uint64_t hash_bytes; /* of the table that remembers them: 0: 256 MiB */
    unsigned units;      /* at least so many, if there are. 0: 300 */
    /* Called now and then with the share done. May be NULL. */
    void (*progress)(void *context, double share);
    void *context;
} TraceJob;

/*
 * Counts by one thread as a rank of a cluster would: below each unit the positions of ask_depth are made, each once,
 * and asked for together; those that the table does not know are counted and stored. *leaves is the result. False with
 * a fault: memory, a job that makes no sense, or a stop was requested.
 */
bool trace_make(Trace *t, const TraceJob *job, uint64_t *leaves, Fault *fault);
