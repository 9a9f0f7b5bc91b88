/* SPDX-License-Identifier: MIT */
/*
 * The speedup of the search by threads, for each SMP mode: time to a fixed depth, nodes to that depth, and nodes a
 * second.
 *
 * The variants are one thread, each mode with several threads, and as a reference as many independent searches of one
 * thread at once: what these lose is the machine's contention, which no mode can avoid. The variants alternate on each
 * position, so that other load affects them alike, and each starts with empty tables. The time ends when the last thread
 * has.
 *
 * With n the ratio of nodes a second and m that of nodes, the speedup is n / m. Both vary from run to run, since
 * threads race; where a thread waits for its processor while others search, m grows with the load.
 */
#pragma once
#include "base/error.h"
#include "search/search.h"

typedef enum {
    SMP_VARIANT_SINGLE,
    SMP_VARIANT_MODE, /* and SMP_MODES of them, in their order */
    SMP_VARIANT_INDEPENDENT = SMP_VARIANT_MODE + SMP_MODES,
    SMP_VARIANTS
} SmpVariant;

/* FEN of fifty positions of our own. */
enum { SMP_POSITIONS = 50 };
extern const char *const smp_positions[SMP_POSITIONS];

typedef struct {
    unsigned threads; /* at least 2 */
    unsigned rounds;
    int depth;
    uint64_t hash_bytes;
    const char *const *positions; /* FEN, each with a legal move */
    unsigned positions_n;
    /* After each variant of a position, with the number of completed ones; true ends the run. A request to stop
       (base/stop.h) ends the searches that run. */
    bool (*on_progress)(void *context, unsigned done, unsigned all);
    void *context;
} SmpRequest;

/* Sums over all searches of a variant; ratios are to one thread. */
typedef struct {
    const char *variant; /* as it is printed */
    uint64_t nodes;
    double wall, cpu;          /* seconds; cpu of all threads together */
    double speedup;            /* geometric mean over positions of the median of the rounds */
    double min, max;           /* of the positions */
    unsigned faster_positions; /* positions with a speedup above 1 */
    double speedup_of_sums;    /* of the sums */
    double nps_ratio;          /* nodes a second */
    double nps_cpu_ratio;      /* the same, if each thread had a processor for itself: by the processor time they had */
    double nodes_ratio, nodes_ratio_of_sums; /* geometric mean over positions, each its rounds' sum; of the sums */
} SmpResult;

/*
 * Measures all variants. All searches must reach the depth: one that does not is an error. *stopped: on_progress()
 * ended it, results are undefined.
 */
bool smp_measure(const SmpRequest *request, SmpResult results[SMP_VARIANTS], bool *stopped, TabiaError *error);
