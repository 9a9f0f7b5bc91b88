/* SPDX-License-Identifier: MIT */
/*
 * One slot: a check word and its data, and the four ways to keep them together.
 *
 *     | check | data |                 16 bytes, aligned to 16          entries, counts
 *     | check | word 1 ... word N |    8 (N + 1) bytes                  records
 *
 *     xor     check = identity XOR hash(data), two relaxed stores. A reader XORs again: what comes out is the identity
 *             that was stored, or, for one writer's check beside another's data, neither's.
 *     wide    check = identity; both words in one 16-byte access that the processor makes atomic.
 *     locked  check = identity; a spinlock around every access (table_internal.h).
 *     none    check = identity, two relaxed stores, and nobody notices when they mix.
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

typedef TabiaIntegrity Integrity;

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

/* The laboratory's (src/lab/table/stress_plain.c): no hash, the form of 2002, to show what it lets through. */
#ifndef TABIA_PLAIN_XOR
#define TABIA_PLAIN_XOR 0
#endif

/* Of a single word, one to one. The product's upper bits, where the signature is, depend on every bit of the data. */
static const uint64_t hash_factor = 0xd6e8feb86659fd93ull;
INLINE uint64_t hash_word(uint64_t data) {
    return TABIA_PLAIN_XOR ? data : data * hash_factor;
}

/* Of word number i of several: the product, turned by 9 i bits. A change of a word's uppermost bit is one of the
   product's uppermost bit, whatever the factor; without the turns two of them would cancel. */
enum { HASH_ROTATION = 9 };
static const uint64_t hash_factors[TABIA_RECORD_WORDS_MAX] = {
    0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull, 0xbf58476d1ce4e5b9ull, 0x94d049bb133111ebull,
    0xda942042e4dd58b5ull, 0xc2b2ae3d27d4eb4full, 0xa0761d6478bd642full,
};
INLINE uint64_t hash_word_of(uint64_t word, unsigned i) {
    if (TABIA_PLAIN_XOR) return word;
    const uint64_t product = word * hash_factors[i];
    return i ? product << HASH_ROTATION * i | product >> (64 - HASH_ROTATION * i) : product;
}

/* ---- sixteen bytes at once ---- */

/*
 * Atomic by the manuals where wide_is_atomic() says so. In assembly because a compiler may split what it sees as an
 * ordinary vector access.
 */
#if defined(__x86_64__)
INLINE SlotPair wide_load(const Word *slot) {
    typedef long long Vector128 __attribute__((vector_size(16)));
    Vector128 both;
#ifdef __AVX__
    __asm__ volatile("vmovdqa %1, %0" : "=x"(both) : "m"(*(const Vector128 *)slot));
#else
    __asm__ volatile("movdqa %1, %0" : "=x"(both) : "m"(*(const Vector128 *)slot));
#endif
    return (SlotPair){(uint64_t)both[0], (uint64_t)both[1]};
}
INLINE void wide_store(Word *slot, SlotPair p) {
    typedef long long Vector128 __attribute__((vector_size(16)));
    const Vector128 both = {(long long)p.check, (long long)p.data};
#ifdef __AVX__
    __asm__ volatile("vmovdqa %1, %0" : "=m"(*(Vector128 *)slot) : "x"(both));
#else
    __asm__ volatile("movdqa %1, %0" : "=m"(*(Vector128 *)slot) : "x"(both));
#endif
}
#elif defined(__aarch64__)
INLINE SlotPair wide_load(const Word *slot) {
    SlotPair p;
    __asm__ volatile("ldp %0, %1, [%2]" : "=r"(p.check), "=r"(p.data) : "r"(slot) : "memory");
    return p;
}
INLINE void wide_store(Word *slot, SlotPair p) {
    __asm__ volatile("stp %0, %1, [%2]" : : "r"(p.check), "r"(p.data), "r"(slot) : "memory");
}
#else /* never called: wide_is_atomic() is false */
INLINE SlotPair wide_load(const Word *slot) {
    return (SlotPair){atomic_load_explicit(slot, memory_order_relaxed),
                      atomic_load_explicit(slot + 1, memory_order_relaxed)};
}
INLINE void wide_store(Word *slot, SlotPair p) {
    atomic_store_explicit(slot, p.check, memory_order_relaxed);
    atomic_store_explicit(slot + 1, p.data, memory_order_relaxed);
}
#endif

/* Does this processor make aligned 16-byte accesses atomic? */
bool tabia_wide_is_atomic(void);

/* ---- a slot of one data word ---- */

/* The slot's identity and data: check holds the identity. An empty one has both 0. */
INLINE SlotPair slot_load(const Word *slot, Integrity integrity) {
    if (integrity == TABIA_WIDE) return wide_load(slot);
    const uint64_t data = atomic_load_explicit(slot + 1, memory_order_relaxed);
    const uint64_t check = atomic_load_explicit(slot, memory_order_relaxed);
    return (SlotPair){integrity == TABIA_XOR ? check ^ hash_word(data) : check, data};
}

INLINE void slot_store(Word *slot, uint64_t identity, uint64_t data, Integrity integrity) {
    if (integrity == TABIA_WIDE) {
        wide_store(slot, (SlotPair){identity, data});
        return;
    }
    atomic_store_explicit(slot, integrity == TABIA_XOR ? identity ^ hash_word(data) : identity, memory_order_relaxed);
    pause_at(PAUSE_BETWEEN_STORES);
    atomic_store_explicit(slot + 1, data, memory_order_relaxed);
}

/* ---- a slot of n data words; wide is done as xor ---- */

/* The slot's identity, its words copied into words[0 .. n-1]. */
INLINE uint64_t slot_load_words(const Word *slot, uint64_t *words, unsigned n, Integrity integrity) {
    assert(n >= 1 && n <= TABIA_RECORD_WORDS_MAX);
    if (n == 1) {
        const SlotPair p = slot_load(slot, integrity);
        words[0] = p.data;
        return p.check;
    }
    uint64_t identity = atomic_load_explicit(slot, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        words[i] = atomic_load_explicit(slot + 1 + i, memory_order_relaxed);
        if (integrity == TABIA_XOR || integrity == TABIA_WIDE) identity ^= hash_word_of(words[i], i);
    }
    return identity;
}

INLINE void slot_store_words(Word *slot, uint64_t identity, const uint64_t *words, unsigned n, Integrity integrity) {
    assert(n >= 1 && n <= TABIA_RECORD_WORDS_MAX);
    if (n == 1) {
        slot_store(slot, identity, words[0], integrity);
        return;
    }
    if (integrity == TABIA_XOR || integrity == TABIA_WIDE)
        for (unsigned i = 0; i < n; i++) identity ^= hash_word_of(words[i], i);
    atomic_store_explicit(slot, identity, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        pause_at(PAUSE_BETWEEN_STORES);
        atomic_store_explicit(slot + 1 + i, words[i], memory_order_relaxed);
    }
}
