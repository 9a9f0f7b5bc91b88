/* SPDX-License-Identifier: MIT */
/*
 * A stream: the keys of real perfts in the order in which they are asked for, so that tables of any shape can be tried
 * on exactly the same work, again and again.
 *
 *     record   | key 16 | leaves 8 | size 4 | depth 1 | 0 0 0 |     32 bytes, one for each node of the tree
 *
 *     run 0                          run 1
 *     | a   b   c   d   b   e | ...  | ...        in pre-order: `size` records, this one first, are a node's subtree
 *       6   3   1   1   2   1                     a replay that hits `b` goes on `size` records later
 *
 * A tree reaches down to the lowest depth that perft asks its table for, 2 plies before the leaves, or to a higher
 * floor, which makes it smaller by a factor of 30 or so a ply. Nodes that are met several times are recorded several
 * times: what a table forgets, it meets again.
 *
 * Several perfts may follow each other, as in a game; a generation belongs to each. Threads may share a stream that
 * nobody changes.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "rules/zobrist.h"

typedef struct {
    uint64_t key[2]; /* index, check */
    uint64_t leaves;
    uint32_t size; /* records of the subtree, this one included */
    uint8_t depth; /* plies from here to the leaves */
    uint8_t zero[3];
} StreamRecord;

/* One perft: records first .. first + records - 1. */
typedef struct {
    uint64_t first, records;
    uint32_t depth, generation;
} StreamRun;

enum { STREAM_TEXT_MAX = 256, STREAM_FLOOR_LEAST = 2, STREAM_DEPTH_MAX = 20 };

typedef struct {
    StreamRecord *record;
    StreamRun *run;
    uint64_t records;
    uint32_t runs, floor;
    char text[STREAM_TEXT_MAX]; /* of what: for people */
} Stream;

typedef struct {
    Position root;
    const Move *game; /* played one by one, a new generation after each; NULL: none */
    unsigned plies;   /* of the game */
    int depth;        /* more than floor, at most STREAM_DEPTH_MAX */
    int floor;        /* 0: STREAM_FLOOR_LEAST */
    bool deepen;      /* each position with all depths from floor + 1 on, as a search that deepens step by step */
    unsigned threads; /* 0: one for each processor that may be used */
    uint64_t keys_seed;
    const char *text; /* for Stream.text; longer ones are cut */
    /* Called by the calling thread some times a second: records made so far, and the share done of the present run's
       root moves. May be NULL. */
    void (*progress)(void *context, uint64_t records, double share);
    void *context;
} StreamJob;

/*
 * Records. False with an error if memory is short or a number too large, or when a stop was requested (base/stop.h);
 * then nothing is kept. The same job gives the same stream whatever the threads. stream_free() what was made.
 */
bool stream_make(Stream *s, const StreamJob *job, TabiaError *error);

/* Writes a file, whole or not at all: until it is whole, what was there before stays. */
bool stream_write(const Stream *s, const char *path, TabiaError *error);

/* Reads one. Everything is checked first, sums and the shape of the trees: a damaged file is refused with its place. */
bool stream_read(Stream *s, const char *path, TabiaError *error);

void stream_free(Stream *s);
