/* SPDX-License-Identifier: MIT */
/*
 * Runs small programs of C11 in every way that its memory model allows, by views: a thread reads any message of a place that is
 * not older than what it has seen of it; a store may come before messages that its thread has not seen; release and acquire
 * carry views along (Kang, Hur, Lahav, Vafeiadis and Dreyer, "A promising semantics for relaxed-memory concurrency", 2017, without
 * promises: no load sees what is stored after it, as in RC11). Sequentially consistent accesses are a little stronger than
 * in C11: each is a fence and the access.
 *
 * What runs is the source itself. The compiler's thread sanitizer calls a function for each access; those are here, and the
 * sanitizer's own library is not linked. Plain accesses to watched memory must be ordered, or they are a race.
 *
 * A loop that waits ends with its first turn that has seen nothing new.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_THREADS = 4 };

typedef struct {
    const char *name;
    void (*begin)(void);                 /* before all threads, for each run anew */
    void (*thread[MODEL_THREADS])(void); /* up to the first NULL */
    void (*end)(void);                   /* after all threads */
    const void *watched;                 /* memory whose plain accesses must be ordered, or NULL */
    size_t watched_bytes;
} ModelProgram;

typedef struct {
    const char *fault;         /* NULL: none */
    unsigned long runs, whole; /* in a whole one all threads came to their end */
} ModelResult;

/* All runs, up to the first with a fault. `weak`: the number of an operation with an order, which is taken as relaxed or, a fence
   or a lock, left out. */
enum { MODEL_AS_IT_IS = -1, MODEL_UNNUMBERED = -2 };
ModelResult model_explore(const ModelProgram *program, int weak);

/* Operations with an order that were met so far, and the name of each. */
unsigned model_ordered(void);
const char *model_ordered_name(unsigned number);

/* ---- for the programs ---- */

/* Names a place in memory, for messages. */
void model_name(const void *place, const char *name);
void model_require(bool good, const char *what);
/* Each of 0 .. n-1, in runs of their own. */
unsigned model_choose(unsigned n);
/* A step of another kind, all of whose state is said at its end. With a name it may be one to leave out: then true. */
bool model_step(const void *site, const char *name);
void model_step_end(uint64_t result, const void *state, size_t bytes);
/* Which is running. */
unsigned model_thread(void);
/* Ends the run, of which no more is wanted. */
void model_leave(void);
/* Stores zeros that no release orders, before a fence of its own does. */
void model_stream_zero(void *to, size_t bytes);
void model_stream_fence(void);

/* The operations, as the sanitizer calls them; `order` by the numbers of memory_order. */
typedef enum {
    MODEL_LOAD,
    MODEL_STORE,
    MODEL_EXCHANGE,
    MODEL_ADD,
    MODEL_SUB,
    MODEL_COMPARE,
    MODEL_FENCE,
    MODEL_STREAM,
    MODEL_STREAM_FENCE,
    MODEL_STEP
} ModelKind;
typedef struct {
    ModelKind kind;
    int order;
    void *at;
    unsigned bytes;
    uint64_t value, expected;
    const void *site;
} ModelOperation;
uint64_t model_perform(ModelOperation operation);
void model_plain(const void *at, size_t bytes, bool writes);
