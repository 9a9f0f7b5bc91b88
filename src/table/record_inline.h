/* SPDX-License-Identifier: MIT */
/* The record type of records: one text with the number of words as a constant. */
#pragma once
#include "bucket.h"
#include "tabia/record.h"
#include "table/segment.h"
#include "table_internal.h"

INLINE Word *record_slot(SlotRef p, unsigned i, unsigned n) {
    return p.bucket + i * (n + 1);
}

/* Copies only what belongs to the key: a reader never sees half of another's record. Without branches, which could
   not be predicted: on a miss the caller's words are written over by themselves. */
INLINE bool record_probe_plain(SlotRef p, uint64_t *words, unsigned n) {
    uint64_t picked[TABIA_RECORD_WORDS_MAX], copy[TABIA_RECORD_WORDS_MAX];
    bool there = false;
    for (unsigned w = 0; w < n; w++) picked[w] = words[w];
#pragma GCC unroll 4
    for (unsigned i = 0; i < CACHE_LINE_WORDS / (n + 1); i++) {
        const bool same = slot_load_words(record_slot(p, i, n), copy, n) == p.identity;
        there |= same;
        for (unsigned w = 0; w < n; w++) picked[w] = same ? copy[w] : picked[w];
    }
    for (unsigned w = 0; w < n; w++) words[w] = picked[w];
    return there;
}

#ifdef BUCKET_AVX512
/* Slot number i of two with two or three words in a vector; behind two words lies a stranger's, which counts for nothing. */
INLINE BucketWords record_load(SlotRef p, unsigned i, unsigned n) {
    return (BucketWords)(*(const volatile __m256i_u *)record_slot(p, i, n));
}

/* The check and the hashes, whose XOR is the identity. */
INLINE __m256i record_hashed(BucketWords slot, unsigned n) {
    const BucketWords factor = {1, hash_factors[0], hash_factors[1], n == 3 ? hash_factors[2] : 0};
    return _mm256_rolv_epi64((__m256i)(slot * factor), _mm256_set_epi64x(2 * HASH_ROTATION, HASH_ROTATION, 0, 0));
}

/* record_probe_plain() of both slots at once. */
INLINE bool record_probe_pair(SlotRef p, uint64_t *words, unsigned n) {
    const BucketWords first = record_load(p, 0, n), second = record_load(p, 1, n);
    const __m256i a = record_hashed(first, n), b = record_hashed(second, n);
    const __m256i both = _mm256_xor_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    const __m128i identity = _mm_xor_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    const __mmask8 same = _mm_cmpeq_epi64_mask(identity, _mm_set1_epi64x((long long)p.identity));
    const __m256i found = _mm256_mask_mov_epi64((__m256i)second, (__mmask8) - (same & 1), (__m256i)first);
    _mm256_mask_storeu_epi64(words, same ? (__mmask8)((1 << n) - 1) : 0, _mm256_alignr_epi64(found, found, 1));
    return same != 0;
}
#endif

INLINE bool record_probe_inline(SlotRef p, uint64_t *words, unsigned n) {
#ifdef BUCKET_AVX512
    if (TABIA_CHECK == CHECK_HASHED && (n == 2 || n == 3)) return record_probe_pair(p, words, n);
#endif
    return record_probe_plain(p, words, n);
}

/* Never used, or of another strict generation. An unused slot has an identity of 0, whatever the tag. */
INLINE bool record_unused(uint64_t found, uint64_t identity) {
    return found == 0 || ((found ^ identity) & ((1 << EPOCH_TAG_BITS) - 1)) != 0;
}

INLINE CounterEvent record_event(uint64_t leaving, uint64_t identity) {
    if (leaving == identity) return COUNTED_updated;
    if (leaving == 0) return COUNTED_filled;
    return record_unused(leaving, identity) ? COUNTED_replaced_old : COUNTED_replaced_less;
}

/* The slot that a key chooses: by the key alone, without the epoch, so that it is the same after a clear. */
INLINE unsigned record_chosen(const TabiaTable *t, SlotRef p, unsigned slots) {
    return (unsigned)(((p.identity ^ load_relaxed(&t->generations->epoch)) >> 32) * slots >> 32);
}

/* Into a bucket that is not stale (segment.h). Without a slot that is better the key chooses, or the smallest last word. */
INLINE CounterEvent record_store_inline(const TabiaTable *t, SlotRef p, const uint64_t *words, unsigned n) {
    const unsigned slots = CACHE_LINE_WORDS / (n + 1);
    const bool by_word = t->options.replacement == TABIA_REPLACE_DEPTH_AND_AGE;
    unsigned at = by_word ? 0 : record_chosen(t, p, slots);
    assert(n == t->words && slots == t->slots && at < slots);
    uint64_t copy[TABIA_RECORD_WORDS_MAX];
    uint64_t leaving = slot_load_words(record_slot(p, at, n), copy, n);
    uint64_t smallest = copy[n - 1];
    bool gone = false, own = false;
    for (unsigned i = 0; i < slots && !own; i++) {
        const uint64_t found = slot_load_words(record_slot(p, i, n), copy, n);
        own = found == p.identity;
        const bool lower = by_word && !gone && copy[n - 1] < smallest;
        if (own || lower || (!gone && record_unused(found, p.identity)))
            at = i, leaving = found, smallest = copy[n - 1];
        gone = gone || record_unused(found, p.identity);
    }
    slot_store_words(record_slot(p, at, n), p.identity, words, n);
    return record_event(leaving, p.identity);
}
