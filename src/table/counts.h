/* SPDX-License-Identifier: MIT */
/*
 * The table of perft counts: (position, depth) -> number of leaves, shared by any number of threads without a lock.
 *
 *   bucket = one cache line:   | check count | check count | check count | check count |
 *
 * The key has 128 bits. One half, mixed with the depth and multiplied by the number of buckets, gives the bucket, so
 * that any size will do; the other half, mixed with the depth, is the signature. The depth is in both, because a
 * position asked for at many depths would otherwise have four slots for all of them, and lose one answer for every
 * other. What is stored as `check` is signature XOR count (Hyatt and Mann, "A lockless transposition table
 * implementation for parallel search", 2002): a reader that meets one writer's check beside another's count computes a
 * signature that is neither's, and takes it for another position's.
 *
 * Ordering: all accesses are relaxed. An entry is believed for what its two words say together, never for when they
 * were written, and nothing else is published through it.
 *
 * Replacement: all four slots are examined. The smallest count leaves, because it is the cheapest to count again
 * (Ankan Banerjee's perft_gpu, 2013). A count of 0 marks an empty slot; positions without leaves are not stored.
 */
#pragma once
#include <stdatomic.h>

#include "base/bits.h"
#include "base/fault.h"
#include "base/memory.h"

enum { COUNTS_SLOTS = 4 };

typedef struct {
    _Atomic uint64_t check, count;
} CountSlot;

typedef struct {
    CountSlot slot[COUNTS_SLOTS];
} __attribute__((aligned(64))) CountBucket;

typedef struct {
    CountBucket *bucket;
    uint64_t buckets;
    Memory memory;
} Counts;

/* Where a position and depth are kept, and how they are recognised. */
typedef struct {
    CountBucket *bucket;
    uint64_t signature;
} CountPlace;

/*
 * Makes a table of at most `bytes` (at least one bucket), all empty. On failure says why, and *counts is as before.
 * The memory is first touched by whoever first stores, or by tabia_memory_touch(&counts->memory, ...).
 */
bool tabia_counts_create(Counts *counts, uint64_t bytes, Fault *fault);
/* Gives the memory back. Fine for a table that was all zero bytes. */
void tabia_counts_destroy(Counts *counts);
/* How many slots in a thousand are in use, from a sample of the first thousand buckets. */
unsigned tabia_counts_full(const Counts *counts);

INLINE CountPlace tabia_counts_place(const Counts *counts, uint64_t index_half, uint64_t check_half, int depth) {
    const uint64_t mixed_depth = (uint64_t)depth * 0x9e3779b97f4a7c15ull;
    const uint64_t at = (uint64_t)((unsigned __int128)(index_half + mixed_depth) * counts->buckets >> 64);
    return (CountPlace){counts->bucket + at, check_half ^ mixed_depth};
}

INLINE void tabia_counts_prefetch(CountPlace place) {
    __builtin_prefetch(place.bucket);
}

/* The count stored there, or 0. */
INLINE uint64_t tabia_counts_probe(CountPlace place) {
    for (int i = 0; i < COUNTS_SLOTS; i++) {
        const uint64_t count = atomic_load_explicit(&place.bucket->slot[i].count, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(&place.bucket->slot[i].check, memory_order_relaxed);
        if ((check ^ count) == place.signature && count) return count;
    }
    return 0;
}

/* Stores a count that a probe did not find. */
INLINE void tabia_counts_store(CountPlace place, uint64_t count) {
    CountSlot *least = place.bucket->slot;
    uint64_t least_count = atomic_load_explicit(&least->count, memory_order_relaxed);
    for (int i = 1; i < COUNTS_SLOTS; i++) {
        CountSlot *slot = place.bucket->slot + i;
        const uint64_t other = atomic_load_explicit(&slot->count, memory_order_relaxed);
        if (other < least_count) least = slot, least_count = other;
    }
    atomic_store_explicit(&least->check, place.signature ^ count, memory_order_relaxed);
    atomic_store_explicit(&least->count, count, memory_order_relaxed);
}
