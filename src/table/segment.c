/* SPDX-License-Identifier: MIT */
#include "table/segment.h"

#include "bucket.h"

static void mark_all(const TabiaTable *t, uint64_t mark) {
    const uint64_t n = segments_of(t);
    for (uint64_t i = 0; i < n; i++) atomic_store_explicit(&t->segment[i], (uint8_t)mark, memory_order_relaxed);
}

/* In the accesses of the table's integrity, so that no other thread reads half of an empty slot where it must not. */
static void zero_bucket(const TabiaTable *t, Word *bucket) {
    const unsigned words = t->bucket_bytes / sizeof *bucket;
    bucket_lock(t, bucket, t->integrity);
    for (unsigned i = 0; i < words; i += 2)
        if (t->integrity == TABIA_WIDE)
            wide_store(bucket + i, (SlotPair){0, 0});
        else
            for (unsigned w = 0; w < 2; w++) atomic_store_explicit(bucket + i + w, 0, memory_order_relaxed);
    bucket_unlock(t, bucket, t->integrity);
}

/* One that is not needed at once: past the caches, where whole lines may be written so. */
static void zero_bucket_unread(const TabiaTable *t, Word *bucket) {
#ifndef BUCKET_SCALAR
    const bool by_words = t->integrity == TABIA_XOR || t->integrity == TABIA_NONE;
    if (by_words && t->bucket_bytes == CACHE_LINE_BYTES) {
        simd_zero_uncached(bucket);
        return;
    }
#endif
    zero_bucket(t, bucket);
}

void tabia_segment_zero(const TabiaTable *t, const Word *wanted) {
    const uint64_t now = load_relaxed(&t->generations->clears), bytes = t->buckets * t->bucket_bytes;
    const uint64_t number = segment_number(t, wanted), begin = number * SEGMENT_BYTES, left = bytes - begin;
    const uint64_t end = begin + (left < SEGMENT_BYTES ? left : SEGMENT_BYTES);
    assert(now > 0 && now <= CLEARS);
    for (uint64_t at = begin; at < end; at += t->bucket_bytes) {
        Word *bucket = (Word *)(t->base + at);
        if (!segment_stale(t, wanted)) break; /* done by another */
        if (bucket == wanted)
            zero_bucket(t, bucket);
        else
            zero_bucket_unread(t, bucket);
    }
#ifndef BUCKET_SCALAR
    simd_order_uncached();
#endif
    atomic_store_explicit(&t->segment[number], (uint8_t)now, memory_order_relaxed);
}

/* Whoever makes the number come round has marked all segments before, so that nobody sees it with marks of old. */
void tabia_segments_clear(const TabiaTable *t) {
    uint64_t now = load_relaxed(&t->generations->clears), next;
    do {
        next = now % CLEARS + 1;
        if (now == CLEARS && !t->partition) mark_all(t, SEGMENT_STALE);
    } while (!atomic_compare_exchange_weak_explicit(&t->generations->clears, &now, next, memory_order_relaxed,
                                                    memory_order_relaxed));
}

void tabia_segments_zeroed(const TabiaTable *t) {
    if (!t->partition) mark_all(t, load_relaxed(&t->generations->clears));
}
