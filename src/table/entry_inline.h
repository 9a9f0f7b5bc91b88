/* SPDX-License-Identifier: MIT */
/*
 * The record type of entries, one text with the integrity and the ways as constants: entry.c makes the library's instances of
 * it, the proofs make theirs with pauses.
 *
 *     data   [ generation 6 | bound 2 | draft 8 | evaluation 16 | score 16 | move 16 ]
 *
 * The generation field runs from 1 to 63, so that no entry has a data word of 0.
 */
#pragma once
#include <stddef.h>
#include <string.h>

#include "bucket.h"
#include "replacement.h"
#include "tabia/entry.h"
#include "table/segment.h"
#include "table_internal.h"

INLINE uint64_t entry_pack(TabiaEntry e, uint64_t generation_field) {
    assert(generation_field <= GENERATIONS);
    return (uint64_t)e.move | (uint64_t)(uint16_t)e.score << 16 | (uint64_t)(uint16_t)e.evaluation << 32 |
           (uint64_t)e.draft << 48 | (uint64_t)(e.bound & 3) << 56 | generation_field << 58;
}

INLINE TabiaEntry entry_unpack(uint64_t data) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ /* the fields lie in memory as in the word */
    data &= ~(uint64_t)0 >> 6;
    TabiaEntry e;
    memcpy(&e, &data, sizeof e);
    return e;
#else
    return (TabiaEntry){(uint16_t)data, (int16_t)(data >> 16), (int16_t)(data >> 32), (uint8_t)(data >> 48),
                        (uint8_t)(data >> 56 & 3)};
#endif
}
_Static_assert(sizeof(TabiaEntry) == 8, "an entry's fields fill a word");

/* 1 + generation % 63, by two multiplications: the fraction that the generation leaves of 63, times 63 (Daniel Lemire,
   Owen Kaser, Nathan Kurz, "Faster remainder by direct computation", 2019). Exact below 2^GENERATION_BITS. */
INLINE uint64_t generation_field(uint64_t generation) {
    const uint64_t fraction = generation * (UINT64_MAX / GENERATIONS + 1);
    assert(generation >> GENERATION_BITS == 0);
    return 1 + (uint64_t)((unsigned __int128)fraction * GENERATIONS >> 64);
}

/* Generations since an entry was stored, 0 .. 62. */
INLINE unsigned entry_age(uint64_t data, uint64_t generation) {
    const int age = (int)generation_field(generation) - (int)(data >> 58);
    return (unsigned)(age + (GENERATIONS & age >> 31));
}

INLINE uint64_t generation_now(const TabiaTable *t) {
    return load_relaxed(&t->generations->generation);
}

INLINE Word *entry_slot(SlotRef p, unsigned i) {
    return p.bucket + 2 * i;
}

/* The default priority; an unused slot's is less than all. */
INLINE int entry_priority(const TabiaTable *t, uint64_t data, uint64_t generation) {
    if (data == 0) return INT32_MIN;
    const TabiaEntry e = entry_unpack(data);
    return e.draft + (e.bound == TABIA_BOUND_EXACT) - (int)(t->age_weight * entry_age(data, generation));
}

/* That of an entry that is stored now. */
INLINE int entry_priority_new(TabiaEntry e) {
    return e.draft + (e.bound == TABIA_BOUND_EXACT);
}

/* The slot that holds the position, its content in *found; NULL if none does. Under the lock, if there is one. */
INLINE Word *entry_find(const TabiaTable *t, SlotRef p, Integrity integrity, unsigned ways, SlotPair *found) {
    for (unsigned i = 0; i < ways; i++) {
        *found = slot_load(entry_slot(p, i), integrity);
        if (same_position(t, found->check, p.identity)) return entry_slot(p, i);
    }
    return NULL;
}

_Static_assert(sizeof(TabiaHit) == 16 && offsetof(TabiaHit, move_ok) == 8 && offsetof(TabiaHit, generation) == 10 &&
                   offsetof(TabiaHit, path) == 12,
               "a hit is a word of fields and a word of flags");

/* The second word of what a probe answers. Without a branch: nobody can foresee whether a probe hits. */
INLINE uint64_t entry_flags(uint64_t check, uint64_t data, uint64_t identity, uint64_t path_mask) {
    const uint64_t there = check != 0, bound = (data & (uint64_t)3 << 56) != 0, same = check == identity;
    return there | (same & bound) << 8 | data >> 58 << 16 | (check & path_mask) << 32;
}

/* What a probe answers, written by words, not by fields. */
INLINE TabiaHit entry_hit(SlotPair found, uint64_t identity, uint64_t path_mask) {
    TabiaHit hit;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t words[2] = {found.data & ~(uint64_t)0 >> 6,
                               entry_flags(found.check, found.data, identity, path_mask)};
    memcpy(&hit, words, sizeof hit);
#else
    const uint64_t flags = entry_flags(found.check, found.data, identity, path_mask);
    hit = (TabiaHit){entry_unpack(found.data), flags & 1, flags >> 8 & 1,
                     (uint8_t)(flags >> 16),   0,         (uint32_t)(flags >> 32)};
#endif
    return hit;
}

INLINE TabiaHit entry_probe_inline(const TabiaTable *t, SlotRef p, Integrity integrity, unsigned ways) {
    bucket_lock(t, p.bucket, integrity);
    const SlotPair found = bucket_find(p.bucket, p.identity, ~t->path_mask, integrity, ways);
    bucket_unlock(t, p.bucket, integrity);
    return entry_hit(found, p.identity, t->path_mask);
}

/* ---- storing: into a bucket that is not stale (segment.h) ---- */

/* What becomes of the position's own entry: the data to write. Sets *event. */
INLINE uint64_t entry_merged(SlotPair old, SlotRef p, TabiaEntry e, uint64_t generation, CounterEvent *event) {
    const TabiaEntry known = entry_unpack(old.data);
    if (!e.move) e.move = known.move;
    const bool deeper_known = e.bound != TABIA_BOUND_EXACT && e.draft + 4 <= known.draft &&
                              known.bound != TABIA_BOUND_NONE && old.check == p.identity &&
                              entry_age(old.data, generation) == 0;
    *event = deeper_known ? COUNTED_kept : COUNTED_updated;
    if (!deeper_known) return entry_pack(e, generation_field(generation));
    TabiaEntry kept = known;
    kept.move = e.move;
    return entry_pack(kept, generation_field(generation));
}

/* What storing over another position's entry is called. */
INLINE CounterEvent entry_event(uint64_t leaving, uint64_t generation) {
    if (leaving == 0) return COUNTED_filled;
    return entry_age(leaving, generation) ? COUNTED_replaced_old : COUNTED_replaced_less;
}

#ifndef BUCKET_SCALAR
/* entry_priority of four slots. */
INLINE __m256i entry_priorities_simd(const TabiaTable *t, __m256i data, uint64_t generation) {
    const __m256i zero = simd_of(0), exact = simd_of((uint64_t)TABIA_BOUND_EXACT << 56);
    __m256i age = _mm256_sub_epi64(simd_of(generation_field(generation)), _mm256_srli_epi64(data, 58));
    age = simd_choose(simd_greater(zero, age), _mm256_add_epi64(age, simd_of(GENERATIONS)), age);
    const SimdMask is_exact = simd_zero(_mm256_andnot_si256(data, exact));
    __m256i draft = _mm256_and_si256(_mm256_srli_epi64(data, 48), simd_of(255));
    draft = simd_choose(is_exact, _mm256_add_epi64(draft, simd_of(1)), draft);
    const __m256i priority = _mm256_sub_epi64(draft, _mm256_mul_epu32(age, simd_of(t->age_weight)));
    return simd_choose(simd_zero(data), _mm256_set1_epi64x(INT32_MIN), priority);
}

/* entry_store_scalar, without a branch but where the rule refuses. */
INLINE CounterEvent entry_store_simd(const TabiaTable *t, SlotRef p, TabiaEntry e, Integrity integrity,
                                     Replacement rule) {
    const uint64_t generation = generation_now(t);
    const SimdSlots line = simd_load(p.bucket, integrity);
    const SimdMask own = simd_same(line, p.identity, ~t->path_mask);
    __m256i priorities = entry_priorities_simd(t, line.data, generation);
    if (replacement_has_tiers(rule)) priorities = simd_last_tier(priorities, line.data, entry_priority_new(e));
    const SimdLeast least = simd_least(priorities, own);
    if (replacement_refuses(rule) && least.priority > entry_priority_new(e)) return COUNTED_refused;
    CounterEvent event;
    const uint64_t data = entry_merged(simd_pick(line, own), p, e, generation, &event); /* of none: e itself */
    if (!simd_any(own)) event = entry_event(simd_pick(line, simd_at(least.slot)).data, generation);
    slot_store(p.bucket + 2 * least.slot, p.identity, data, integrity);
    return event;
}
#endif

/* A slot with its content, and what it is worth to the bucket. */
typedef struct {
    Word *slot;
    SlotPair old;
    int priority;
    bool own; /* it holds the position to be stored */
} EntryPlace;

/* The position's own slot, else the first of lowest priority. Under the lock, if there is one. */
INLINE EntryPlace entry_least(const TabiaTable *t, SlotRef p, TabiaEntry e, Integrity integrity, unsigned ways,
                              Replacement rule) {
    const uint64_t generation = generation_now(t);
    EntryPlace least = {.slot = p.bucket, .priority = INT32_MAX};
#pragma GCC unroll 4
    for (unsigned i = 0; i < ways; i++) {
        const SlotPair old = slot_load(entry_slot(p, i), integrity);
        const bool own = same_position(t, old.check, p.identity);
        int priority = entry_priority(t, old.data, generation);
        if (replacement_has_tiers(rule) && i + 1 == ways && old.data) priority = entry_priority_new(e);
        if (own || priority < least.priority) least = (EntryPlace){entry_slot(p, i), old, priority, own};
        if (own) break;
    }
    return least;
}

INLINE CounterEvent entry_store_scalar(const TabiaTable *t, SlotRef p, TabiaEntry e, Integrity integrity, unsigned ways,
                                       Replacement rule) {
    const uint64_t generation = generation_now(t);
    CounterEvent event = COUNTED_refused;
    bucket_lock(t, p.bucket, integrity);
    const EntryPlace least = entry_least(t, p, e, integrity, ways, rule);
    if (least.own) {
        slot_store(least.slot, p.identity, entry_merged(least.old, p, e, generation, &event), integrity);
    } else if (!replacement_refuses(rule) || least.priority <= entry_priority_new(e)) {
        slot_store(least.slot, p.identity, entry_pack(e, generation_field(generation)), integrity);
        event = entry_event(least.old.data, generation);
    }
    bucket_unlock(t, p.bucket, integrity);
    return event;
}

/* By a rule. */
INLINE CounterEvent entry_store_ruled(const TabiaTable *t, SlotRef p, TabiaEntry e, Integrity integrity, unsigned ways,
                                      Replacement rule) {
#ifndef BUCKET_SCALAR
    if (ways == 4 && integrity != TABIA_LOCKED) return entry_store_simd(t, p, e, integrity, rule);
#endif
    return entry_store_scalar(t, p, e, integrity, ways, rule);
}

/* By the default rule. */
INLINE CounterEvent entry_store_inline(const TabiaTable *t, SlotRef p, TabiaEntry e, Integrity integrity,
                                       unsigned ways) {
    return entry_store_ruled(t, p, e, integrity, ways, ENTRIES_REPLACEMENT);
}

/* The caller's priority function and its context. */
typedef struct {
    TabiaPriority *of;
    void *context;
} EntryPriority;

/* By the caller's priorities. */
INLINE CounterEvent entry_store_by_inline(const TabiaTable *t, SlotRef p, TabiaEntry e, EntryPriority priority,
                                          Integrity integrity, unsigned ways) {
    const uint64_t generation = generation_now(t);
    Word *least = NULL;
    int64_t least_priority = priority.of(priority.context, &e, 0);
    uint64_t leaving = 0;
    SlotPair old;
    bucket_lock(t, p.bucket, integrity);
    Word *own = entry_find(t, p, integrity, ways, &old);
    if (own && !e.move) e.move = entry_unpack(old.data).move;
    for (unsigned i = 0; i < ways && !own; i++) {
        const uint64_t data = slot_load(entry_slot(p, i), integrity).data;
        const TabiaEntry other = entry_unpack(data);
        const int64_t here = data == 0 ? INT64_MIN : priority.of(priority.context, &other, entry_age(data, generation));
        if (here < least_priority) least = entry_slot(p, i), least_priority = here, leaving = data;
    }
    Word *slot = own ? own : least;
    if (slot) slot_store(slot, p.identity, entry_pack(e, generation_field(generation)), integrity);
    bucket_unlock(t, p.bucket, integrity);
    return own ? COUNTED_updated : least ? entry_event(leaving, generation) : COUNTED_refused;
}

/*
 * Changes what is known of a position: copy, change, sign, store. Never in place: if another writer's entry comes
 * between, ours is written whole over it or mixes with it into nobody's, but its data never gets a signature it has not
 * earned.
 */
INLINE void entry_rewrite_inline(const TabiaTable *t, SlotRef p, bool fresh, unsigned penalty, Integrity integrity,
                                 unsigned ways) {
    SlotPair found;
    bucket_lock(t, p.bucket, integrity);
    Word *slot = entry_find(t, p, integrity, ways, &found);
    if (slot) {
        TabiaEntry e = entry_unpack(found.data);
        e.draft = e.draft > penalty ? (uint8_t)(e.draft - penalty) : 0;
        const uint64_t field = fresh ? generation_field(generation_now(t)) : found.data >> 58;
        pause_at(PAUSE_BEFORE_REWRITE);
        slot_store(slot, found.check, entry_pack(e, field), integrity);
    }
    bucket_unlock(t, p.bucket, integrity);
}
