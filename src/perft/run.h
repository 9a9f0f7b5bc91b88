/* SPDX-License-Identifier: MIT */
/*
 * A whole perft: the frontier is made, its units are shared out among threads, each finished unit is written to the
 * ledger, and the leaves are summed for each root move.
 */
#pragma once
#include "frontier.h"
#include "kernel.h"
#include "tabia/table.h"

typedef struct PerftState PerftState;

typedef struct {
    Position root;
    int depth;        /* 0 or more */
    bool mates;       /* only leaves that are mate are counted */
    bool kinds;       /* also counts the kinds of the last moves: without a table, merging if hash_bytes is not 0 */
    unsigned threads; /* 0: one for each core that may be used */
    const PerftKernel *kernel; /* NULL: the fastest */
    uint64_t hash_bytes;       /* 0: no table, and nothing is merged: every path is counted */
    bool private_tables;       /* each thread counts with its own, all of hash_bytes together; not with a name */
    TabiaOptions table;        /* how it is made; type, bytes, touch and identity are set by the run */
    uint64_t keys_seed;
    const char *ledger; /* a file's name, or NULL */
    /* Called some 25 times a second by the thread that called perft_run; true ends the run early. May be NULL. */
    bool (*watch)(void *context, const PerftState *state);
    void *context;
} PerftJob;

/* Where a run stands; what watch() sees, and what perft_run leaves behind. */
struct PerftState {
    const PerftJob *job;
    Frontier frontier;
    unsigned threads;
    size_t units_done, units_resumed;
    uint64_t work_done, work_total; /* of the units: their sizes (units_size), summed */
    uint64_t ledger_cut;            /* bytes that a damaged ledger lost */
    U128 nodes;                     /* of the units done */
    U128 nodes_resumed;             /* of these, what the ledger held */
    U128 kinds[KINDS];              /* of the same leaves, with job->kinds */
    U128 divide[MOVES_MAX];         /* the same for each root move, in the order of frontier.root_move */
    uint64_t probes, hits;          /* of the table */
    uint64_t leaves_counted;        /* with a table: not known from it, nor as a position of the frontier met again */
    uint64_t hash_bytes;            /* of the tables: the job's, or less when the work cannot fill it */
    uint64_t page_bytes;            /* of the table's memory, as really obtained */
    unsigned table_full;            /* per mille */
    double wall, cpu;               /* seconds so far */
    unsigned silent_rank;           /* on ranks: the one that is waited for, and */
    double silence;                 /* for how many seconds; 0: none */
    bool refused; /* with the error of perft_run: the job names a table that cannot be, or is another's */
    bool complete;
};

/*
 * Counts. False with a word in *error if that cannot be done (memory, ledger); a run that watch() ended is no error,
 * state->complete tells. *state need not be initialised; perft_state_free() it in any case.
 */
bool perft_run(const PerftJob *job, PerftState *state, TabiaError *error);
void perft_state_free(PerftState *state);

/* How perft_run would do a job. */
typedef struct {
    unsigned threads;
    int ply;               /* of the frontier, below the root */
    size_t units;          /* positions of the frontier, */
    U128 paths;            /* and the paths from the root to all of them */
    bool merges;           /* in the frontier: equal positions are one unit */
    uint64_t useful_bytes; /* more of a table the work cannot fill (units_table_bytes) */
    uint64_t table_bytes;  /* of the table; of all of them, if they are private */
} PerftPlan;

/* Makes the frontier, and counts nothing. False with an error when memory is out. */
bool perft_plan(const PerftJob *job, PerftPlan *plan, TabiaError *error);
