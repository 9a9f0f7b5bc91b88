/* SPDX-License-Identifier: MIT */
/*
 * Does a table ever hand out what was not stored for the key? Threads, and processes, hammer a few lines that all keys
 * want, with payloads that name their key, and every probe that finds something checks what it was given.
 *
 *     writer 1   check A ... pause ...............  data A
 *     writer 2              check B, data B                      the slot now holds check B beside data A
 *     reader                             probe B: is it data B, whole?
 *
 * The pause between the stores of a writer makes rare mixtures frequent. The hot text is the library's own
 * (table/entry_inline.h and its like), compiled here with its hook for pauses filled in; a second way goes through the
 * library's calls, without pauses. The same run without protection must accept foreign payloads, or it proves nothing.
 */
#pragma once
#include "base/error.h"
#include "tabia/table.h"

/* What the data words look like: `random`, or `small`: bytes of 0 to 8, many of them equal, entries that differ in
   their moves only. Differences of small fields are what a plain XOR lets cancel. */
typedef enum { STRESS_RANDOM, STRESS_SMALL } StressPayload;

/* By which text the table is used. */
typedef enum {
    STRESS_PAUSED, /* the library's, with pauses between the stores */
    STRESS_CALLS,  /* the library's calls as everybody uses them */
    STRESS_PLAIN,  /* paused, and with XOR of the bare words: the form of 2002, for comparison */
    STRESS_NONE,   /* paused, and without a check: what the stress itself can do */
} StressWay;

/* One experiment. */
typedef struct {
    TabiaRecordType type;
    unsigned words; /* of a record; 1 for the other record types */
    StressPayload payload;
    StressWay way;
} StressCase;

/* Sums over all threads and processes. */
typedef struct {
    uint64_t probes, hits;
    uint64_t accepted; /* hits whose payload is not the key's, or not whole: what must not be */
    uint64_t stores;
    uint64_t looked;   /* slots looked into past the table's protection */
    uint64_t mixed;    /* of these: no single store wrote them */
    uint64_t believed; /* of the mixed ones: some key's probe would take them for its own */
    double seconds;
} StressResult;

enum { STRESS_KEYS_MAX = 64, STRESS_LINES_MAX = 64, STRESS_THREADS_MAX = 256, STRESS_PROCESSES_MAX = 64 };

typedef struct {
    unsigned threads, processes; /* threads of each process; several processes share named memory */
    unsigned lines, keys;        /* buckets, and the keys that want them; keys: a power of two */
    unsigned pause;              /* a pause is at most so many of the processor's pause instructions */
    uint64_t probes;             /* at least so many, of all threads together */
    uint64_t probes_max;         /* while nothing was accepted it continues up to so many */
    uint64_t seed;
    /* Asked some times a second by the calling thread, with what has been done so far in this process; true ends the
       run. May be NULL. */
    bool (*watch)(void *context, const StressResult *so_far);
    void *context;
} StressJob;

/* Runs one experiment. False with an error when a table, a thread or a process cannot be had. */
bool stress_run(const StressCase *what, const StressJob *job, StressResult *result, TabiaError *error);

/* ---- plans ---- */

/* Which of them: sets of bits, bit(TABIA_ENTRIES), bit(words), bit(STRESS_SMALL), bit(STRESS_PLAIN). */
typedef struct {
    unsigned types, words, payloads, ways;
} StressChoice;

enum { STRESS_CASES_MAX = 256 };

/* All cases of a choice, in order; their number. */
unsigned stress_plan(const StressChoice *choice, StressCase cases[STRESS_CASES_MAX]);

/* How many probes a case is to have where the fully paused and protected ones have `probes`: the calls and plain XOR a
   tenth; what has no check a hundredth, and more up to a generous end while nothing was accepted. Sets both
   numbers. */
void stress_amount(const StressCase *what, uint64_t probes, StressJob *job);

/* Is nothing to be accepted in this case? */
bool stress_is_protected(const StressCase *what);

/* Did the case show what it should: nothing accepted where it is protected, something without a check? Plain XOR may do
   as it likes. */
bool stress_as_should_be(const StressCase *what, const StressResult *result);
