/* SPDX-License-Identifier: MIT */
/*
 * What a recorded trace would cost on so many ranks: a model, not a measurement, and whatever it says is to be labelled
 * "simulated".
 *
 *     trace --walk, with P owners--> segments of work and of messages --events on P ranks--> time, and where it went
 *
 * The walk decides which asks, sends and stores leave the rank (those that it does not own itself), and gathers them
 * into messages for each owner: a message goes when it is full, when it has lingered, and for asks when the answers
 * are needed. A message of n entries costs both ends together
 *
 *     o + n g        and for asks and stores the owner n a more to look up or to store,
 *                    for positions the home n f more to lay them out and add up;
 *
 * an ask is answered by a message of its size, a send by one of sums. (The form of the model is that of LogP, David
 * Culler and others, 1993, with the gap a fit over message sizes.)
 *
 * Then units are handed out by rank 0, largest first, some at a time, over the same network. A rank has some units in
 * hand and works on one while the answers for another are on their way: network there and back, and the owner's next
 * look for messages. A cost is paid where it was caused: what others do for a unit is added to the unit, because in a
 * steady state each rank does as much for others as others do for it. What homes count grows by what the trace says is
 * counted again with so many of them. No run is shorter than its busiest home takes for what was sent to it.
 *
 * What a rank has asked before, it has in its own table. How much of what the trace knew that leaves to be asked of
 * owners, is what so many ranks asked when the trace was recorded; where each rank has as much work as was recorded, it
 * is nothing.
 *
 * Left out: that two ranks may count the same position at the same time because neither has stored it yet; contention
 * in the network; ranks of unequal speed. One rank costs nothing but its work.
 */
#pragma once
#include "lab/table/audit_sheet.h"
#include "trace.h"

/* member, unit, default, what it is. The defaults are those that two ranks measured over loopback TCP with Open MPI
   4.1.4, on the EPYC of docs/cluster.md; a program with a transport measures its own. */
#define SIMULATE_COSTS(X)                                                                                              \
    X(message, "us", 12, "processor time of a message, both ends together")                                            \
    X(entry, "us", 0.0040, "of each entry in it, 24 bytes, both ends together")                                        \
    X(apply, "us", 0.020, "of the owner, to look up or to store an entry")                                             \
    X(family, "us", 0.2, "of each position sent to a home: to be laid out and added up, beyond its bytes")             \
    X(latency, "us", 8.9, "from one rank to another, one way, without the wait for a look")                            \
    X(poll, "us", 500, "between two looks for messages")                                                               \
    X(look, "us", 0.58, "processor time of a look that finds nothing")                                                 \
    X(linger, "us", 200, "that asks and stores may wait for their message to be filled")                               \
    X(service, "us", 4, "processor time of the coordinator for each request for units")                                \
    X(batch, "entries", 640, "in a message at most")                                                                   \
    X(families, "positions", 400, "in a message to a home at most, if the bytes allow")                                \
    X(ahead, "units", 4, "in a rank's hands at a time: 1 waits for every answer")                                      \
    X(chunk, "units", 8, "handed out at a time at most; fewer towards the end")

typedef struct {
#define SIMULATE_MEMBER(member, unit, value, text) double member;
    SIMULATE_COSTS(SIMULATE_MEMBER)
#undef SIMULATE_MEMBER
} SimulateCosts;

SimulateCosts simulate_defaults(void);
/* "message=1.2,latency=50": sets what it names. False with a fault for anything else; nothing is negative, and batch,
   families, ahead and chunk are at least 1, ahead at most SIMULATE_AHEAD_MAX. */
bool simulate_costs_parse(SimulateCosts *c, const char *text, Fault *fault);

/* ENTRY_BYTES: of an entry as the constant prices it (cluster/calibrate.h). */
enum { SIMULATE_ENTRY_BYTES = 24, SIMULATE_RANKS_MAX = 4096, SIMULATE_AHEAD_MAX = 8 };

/* What one number of ranks gives. Times in seconds; of processors unless it says otherwise. */
typedef struct {
    unsigned ranks;
    double wall;       /* passing time, from the first unit's request to the last unit's end */
    double work;       /* what the trace says, all units and repeats */
    double again;      /* what homes count that others have counted too */
    double asking;     /* sending asks, positions and stores, taking answers */
    double serving;    /* those of others */
    double unpacking;  /* of serving, what is done with positions outside calls for messages */
    double looking;    /* for messages that have not come */
    double handing;    /* units out: the coordinator's time, and messages */
    double service;    /* of handing, without the messages */
    double waiting;    /* passing time of all ranks in which they had units, but answers or units were on their way */
    double tail;       /* the same after a rank's last unit */
    uint64_t messages; /* asks, answers, stores, positions to homes and sums */
    uint64_t entries;  /* in them */
    uint64_t units;
    uint64_t sent, asked, known,
        stored;                    /* positions sent to homes; keys asked of others, of these known; stored there */
    double counted;                /* positions that no home knew; 0 without sends */
    double bytes;                  /* in messages, their heads too; moves filled up to 8 bytes on average */
    uint64_t requests;             /* for units, of ranks other than rank 0 */
    double control, control_bytes; /* messages by which units go out and results come back, not in messages */
    double reports;                /* of control, the messages with results */
    double busiest;                /* what the busiest home counts, as a multiple of the mean; 1 without sends */
    double overhead;               /* (again + asking + serving + looking + handing) / work */
    double efficiency;             /* work / (ranks * wall) */
} SimulateRow;

/* Each unit of the trace is done `repeats` times: ranks, for as much work a rank as was recorded; 1, for the same work
   whatever the ranks. False with a fault if the trace has sends and no homes for so many ranks, if memory is short, or
   when a stop was requested. */
bool simulate_run(const Trace *t, const SimulateCosts *c, unsigned ranks, unsigned repeats, SimulateRow *row,
                  Fault *fault);

/* Measures `apply` on this machine: stores of random keys into a table of counts of so many bytes. */
bool simulate_measure_apply(SimulateCosts *c, uint64_t bytes, Fault *fault);

/* The rows as a sheet whose name and title say "simulated". sheet_free() it. */
bool simulate_sheet(const SimulateRow *row, unsigned rows, Sheet *sheet, Fault *fault);

/* ---- the walk, for tests ---- */

/* Work up to the next wait for answers, or to the unit's end. */
typedef struct {
    double work, sent; /* sent: of the work, that of homes */
    double asking, serving;
    double answer; /* passing time until the answers are there, from the segment's end; 0: nothing is waited for */
} SimulateSegment;

typedef enum { SIMULATE_ASKS, SIMULATE_SENDS, SIMULATE_STORES, SIMULATE_KINDS } SimulateKind;

typedef struct {
    SimulateSegment *segment;
    uint32_t *first; /* of each unit its first segment; units + 1 of them */
    double *work;    /* of each unit */
    double *home;    /* of each rank, what it counts as a home for the trace's units */
    double more;     /* of what homes count, the share by which it grows with so many */
    uint32_t units, segments;
    uint64_t messages, entries;
    uint64_t number[SIMULATE_KINDS], known; /* entries that leave the rank; asks that are answered with a count */
    double bytes, counted, positions;       /* positions: of all units together */
} SimulateWalk;

bool simulate_walk(SimulateWalk *w, const Trace *t, const SimulateCosts *c, unsigned ranks, unsigned repeats,
                   Fault *fault);
void simulate_walk_free(SimulateWalk *w);
