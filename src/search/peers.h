/* SPDX-License-Identifier: MIT */
/*
 * Other processes that search the same root: all that a search knows of them. Where there are none (peers NULL in the
 * settings) a search is what it is without this file.
 *
 *     a deep entry is stored          store       so that others can have it
 *     the table does not know enough  ask         an answer, if any, is in the table at a later look: nothing waits
 *     every few nodes                 serve       the thread looks for messages
 *     an iteration begins             begin       so that threads of all processes spread over the depths, as those of
 *                                                 one do: others_on() says how many of the others are on it
 *     the search has ended            conclude    the answers meet; the best one is said
 */
#pragma once
#include "game.h"
#include "score.h"
#include "tabia/entry.h"

typedef struct Search Search;
typedef enum { BOUND_IS_EXACT, BOUND_IS_LOWER, BOUND_IS_UPPER } LineBound;

/* What a search came to. */
typedef struct {
    int depth, selective_depth, score;
    LineBound bound;
    unsigned line_n;        /* 0: no legal move */
    Move line[PLY_MAX + 1]; /* the first is the move */
} SearchOutcome;

/* All may be called by any searching thread at any time, but for conclude: by one thread, once a search. */
typedef struct SearchPeers {
    void *context;
    _Atomic int store_depth; /* of entries that others want; may change at any time */
    int ask_depth;           /* of nodes that are worth a question */
    void (*store)(void *context, TabiaKey key, uint64_t path, TabiaEntry entry, int depth);
    void (*ask)(void *context, TabiaKey key, int depth);
    void (*serve)(void *context, const Search *s, unsigned thread);
    void (*begin)(void *context, unsigned thread, int iteration);
    unsigned (*others_on)(const void *context, int iteration);
    unsigned (*others)(const void *context); /* threads elsewhere that search with us */
    uint64_t (*nodes)(const void *context);  /* of the others, as far as known */
    /* May put a better answer of another process into *outcome. hurry: a clock is running. */
    void (*conclude)(void *context, const Search *s, bool hurry, SearchOutcome *outcome);
} SearchPeers;
