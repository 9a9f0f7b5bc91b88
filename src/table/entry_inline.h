/* SPDX-License-Identifier: MIT */
/*
 * The record type of entries, one text with what an instance does as constants (EntryMode): entry.c makes the library's
 * instances of it, the proofs make theirs with pauses.
 *
 *     data    [ generation 6 | bound 2 | draft 8 | evaluation 16 | score 16 | move 16 ]
 *     check   [ signature | zeros | bucket tag | upper half of the move | user bits | path ]   XOR hash(data)
 *
 * The user bits and the bits of a move above 16, which tables have where their options say so, lie beside the path: not
 * compared, and signed with the rest. Where two stores mix and their data words differ, the signature is nobody's; where
 * these are equal, what lies in the check word is that of one store.
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

/* sixteen bits of the score, sixteen of the evaluation, the draft, the bound: they lie in an entry as in a data word */
enum { FIELDS_SHIFT = 16, FIELDS_BITS = 42, MOVE_BITS = 16, DRAFT_SHIFT = 48, BOUND_SHIFT = 56, GENERATION_SHIFT = 58 };
_Static_assert(sizeof(TabiaEntry) == 12 && offsetof(TabiaEntry, bound) == 5 && offsetof(TabiaEntry, user) == 6 &&
                   offsetof(TabiaEntry, move) == 8,
               "an entry is a word of fields and half a word of move");

/*
 * How an instance of the text does its work: constants. custom: the table has user bits or longer moves, which lie in
 * the check word, beside the path.
 */
typedef struct {
    Integrity integrity;
    unsigned ways;
    Replacement rule;
    bool custom;
} EntryMode;

/* By the default rule, in the standard layout. */
INLINE EntryMode entry_mode(Integrity integrity, unsigned ways) {
    return (EntryMode){integrity, ways, ENTRIES_REPLACEMENT, false};
}

/* ---- an entry and its words ---- */

/* The data word: all but the user bits and the upper half of the move. */
INLINE uint64_t entry_pack(TabiaEntry e, uint64_t generation_field) {
    assert(generation_field <= GENERATIONS);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t fields;
    memcpy(&fields, &e, sizeof fields);
    fields = fields << FIELDS_SHIFT & ~(uint64_t)0 >> (64 - GENERATION_SHIFT);
#else
    const uint64_t fields = (uint64_t)(uint16_t)e.score << 16 | (uint64_t)(uint16_t)e.evaluation << 32 |
                            (uint64_t)e.draft << 48 | (uint64_t)(e.bound & 3) << 56;
#endif
    return fields | (uint16_t)e.move | generation_field << GENERATION_SHIFT;
}

/* The first word of an entry. */
INLINE uint64_t entry_fields(uint64_t data) {
    return data >> FIELDS_SHIFT & ~(uint64_t)0 >> (64 - FIELDS_BITS);
}

INLINE TabiaEntry entry_unpack(uint64_t data) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t words[2] = {entry_fields(data), (uint16_t)data};
    TabiaEntry e;
    memcpy(&e, words, sizeof e);
    return e;
#else
    return (TabiaEntry){.score = (int16_t)(data >> 16),
                        .evaluation = (int16_t)(data >> 32),
                        .draft = (uint8_t)(data >> 48),
                        .bound = (uint8_t)(data >> 56 & 3),
                        .move = (uint16_t)data};
#endif
}

/* What of an entry lies in the check word: above the path the user bits, above these the upper half of the move. */
INLINE uint64_t entry_beside(const TabiaTable *t, TabiaEntry e, bool custom) {
    if (!custom) return 0;
    const uint64_t user = e.user & (((uint64_t)1 << t->options.user_bits) - 1);
    const uint64_t both = user | (uint64_t)(e.move >> MOVE_BITS) << t->options.user_bits;
    return both << t->path_bits & t->beside_mask;
}

INLINE unsigned entry_user(const TabiaTable *t, uint64_t check) {
    return (unsigned)(check >> t->path_bits & (((uint64_t)1 << t->options.user_bits) - 1));
}

INLINE uint32_t entry_move_high(const TabiaTable *t, uint64_t check) {
    return (uint32_t)((check & t->beside_mask) >> (t->path_bits + t->options.user_bits)) << MOVE_BITS;
}

/* The whole entry of a slot. */
INLINE TabiaEntry entry_of(const TabiaTable *t, SlotPair slot, bool custom) {
    TabiaEntry e = entry_unpack(slot.data);
    if (!custom) return e;
    e.user = (uint16_t)entry_user(t, slot.check);
    e.move |= entry_move_high(t, slot.check);
    return e;
}

/* The bits of a check word in which two of the same position agree. */
INLINE uint64_t position_mask(const TabiaTable *t, bool custom) {
    return custom ? ~(t->path_mask | t->beside_mask) : ~t->path_mask;
}

/* Of the same position and path? */
INLINE bool same_path(const TabiaTable *t, uint64_t a, uint64_t b, bool custom) {
    return custom ? ((a ^ b) & ~t->beside_mask) == 0 : a == b;
}

/* ---- generations and priorities ---- */

/* Generations since an entry was stored, 0 .. 62; `field` is that of now. */
INLINE unsigned entry_age(uint64_t data, uint64_t field) {
    const int age = (int)field - (int)(data >> GENERATION_SHIFT);
    return (unsigned)(age + (GENERATIONS & age >> 31));
}

INLINE Word *entry_slot(SlotRef p, unsigned i) {
    return p.bucket + 2 * i;
}

/* The default priority of an entry that is stored now. */
INLINE int entry_priority_new(const TabiaTable *t, TabiaEntry e) {
    return e.draft + (e.bound == TABIA_BOUND_EXACT ? (int)t->exact_bonus : 0);
}

/* That of any; an unused slot's is less than all. */
INLINE int entry_priority(const TabiaTable *t, uint64_t data, uint64_t field) {
    if (data == 0) return INT32_MIN;
    return entry_priority_new(t, entry_unpack(data)) - (int)(t->age_weight * entry_age(data, field));
}

/* The slot that holds the position, its content in *found; NULL if none does. Under the lock, if there is one. */
INLINE Word *entry_find(const TabiaTable *t, SlotRef p, EntryMode m, SlotPair *found) {
    for (unsigned i = 0; i < m.ways; i++) {
        *found = slot_load(entry_slot(p, i), m.integrity);
        if (((found->check ^ p.identity) & position_mask(t, m.custom)) == 0) return entry_slot(p, i);
    }
    return NULL;
}

_Static_assert(sizeof(TabiaHit) == 20 && offsetof(TabiaHit, move_ok) == 12 && offsetof(TabiaHit, generation) == 14 &&
                   offsetof(TabiaHit, path) == 16,
               "a hit is a word of fields, a word of move and flags, half a word of path");

/* The flags of what a probe answers. Without a branch: nobody can foresee whether a probe hits. */
INLINE uint64_t entry_flags(SlotPair found, bool same) {
    const uint64_t there = found.check != 0, bound = (found.data & (uint64_t)3 << 56) != 0;
    return there | (same & bound) << 8 | found.data >> GENERATION_SHIFT << 16;
}

/* What a probe answers, written by words, not by fields. beside: the user bits and the upper half of the move. */
INLINE TabiaHit entry_hit_with(SlotPair found, bool same, uint64_t path_mask, const uint64_t beside[2]) {
    TabiaHit hit;
    const uint64_t flags = entry_flags(found, same);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t words[2] = {entry_fields(found.data) | beside[0] << 48,
                               (uint16_t)found.data | beside[1] | flags << 32};
    const uint32_t path = (uint32_t)(found.check & path_mask);
    memcpy(&hit, words, sizeof words);
    memcpy((char *)&hit + sizeof words, &path, sizeof path);
#else
    hit = (TabiaHit){entry_unpack(found.data), flags & 1, flags >> 8 & 1,
                     (uint8_t)(flags >> 16),   0,         (uint32_t)(found.check & path_mask)};
    hit.entry.user = (uint16_t)beside[0], hit.entry.move |= (uint32_t)beside[1];
#endif
    return hit;
}

/* Of the standard layout. */
INLINE TabiaHit entry_hit(SlotPair found, uint64_t identity, uint64_t path_mask) {
    return entry_hit_with(found, found.check == identity, path_mask, (const uint64_t[2]){0, 0});
}

INLINE TabiaHit entry_hit_of(const TabiaTable *t, SlotPair found, SlotRef p, bool custom) {
    if (!custom) return entry_hit(found, p.identity, t->path_mask);
    const uint64_t beside[2] = {entry_user(t, found.check), entry_move_high(t, found.check)};
    return entry_hit_with(found, same_path(t, found.check, p.identity, true), t->path_mask, beside);
}

INLINE TabiaHit entry_probe_inline(const TabiaTable *t, SlotRef p, EntryMode m) {
    bucket_lock(t, p.bucket, m.integrity);
    const SlotPair found = bucket_find(p.bucket, p.identity, position_mask(t, m.custom), m.integrity, m.ways);
    bucket_unlock(t, p.bucket, m.integrity);
    return entry_hit_of(t, found, p, m.custom);
}

/* ---- storing: into a bucket that is not stale (segment.h) ---- */

/* The words that are written: what lies beside the path, and the data. */
typedef struct {
    uint64_t beside, data;
    CounterEvent event; /* what that is called */
} EntryWords;

/* The bits of each that are the move's. */
INLINE EntryWords entry_move_bits(const TabiaTable *t, bool custom) {
    const uint64_t user = (((uint64_t)1 << t->options.user_bits) - 1) << t->path_bits;
    return (EntryWords){custom ? t->beside_mask & ~user : 0, ((uint64_t)1 << MOVE_BITS) - 1, COUNTED_updated};
}

/* Those of an entry as it is, stored in the generation of that field. */
INLINE EntryWords entry_words(const TabiaTable *t, TabiaEntry e, uint64_t field, bool custom) {
    return (EntryWords){entry_beside(t, e, custom), entry_pack(e, field), COUNTED_updated};
}

/* The fields of one, the move of the other. */
INLINE EntryWords entry_with_move(EntryWords fields, EntryWords move, EntryWords bits) {
    return (EntryWords){(fields.beside & ~bits.beside) | (move.beside & bits.beside),
                        (fields.data & ~bits.data) | (move.data & bits.data), fields.event};
}

/* What becomes of the position's own entry, which was found as `old`. By words: an entry taken apart into its fields and put
   together again is a dozen instructions more. */
INLINE EntryWords entry_merged(const TabiaTable *t, SlotPair old, SlotRef p, TabiaEntry e, uint64_t field,
                               bool custom) {
    const EntryWords bits = entry_move_bits(t, custom),
                     known = {custom ? old.check & t->beside_mask : 0, old.data, COUNTED_kept};
    const EntryWords plain = entry_words(t, e, field, custom);
    const EntryWords made = e.move ? plain : entry_with_move(plain, known, bits);
    const unsigned known_draft = (unsigned)(old.data >> DRAFT_SHIFT & UINT8_MAX);
    const bool deeper_known = e.bound != TABIA_BOUND_EXACT && e.draft + t->keep_margin <= known_draft &&
                              (old.data >> BOUND_SHIFT & 3) != TABIA_BOUND_NONE &&
                              same_path(t, old.check, p.identity, custom) && old.data >> GENERATION_SHIFT == field;
    return deeper_known ? entry_with_move(known, made, bits) : made;
}

INLINE void entry_write(Word *slot, SlotRef p, EntryWords words, EntryMode m) {
    slot_store(slot, p.identity | words.beside, words.data, m.integrity);
}

/* What storing over another position's entry is called. */
INLINE CounterEvent entry_event(uint64_t leaving, uint64_t field) {
    if (leaving == 0) return COUNTED_filled;
    return entry_age(leaving, field) ? COUNTED_replaced_old : COUNTED_replaced_less;
}

#ifndef BUCKET_SCALAR
/* entry_priority of four slots. */
INLINE __m256i entry_priorities_simd(const TabiaTable *t, __m256i data, uint64_t field) {
    const __m256i zero = simd_of(0), exact = simd_of((uint64_t)TABIA_BOUND_EXACT << 56);
    __m256i age = _mm256_sub_epi64(simd_of(field), _mm256_srli_epi64(data, GENERATION_SHIFT));
    age = simd_choose(simd_greater(zero, age), _mm256_add_epi64(age, simd_of(GENERATIONS)), age);
    const SimdMask is_exact = simd_zero(_mm256_andnot_si256(data, exact));
    __m256i draft = _mm256_and_si256(_mm256_srli_epi64(data, 48), simd_of(255));
    draft = simd_choose(is_exact, _mm256_add_epi64(draft, simd_of(t->exact_bonus)), draft);
    const __m256i priority = _mm256_sub_epi64(draft, _mm256_mul_epu32(age, simd_of(t->age_weight)));
    return simd_choose(simd_zero(data), _mm256_set1_epi64x(INT32_MIN), priority);
}

/* entry_store_scalar, without a branch but where the rule refuses. */
INLINE CounterEvent entry_store_simd(const TabiaTable *t, SlotRef p, TabiaEntry e, EntryMode m) {
    const uint64_t field = generation_field_now(t);
    const SimdSlots line = simd_load(p.bucket, m.integrity);
    const int newest = entry_priority_new(t, e);
    const SimdMask own = simd_same(line, p.identity, position_mask(t, m.custom));
    const SimdLeast least = simd_least(entry_priorities_simd(t, line.data, field), own);
    if (replacement_refuses(m.rule) && least.priority > newest) return COUNTED_refused;
    EntryWords merged = entry_merged(t, simd_pick(line, own), p, e, field, m.custom); /* of none: e itself */
    if (!simd_any(own)) merged.event = entry_event(simd_pick(line, simd_at(least.slot)).data, field);
    entry_write(p.bucket + 2 * least.slot, p, merged, m);
    return merged.event;
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
INLINE EntryPlace entry_least(const TabiaTable *t, SlotRef p, EntryMode m) {
    const uint64_t field = generation_field_now(t);
    EntryPlace least = {.slot = p.bucket, .priority = INT32_MAX};
#pragma GCC unroll 4
    for (unsigned i = 0; i < m.ways; i++) {
        const SlotPair old = slot_load(entry_slot(p, i), m.integrity);
        const bool own = ((old.check ^ p.identity) & position_mask(t, m.custom)) == 0;
        const int priority = entry_priority(t, old.data, field);
        if (own || priority < least.priority) least = (EntryPlace){entry_slot(p, i), old, priority, own};
        if (own) break;
    }
    return least;
}

INLINE CounterEvent entry_store_scalar(const TabiaTable *t, SlotRef p, TabiaEntry e, EntryMode m) {
    const uint64_t field = generation_field_now(t);
    EntryWords merged = entry_words(t, e, field, m.custom);
    merged.event = COUNTED_refused;
    bucket_lock(t, p.bucket, m.integrity);
    const EntryPlace least = entry_least(t, p, m);
    if (least.own)
        merged = entry_merged(t, least.old, p, e, field, m.custom);
    else if (!replacement_refuses(m.rule) || least.priority <= entry_priority_new(t, e))
        merged.event = entry_event(least.old.data, field);
    if (merged.event != COUNTED_refused) entry_write(least.slot, p, merged, m);
    bucket_unlock(t, p.bucket, m.integrity);
    return merged.event;
}

/* By a rule. */
INLINE CounterEvent entry_store_inline(const TabiaTable *t, SlotRef p, TabiaEntry e, EntryMode m) {
#ifndef BUCKET_SCALAR
    if (m.ways == 4 && m.integrity != TABIA_LOCKED) return entry_store_simd(t, p, e, m);
#endif
    return entry_store_scalar(t, p, e, m);
}

/* The caller's priority function and its context. */
typedef struct {
    TabiaPriority *of;
    void *context;
} EntryPriority;

/* By the caller's priorities. */
INLINE CounterEvent entry_store_by_inline(const TabiaTable *t, SlotRef p, TabiaEntry e, EntryPriority priority,
                                          EntryMode m) {
    const uint64_t field = generation_field_now(t);
    Word *least = NULL;
    int64_t least_priority = priority.of(priority.context, &e, 0);
    uint64_t leaving = 0;
    SlotPair old;
    bucket_lock(t, p.bucket, m.integrity);
    Word *own = entry_find(t, p, m, &old);
    if (own && !e.move) e.move = entry_of(t, old, m.custom).move;
    for (unsigned i = 0; i < m.ways && !own; i++) {
        const SlotPair there = slot_load(entry_slot(p, i), m.integrity);
        const TabiaEntry other = entry_of(t, there, m.custom);
        const unsigned age = entry_age(there.data, field);
        const int64_t here = there.data == 0 ? INT64_MIN : priority.of(priority.context, &other, age);
        if (here < least_priority) least = entry_slot(p, i), least_priority = here, leaving = there.data;
    }
    Word *slot = own ? own : least;
    if (slot) entry_write(slot, p, entry_words(t, e, field, m.custom), m);
    bucket_unlock(t, p.bucket, m.integrity);
    return own ? COUNTED_updated : least ? entry_event(leaving, field) : COUNTED_refused;
}

/*
 * Changes what is known of a position: copy, change, sign, store. Never in place: if another writer's entry comes
 * between, ours is written whole over it or mixes with it into nobody's, but its data never gets a signature it has not
 * earned. What lies in the check word stays.
 */
INLINE void entry_rewrite_inline(const TabiaTable *t, SlotRef p, bool fresh, unsigned penalty, EntryMode m) {
    SlotPair found;
    bucket_lock(t, p.bucket, m.integrity);
    Word *slot = entry_find(t, p, m, &found);
    if (slot) {
        TabiaEntry e = entry_unpack(found.data);
        e.draft = e.draft > penalty ? (uint8_t)(e.draft - penalty) : 0;
        const uint64_t field = fresh ? generation_field_now(t) : found.data >> GENERATION_SHIFT;
        pause_at(PAUSE_BEFORE_REWRITE);
        slot_store(slot, found.check, entry_pack(e, field), m.integrity);
    }
    bucket_unlock(t, p.bucket, m.integrity);
}
