/* SPDX-License-Identifier: MIT */
/*
 * ABDADA: a worker defers a move that another worker searches until its other moves are done (Jean-Christophe Weill, "The
 * ABDADA distributed minimax search algorithm", 1996; with a table of its own: Tom Kerrigan, "Simplified ABDADA", 2017).
 *
 * The moves being searched are claims (tabia/claims.h): of the threads of a search, and by a name of all processes that
 * share its transposition table. They have a table of their own. A claim lives as long as a move is searched, most often
 * for less than a millisecond: in the transposition table each would push out an entry that is of use for minutes, and
 * be pushed out itself.
 *
 * Claims are hints and never needed for correctness. One whose worker was killed ends with its lease; a worker that
 * searches a move for longer renews the claims of its stack.
 */
#pragma once
#include <assert.h>

#include "search.h"

enum {
    ABDADA_DEPTH = 4,        /* the least depth of a node whose moves are claimed and deferred */
    CLAIMS_BYTES = 1 << 20,  /* 65,536 claims; each worker has one for each ply of its stack at most */
    CLAIM_LEASE = 2000000,   /* microseconds */
    CLAIM_RENEWALS = 4,      /* in a lease */
    CLAIMS_SUFFIX_BYTES = 8, /* ".claims" */
};

/* The key of a move: both words tell moves apart. */
INLINE TabiaKey claim_key(Key key, Move m) {
    assert(m);
    const TabiaKey node = game_table_key(key);
    const uint64_t mixed = (uint64_t)m * 0x9e3779b97f4a7c15ull;
    return (TabiaKey){node.index ^ mixed, node.check + mixed};
}

typedef struct Worker Worker;
typedef struct StackFrame StackFrame;

/*
 * Makes the table of claims that the settings want, or none, and numbers the workers in it. A search has one under ABDADA (and
 * SMP_BOTH) where there are several workers: threads, or processes that share a named table; theirs is NAME.claims. That of
 * peers (peers.h) is used where they have one.
 */
bool claims_configure(Search *s, const SearchSettings *settings, TabiaError *error);
/* The peers' table stays theirs. */
void claims_destroy(Search *s);
/* A number that no other worker of the table has. */
uint16_t claim_worker_number(const Search *s, unsigned thread);

/* Microseconds of a clock that all processes of this machine share. */
uint64_t claim_now(void);

/* Does another worker search the move? */
bool claim_is_taken(const Worker *w, const StackFrame *f, Move m);

/* Claims the move that is about to be searched from *f, unless another worker has; renews those of the plies before when
   that is due. */
void claim_move(Worker *w, StackFrame *f, Move m, int depth);

/* Releases it. */
void claim_release(Worker *w, StackFrame *f);
