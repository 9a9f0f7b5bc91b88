/* SPDX-License-Identifier: MIT */
/*
 * A cost model: what a recorded trace would cost on a number of ranks. A simulation, not a measurement: whatever it
 * predicts is to be labelled "simulated".
 *
 *     trace --replay, with P owners--> segments of work and of messages --events on P ranks--> time, and where it went
 *
 * The replay decides which probes, sibling sets and stores leave the rank (those that it does not own itself), and
 * batches them into messages for each owner: a message is sent when it is full, when the batching delay is over, and
 * for probes when the answers are needed. A message of n entries costs both ends together
 *
 *     o + n g        and for probes and stores the owner n a more to look up or to store,
 *                    for sibling sets the owner n f more to unpack them and to add up;
 *
 * a probe message is answered by a message of its size, a batch of sibling sets by one of sums. (The form of the model
 * is that of LogP, David Culler and others, 1993, with the gap a fit over message sizes.)
 *
 * Then units are scheduled by rank 0, largest first, some at a time, over the same network. A rank has several units in
 * flight and works on one while the answers for another are on their way: one round trip, and the owner's next poll. A
 * cost is charged where it was caused: what others do for a unit is added to the unit, because in a steady state each
 * rank does as much for others as others do for it. What owners count grows by what the trace says is counted again
 * with so many of them. No run is shorter than its busiest owner takes for the sibling sets sent to it.
 *
 * What a rank has requested before is in its own table. How much of what the trace hit that leaves to be requested from
 * owners is what so many ranks requested when the trace was recorded; where each rank has as much work as was recorded,
 * it is nothing.
 *
 * Left out: two ranks may count the same position at the same time because neither has stored it yet; contention in the
 * network; ranks of unequal speed. One rank costs nothing but its work.
 */
#pragma once
#include "lab/table/audit_sheet.h"
#include "trace.h"

/* member, unit, default, what it is. The defaults are those that two ranks measured over loopback TCP with Open MPI
   4.1.4 (docs/experiments/2026-11-23-model-of-the-cluster.md). */
#define MODEL_COSTS(X)                                                                                                 \
    X(message, "us", 12, "processor time of a message, both ends together")                                            \
    X(entry, "us", 0.0040, "of each entry in it, 24 bytes, both ends together")                                        \
    X(apply, "us", 0.020, "of the owner, to look up or to store an entry")                                             \
    X(siblings, "us", 0.2, "of each sibling set sent to an owner: to unpack and to add up, beyond its bytes")          \
    X(latency, "us", 8.9, "from one rank to another, one way, without the wait for a poll")                            \
    X(poll_interval, "us", 500, "between two polls")                                                                   \
    X(empty_poll, "us", 0.58, "processor time of a poll that receives nothing")                                        \
    X(batching_delay, "us", 200, "that probes and stores may wait for their message to be filled")                     \
    X(service, "us", 4, "processor time of the coordinator for each request for units")                                \
    X(batch_keys, "entries", 640, "in a message at most")                                                              \
    X(batch_sets, "sets", 400, "of siblings in a message at most, if the bytes permit")                                \
    X(units_in_flight, "units", 4, "of a rank at a time: 1 waits for every answer")                                    \
    X(chunk, "units", 8, "scheduled at a time at most; fewer towards the end")

typedef struct {
#define MODEL_COST_MEMBER(member, unit, value, text) double member;
    MODEL_COSTS(MODEL_COST_MEMBER)
#undef MODEL_COST_MEMBER
} ModelCosts;

ModelCosts model_costs_default(void);
/* "message=1.2,latency=50": sets the constants it names. False with an error for anything else; nothing is negative, and
   batch_keys, batch_sets, units_in_flight and chunk are at least 1, units_in_flight at most MODEL_UNITS_MAX. */
bool model_costs_parse(ModelCosts *c, const char *text, TabiaError *error);

/* ENTRY_BYTES: of an entry as the constant prices it. */
enum { MODEL_ENTRY_BYTES = 24, MODEL_RANKS_MAX = 4096, MODEL_UNITS_MAX = 8 };

/* Seconds of processor time of all ranks together. */
typedef struct {
    double work;       /* what the trace says, all units and repeats */
    double recounted;  /* what owners count that other owners have counted too */
    double requesting; /* sending probes, sibling sets and stores, receiving answers */
    double serving;    /* those of others */
    double unpacking;  /* of serving, work on sibling sets outside calls for messages */
    double polling;    /* polls that receive nothing */
    double scheduling; /* of units: the coordinator's time, and messages */
    double service;    /* of scheduling, without the messages */
} ModelCpu;

typedef struct {
    uint64_t messages; /* probes, answers, stores, batches of sibling sets and sums */
    uint64_t entries;  /* in them */
    double bytes;      /* in them, headers included; moves padded to 8 bytes on average */
    /* Sibling sets sent to owners; keys requested from others, of these found; stored at others. */
    uint64_t sibling_sets, remote_probes, remote_hits, remote_stores;
    uint64_t requests;             /* for units, of ranks other than rank 0 */
    double control, control_bytes; /* messages by which units are scheduled and results return; not in messages */
    double reports;                /* of control, the messages with results */
} ModelTraffic;

/* The prediction for one number of ranks. */
typedef struct {
    unsigned ranks;
    uint64_t units;
    ModelCpu cpu;
    ModelTraffic traffic;
    double wall;       /* elapsed seconds, from the first request for units to the end of the last unit */
    double waiting;    /* elapsed seconds of all ranks in which they had units, but waited for answers or units */
    double tail;       /* the same after the last unit of a rank */
    double counted;    /* positions that no owner knew; 0 without sibling sets */
    double imbalance;  /* what the busiest owner counts, as a multiple of the mean; 1 without sibling sets */
    double overhead;   /* (recounted + requesting + serving + polling + scheduling) / work */
    double efficiency; /* work / (ranks * wall) */
} ModelResult;

/* Each unit of the trace is done `repeats` times: ranks, for as much work a rank as was recorded; 1, for the same work
   whatever the ranks. False with an error: the trace has sibling sets but no partition for so many ranks, memory is
   short, or a stop was requested. */
bool model_run(const Trace *t, const ModelCosts *c, unsigned ranks, unsigned repeats, ModelResult *result,
               TabiaError *error);

/* The results as a sheet whose name and title say "simulated". sheet_free() it. */
bool model_sheet(const ModelResult *result, unsigned results, Sheet *sheet, TabiaError *error);
/* Where the time of all ranks goes, in shares that add up to 1: to be drawn. */
bool model_time_sheet(const ModelResult *result, unsigned results, Sheet *sheet, TabiaError *error);

/* ---- the replay: model_replay.c ---- */

/* Work up to the next wait for answers, or to the unit's end. */
typedef struct {
    double work, owner_work; /* owner_work: of the work, that of owners of siblings */
    double requesting, serving;
    double answer; /* elapsed time until the answers are there, from the segment's end; 0: no wait */
} ModelSegment;

typedef enum { MODEL_PROBES, MODEL_SIBLINGS, MODEL_STORES, MODEL_MESSAGE_TYPES } ModelMessageType;

typedef struct {
    ModelSegment *segment;
    uint32_t *first;    /* of each unit its first segment; units + 1 of them */
    double *work;       /* of each unit */
    double *owner_work; /* of each rank, what it counts as an owner for the trace's units */
    double growth;      /* of what owners count, the share by which it grows with so many */
    uint32_t units, segments;
    uint64_t messages, entries;
    uint64_t number[MODEL_MESSAGE_TYPES], hits; /* entries that leave the rank; probes that are hits */
    double bytes, counted, positions;           /* positions: of all units together */
} ModelReplay;

/* The trace as work and messages of rank 0 of `ranks`. model_replay_release() it. */
bool model_replay(ModelReplay *w, const Trace *t, const ModelCosts *c, unsigned ranks, unsigned repeats,
                  TabiaError *error);
void model_replay_release(ModelReplay *w);
