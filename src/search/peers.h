/* SPDX-License-Identifier: MIT */
/*
 * The interface to other processes that search the same root. Without them (peers NULL in the settings) a search does
 * not depend on this file.
 *
 *     store              a deep entry was stored: send it
 *     request            the table entry is not deep enough: request it; the reply, if any, is in the table at a later
 *                        probe, and nothing waits for it
 *     serve              called every few nodes: handle messages
 *     start_iteration    threads of all processes spread over the depths, as those of one process do:
 *                        remote_threads_on() is the number of the other processes' threads on an iteration. A thread that
 *                        has completed the last one is on the next, and the search ends
 *     finish             the search has ended: the results are merged and the best one is reported
 */
#pragma once
#include "game.h"
#include "score.h"
#include "tabia/entry.h"

typedef struct Search Search;

/* The result of a search. */
typedef struct {
    int depth, selective_depth, score;
    TabiaBound bound;
    unsigned pv_length;   /* 0: no legal move */
    Move pv[PLY_MAX + 1]; /* the first is the best move */
} SearchOutcome;

/* All may be called by any searching thread at any time, except for finish: by one thread, once a search. */
typedef struct SearchPeers {
    void *context;
    int store_depth;   /* of entries to be sent */
    int request_depth; /* of nodes to be requested */
    void (*store)(void *context, TabiaKey key, uint64_t path_key, TabiaEntry entry);
    void (*request)(void *context, TabiaKey key, int depth);
    void (*serve)(void *context, const Search *s, unsigned thread);
    void (*start_iteration)(void *context, unsigned thread, int iteration);
    unsigned (*remote_threads_on)(const void *context, int iteration);
    unsigned (*remote_threads)(const void *context); /* searching threads of the other processes */
    uint64_t (*nodes)(const void *context);          /* nodes of the other processes, as last reported */
    /* May replace *outcome by a better result of another process. timed: the time of the search is limited. */
    void (*finish)(void *context, const Search *s, bool timed, SearchOutcome *outcome);
} SearchPeers;
