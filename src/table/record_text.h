/* SPDX-License-Identifier: MIT */
/* The face of records: one text with the number of words and the integrity as constants. */
#pragma once
#include "tabia/record.h"
#include "table/core.h"

INLINE Word *record_slot(Place p, unsigned i, unsigned n) {
    return p.group + i * (n + 1);
}

/* Copies only what belongs to the key: a reader never sees half of another's record. Without branches, because nobody
   can foresee which slot it is: on a miss the caller's words are written over by themselves. */
INLINE bool record_probe_text(const TabiaTable *t, Place p, uint64_t *words, unsigned n, Integrity how) {
    uint64_t picked[TABIA_RECORD_WORDS_MAX], copy[TABIA_RECORD_WORDS_MAX];
    bool there = false;
    for (unsigned w = 0; w < n; w++) picked[w] = words[w];
    group_lock(t, p.group, how);
#pragma GCC unroll 4
    for (unsigned i = 0; i < LINE_WORDS / (n + 1); i++) {
        const bool same = slot_load_words(record_slot(p, i, n), copy, n, how) == p.identity;
        there |= same;
        for (unsigned w = 0; w < n; w++) picked[w] = same ? copy[w] : picked[w];
    }
    group_unlock(t, p.group, how);
    for (unsigned w = 0; w < n; w++) words[w] = picked[w];
    return there;
}

/* Never used, or from before the last clear. An unused slot has an identity of 0, whatever the tag. */
INLINE bool record_gone(uint64_t found, uint64_t identity) {
    return found == 0 || ((found ^ identity) & ((1 << TAG_BITS) - 1)) != 0;
}

INLINE Counted record_event(uint64_t leaving, uint64_t identity) {
    if (leaving == identity) return COUNTED_updated;
    if (leaving == 0) return COUNTED_filled;
    return record_gone(leaving, identity) ? COUNTED_replaced_old : COUNTED_replaced_less;
}

INLINE Counted record_store_text(const TabiaTable *t, Place p, const uint64_t *words, unsigned n, Integrity how) {
    const unsigned slots = LINE_WORDS / (n + 1);
    unsigned at = (unsigned)((p.identity >> 32) * slots >> 32); /* one that the key chooses, unless a better is found */
    uint64_t leaving = 1, copy[TABIA_RECORD_WORDS_MAX];
    bool gone = false, own = false;
    group_lock(t, p.group, how);
    const uint64_t chosen = slot_load_words(record_slot(p, at, n), copy, n, how);
    leaving = chosen;
    for (unsigned i = 0; i < slots && !own; i++) {
        const uint64_t found = slot_load_words(record_slot(p, i, n), copy, n, how);
        own = found == p.identity;
        if (own || (!gone && record_gone(found, p.identity))) at = i, leaving = found;
        gone = gone || record_gone(found, p.identity);
    }
    slot_store_words(record_slot(p, at, n), p.identity, words, n, how);
    group_unlock(t, p.group, how);
    return record_event(leaving, p.identity);
}
