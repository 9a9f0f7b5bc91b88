/* SPDX-License-Identifier: MIT */
/*
 * A cost model of the distributed perft: what a perft would cost on a number of ranks, each with as much work as one
 * perft on one thread. A forecast, not a measurement: whatever it says is to be labelled "simulated".
 *
 *     a perft by P owners --counts--> positions, and sibling sets that leave a rank --constants--> time
 *
 * A sibling set, moves of one leaf parent, has an owner by the partition map (distributed/perft/partition.h). A rank takes
 * leaf parents as units, in groups, and the sibling sets that it does not own leave it to be counted, batched for each
 * owner; a batch is answered by one of sums. A message of n bytes costs both ends together o + n g, and the owner f for
 * each set to unpack it and to add up. (The form of the model is that of LogP, David Culler and others, 1993, with the gap
 * a fit over message sizes.)
 *
 * A cost is charged to the rank that caused it: in a steady state each rank does as much for others as others do for it.
 * What owners count grows by what they count twice, as P tables of owners have shown. The elapsed time is the longest of
 *
 *     processors     all work and all costs, spread evenly
 *     owner          what the busiest owner counts
 *     answers        a rank with few groups in flight waits for a round trip and the owner's next poll
 *     coordinator    rank 0 serves all requests for units
 *
 * Left out: units of more plies than their leaf parents; the end of the run, where ranks become idle;
 * two ranks that count one position at the same time because neither has stored it yet; contention in the network; ranks
 * of unequal speed. One rank costs nothing but its work.
 */
#pragma once
#include <stdint.h>

#include "base/error.h"

/* member, unit, default, what it is. The defaults are those that two ranks measured over loopback TCP with Open MPI
   4.1.4 (docs/experiments/2026-11-23-model-of-the-cluster.md). */
#define MODEL_COSTS(X)                                                                                                 \
    X(message, "us", 12, "processor time of a message, both ends together")                                            \
    X(entry, "us", 0.0040, "of each entry in it, 24 bytes, both ends together")                                        \
    X(siblings, "us", 0.2, "of each sibling set sent to an owner: to unpack and to add up, beyond its bytes")          \
    X(latency, "us", 8.9, "from one rank to another, one way, without the wait for a poll")                            \
    X(poll_interval, "us", 500, "between two polls")                                                                   \
    X(empty_poll, "us", 0.58, "processor time of a poll that receives nothing")                                        \
    X(service, "us", 4, "processor time of the coordinator for each request for units")                                \
    X(batch_sets, "sets", 400, "of siblings in a message at most, if the bytes permit")                                \
    X(groups_in_flight, "groups", 4, "of units of a rank at a time: 1 waits for every answer")                         \
    X(chunk, "groups", 8, "scheduled at a time")

typedef struct {
#define MODEL_COST_MEMBER(member, unit, value, text) double member;
    MODEL_COSTS(MODEL_COST_MEMBER)
#undef MODEL_COST_MEMBER
} ModelCosts;

ModelCosts model_costs_default(void);
/* "message=1.2,latency=50": sets the constants it names. False with an error for anything else; nothing is negative, and
   batch_sets, groups_in_flight and chunk are at least 1. */
bool model_costs_parse(ModelCosts *c, const char *text, TabiaError *error);

enum { MODEL_RANKS_MAX = 4096, MODEL_DEPTH_MIN = 5, MODEL_DEPTH_MAX = 12 };

/* A perft by so many owners, all their shares together. */
typedef struct {
    unsigned ranks;
    uint64_t leaves;
    uint64_t units;            /* leaf parents */
    uint64_t counted, busiest; /* positions that no owner knew; of these, those of the owner that counts most */
    uint64_t sets, moves;      /* sibling sets for other ranks, and the moves in them */
    double work;               /* seconds of processor time */
} ModelCounts;

/* What is counted. */
typedef struct {
    int depth;           /* MODEL_DEPTH_MIN to MODEL_DEPTH_MAX */
    const char *fen;     /* NULL: the start position */
    uint64_t hash_bytes; /* of the tables of all owners together */
    /* Called now and then with the share done, 0 to 1. May be NULL. */
    void (*progress)(void *context, double share);
    void *context;
} ModelJob;

/* Counts the job's perft once, on one thread, by so many owners, each with a table of its own. False with an error:
   memory, a position that cannot be read, too many units, or a stop was requested. */
bool model_count(const ModelJob *job, unsigned ranks, ModelCounts *counts, TabiaError *error);

/* The forecast for one number of ranks. Shares are of the work. */
typedef struct {
    unsigned ranks;
    double recounted;    /* what owners count that other owners have counted too */
    double requesting;   /* sending sibling sets, receiving sums */
    double serving;      /* those of others */
    double polling;      /* polls that receive nothing */
    double scheduling;   /* of units: the coordinator's time, and messages */
    double overhead;     /* the sum of these */
    double work, wall;   /* seconds of a rank: of processor time, and elapsed */
    double efficiency;   /* work / wall */
    double imbalance;    /* what the busiest owner counts, as a multiple of the mean */
    uint64_t messages;   /* of a rank, for sibling sets and sums */
    uint64_t entries;    /* in them */
    double entries_each; /* of a message; 0: there is none */
    const char *limit;   /* what wall is: "processors", "owner", "answers", "coordinator" */
} ModelResult;

/* one: the same perft by one owner, for its time. */
ModelResult model_forecast(const ModelCounts *one, const ModelCounts *many, const ModelCosts *c);
