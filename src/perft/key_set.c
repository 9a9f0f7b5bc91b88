/* SPDX-License-Identifier: MIT */
#include "key_set.h"

#include <assert.h>

#include "base/stop.h"

/*
 * The slot that holds the key, or the empty one where it belongs. Zobrist keys are sums of few numbers, and those of
 * related positions lie in clumps that linear probing turns into long runs; a multiplication parts them (unique 6: 21 s
 * of CPU without it, 3 s with it).
 */
static KeySlot *find(KeySlot *slot, size_t slots, Key key) {
    size_t at = (key[1] * 0x9e3779b97f4a7c15ull >> 20) & (slots - 1);
    while (slot[at].paths && !key_same(slot[at].key, key)) at = (at + 1) & (slots - 1);
    return slot + at;
}

static bool grow(KeySet *set, TabiaError *error) {
    enum { CHECK_INTERVAL = 1 << 16 };
    const size_t slots = set->slots ? 2 * set->slots : 16384;
    assert((slots & (slots - 1)) == 0);
    Memory memory;
    if (!tabia_memory_get(&memory, (MemoryRequest){.bytes = slots * sizeof(KeySlot)}, error)) return false;
    KeySlot *slot = memory.at;
    for (size_t i = 0; i < set->slots; i++) {
        if (i % CHECK_INTERVAL == 0 && tabia_stop_requested()) { /* of gigabytes this takes seconds */
            tabia_memory_free(&memory);
            return tabia_fail(error, "stopped");
        }
        if (set->slot[i].paths) *find(slot, slots, set->slot[i].key) = set->slot[i];
    }
    tabia_memory_free(&set->memory);
    set->slot = slot, set->slots = slots, set->memory = memory;
    return true;
}

bool key_set_add(KeySet *set, Key key, uint64_t paths, uint64_t origin, TabiaError *error) {
    assert(paths > 0 && set->used <= set->slots);
    if (4 * set->used >= 3 * set->slots && !grow(set, error)) return false;
    KeySlot *slot = find(set->slot, set->slots, key);
    if (!slot->paths) {
        *slot = (KeySlot){.key = key, .origin = origin};
        set->used++;
    }
    slot->paths += paths;
    return true;
}

void key_set_free(KeySet *set) {
    tabia_memory_free(&set->memory);
    *set = (KeySet){0};
}
