/* SPDX-License-Identifier: MIT */
/* Adding the children of parents to a set (child_set.h), for kernel.c. */
#pragma once
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "child_set.h"
#include "move_lists.h"

/* ---- the children of a parent ---- */

enum { ALL_CHILDREN_MAX = 2 * MOVES_MAX };

typedef struct {
    const Zobrist *zobrist;
    const Position *p;
    Key key;
    Colour us;
    unsigned n, moves;
    KeyByDefinition child[ALL_CHILDREN_MAX];
    Move move[MOVES_MAX];
} ChildVisit;

INLINE void visit_keys(void *context, UnpackedMove m) {
    ChildVisit *v = context;
    v->moves++;
    v->n += keys_by_definition(v->zobrist, v->p, v->key, v->us, m, v->child + v->n);
}
INLINE void visit_move(void *context, UnpackedMove m) {
    ChildVisit *v = context;
    v->child[v->n].key = key_after(v->zobrist, v->p, v->key, v->us, m);
    v->move[v->n++] = move_pack(m);
    v->moves++;
}

NOINLINE void visit_keys_white(ChildVisit *v) {
    MoveSink k = {.visit = visit_keys, .context = v};
    generate(v->p, &k, WHITE, GEN_VISIT);
}
NOINLINE void visit_keys_black(ChildVisit *v) {
    MoveSink k = {.visit = visit_keys, .context = v};
    generate(v->p, &k, BLACK, GEN_VISIT);
}
NOINLINE void visit_moves_white(ChildVisit *v) {
    MoveSink k = {.visit = visit_move, .context = v};
    generate(v->p, &k, WHITE, GEN_VISIT);
}
NOINLINE void visit_moves_black(ChildVisit *v) {
    MoveSink k = {.visit = visit_move, .context = v};
    generate(v->p, &k, BLACK, GEN_VISIT);
}

/* Zobrist keys of related positions lie in clumps, which linear probing turns into long runs; a multiplication scatters
   them. The first bits are the slice. */
INLINE uint64_t spread_of(Key key) {
    return key[0] * 0x9e3779b97f4a7c15ull;
}

INLINE unsigned region_bits_of(const ChildSet *set) {
    return 8 + set->region_bits;
}

INLINE unsigned region_of(const ChildSet *set, uint64_t spread) {
    return (unsigned)(spread >> (64 - region_bits_of(set))) - (set->first << set->region_bits);
}

INLINE uint64_t slot_in_region(const ChildSet *set, uint64_t spread) {
    return (uint64_t)((U128)(spread << region_bits_of(set)) * set->region_slots >> 64);
}

/* Keeps the children that fall into the set's part. Without a branch for each, which would be mispredicted. */
INLINE unsigned select_children(const ChildSet *set, const ChildVisit *v, BufferedKey *to, bool keys) {
    unsigned n = 0;
    for (unsigned i = 0; i < v->n; i++) {
        const uint64_t spread = spread_of(v->child[i].key),
                       check = v->child[i].key[1] >> DEFINITION_BITS << DEFINITION_BITS;
        const unsigned by = keys ? v->child[i].by & set->definitions : 1;
        to[n] = (BufferedKey){spread, keys ? check | by : v->move[i]};
        n += (unsigned)(spread >> 56) - set->first < set->slices && by;
    }
    return n;
}

/* ---- adding what a buffer holds for a region ---- */

enum { DEFINITIONS = (1 << DEFINITION_BITS) - 1, PREFETCH_DISTANCE = 32, GROUP_SLOTS = 8 };

/* Which slots of a group hold the key, by any definition: one at most. */
INLINE unsigned slots_with(const uint64_t *group, uint64_t mark) {
#if defined(__AVX512F__)
    const __m512i different = _mm512_xor_si512(_mm512_load_si512(group), _mm512_set1_epi64((long long)mark));
    return _mm512_cmple_epu64_mask(different, _mm512_set1_epi64(DEFINITIONS));
#else
    unsigned slots = 0;
    for (unsigned i = 0; i < GROUP_SLOTS; i++) slots |= (unsigned)((group[i] ^ mark) <= DEFINITIONS) << i;
    return slots;
#endif
}
INLINE unsigned empty_slots(const uint64_t *group) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_load_si512(group);
    return _mm512_testn_epi64_mask(all, all);
#else
    unsigned slots = 0;
    for (unsigned i = 0; i < GROUP_SLOTS; i++) slots |= (unsigned)!group[i] << i;
    return slots;
#endif
}

/* Returns the definitions by which the key is new. A branch for "new" would be mispredicted. */
INLINE unsigned add_key(uint64_t *slot, uint64_t slots, uint64_t at, uint64_t mark, uint64_t *used) {
    for (at -= at % GROUP_SLOTS;; at = at + GROUP_SLOTS < slots ? at + GROUP_SLOTS : 0) {
        const unsigned with = slots_with(slot + at, mark), empty = empty_slots(slot + at);
        if (UNLIKELY(!(with | empty))) continue;
        uint64_t *found = slot + at + lsb(with ? with : empty);
        const uint64_t there = *found;
        *found = there | mark;
        *used += !with;
        return mark & ~there & DEFINITIONS;
    }
}

static void add_buffered_keys(const ChildSet *set, ChildRegion *region, uint64_t *slot, const BufferedKey *key,
                              unsigned n) {
    uint64_t used = region->used, added[DEFINITION_BITS] = {0};
    for (unsigned i = 0; i < n; i++) {
        if (i + PREFETCH_DISTANCE < n)
            __builtin_prefetch(slot + slot_in_region(set, key[i + PREFETCH_DISTANCE].spread), 1);
        const unsigned by = add_key(slot, set->region_slots, slot_in_region(set, key[i].spread), key[i].mark, &used);
        for (unsigned d = 0; d < DEFINITION_BITS; d++) added[d] += by >> d & 1;
    }
    region->used = used;
    for (unsigned d = 0; d < EP_DEFINITIONS; d++) region->added[d] += added[d];
}

INLINE void add_merged(MergedPosition *slot, uint64_t slots, uint64_t at, const MergedPosition *merged,
                       uint64_t *used) {
    for (;; at = at + 1 < slots ? at + 1 : 0) {
        if (!slot[at].paths) {
            slot[at] = *merged;
            ++*used;
            return;
        }
        if (!ply_position_same(&slot[at].position, &merged->position)) continue;
        slot[at].paths += merged->paths;
        return;
    }
}

static void add_buffered_positions(const ChildSet *set, ChildRegion *region, MergedPosition *slot,
                                   const BufferedPosition *position, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (i + PREFETCH_DISTANCE < n)
            __builtin_prefetch(slot + slot_in_region(set, position[i + PREFETCH_DISTANCE].spread), 1);
        add_merged(slot, set->region_slots, slot_in_region(set, position[i].spread), &position[i].merged,
                   &region->used);
    }
}

enum {
    BUFFERED_KEYS = CHILD_BUFFER_BYTES / sizeof(BufferedKey),
    BUFFERED_POSITIONS = CHILD_BUFFER_BYTES / sizeof(BufferedPosition)
};

/* Adds what waits for a region. */
NOINLINE void flush_region(ChildBuffer *b, unsigned r) {
    const ChildSet *set = b->set;
    ChildRegion *region = &set->region[r];
    const unsigned n = b->n[r];
    b->n[r] = 0;
    while (atomic_flag_test_and_set_explicit(&region->lock, memory_order_acquire)) {
    }
    const uint64_t used = region->used;
    if (used + n > set->region_slots / 16 * 15)
        b->full = true;
    else if (set->key)
        add_buffered_keys(set, region, set->key + r * set->region_slots, b->key + (size_t)r * BUFFERED_KEYS, n);
    else
        add_buffered_positions(set, region, set->merged + r * set->region_slots,
                               b->position + (size_t)r * BUFFERED_POSITIONS, n);
    b->used += region->used - used;
    atomic_flag_clear_explicit(&region->lock, memory_order_release);
}

/* ---- all ---- */

INLINE void buffer_key(ChildBuffer *b, const BufferedKey *child) {
    const unsigned r = region_of(b->set, child->spread), n = b->n[r];
    b->key[(size_t)r * BUFFERED_KEYS + n] = *child;
    b->n[r] = n + 1;
    if (UNLIKELY(n + 1 == BUFFERED_KEYS)) flush_region(b, r);
}

INLINE void buffer_position(ChildBuffer *b, uint64_t spread, const Position *p, uint64_t paths) {
    const unsigned r = region_of(b->set, spread), n = b->n[r];
    b->position[(size_t)r * BUFFERED_POSITIONS + n] = (BufferedPosition){spread, {position_for_ply(p), paths}};
    b->n[r] = n + 1;
    if (UNLIKELY(n + 1 == BUFFERED_POSITIONS)) flush_region(b, r);
}

INLINE void add_children_of(ChildBuffer *b, const MergedPosition *parent, ChildVisit *v, bool keys) {
    const ChildSet *set = b->set;
    const Position p = position_of_ply(&parent->position, set->turn);
    BufferedKey child[ALL_CHILDREN_MAX];
    v->p = &p, v->key = zobrist_key(set->zobrist, &p), v->n = v->moves = 0;
    if (keys)
        v->us == WHITE ? visit_keys_white(v) : visit_keys_black(v);
    else
        v->us == WHITE ? visit_moves_white(v) : visit_moves_black(v);
    b->paths += (U128)parent->paths * v->moves;
    const unsigned n = select_children(set, v, child, keys);
    for (unsigned i = 0; i < n; i++)
        if (keys) {
            buffer_key(b, &child[i]);
        } else {
            Position next;
            make_move(&next, &p, v->us, (Move)child[i].mark);
            buffer_position(b, child[i].spread, &next, parent->paths);
        }
}

static void add_children(ChildBuffer *b, const MergedPosition *parents, size_t n) {
    ChildVisit visit = {.zobrist = b->set->zobrist, .us = b->set->turn};
    if (b->set->key)
        for (size_t i = 0; i < n; i++) add_children_of(b, parents + i, &visit, true);
    else
        for (size_t i = 0; i < n; i++) add_children_of(b, parents + i, &visit, false);
}

static void flush_children(ChildBuffer *b) {
    for (unsigned r = 0; r < b->set->slices << b->set->region_bits; r++)
        if (b->n[r]) flush_region(b, r);
}
