/* SPDX-License-Identifier: MIT */
#include "table/segment.h"

#include "bucket.h"

static void mark_all(const TabiaTable *t, uint64_t mark) {
    const uint64_t n = segments_of(t);
    for (uint64_t i = 0; i < n; i++) atomic_store_explicit(&t->segment[i], (uint8_t)mark, memory_order_relaxed);
}

/* Four slots of zeros. `once`: nobody is about to read them; they go past the caches where the processor can, by words of
   which no half is written. */
static void zero_bucket(Word *bucket, bool once) {
#ifdef BUCKET_SIMD
    for (unsigned i = 0; once && i < BUCKET_SLOTS; i++) _mm_stream_si128((__m128i *)bucket + i, _mm_setzero_si128());
    if (once) return;
#endif
    (void)once;
    for (unsigned i = 0; i < CACHE_LINE_WORDS; i++) atomic_store_explicit(bucket + i, 0, memory_order_relaxed);
}

/* What is written past the caches comes before what is written next. A release does not say so: these stores are none
   that it knows. */
static void order_uncached(void) {
#ifdef BUCKET_SIMD
    _mm_sfence();
#endif
}

void tabia_segment_zero(const TabiaTable *t, const Word *wanted) {
    const uint64_t now = load_relaxed(&t->generations->clears), bytes = table_bytes(t);
    const uint64_t number = segment_number(t, wanted), begin = number * SEGMENT_BYTES, left = bytes - begin;
    const uint64_t end = begin + (left < SEGMENT_BYTES ? left : SEGMENT_BYTES);
    assert(now > 0 && now <= CLEARS);
    for (uint64_t at = begin; at < end; at += CACHE_LINE_BYTES) {
        Word *bucket = (Word *)(t->base + at);
        if (!segment_stale(t, wanted)) break; /* done by another */
        zero_bucket(bucket, bucket != wanted);
    }
    order_uncached();
    atomic_store_explicit(&t->segment[number], (uint8_t)now, memory_order_relaxed);
}

/* Whoever makes the number come round has marked all segments before, so that none who comes after sees it with marks of
   old. Others may, for a moment: as segment.h says of the mark. */
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
