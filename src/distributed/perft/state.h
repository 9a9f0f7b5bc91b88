/* SPDX-License-Identifier: MIT */
/* A rank's part of a perft from inside (ranks.h is the outside). All of it is the first thread's, but for the crew. */
#pragma once
#include "batches.h"
#include "distributed_frontier.h"
#include "partition.h"
#include "worker_pool.h"

typedef enum { PHASE_GREETING, PHASE_COUNTING, PHASE_PARTING, PHASE_OVER } Phase;

/* A message that found no room, kept until it does. */
typedef struct Post {
    struct Post *next;
    unsigned to, kind;
    size_t n;
    uint64_t word[];
} Post;

/* The units that wait here, and what goes back to rank 0. */
typedef struct {
    WireUnit *unit; /* a ring */
    size_t first, n, room;
    int depth;
    bool wanting;
    double wanted_at;
    WireResult done[WIRE_RESULTS_MAX];
    unsigned dones;
    uint64_t finished; /* by this rank */
    double reported_at;
} Stock;

typedef struct Coordinator Coordinator;

struct DistributedPerft {
    DistributedPerftJob job;
    PerftState *state;
    unsigned rank, ranks;
    TabiaTable *table; /* where nothing is merged, unused */
    TabiaCluster *cluster;
    Zobrist zobrist;
    const PerftKernel *kernel;
    atomic_bool stop;
    WorkerPool crew;
    uint64_t probes, hits; /* of the table, by what was collected from the crew */
    bool merges;           /* there is a table: units are expanded, and not counted whole */
    Phase phase;
    bool failed, orderly, asked_to_stop, asked_to_part, bye;
    Fault fault;
    bool idle;        /* the last step found no work */
    double now;       /* at the beginning of this step */
    double worked_at; /* when the last work began */
    unsigned pace;    /* how many pieces of work are done at a time */
    double wall_began, cpu_began, heard_of_zero, parting_at, taken_back_at;
    PartitionMap homes;
    bool has_homes;
    Stock stock;
    Group group[UNIT_GROUPS];
    Bits used[UNIT_GROUPS / 64];   /* groups that are not free */
    Bits lively[UNIT_GROUPS / 64]; /* those of them that may take a step; the others, most, wait for answers */
    Families families;
    Post *post, **post_end;
    DistributedPerftStats tally;
    Owners *owners;           /* while the frontier is made */
    Coordinator *coordinator; /* on rank 0 */
};

double ranks_now(const DistributedPerft *r);

/* Fails the run: what is going on ends with *fault. */
void ranks_fail(DistributedPerft *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends, now or as soon as there is room. */
void ranks_post(DistributedPerft *r, unsigned to, WireKind kind, const void *bytes, size_t n);

/* family.c */
/* The draft of a letter to a home with room for one more family; NULL when there is none just now. */
Letter *letter_for(DistributedPerft *r, unsigned home, int depth);
/* Where the moves of its next family are written, before letter_add(). */
INLINE Move *letter_next_moves(Letter *l) {
    return l->message.move + (l->words * sizeof(uint64_t) + sizeof(WireSiblings)) / sizeof(Move);
}
void letter_add(Letter *l, FamilyOf of, const Position *p, Key key, unsigned moves);
void families_send_drafts(DistributedPerft *r);
void families_answered(DistributedPerft *r, unsigned from, const void *bytes, size_t n);
void families_take_back(DistributedPerft *r);

/* family_send.c */
/* Sends a position of a group's floor to its children's homes, and lays out those whose home is here, for which the
   crew must have room. False, and nothing is done, if a letter is missing. */
bool families_send(DistributedPerft *r, Group *g, size_t position);

/* family_home.c */
/* A letter to be counted here. False: there was no memory for it; it will be taken back. */
bool families_received(DistributedPerft *r, unsigned from, const void *bytes, size_t n);
/* Lays out a family of the oldest letter. False: there is none. The crew must have room. */
bool families_work(DistributedPerft *r);
/* The sum of a family, of a floor here or of a letter. */
void sibling_sets_served(DistributedPerft *r, const WorkItem *e);

/* worker.c */
/* Reports, and asks for units, where it is time. */
void worker_care(DistributedPerft *r);
/* Lays out up to so many positions and families, and counts; false: there was nothing to do. */
bool worker_step(DistributedPerft *r, unsigned pieces);
/* Of a family of the group there is an answer: is it the last? */
void worker_answered(DistributedPerft *r, Group *g);
void worker_homes(DistributedPerft *r, const void *bytes, size_t n);
void worker_units(DistributedPerft *r, const void *bytes, size_t n);
DistributedPerftStats worker_tally(const DistributedPerft *r);

/* coordinator.c */
bool coordinator_begin(DistributedPerft *r, FrontierLimits limits, Fault *fault);
void coordinator_step(DistributedPerft *r);
void coordinator_wanted(DistributedPerft *r, unsigned from, bool homes_too);
void coordinator_done(DistributedPerft *r, unsigned from, const void *bytes, size_t n);
void coordinator_stop(DistributedPerft *r);
void coordinator_parted(DistributedPerft *r, unsigned from, const void *bytes, size_t n);
bool coordinator_end(DistributedPerft *r, Fault *fault);
