/* SPDX-License-Identifier: MIT */
#include "unit_table.h"

#include <assert.h>
#include <stdlib.h>

typedef enum { UNIT_WAITING, UNIT_ASSIGNED, UNIT_REQUEUED, UNIT_DONE } UnitStage;

struct UnitTable {
    size_t units;
    uint8_t *stage; /* UnitStage of each unit */
    uint32_t *rank; /* to which it is assigned */
    float *since;   /* seconds */
    U128 *leaves;
    uint32_t *requeued; /* a stack, each unit at most once */
    size_t requeued_n;
};

UnitTable *unit_table_create(size_t units, TabiaError *error) {
    UnitTable *t = calloc(1, sizeof *t);
    if (t) {
        t->units = units;
        t->stage = calloc(units + 1, sizeof *t->stage);
        t->rank = malloc((units + 1) * sizeof *t->rank);
        t->since = malloc((units + 1) * sizeof *t->since);
        t->leaves = calloc(units + 1, sizeof *t->leaves);
        t->requeued = malloc((units + 1) * sizeof *t->requeued);
        if (t->stage && t->rank && t->since && t->leaves && t->requeued) return t;
    }
    unit_table_destroy(t);
    tabia_fail(error, "not enough memory for %zu units of work", units);
    return NULL;
}

void unit_table_destroy(UnitTable *t) {
    if (!t) return;
    free(t->stage);
    free(t->rank);
    free(t->since);
    free(t->leaves);
    free(t->requeued);
    free(t);
}

Ledger *unit_table_open_ledger(UnitTable *t, const PerftJob *job, PerftState *state, TabiaError *error) {
    bool *done = calloc(t->units + 1, sizeof *done);
    if (!done) return tabia_fail(error, "not enough memory for %zu units of work", t->units), NULL;
    Ledger *ledger = units_open_ledger(job, state, done, t->leaves, error);
    for (size_t u = 0; ledger && u < t->units; u++)
        if (done[u]) t->stage[u] = UNIT_DONE;
    free(done);
    return ledger;
}

size_t unit_table_list_waiting(const UnitTable *t, uint32_t *list) {
    size_t n = 0;
    for (size_t u = 0; u < t->units; u++)
        if (t->stage[u] != UNIT_DONE) list[n++] = (uint32_t)u;
    return n;
}

void unit_table_assign(UnitTable *t, size_t unit, unsigned rank, double seconds) {
    assert(unit < t->units && t->stage[unit] != UNIT_ASSIGNED);
    if (t->stage[unit] == UNIT_DONE) return;
    t->stage[unit] = UNIT_ASSIGNED, t->rank[unit] = rank, t->since[unit] = (float)seconds;
}

UnitOutcome unit_table_finish(UnitTable *t, size_t unit, U128 leaves) {
    assert(unit < t->units);
    if (t->stage[unit] == UNIT_DONE) return t->leaves[unit] == leaves ? UNIT_REPEATED : UNIT_CONTRADICTED;
    t->stage[unit] = UNIT_DONE;
    t->leaves[unit] = leaves;
    return UNIT_COUNTED;
}

size_t unit_table_requeued(const UnitTable *t) {
    return t->requeued_n;
}

bool unit_table_pop_requeued(UnitTable *t, size_t *unit) {
    while (t->requeued_n) {
        *unit = t->requeued[--t->requeued_n];
        if (t->stage[*unit] == UNIT_DONE) continue;
        t->stage[*unit] = UNIT_WAITING;
        return true;
    }
    return false;
}

static void requeue(UnitTable *t, size_t unit) {
    assert(t->requeued_n < t->units);
    t->stage[unit] = UNIT_REQUEUED;
    t->requeued[t->requeued_n++] = (uint32_t)unit;
}

size_t unit_table_requeue_rank(UnitTable *t, unsigned rank) {
    const size_t before = t->requeued_n;
    for (size_t u = 0; u < t->units; u++)
        if (t->stage[u] == UNIT_ASSIGNED && t->rank[u] == rank) requeue(t, u);
    return t->requeued_n - before;
}

void unit_table_requeue_overdue(UnitTable *t, double seconds) {
    for (size_t u = 0; u < t->units; u++)
        if (t->stage[u] == UNIT_ASSIGNED && (double)t->since[u] < seconds) requeue(t, u);
}
