/* SPDX-License-Identifier: MIT */
/*
 * The record type of claims: one text with the integrity and the ways as constants. claim.c makes the library's instances of
 * it, the stress makes its own with pauses.
 *
 *     data   [ worker 16 | depth 8 | since 40 ]
 *
 * A worker is 1 to 65535, so that no claim has a data word of 0: a slot with data 0 is free. Times are compared modulo
 * 2^40, as the difference of two of them with a sign.
 *
 * A try reads all slots of the bucket before it writes one: two slots can hold the same key, where two workers tried at the
 * same moment, and each of them counts.
 */
#pragma once
#include "bucket.h"
#include "tabia/claims.h"
#include "table/segment.h"
#include "table_internal.h"

enum { CLAIM_TIME_BITS = 40, CLAIM_WORKER_SHIFT = 48 };

#define CLAIM_TIME_MASK (~(uint64_t)0 >> (64 - CLAIM_TIME_BITS))

INLINE uint64_t claim_pack(TabiaClaim c) {
    assert(c.worker);
    return (c.since & CLAIM_TIME_MASK) | (uint64_t)c.depth << CLAIM_TIME_BITS |
           (uint64_t)c.worker << CLAIM_WORKER_SHIFT;
}

INLINE TabiaClaim claim_unpack(uint64_t data) {
    return (TabiaClaim){data & CLAIM_TIME_MASK, (uint16_t)(data >> CLAIM_WORKER_SHIFT),
                        (uint8_t)(data >> CLAIM_TIME_BITS)};
}

/* The time since a claim was made; negative for one of a worker whose clock was read later. */
INLINE int64_t claim_age(uint64_t data, uint64_t now) {
    return (int64_t)((now - data) << (64 - CLAIM_TIME_BITS)) >> (64 - CLAIM_TIME_BITS);
}

INLINE bool claim_holds(uint64_t data, uint64_t now, uint64_t lease) {
    const int64_t age = claim_age(data, now);
    return data >> CLAIM_WORKER_SHIFT && (uint64_t)(age < 0 ? -age : age) < lease;
}

/* Does what is there keep the worker of `claim` away? Both of the same key. */
INLINE bool claim_blocks(uint64_t data, uint64_t claim, uint64_t lease) {
    const TabiaClaim there = claim_unpack(data), tried = claim_unpack(claim);
    return there.worker != tried.worker && there.depth >= tried.depth && claim_holds(data, tried.since, lease);
}

/* Of a claim that holds: its depth, then its youth. The least is given up. */
INLINE int64_t claim_priority(uint64_t data, uint64_t now) {
    const int64_t span = (int64_t)1 << CLAIM_TIME_BITS;
    return (int64_t)claim_unpack(data).depth * 2 * span + span - claim_age(data, now);
}

/* What a try came to. */
typedef struct {
    bool mine;
    CounterEvent event; /* of the store; COUNTED_refused: nothing was stored */
} ClaimTry;

/* A slot as a try sees it. */
typedef struct {
    SlotPair was;
    int64_t priority; /* -2: of the same key, -1: free, ended or of another strict generation */
} ClaimSlot;

INLINE ClaimSlot claim_slot_load(const Word *slot, uint64_t identity, uint64_t now, uint64_t lease,
                                 Integrity integrity) {
    ClaimSlot s = {slot_load(slot, integrity), -1};
    const bool forgotten = ((s.was.check ^ identity) & ((1 << EPOCH_TAG_BITS) - 1)) != 0;
    if (s.was.check == identity)
        s.priority = -2;
    else if (!forgotten && claim_holds(s.was.data, now, lease))
        s.priority = claim_priority(s.was.data, now);
    return s;
}

INLINE CounterEvent claim_event(ClaimSlot leaving) {
    if (leaving.priority == -2) return COUNTED_updated;
    if (leaving.was.data == 0) return COUNTED_filled;
    return leaving.priority == -1 ? COUNTED_replaced_old : COUNTED_replaced_less;
}

/* Into a bucket that is not stale (segment.h). claim: the data word; its time is now. */
INLINE ClaimTry claim_try_inline(const TabiaTable *t, SlotRef p, uint64_t claim, uint64_t lease, Integrity integrity,
                                 unsigned ways) {
    const uint64_t now = claim & CLAIM_TIME_MASK;
    ClaimSlot least = {.priority = INT64_MAX};
    unsigned at = 0;
    bool taken = false;
    bucket_lock(t, p.bucket, integrity);
    for (unsigned i = 0; i < ways; i++) {
        const ClaimSlot s = claim_slot_load(p.bucket + 2 * i, p.identity, now, lease, integrity);
        taken |= s.priority == -2 && claim_blocks(s.was.data, claim, lease);
        if (s.priority < least.priority) least = s, at = i;
    }
    const bool stored = !taken && least.priority <= claim_priority(claim, now);
    if (stored) slot_store(p.bucket + 2 * at, p.identity, claim, integrity);
    bucket_unlock(t, p.bucket, integrity);
    return (ClaimTry){!taken, stored ? claim_event(least) : COUNTED_refused};
}

/* The data word of the key's claim, whether it holds or not; 0: none. */
INLINE uint64_t claim_find_inline(const TabiaTable *t, SlotRef p, Integrity integrity, unsigned ways) {
    bucket_lock(t, p.bucket, integrity);
    const SlotPair found = bucket_find(p.bucket, p.identity, ~(uint64_t)0, integrity, ways);
    bucket_unlock(t, p.bucket, integrity);
    return found.data;
}

INLINE void claim_release_inline(const TabiaTable *t, SlotRef p, uint16_t worker, Integrity integrity, unsigned ways) {
    bucket_lock(t, p.bucket, integrity);
    for (unsigned i = 0; i < ways; i++) {
        const SlotPair s = slot_load(p.bucket + 2 * i, integrity);
        if (s.check == p.identity && claim_unpack(s.data).worker == worker)
            slot_store(p.bucket + 2 * i, 0, 0, integrity);
    }
    bucket_unlock(t, p.bucket, integrity);
}
