/* SPDX-License-Identifier: MIT */
/*
 * How a clear takes nanoseconds and leaves nothing behind: the memory is zeroed a segment at a time, when the first
 * store after the clear comes to it.
 *
 *     | segment 0 | segment 1 | segment 2 | ...   4 KiB of buckets each
 *          17          17          16             the clear that each was last zeroed for, one byte a segment
 *                                                 generations->clears is 17: segment 2 is stale
 *
 * Probes do not look at this: after a clear, what was stored before has signatures of another epoch and matches nothing.
 * Whoever is about to write a slot, or asks what a bucket holds, must. So a bucket that is stored into has slots of the
 * present only, and nothing of before a clear has a say in what is replaced.
 *
 * The clears are numbered 1 to 255, and 1 again. Before that all segments get mark 0, so that none can seem to be zeroed
 * for a clear of long ago. Until the first clear the number is 0: no segment is stale, and no mark is read, which no
 * prefetch has fetched (docs/experiments/2026-11-27-perft-on-two-threads.md).
 *
 * Threads. The mark is set after the zeroing, so that a process that is killed meanwhile leaves a stale segment, not
 * one half zeroed. Two that come to the same stale segment both zero it, until the first has set the mark: what one of
 * them has stored by then may be lost, as anything in a table may. All is relaxed: who sees the mark before the zeros
 * loses a store, or replaces by what was there before.
 */
#pragma once
#include "table_internal.h"

enum { SEGMENT_BYTES = 4096, CLEARS = 255, SEGMENT_STALE = 0 };

INLINE uint64_t segments_of(const TabiaTable *t) {
    return (table_bytes(t) + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
}

INLINE uint64_t segment_number(const TabiaTable *t, const Word *bucket) {
    const uint64_t number = (uint64_t)((const char *)bucket - t->base) / SEGMENT_BYTES;
    assert(t->segment && number < segments_of(t));
    return number;
}

/* Was nothing stored here since the last clear? */
INLINE bool segment_stale(const TabiaTable *t, const Word *bucket) {
    const uint64_t now = load_relaxed(&t->generations->clears);
    return now != 0 && atomic_load_explicit(&t->segment[segment_number(t, bucket)], memory_order_relaxed) != now;
}

/* Zeroes the segment of a bucket that is about to be written. Its other buckets are zeroed past the caches where the
   processor can: it need not read them first, and of the caches it gives up nothing for them. */
void tabia_segment_zero(const TabiaTable *t, const Word *wanted);

/* Before anything is written into a bucket, and before its lock is taken. */
INLINE void segment_prepare(const TabiaTable *t, const Word *bucket) {
    if (UNLIKELY(segment_stale(t, bucket))) tabia_segment_zero(t, bucket);
}

/* All segments become stale. */
void tabia_segments_clear(const TabiaTable *t);

/* All memory is known to be zeros: no segment is stale. */
void tabia_segments_zeroed(const TabiaTable *t);
