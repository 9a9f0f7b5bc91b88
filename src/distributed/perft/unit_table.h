/* SPDX-License-Identifier: MIT */
/*
 * Where each unit of the count is: waiting, assigned to a rank, or done. Units whose rank died, or whose result is
 * overdue, are requeued: they go out again before all others.
 *
 *     waiting --assign--> assigned --finish--> done
 *        ^                   |
 *        +---- requeue ------+          a late result of a unit that was requeued is welcome, and must be the same
 *
 * Of one thread, that of rank 0.
 */
#pragma once
#include "perft/units.h"

typedef struct UnitTable UnitTable;

typedef enum { UNIT_COUNTED, UNIT_REPEATED, UNIT_CONTRADICTED } UnitOutcome;

/* NULL with an error when memory is out. */
UnitTable *unit_table_create(size_t units, TabiaError *error);
void unit_table_destroy(UnitTable *t);

/* Opens the job's ledger for the frontier in *state; what it holds is done. NULL with an error. */
Ledger *unit_table_open_ledger(UnitTable *t, const PerftJob *job, PerftState *state, TabiaError *error);

/* Lists the units that are not done, in the order of their numbers; list has room for all. How many they are. */
size_t unit_table_list_waiting(const UnitTable *t, uint32_t *list);

/* A unit that is done stays so. */
void unit_table_assign(UnitTable *t, size_t unit, unsigned rank, double seconds);

/* A result: new; the same as before; or another than before (then the old one stays). */
UnitOutcome unit_table_finish(UnitTable *t, size_t unit, U128 leaves);

/* Units that may still be taken by pop_requeued(): some may be done meanwhile. */
size_t unit_table_requeued(const UnitTable *t);
/* Takes a unit that is to go out again. False: there is none. */
bool unit_table_pop_requeued(UnitTable *t, size_t *unit);

/* Requeues the units assigned to a rank. How many they are. */
size_t unit_table_requeue_rank(UnitTable *t, unsigned rank);
/* Requeues the units assigned before that time. */
void unit_table_requeue_overdue(UnitTable *t, double seconds);
