/* SPDX-License-Identifier: MIT */
#include "position_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rules/movegen.h"

enum { SLOTS_MIN = 256 };

static size_t capacity_of(size_t slots) {
    return slots / 4 * 3;
}

/* Zobrist keys of related positions lie in clumps, which linear probing turns into long runs; a multiplication scatters
   them. */
static size_t first_slot(Key key, size_t slots) {
    return (key[1] * 0x9e3779b97f4a7c15ull >> 20) & (slots - 1);
}

/* Moves the numbers into a larger table. */
static void rehash(const PositionSet *set, uint32_t *slot, size_t slots) {
    for (size_t s = 0; s < set->slots; s++) {
        if (!set->slot[s]) continue;
        size_t at = first_slot(set->key[set->slot[s] - 1], slots);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = set->slot[s];
    }
}

bool position_set_reserve(PositionSet *set, size_t n, TabiaError *error) {
    assert(set->slot || !set->n); /* not complete */
    size_t slots = set->slots ? set->slots : SLOTS_MIN;
    if (n <= set->capacity) return true;
    while (capacity_of(slots) < n) slots *= 2;
    const size_t capacity = capacity_of(slots);
    if (capacity > UINT32_MAX) return tabia_fail(error, "a ply of more than %u positions", UINT32_MAX);
    Position *position = tabia_aligned_get(64, capacity * sizeof *position);
    Key *key = realloc(set->key, capacity * sizeof *key);
    if (key) set->key = key;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!position || !key || !slot) {
        tabia_aligned_free(position);
        free(slot);
        return tabia_fail(error, "not enough memory for a ply of %zu positions", capacity);
    }
    if (set->n) memcpy(position, set->position, set->n * sizeof *position);
    rehash(set, slot, slots);
    tabia_aligned_free(set->position);
    free(set->slot);
    set->position = position, set->slot = slot, set->slots = slots, set->capacity = capacity;
    return true;
}

void position_set_clear(PositionSet *set) {
    assert(set->slot || !set->n);
    set->n = 0;
    if (set->slots) memset(set->slot, 0, set->slots * sizeof *set->slot);
}

void position_set_complete(PositionSet *set) {
    free(set->slot);
    set->slot = NULL, set->slots = 0;
}

void position_set_free(PositionSet *set) {
    tabia_aligned_free(set->position);
    free(set->key);
    free(set->slot);
    *set = (PositionSet){0};
}

/* The slot that holds the key's number, or the empty one where it belongs. */
INLINE uint32_t *find_slot(const PositionSet *set, Key key) {
    size_t at = first_slot(key, set->slots);
    while (set->slot[at] && !key_same(set->key[set->slot[at] - 1], key)) at = (at + 1) & (set->slots - 1);
    return set->slot + at;
}

INLINE bool add(PositionSet *set, Key key, size_t *number, bool *is_new, TabiaError *error) {
    if (set->n == set->capacity && !position_set_reserve(set, set->n + 1, error)) return false;
    *is_new = true;
    if (!set->is_multiset) {
        uint32_t *slot = find_slot(set, key);
        *is_new = *slot == 0;
        if (*is_new) *slot = (uint32_t)set->n + 1;
        *number = *slot - 1;
        assert(*number <= set->n);
    }
    if (*is_new) {
        *number = set->n++;
        set->key[*number] = key;
    }
    return true;
}

bool position_set_add(PositionSet *set, Key key, size_t *number, bool *is_new, TabiaError *error) {
    return add(set, key, number, is_new, error);
}

bool position_set_expand(PositionSet *set, const Position *parent, Key key, const Zobrist *z, ChildNumbers *children,
                         TabiaError *error) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(parent, list);
    assert(n <= MOVES_MAX);
    children->n = n;
    for (unsigned i = 0; i < n; i++) {
        size_t child;
        bool is_new;
        if (!add(set, position_key_after(parent, key, list[i], z), &child, &is_new, error)) return false;
        if (is_new) position_make_move(&set->position[child], parent, list[i]);
        children->number[i] = (uint32_t)child;
    }
    return true;
}
