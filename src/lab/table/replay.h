/* SPDX-License-Identifier: MIT */
/*
 * Replaying a stream against a table, as a search works: ask; if the node is known, go on behind its subtree; else go
 * through its children, add up what they give, and store the sum.
 *
 *     units      the subtrees two plies below a root. Each thread has its own run of neighbours, as in perft, but keeps
 *                to it: who walks what must not depend on how busy the machine is. Roots and their children are not
 *                asked for: nobody could have stored them.
 *     counts     key and depth ask for a count. What comes back is what the replay goes on with, right or wrong, so a
 *                false hit spoils the total as it would in a real run.
 *     entries    the position asks; draft = depth, and score, evaluation and move together hold the count. A hit is of
 *                use when its draft is that depth and its path is right, as an exact entry of that depth would be.
 *
 * A stream that nobody changes and a table of any options: the caller's. With one thread, or with a
 * share for each, the result is always the same.
 */
#pragma once
#include <assert.h>
#include <math.h>

#include "stream.h"
#include "tabia/table.h"

typedef struct {
    uint64_t probes;
    uint64_t hits;    /* of use: their subtrees were skipped */
    uint64_t walked;  /* the other probes: nodes that were gone through */
    uint64_t known;   /* of the walked: the position was there, but at another depth or by another path */
    uint64_t refused; /* of these: the depth was right, the path was not */
    uint64_t wrong;   /* of the hits: the count is not that of the stream */
    uint64_t total;   /* leaves of all roots, as the table makes them */
} ReplayCounts;

/* Hits as a fraction of the probes; not a number without probes. */
static inline double replay_hit_share(const ReplayCounts *c) {
    assert(c->hits <= c->probes);
    return c->probes ? (double)c->hits / (double)c->probes : NAN;
}

typedef struct {
    unsigned threads;    /* 0: 1. Thread i uses partition i of the table */
    unsigned path_plies; /* entries: the path is made of the last so many positions before the node; 0: no path */
} ReplayOptions;

/*
 * Runs all perfts of the stream, a new generation of the table before each that begins one. *sum gets the sums over all
 * of them; by_run (may be NULL) those of each, room for stream->runs. False with an error if no thread starts or a stop
 * was requested; tabia_table_clear first for a replay from nothing.
 */
bool replay_run(const Stream *s, TabiaTable *table, const ReplayOptions *o, ReplayCounts *sum, ReplayCounts *by_run,
                TabiaError *error);
