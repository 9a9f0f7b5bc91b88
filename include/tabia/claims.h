/* SPDX-License-Identifier: MIT */
/*
 * The record type of work in hand: who works on which key, at which depth, since when.
 *
 * Workers (threads, or processes that share a named table) claim a key before they work on it, and turn to another one
 * where the claim is taken. So the table tells a program when to go parallel: what nobody has claimed is work to begin,
 * and work that is claimed will be an entry in the table of results soon.
 *
 * Caveats first.
 * - A claim is a hint and no lock. Two workers that try at the same moment may both be told that the key is theirs, and
 *   a full bucket loses claims. Then work is done twice; no result may depend on it. With TABIA_LOCKED a try is atomic.
 * - A claim holds for a lease. A worker that is killed does not release its claims, and its lease ends; one that works
 *   longer than the lease tries again before it ends, which renews the claim.
 * - The table has no clock: `now` is the caller's. All workers of a table read the same monotonic clock in the same
 *   unit, CLOCK_MONOTONIC for the processes of a machine. Clocks of two machines cannot be compared: whoever receives
 *   claims of another machine stores them with the time of arrival on its own clock.
 *
 * Layout:
 *
 *     check   [ signature 62 bits | epochs 2 bits ] XOR hash(data)
 *     data    [ worker 16 | depth 8 | since 40 ]
 *
 * Times are kept modulo 2^40, 12 days in microseconds, and a claim holds where it was made less than one lease before or
 * after `now`: another worker may have read the clock a moment later. A lease is less than 2^39.
 *
 * Replacement. All slots of a bucket are compared. A key's own slot is used if there is one, else one that is free, whose
 * lease has ended or that strict generations have forgotten, else the claim of the least depth, of several the oldest: the
 * work that costs least to be done twice. Where all are deeper, the new claim is not stored, and is its worker's for all
 * that.
 *
 * The idea is the field of searching processors in the entries of ABDADA (Jean-Christophe Weill, "The ABDADA distributed
 * minimax search algorithm", ICCA Journal 19(1), 1996), in a table of its own as Tom Kerrigan has it ("Simplified
 * ABDADA", 2017); new are the worker, the time and the lease.
 *
 * Ownership: claims are copies, passed by value.
 * Threads: any number at any time.
 * Memory ordering: as table.h describes it, relaxed. A claim publishes no other memory.
 * Errors: none of these functions can fail. They need a table of claims, or NULL: then every key is free, and nothing is
 * stored.
 *
 * Example:
 *
 *     const uint16_t me = tabia_claim_worker(table);
 *     if (tabia_claim_try(table, key, depth, me, now, lease)) {
 *         work_on(key);
 *         tabia_claim_release(table, key, me);
 *     }
 */
#ifndef TABIA_CLAIMS_H
#define TABIA_CLAIMS_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A claim. All members are 0 where there is none. */
typedef struct TabiaClaim {
    /* When it was made or renewed, in the workers' unit, modulo 2^40. */
    uint64_t since;
    /* Who made it, 1 to 65535. 0: nobody, the key is free. */
    uint16_t worker;
    /* How deep the work is, 0 to 255. */
    uint8_t depth;
} TabiaClaim;

/*
 * Returns a number for a worker, 1 to 65535: another one at each call, in all processes that share a named table, until
 * all have been given and they begin anew. 1 without a table.
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     const uint16_t me = tabia_claim_worker(table);
 */
TABIA_API uint16_t tabia_claim_worker(TabiaTable *table);

/*
 * Claims a key for work of that depth. Returns true if it was free: the claim is now the worker's. Returns false, and
 * changes nothing, if another worker claims it at this depth or a greater one, and has done so for less than `lease`.
 *
 * A claim of the worker's own is renewed: it gets the new depth and the time now. A claim of another worker at a
 * smaller depth is taken over. depth is 0 to 255, more counts as 255; worker is what tabia_claim_worker() returned, and
 * for 0 nothing is stored.
 *
 * Errors: none.
 * Threads: any number at any time. Of two that try a key at the same moment at least one is told true.
 *
 * Example:
 *
 *     // lease = 2000000: two seconds, where now is in microseconds
 *     if (!tabia_claim_try(table, key, depth, 1, now, lease)) printf("another worker is at it\n");
 */
TABIA_API bool tabia_claim_try(TabiaTable *table, TabiaKey key, unsigned depth, uint16_t worker, uint64_t now,
                               uint64_t lease);

/*
 * Returns the claim of a key, at whatever depth; one of zeros if there is none or if it was made `lease` or longer ago.
 *
 * Errors: none.
 * Threads: any number at any time. What is returned was stored by one call, whole, but for TABIA_NONE.
 *
 * Example:
 *
 *     const TabiaClaim claim = tabia_claim_check(table, key, now, lease);
 *     if (claim.worker) printf("worker %d works on it to depth %d\n", claim.worker, claim.depth);
 */
TABIA_API TabiaClaim tabia_claim_check(const TabiaTable *table, TabiaKey key, uint64_t now, uint64_t lease);

/*
 * Releases a claim: the key is free. Nothing happens if the key is not claimed, or by another worker by now.
 *
 * Errors: none.
 * Threads: any number at any time. A claim that another worker stores into the same slot at this moment may be lost.
 *
 * Example:
 *
 *     tabia_claim_release(table, key, 1);
 */
TABIA_API void tabia_claim_release(TabiaTable *table, TabiaKey key, uint16_t worker);

#ifdef __cplusplus
}
#endif
#endif
