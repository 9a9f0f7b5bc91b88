/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of claims. */
#include "tabia/claims.h"

#include "claim_inline.h"

INLINE SlotRef claim_slot_ref(const TabiaTable *t, TabiaKey key) {
    return slot_ref_of(t, key, epoch_tag_of(t), t->bucket_bytes, true);
}

/* The integrity is a constant in the mode that is used; the others are for comparison. */
INLINE uint64_t find(const TabiaTable *t, SlotRef p) {
    if (LIKELY(t->route == ROUTE_XOR)) return claim_find_inline(t, p, TABIA_XOR, 4);
    return claim_find_inline(t, p, t->integrity, t->slots);
}

INLINE ClaimTry try_once(const TabiaTable *t, SlotRef p, uint64_t claim, uint64_t lease) {
    if (LIKELY(t->route == ROUTE_XOR)) return claim_try_inline(t, p, claim, lease, TABIA_XOR, 4);
    return claim_try_inline(t, p, claim, lease, t->integrity, t->slots);
}

static void count_probe(const TabiaTable *t, SlotRef p, bool hit) {
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_probes);
    tabia_count_torn(t, p.bucket);
    if (hit) tabia_count_event(t, COUNTED_hits);
}

uint16_t tabia_claim_worker(TabiaTable *t) {
    if (!t) return 1;
    const uint64_t before = atomic_fetch_add_explicit(&t->generations->workers, 1, memory_order_relaxed);
    return (uint16_t)(1 + before % UINT16_MAX);
}

bool tabia_claim_try(TabiaTable *t, TabiaKey key, unsigned depth, uint16_t worker, uint64_t now, uint64_t lease) {
    if (UNLIKELY(!t || t->options.probing_off || !worker)) return true;
    assert(t->options.type == TABIA_CLAIMS);
    const SlotRef p = claim_slot_ref(t, key);
    segment_prepare(t, p.bucket);
    const uint8_t low = (uint8_t)(depth < UINT8_MAX ? depth : UINT8_MAX);
    const ClaimTry tried = try_once(t, p, claim_pack((TabiaClaim){now, worker, low}), lease);
    count_probe(t, p, !tried.mine);
    if (t->counters && tried.mine) {
        tabia_count_event(t, COUNTED_stores);
        tabia_count_event(t, tried.event);
    }
    return tried.mine;
}

TabiaClaim tabia_claim_check(const TabiaTable *t, TabiaKey key, uint64_t now, uint64_t lease) {
    if (UNLIKELY(!t || t->options.probing_off)) return (TabiaClaim){0};
    assert(t->options.type == TABIA_CLAIMS);
    const SlotRef p = claim_slot_ref(t, key);
    const uint64_t data = find(t, p);
    const bool holds = claim_holds(data, now, lease);
    count_probe(t, p, holds);
    return holds ? claim_unpack(data) : (TabiaClaim){0};
}

void tabia_claim_release(TabiaTable *t, TabiaKey key, uint16_t worker) {
    if (UNLIKELY(!t || t->options.probing_off || !worker)) return;
    assert(t->options.type == TABIA_CLAIMS);
    const SlotRef p = claim_slot_ref(t, key);
    if (LIKELY(t->route == ROUTE_XOR))
        claim_release_inline(t, p, worker, TABIA_XOR, 4);
    else
        claim_release_inline(t, p, worker, t->integrity, t->slots);
}
