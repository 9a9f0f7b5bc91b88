/* SPDX-License-Identifier: MIT */
/*
 * What a second thread is worth to the search, and by which scheme: the time to a fixed depth, the nodes that takes,
 * and nodes a second.
 *
 * One thread and each scheme with several are the contenders, and as a yardstick as many searches of one thread at once
 * that share nothing: what these lose, the machine takes, and no sharing could give it back. They take turns on each
 * position, so that what else the machine does meets them alike, and each begins with empty tables. The time ends when
 * the search has chosen its move.
 *
 * With n the ratio of nodes a second and m that of nodes, the depth is reached n / m times sooner. Both vary from run
 * to run, since threads race; and where a thread waits for its processor while others search on, m grows with the load.
 */
#pragma once
#include "base/error.h"
#include "search/search.h"

typedef enum { CONTENDER_ONE, CONTENDER_LAZY, CONTENDER_DEFERRAL, CONTENDER_APART, CONTENDERS } Contender;

typedef struct {
    Position *all;
    unsigned n;
} ThreadsPositions;

/* Fifty of our own. False with an error if there is no memory. */
bool threads_positions_own(ThreadsPositions *p, TabiaError *error);
/* One a line, FEN or EPD; blank lines and those that begin with '#' are passed over. A position without a legal move is
   an error. */
bool threads_positions_read(ThreadsPositions *p, const char *path, TabiaError *error);
void threads_positions_free(ThreadsPositions *p);

typedef struct {
    unsigned threads; /* at least 2 */
    unsigned rounds;
    int depth;
    uint64_t hash_bytes;
    const ThreadsPositions *positions;
    /* A few times a second, with the searches done; true ends the run. */
    bool (*watch)(void *context, unsigned done, unsigned all);
    void *context;
} ThreadsJob;

/* Sums over all searches of a contender; ratios are to one thread, above 1 where there is more of it. */
typedef struct {
    uint64_t nodes;
    double wall, cpu;   /* seconds; cpu of all threads together */
    double sooner;      /* times sooner at the depth: geometric mean over positions, each the median of its rounds */
    double least, most; /* of the positions */
    unsigned won;       /* positions where it was sooner */
    double sooner_sum;  /* of the sums */
    double speed;       /* nodes a second */
    double speed_cpu;   /* the same, if each thread had a processor for itself: by the processor time they had */
    double more_nodes, more_nodes_sum; /* geometric mean over positions, each its rounds' sum; of the sums */
} ThreadsFigures;

/* Called with all its searches having come to the depth: one that has not is an error. *stopped: watch() ended it,
   figures mean nothing. */
bool threads_measure(const ThreadsJob *job, ThreadsFigures figures[CONTENDERS], bool *stopped, TabiaError *error);
