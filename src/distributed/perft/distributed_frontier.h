/* SPDX-License-Identifier: MIT */
/*
 * The frontier made by all ranks: each position has one owner, by its key, who finds out that it is the same as another
 * and adds up the paths that lead to it.
 *
 *     every rank   makes the first plies for itself (the base, some thousand positions), and expands its part of them
 *         |  children: parent, its paths, those of its moves that lead to positions of that owner
 *         v
 *     owners       merge what they get; each tells rank 0 how many positions it has
 *         |        rank 0: one ply more, each from its own; or: harvest
 *         v
 *     rank 0       gets of each position the moves that lead to it, and its paths; sorts, plays them, and has the same
 *                  units in the same order as frontier_make() would have made
 *
 * The order. frontier_make() numbers units as a walk ply by ply first meets them: by the least parent, then by the
 * move. Hence by the least path of move numbers below the base, which travels with each child as its origin, 9 bits a
 * ply; an owner keeps the least it has seen. So the ledger holds for one process and for any number of ranks.
 *
 * What may go wrong. A message doubled or out of order changes nothing. A message lost, or a rank that dies: rank 0
 * then makes the frontier alone, once one is known to be dead or nothing more comes for the patience.
 *
 * Rank 0 sorts and plays what it gets in about half of the time that it takes to make the frontier alone, so only
 * a very large frontier gains by it: docs/experiments, perft with a table.
 */
#pragma once
#include "perft/frontier.h"
#include "wire.h"

enum {
    DISTRIBUTED_FRONTIER_MOVES_MIN = 1000000, /* moves to be made below the base, from which on it is worth it */
    OWNERS_MOVE_BITS = 9,                     /* of an origin */
    OWNERS_PATH_BITS = 55, /* of a share; the root move has the other 9: 448 to the sixth power is less than 2^55 */
};

/* Messages of one sender, numbered from 0, of which the last says so. */
typedef struct {
    uint64_t *seen;
    size_t words, came, all; /* all: 0 until the last has come */
} OwnersInbox;

/* A ply: this rank's part of it. */
typedef struct {
    FrontierPly ply;
    uint64_t *origin; /* of each unit, the least */
    size_t origins;
    OwnersInbox *inbox; /* of each sender */
    unsigned complete;  /* senders of whom all has come */
} OwnersPly;

typedef struct {
    uint32_t sequence;
    size_t words;
    uint64_t word[TABIA_CLUSTER_BYTES_MAX / 8];
} OwnersDraft;

/* What rank 0 collects. */
typedef struct {
    bool *told; /* which ranks, how many they have */
    unsigned tellers;
    size_t units;        /* of all who told */
    size_t units_before; /* of the ply before */
    OwnersInbox *inbox;
    unsigned complete;
    uint64_t *word; /* records, one after the other */
    size_t words, room, records;
    double heard_at;
    bool failed; /* what was sent does not fit together */
} OwnersHarvest;

typedef enum { OWNERS_SEND, OWNERS_WAIT, OWNERS_TOLD, OWNERS_HARVEST, OWNERS_DONE } OwnersStage;

typedef struct {
    Frontier base;
    FrontierLimits limits;
    int plies; /* at most, below the base */
    OwnersStage stage;
    int at;            /* the ply that is made, counted from the base; at the harvest, the one that is sent */
    size_t next, past; /* parents, or units at the harvest */
    OwnersPly ply[FRONTIER_PLIES_MAX + 1];
    OwnersDraft *draft; /* for each rank */
    OwnersHarvest harvest;
} Owners;

struct DistributedPerft;

/* All ranks come to the same decision: r->owners is NULL where rank 0 is to make the frontier alone. */
bool owners_begin(struct DistributedPerft *r, FrontierLimits limits, Fault *fault);
/* A piece of work. False: there is none. */
bool owners_step(struct DistributedPerft *r);
void owners_end(struct DistributedPerft *r);

/* Messages. */
void owners_children(struct DistributedPerft *r, unsigned from, const void *bytes, size_t n);
void owners_next(struct DistributedPerft *r, const void *bytes, size_t n);
void owners_told(struct DistributedPerft *r, unsigned from, const void *bytes, size_t n);
void owners_harvested(struct DistributedPerft *r, unsigned from, const void *bytes, size_t n);

/* owners_harvest.c, rank 0: where all is there, fills r->state->frontier and says true. */
bool owners_gathered(struct DistributedPerft *r);
/* Is there no hope of it: nothing has come for the patience, or what came does not fit together? */
bool owners_late(const struct DistributedPerft *r);

/* Notes a message; false if it came before. */
bool owners_take(OwnersInbox *in, uint32_t sequence, bool last);
bool owners_has_all(const OwnersInbox *in);
