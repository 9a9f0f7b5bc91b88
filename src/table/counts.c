/* SPDX-License-Identifier: MIT */
#include "counts.h"

bool tabia_counts_create(Counts *counts, uint64_t bytes, Fault *fault) {
    Counts made = {.buckets = bytes / sizeof(CountBucket)};
    if (!made.buckets)
        return tabia_fault(fault, "a table of %ju bytes holds nothing; the least is %zu", (uintmax_t)bytes,
                           sizeof(CountBucket));
    if (!tabia_memory_get(&made.memory, made.buckets * sizeof(CountBucket), fault)) return false;
    made.bucket = made.memory.at;
    *counts = made;
    return true;
}

void tabia_counts_destroy(Counts *counts) {
    if (counts->bucket) tabia_memory_free(&counts->memory);
    *counts = (Counts){0};
}

unsigned tabia_counts_full(const Counts *counts) {
    enum { SAMPLE = 1000 };
    const uint64_t buckets = counts->buckets < SAMPLE ? counts->buckets : SAMPLE;
    uint64_t used = 0;
    for (uint64_t b = 0; b < buckets; b++)
        for (int i = 0; i < COUNTS_SLOTS; i++)
            used += atomic_load_explicit(&counts->bucket[b].slot[i].count, memory_order_relaxed) != 0;
    return buckets ? (unsigned)(used * 1000 / (buckets * COUNTS_SLOTS)) : 0;
}
