/* SPDX-License-Identifier: MIT */
/*
 * One slot: a check word and its data, kept together without a lock.
 *
 *     | check | data |                 16 bytes, aligned to 16          entries, counts
 *     | check | word 1 ... word N |    8 (N + 1) bytes                  records
 *
 *     check = identity XOR hash(data), by relaxed stores. A reader XORs again: what comes out is the identity that was
 *     stored, or, for one writer's check with another's data, neither's.
 *
 * Hyatt and Mann XOR the data itself. Here it is hashed first, for two reasons. Some bits of the check are the path's,
 * and are not compared when only the move is wanted: two entries that differ in just those bits would pass for each
 * other. And of several words, equal differences would cancel. A hash of 0 is 0, so that memory of zeros is a table of
 * empty slots whose identity is 0, which no position has.
 *
 * Ordering: all accesses are relaxed. A slot is believed for what its words say together, never for when they were
 * written, and no other memory is published through it.
 */
#pragma once
#include <assert.h>
#include <stdatomic.h>

#include "base/bits.h"
#include "tabia/table.h"

typedef _Atomic uint64_t Word;

/* A check word and a data word, copied. */
typedef struct {
    uint64_t check, data;
} SlotPair;

/*
 * Where a thread may be held up by the proofs (src/lab/stress.c and the rendezvous tests), which compile this text with
 * TABIA_PAUSES defined and a pause() of their own. Elsewhere nothing.
 */
typedef enum { PAUSE_BETWEEN_STORES, PAUSE_BEFORE_REWRITE } PausePoint;
#ifdef TABIA_PAUSES
static void pause_at(PausePoint point);
#else
INLINE void pause_at(PausePoint point) {
    (void)point;
}
#endif

/* ---- hashes of data: 0 stays 0 ---- */

/* What the check word is XORed with. The laboratory and the rendezvous tests compile this text in two other ways too, to
   show what these let through: with the data itself, the form of 2002, and with nothing. */
#define CHECK_HASHED 0
#define CHECK_PLAIN 1
#define CHECK_NONE 2
#ifndef TABIA_CHECK
#define TABIA_CHECK CHECK_HASHED
#endif

/* Of a single word, one to one. The product's upper bits, where the signature is, depend on every bit of the data. */
static const uint64_t hash_factor = 0xd6e8feb86659fd93ull;
INLINE uint64_t hash_word(uint64_t data) {
    if (TABIA_CHECK != CHECK_HASHED) return TABIA_CHECK == CHECK_PLAIN ? data : 0;
    return data * hash_factor;
}

/* Of word number i of several: the product, turned by 9 i bits. A change of a word's uppermost bit is one of the
   product's uppermost bit, whatever the factor; without the turns two of them would cancel. */
enum { HASH_ROTATION = 9 };
static const uint64_t hash_factors[TABIA_RECORD_WORDS_MAX] = {
    0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull, 0xbf58476d1ce4e5b9ull, 0x94d049bb133111ebull,
    0xda942042e4dd58b5ull, 0xc2b2ae3d27d4eb4full, 0xa0761d6478bd642full,
};
INLINE uint64_t hash_word_of(uint64_t word, unsigned i) {
    if (TABIA_CHECK != CHECK_HASHED) return TABIA_CHECK == CHECK_PLAIN ? word : 0;
    const uint64_t product = word * hash_factors[i];
    return i ? product << HASH_ROTATION * i | product >> (64 - HASH_ROTATION * i) : product;
}

/* ---- a slot of one data word ---- */

/* The slot's identity and data: check holds the identity. An empty one has both 0. */
INLINE SlotPair slot_load(const Word *slot) {
    const uint64_t data = atomic_load_explicit(slot + 1, memory_order_relaxed);
    return (SlotPair){atomic_load_explicit(slot, memory_order_relaxed) ^ hash_word(data), data};
}

INLINE void slot_store(Word *slot, uint64_t identity, uint64_t data) {
    atomic_store_explicit(slot, identity ^ hash_word(data), memory_order_relaxed);
    pause_at(PAUSE_BETWEEN_STORES);
    atomic_store_explicit(slot + 1, data, memory_order_relaxed);
}

/* ---- a slot of n data words ---- */

/* The slot's identity, its words copied into words[0 .. n-1]. */
INLINE uint64_t slot_load_words(const Word *slot, uint64_t *words, unsigned n) {
    assert(n >= 1 && n <= TABIA_RECORD_WORDS_MAX);
    if (n == 1) {
        const SlotPair p = slot_load(slot);
        words[0] = p.data;
        return p.check;
    }
    uint64_t identity = atomic_load_explicit(slot, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        words[i] = atomic_load_explicit(slot + 1 + i, memory_order_relaxed);
        identity ^= hash_word_of(words[i], i);
    }
    return identity;
}

INLINE void slot_store_words(Word *slot, uint64_t identity, const uint64_t *words, unsigned n) {
    assert(n >= 1 && n <= TABIA_RECORD_WORDS_MAX);
    if (n == 1) {
        slot_store(slot, identity, words[0]);
        return;
    }
    for (unsigned i = 0; i < n; i++) identity ^= hash_word_of(words[i], i);
    atomic_store_explicit(slot, identity, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        pause_at(PAUSE_BETWEEN_STORES);
        atomic_store_explicit(slot + 1 + i, words[i], memory_order_relaxed);
    }
}
