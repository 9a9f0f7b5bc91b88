/* SPDX-License-Identifier: MIT */
#include "key_set.h"

#include <stdlib.h>

/* The slot that holds the key, or the empty one where it belongs. */
static KeySlot *find(KeySlot *slot, size_t slots, Key key) {
    size_t at = key[1] & (slots - 1);
    while (slot[at].paths && !key_same(slot[at].key, key)) at = (at + 1) & (slots - 1);
    return slot + at;
}

static bool grow(KeySet *set, Fault *fault) {
    const size_t slots = set->slots ? 2 * set->slots : 1024;
    KeySlot *slot = calloc(slots, sizeof *slot);
    if (!slot) return tabia_fault(fault, "not enough memory for a set of %zu positions", slots);
    for (size_t i = 0; i < set->slots; i++)
        if (set->slot[i].paths) *find(slot, slots, set->slot[i].key) = set->slot[i];
    free(set->slot);
    set->slot = slot, set->slots = slots;
    return true;
}

bool key_set_add(KeySet *set, Key key, uint64_t paths, uint64_t origin, Fault *fault) {
    if (4 * set->used >= 3 * set->slots && !grow(set, fault)) return false;
    KeySlot *slot = find(set->slot, set->slots, key);
    if (!slot->paths) {
        *slot = (KeySlot){.key = key, .origin = origin};
        set->used++;
    }
    slot->paths += paths;
    return true;
}

void key_set_free(KeySet *set) {
    free(set->slot);
    *set = (KeySet){0};
}
