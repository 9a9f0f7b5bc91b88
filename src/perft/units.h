/* SPDX-License-Identifier: MIT */
/*
 * The units of a whole count: how many to make, in which order to count them, how their leaves add up, and the ledger
 * that remembers them. What threads of one process and ranks of many have in common.
 */
#pragma once
#include "ledger.h"
#include "run.h"

/* Enough units that nobody waits for another's last one, and that a killed run loses little. `workers`: all of them. */
FrontierLimits units_limits(const PerftJob *job, unsigned workers);

/* Sums the sizes of all units, once the frontier is there. */
void units_sum(PerftState *s);
/* Adds a finished unit to divide, nodes, units_done and work_done of *s. */
void units_add(PerftState *s, size_t unit, U128 leaves);
/* Adds the kinds of its leaves. */
void units_add_kinds(PerftState *s, size_t unit, const U128 kinds[KINDS]);
/* It will be added soon: its multiplicities are brought into the caches. */
void units_prefetch(const PerftState *s, size_t unit);

/*
 * Opens the job's ledger for the frontier in *s, and takes over what it holds: done[u] becomes true for each unit in
 * it, which is added as by units_add. leaves may be NULL, or gets what each unit counted. NULL with an error if the
 * ledger is refused.
 */
Ledger *units_open_ledger(const PerftJob *job, PerftState *s, bool *done, U128 *leaves, TabiaError *error);

/*
 * Sorts numbers of units by locality of their positions, so that what one stores in the table is still there when the next one probes: with a
 * table a tenth of the size of the tree, a tenth less is counted. False with an error when memory is out.
 */
bool units_order(const Frontier *f, uint32_t *todo, size_t n, TabiaError *error);

/* How much work a unit is, against others of its depth: its moves times those that the other side would have. Of the
   units of a perft it follows the leaves closely, for a tenth of a microsecond (docs/experiments). Never 0. */
uint32_t units_size(const Position *p);

/*
 * No more table than the work can fill: the system clears every page before its first use, and for a short count that
 * would take longer than the count. Half as much again as the positions down to the lowest merged ply take, if they go
 * on to grow as they did down to the frontier.
 */
uint64_t units_table_bytes(const PerftJob *job, const Frontier *f);
