/* SPDX-License-Identifier: MIT */
/*
 * The record type of entries. One text: entry.c makes the library's calls of it, the proofs theirs with pauses.
 *
 *     data    [ generation 6 | bound 2 | draft 8 | evaluation 16 | score 16 | move 16 ]
 *     check   [ signature | zeros | upper half of the move | user bits | path ]   XOR hash(data)
 *
 * The user bits and the bits of a move above 16, which tables have where their options say so, lie above the path: not
 * compared, and signed with the rest. Where two stores mix and their data words differ, the signature is nobody's; where
 * these are equal, what lies in the check word is that of one store.
 *
 * The generation field runs from 1 to 63, so that no entry has a data word of 0.
 */
#pragma once
#include "bucket.h"
#include "replacement.h"
#include "tabia/entry.h"
#include "table/segment.h"
#include "table_internal.h"

enum {
    MOVE_BITS = 16,
    SCORE_SHIFT = 16,
    EVALUATION_SHIFT = 32,
    DRAFT_SHIFT = 48,
    BOUND_SHIFT = 56,
    GENERATION_SHIFT = 58
};
/* ---- an entry and its words ---- */

/* The data word: all but the user bits and the upper half of the move. */
INLINE uint64_t entry_pack(TabiaEntry e, uint64_t generation_field) {
    assert(generation_field <= GENERATIONS);
    return (uint16_t)e.move | (uint64_t)(uint16_t)e.score << SCORE_SHIFT |
           (uint64_t)(uint16_t)e.evaluation << EVALUATION_SHIFT | (uint64_t)e.draft << DRAFT_SHIFT |
           (uint64_t)(e.bound & 3) << BOUND_SHIFT | generation_field << GENERATION_SHIFT;
}

INLINE TabiaEntry entry_unpack(uint64_t data) {
    return (TabiaEntry){.score = (int16_t)(data >> SCORE_SHIFT),
                        .evaluation = (int16_t)(data >> EVALUATION_SHIFT),
                        .draft = (uint8_t)(data >> DRAFT_SHIFT),
                        .bound = (uint8_t)(data >> BOUND_SHIFT & 3),
                        .move = (uint16_t)data};
}

/* What of an entry lies in the check word: above the path the user bits, above these the upper half of the move. */
INLINE uint64_t entry_extra_bits(const TabiaTable *t, TabiaEntry e) {
    if (LIKELY(!t->extra_mask)) return 0;
    const uint64_t user = e.user & (((uint64_t)1 << t->options.user_bits) - 1);
    const uint64_t both = user | (uint64_t)(e.move >> MOVE_BITS) << t->options.user_bits;
    return both << t->path_bits & t->extra_mask;
}

/* The whole entry of a slot. */
INLINE TabiaEntry entry_of(const TabiaTable *t, SlotPair slot) {
    TabiaEntry e = entry_unpack(slot.data);
    if (LIKELY(!t->extra_mask)) return e;
    const uint64_t both = (slot.check & t->extra_mask) >> t->path_bits;
    e.user = (uint16_t)(both & (((uint64_t)1 << t->options.user_bits) - 1));
    e.move |= (uint32_t)(both >> t->options.user_bits) << MOVE_BITS;
    return e;
}

/* Of the same position and path? */
INLINE bool same_path(const TabiaTable *t, uint64_t a, uint64_t b) {
    return ((a ^ b) & ~t->extra_mask) == 0;
}

/* ---- generations and priorities ---- */

/* Generations since an entry was stored, 0 .. 62; `field` is that of now. */
INLINE unsigned entry_age(uint64_t data, uint64_t field) {
    const int age = (int)field - (int)(data >> GENERATION_SHIFT);
    return (unsigned)(age + (GENERATIONS & age >> 31));
}

/* The default priority of an entry that is stored now. Without a branch, which could not be predicted. */
INLINE int entry_priority_new(const TabiaTable *t, TabiaEntry e) {
    return e.draft + (int)(t->exact_bonus & -(unsigned)(e.bound == TABIA_BOUND_EXACT));
}

/* That of any; an unused slot's is less than all. */
INLINE int entry_priority(const TabiaTable *t, uint64_t data, uint64_t field) {
    const int priority = entry_priority_new(t, entry_unpack(data)) - (int)(t->age_weight * entry_age(data, field));
    return data == 0 ? INT32_MIN : priority;
}

/* ---- probing ---- */

/* extra: the table has user bits or longer moves; false, a constant, where it is known that it has not. */
INLINE TabiaHit entry_hit(const TabiaTable *t, SlotPair found, uint64_t identity, bool extra) {
    const bool there = found.check != 0, bound = (found.data >> BOUND_SHIFT & 3) != TABIA_BOUND_NONE;
    const bool same = extra ? same_path(t, found.check, identity) : found.check == identity;
    return (TabiaHit){.entry = extra ? entry_of(t, found) : entry_unpack(found.data),
                      .move_ok = there,
                      .score_ok = (there & bound & same) != 0,
                      .generation = (uint8_t)(found.data >> GENERATION_SHIFT),
                      .path = (uint32_t)(found.check & t->path_mask)};
}

INLINE TabiaHit entry_probe_inline(const TabiaTable *t, SlotRef p) {
    return entry_hit(t, bucket_find(p.bucket, p.identity, t->position_mask).pair, p.identity, true);
}

/* ---- storing: into a bucket that is not stale (segment.h) ---- */

/* The words that are written: what lies above the path in the check word, and the data. */
typedef struct {
    uint64_t extra, data;
    CounterEvent event; /* what that is called */
} EntryWords;

/* Those of an entry as it is, stored in the generation of that field. */
INLINE EntryWords entry_words(const TabiaTable *t, TabiaEntry e, uint64_t field) {
    return (EntryWords){entry_extra_bits(t, e), entry_pack(e, field), COUNTED_updated};
}

/* What becomes of the position's own entry, which was found as `old`: the new one, with the known move where it has
   none; or the known one, with the new move, where it is so much deeper that it stays. */
INLINE EntryWords entry_merged(const TabiaTable *t, SlotPair old, SlotRef p, TabiaEntry e, uint64_t field) {
    TabiaEntry known = entry_of(t, old);
    if (!e.move) e.move = known.move;
    const bool stays = e.draft + t->keep_margin <= known.draft && e.bound != TABIA_BOUND_EXACT &&
                       known.bound != TABIA_BOUND_NONE && same_path(t, old.check, p.identity) &&
                       old.data >> GENERATION_SHIFT == field;
    if (!stays) return entry_words(t, e, field);
    known.move = e.move;
    return (EntryWords){entry_extra_bits(t, known), entry_pack(known, field), COUNTED_kept};
}

INLINE void entry_write(SlotRef p, unsigned slot, EntryWords words) {
    slot_store(p.bucket + 2 * slot, p.identity | words.extra, words.data);
}

/* What storing over another position's entry is called. */
INLINE CounterEvent entry_event(uint64_t leaving, uint64_t field) {
    if (leaving == 0) return COUNTED_filled;
    return entry_age(leaving, field) ? COUNTED_replaced_old : COUNTED_replaced_less;
}

/* The slot that a store replaces: its data and its priority. */
typedef struct {
    unsigned slot;
    int priority;
    uint64_t data;
} EntryVictim;

/* The first slot of lowest priority: by lanes, entry_priority() of the upper half of each data word, and the slot's number
   below it. */
INLINE EntryVictim entry_victim(const TabiaTable *t, const Word *bucket, uint64_t field) {
    typedef int32_t Lanes __attribute__((vector_size(16)));
    enum { HALF = 32 };
    const BucketLanes upper = bucket_upper_data(bucket), bound = upper & (uint32_t)3 << (BOUND_SHIFT - HALF);
    const Lanes until = (int)field - (Lanes)(upper >> (GENERATION_SHIFT - HALF));
    const Lanes age = until + ((until < 0) & (int)GENERATIONS);
    const Lanes bonus = (bound == (uint32_t)TABIA_BOUND_EXACT << (BOUND_SHIFT - HALF)) & (int)t->exact_bonus;
    const Lanes draft = (Lanes)(upper >> (DRAFT_SHIFT - HALF) & UINT8_MAX);
    const Lanes priority = (draft + bonus - age * (int)t->age_weight) * (int)BUCKET_SLOTS, unused = upper == 0;
    const Lanes rank = ((priority & ~unused) | (unused & INT32_MIN)) + (Lanes){0, 1, 2, 3};
    int min = rank[0];
    for (unsigned i = 1; i < BUCKET_SLOTS; i++) min = rank[i] < min ? rank[i] : min;
    const unsigned slot = (unsigned)min % BUCKET_SLOTS;
    return (EntryVictim){slot, min >> 2, load_relaxed(bucket + 2 * slot + 1)};
}

INLINE CounterEvent entry_store_inline(const TabiaTable *t, SlotRef p, TabiaEntry e) {
    const uint64_t field = generation_field_now(t);
    const BucketFind own = bucket_find(p.bucket, p.identity, t->position_mask);
    if (own.there) {
        const EntryWords merged = entry_merged(t, own.pair, p, e, field);
        entry_write(p, own.slot, merged);
        return merged.event;
    }
    const EntryVictim victim = entry_victim(t, p.bucket, field);
    if (UNLIKELY(t->refuses) && victim.priority > entry_priority_new(t, e)) return COUNTED_refused;
    entry_write(p, victim.slot, entry_words(t, e, field));
    return entry_event(victim.data, field);
}

/*
 * Changes what is known of a position: copy, change, sign, store. Never in place: if another writer's entry comes
 * between, ours is written whole over it or mixes with it into nobody's, but its data never gets a signature it has not
 * earned. What lies in the check word stays.
 */
INLINE void entry_rewrite_inline(const TabiaTable *t, SlotRef p, bool fresh, unsigned penalty) {
    const BucketFind own = bucket_find(p.bucket, p.identity, t->position_mask);
    if (own.slot == BUCKET_SLOTS) return;
    TabiaEntry e = entry_unpack(own.pair.data);
    e.draft = e.draft > penalty ? (uint8_t)(e.draft - penalty) : 0;
    const uint64_t field = fresh ? generation_field_now(t) : own.pair.data >> GENERATION_SHIFT;
    pause_at(PAUSE_BEFORE_REWRITE);
    slot_store(p.bucket + 2 * own.slot, own.pair.check, entry_pack(e, field));
}
