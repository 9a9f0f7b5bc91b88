/* SPDX-License-Identifier: MIT */
#include "scheduler.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "perft/work_queue.h"

typedef enum { UNIT_WAITING, UNIT_ASSIGNED, UNIT_REQUEUED, UNIT_DONE } UnitStage;

struct Scheduler {
    const Frontier *f;
    uint8_t *stage;     /* UnitStage of each unit, as the next three */
    uint32_t *assignee; /* rank */
    float *since;       /* seconds */
    U128 *leaves;
    uint32_t *requeued; /* a stack, each unit at most once */
    size_t requeued_n;
    uint32_t *unit; /* those that were not done at first, in order */
    size_t n, assigned;
    WorkRange *range; /* of these, for each rank; NULL: they go out from the first on */
    unsigned ranks;
};

/* ---- creation ---- */

Scheduler *scheduler_create(const Frontier *f, TabiaError *error) {
    const size_t units = f->units.n;
    Scheduler *s = calloc(1, sizeof *s);
    if (s) {
        s->f = f;
        s->stage = calloc(units + 1, sizeof *s->stage);
        s->assignee = malloc((units + 1) * sizeof *s->assignee);
        s->since = malloc((units + 1) * sizeof *s->since);
        s->leaves = calloc(units + 1, sizeof *s->leaves);
        s->requeued = malloc((units + 1) * sizeof *s->requeued);
        s->unit = malloc((units + 1) * sizeof *s->unit);
        if (s->stage && s->assignee && s->since && s->leaves && s->requeued && s->unit) return s;
    }
    scheduler_destroy(s);
    return tabia_fail(error, "not enough memory for %zu units of work", units), NULL;
}

void scheduler_destroy(Scheduler *s) {
    if (!s) return;
    free(s->stage);
    free(s->assignee);
    free(s->since);
    free(s->leaves);
    free(s->requeued);
    free(s->unit);
    free(s->range);
    free(s);
}

Ledger *scheduler_open_ledger(Scheduler *s, const PerftJob *job, PerftState *state, TabiaError *error) {
    const size_t units = s->f->units.n;
    bool *done = calloc(units + 1, sizeof *done);
    if (!done) return tabia_fail(error, "not enough memory for %zu units of work", units), NULL;
    Ledger *ledger = units_open_ledger(job, state, done, s->leaves, error);
    for (size_t u = 0; ledger && u < units; u++)
        if (done[u]) s->stage[u] = UNIT_DONE;
    free(done);
    return ledger;
}

/* ---- order ---- */

typedef struct {
    uint32_t size, unit;
} SizedUnit;

/* The larger first. */
static int compare_size(const void *left, const void *right) {
    const SizedUnit *a = left, *b = right;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static bool sort_by_size(Scheduler *s, TabiaError *error) {
    SizedUnit *sized = malloc((s->n + 1) * sizeof *sized);
    if (!sized) return tabia_fail(error, "not enough memory for %zu units of work", s->n);
    for (size_t i = 0; i < s->n; i++) sized[i] = (SizedUnit){units_size(&s->f->units.position[s->unit[i]]), s->unit[i]};
    qsort(sized, s->n, sizeof *sized, compare_size);
    for (size_t i = 0; i < s->n; i++) s->unit[i] = sized[i].unit;
    free(sized);
    return true;
}

/* A counting sort by owner, which keeps the order within each. begin: ranks + 1 zeros. */
static void sort_by_owner(const Scheduler *s, const uint16_t *owner, size_t *begin, const uint32_t *from) {
    for (size_t i = 0; i < s->n; i++) begin[owner[i] + 1]++;
    for (unsigned rank = 0; rank < s->ranks; rank++) {
        work_range_set(s->range + rank, begin[rank], begin[rank] + begin[rank + 1]);
        begin[rank + 1] += begin[rank];
    }
    for (size_t i = 0; i < s->n; i++) s->unit[begin[owner[i]]++] = from[i];
}

static bool split_by_owner(Scheduler *s, const SchedulerOptions *options, TabiaError *error) {
    size_t *begin = calloc(s->ranks + 1, sizeof *begin);
    uint32_t *unit = malloc((s->n + 1) * sizeof *unit);
    uint16_t *owner = malloc((s->n + 1) * sizeof *owner);
    const bool good = (begin && unit && owner) || tabia_fail(error, "not enough memory for %zu units of work", s->n);
    for (size_t i = 0; good && i < s->n; i++) {
        unit[i] = s->unit[i];
        owner[i] = (uint16_t)partition_majority_owner(options->map, &s->f->units.position[unit[i]], options->plies);
        assert(owner[i] < s->ranks);
    }
    if (good) sort_by_owner(s, owner, begin, unit);
    free(begin);
    free(unit);
    free(owner);
    return good;
}

bool scheduler_order(Scheduler *s, const SchedulerOptions *options, TabiaError *error) {
    assert(!s->n && !s->range);
    s->ranks = options->ranks;
    for (size_t u = 0; u < s->f->units.n; u++)
        if (s->stage[u] != UNIT_DONE) s->unit[s->n++] = (uint32_t)u;
    if (!options->merged) return sort_by_size(s, error);
    s->range = aligned_alloc(64, s->ranks * sizeof *s->range);
    if (!s->range) return tabia_fail(error, "not enough memory for %zu units of work", s->n);
    if (!units_order(s->f, s->unit, s->n, error)) return false;
    if (options->map) return split_by_owner(s, options, error);
    work_ranges_divide(s->range, s->ranks, s->n);
    return true;
}

/* ---- assigning ---- */

static int64_t pop_requeued(Scheduler *s) {
    while (s->requeued_n) {
        const uint32_t unit = s->requeued[--s->requeued_n];
        if (s->stage[unit] == UNIT_REQUEUED) return unit;
    }
    return -1;
}

static int64_t pop_ordered(Scheduler *s, unsigned rank) {
    enum { AHEAD = 8 }; /* units that are prefetched, mostly of the same rank */
    if (s->assigned == s->n) return -1;
    const size_t next = s->range ? (size_t)work_ranges_pop(s->range, s->ranks, rank) : s->assigned;
    assert(next < s->n);
    s->assigned++;
    if (next + AHEAD < s->n) frontier_prefetch(s->f, s->unit[next + AHEAD]);
    return s->unit[next];
}

int64_t scheduler_next(Scheduler *s, unsigned rank, double seconds) {
    assert(rank < s->ranks && s->assigned <= s->n);
    int64_t unit = pop_requeued(s);
    if (unit < 0) unit = pop_ordered(s, rank);
    if (unit < 0) return -1;
    assert(s->stage[unit] != UNIT_ASSIGNED);
    if (s->stage[unit] == UNIT_DONE) return unit; /* counted once more */
    s->stage[unit] = UNIT_ASSIGNED, s->assignee[unit] = rank, s->since[unit] = (float)seconds;
    return unit;
}

size_t scheduler_remaining(const Scheduler *s) {
    return s->n - s->assigned + s->requeued_n;
}

UnitOutcome scheduler_finish(Scheduler *s, size_t unit, U128 leaves) {
    assert(unit < s->f->units.n);
    if (s->stage[unit] == UNIT_DONE) return s->leaves[unit] == leaves ? UNIT_REPEATED : UNIT_CONTRADICTED;
    s->stage[unit] = UNIT_DONE;
    s->leaves[unit] = leaves;
    return UNIT_COUNTED;
}

/* ---- requeueing ---- */

static void requeue(Scheduler *s, size_t unit) {
    assert(s->requeued_n < s->f->units.n);
    s->stage[unit] = UNIT_REQUEUED;
    s->requeued[s->requeued_n++] = (uint32_t)unit;
}

size_t scheduler_requeue_rank(Scheduler *s, unsigned rank) {
    const size_t before = s->requeued_n;
    for (size_t u = 0; u < s->f->units.n; u++)
        if (s->stage[u] == UNIT_ASSIGNED && s->assignee[u] == rank) requeue(s, u);
    return s->requeued_n - before;
}

void scheduler_requeue_overdue(Scheduler *s, double seconds) {
    for (size_t u = 0; u < s->f->units.n; u++)
        if (s->stage[u] == UNIT_ASSIGNED && (double)s->since[u] < seconds) requeue(s, u);
}
