/* SPDX-License-Identifier: MIT */
/*
 * The table behind all record types: what a probe reads of it, where a key belongs, and how time passes in it.
 *
 *     TabiaTable ---> base  | bucket | bucket | ... one line of 64 bytes each (less with fewer ways)
 *                |          | slot slot slot slot |
 *                +--> generations  generation, epoch, clears: in the table's memory when it is named, so that all see it
 *                +--> segment the clear that each part of the memory was last zeroed for (segment.h)
 *                +--> locks   only when locked
 *
 * A slot's identity is what its check word says once the data is taken out of it:
 *
 *     [ signature | zeros | bucket tag, with counters | beside (entries) | path (entries) or tag (other types) ]
 *       high                                                                 low
 *
 * What lies beside the path are user bits and upper bits of moves (entry_inline.h); in the standard layout nothing.
 *
 * The epoch is XORed into every signature. A clear, and with strict generations every generation, begins a new one: what
 * was stored before is never found again, whatever wraps around. A clear also makes all segments stale, so that what
 * was stored before it has no say in what is replaced. The tag is the number of epochs modulo 4 and tells the replacement
 * which counts and records are of another strict generation; entries have their generation for that.
 */
#pragma once
#include "base/memory.h"
#include "slot.h"

enum {
    CACHE_LINE_BYTES = 64,
    CACHE_LINE_WORDS = 8,
    GENERATIONS = 63,     /* that an entry tells apart */
    GENERATION_BITS = 58, /* of the count of generations, which no program reaches; above it 1 + the count % 63 */
    EPOCH_TAG_BITS = 2,
    BUCKET_TAG_BITS = 8,
};

/* Counts up; read by every probe, written once a search. */
typedef struct {
    Word generation; /* their count and, above it, what entries have of it: so no store divides */
    Word epoch;      /* a random word, 0 for the first */
    Word epochs;     /* how many began so far */
    Word clears;     /* their number, 1 .. CLEARS, or 0: none yet (segment.h) */
} GenerationState;

/* How hot calls run: entries as most tables have them by a text of their own (entry_standard.h), straight through one of
   the four modes, or by the slow text that can do everything. */
typedef enum {
    ROUTE_STANDARD,
    ROUTE_XOR,
    ROUTE_WIDE,
    ROUTE_LOCKED,
    ROUTE_NONE,
    ROUTE_CUSTOM,         /* by xor, with other layouts */
    ROUTE_CUSTOM_REFRESH, /* the same in any layout, refreshing what probes hit */
    ROUTE_SLOW
} Route;

typedef struct {
    _Alignas(CACHE_LINE_BYTES) _Atomic uint32_t taken;
} SpinLock;

/* Counters of some threads: each thread always uses the same shard, most have one of their own. */
enum { COUNTER_SHARDS = 64, COUNTERS_MAX = 16 };
typedef struct {
    _Alignas(2 * CACHE_LINE_BYTES) Word count[COUNTERS_MAX];
} CounterShard;

typedef struct Named Named; /* named.c */

/* What the priorities of four slots are made with, in lanes of sixteen bits (standard_least). Compilers build constants of vectors by several instructions each; from the table each is an operand. */
typedef enum {
    LANES_PLACE, /* and the next: where the upper sixteen bits of data words go */
    LANES_PLACE_HIGH,
    LANES_GENERATIONS,
    LANES_EXACT,
    LANES_BONUS,
    LANES_DRAFT,
    LANES_WEIGHT,
    LANES_NONE, /* the lanes that are no slot's */
    TABLE_LANES
} TableLanes;

struct TabiaTable {
    char *base;
    uint64_t buckets; /* buckets */
    uint64_t signature_mask, path_mask, beside_mask;
    GenerationState *generations;
    _Atomic uint8_t *segment; /* NULL: a whole without memory of its own */
    SpinLock *locks;
    uint64_t lock_mask;
    CounterShard *counters; /* NULL: none */
    Route route;
    Route store_route;   /* the same, but slow where the replacement rule is not the default; no refreshing */
    Integrity integrity; /* as obtained */
    unsigned words;      /* of data in a slot */
    unsigned slots;      /* in a bucket */
    unsigned age_weight, path_bits;
    unsigned exact_bonus, keep_margin; /* as numbers: 0, and more than any draft, where there is none */
    unsigned tag_shift;                /* where the bucket tag begins: above the path and what lies beside it */
    unsigned bucket_bytes;
    bool has_bucket_tag;
    _Alignas(CACHE_LINE_BYTES) uint16_t lanes[TABLE_LANES][8];

    TabiaOptions options; /* with every default filled in; its name is the one below */
    char *name;           /* a copy; NULL: none */
    Memory memory;        /* empty for partitions of another's memory */
    GenerationState own_generations;
    TabiaTable **partition; /* NULL: this one is not a whole of several */
    Named *named;           /* NULL: not shared between processes */
};

/* What is to be where: a bucket and the identity a position has in it. */
typedef struct {
    Word *bucket;
    uint64_t identity;
} SlotRef;

INLINE uint64_t load_relaxed(const Word *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

/* ---- generations ---- */

/* What an entry has of a generation, 1 .. 63. */
INLINE uint64_t generation_field(uint64_t generation) {
    assert(generation >> GENERATION_BITS == 0);
    return 1 + generation % GENERATIONS;
}

/* The word that holds a count of generations. */
INLINE uint64_t generation_word(uint64_t generation) {
    return generation | generation_field(generation) << GENERATION_BITS;
}

/* The count in such a word. */
INLINE uint64_t generation_count(uint64_t word) {
    return word & ~(uint64_t)0 >> (64 - GENERATION_BITS);
}

/* How many began so far. */
INLINE uint64_t generation_now(const TabiaTable *t) {
    return generation_count(load_relaxed(&t->generations->generation));
}

/* generation_field of it. */
INLINE uint64_t generation_field_now(const TabiaTable *t) {
    return load_relaxed(&t->generations->generation) >> GENERATION_BITS;
}

INLINE uint64_t epoch_tag_of(const TabiaTable *t) {
    return load_relaxed(&t->generations->epochs) & ((1 << EPOCH_TAG_BITS) - 1);
}

INLINE uint64_t bucket_number(const TabiaTable *t, uint64_t index) {
    return multiply_high(index, t->buckets);
}

/* bucket_bytes is t->bucket_bytes, or a constant that is known to be the same. */
INLINE Word *bucket_of(const TabiaTable *t, uint64_t index, unsigned bucket_bytes) {
    assert(t->base && bucket_bytes == t->bucket_bytes);
    return (Word *)(t->base + bucket_number(t, index) * bucket_bytes);
}

INLINE uint64_t bucket_tag_of(const TabiaTable *t, const Word *bucket, uint64_t signature) {
    const uint64_t number = (uint64_t)((const char *)bucket - t->base) / t->bucket_bytes;
    assert(number < t->buckets);
    return (signature + number * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull >> (64 - BUCKET_TAG_BITS);
}

INLINE uint64_t signature_of(const TabiaTable *t, uint64_t check) {
    const uint64_t signature = (check ^ load_relaxed(&t->generations->epoch)) & t->signature_mask;
    return signature ? signature : (uint64_t)1 << 63;
}

/* path: the path key of an entry, the tag for the other record types. slow: with counters there is a bucket tag. */
INLINE SlotRef slot_ref_of(const TabiaTable *t, TabiaKey key, uint64_t path, unsigned bucket_bytes, bool slow) {
    SlotRef p = {bucket_of(t, key.index, bucket_bytes), signature_of(t, key.check)};
    if (slow && t->has_bucket_tag) p.identity |= bucket_tag_of(t, p.bucket, p.identity) << t->tag_shift;
    p.identity |= path & t->path_mask;
    assert(p.identity & t->signature_mask); /* so that no position has the identity of an empty slot */
    return p;
}

/* ---- locks ---- */

INLINE void lock_spin(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

INLINE SpinLock *lock_of(const TabiaTable *t, const Word *bucket) {
    assert(t->locks);
    return t->locks + ((uint64_t)((const char *)bucket - t->base) / CACHE_LINE_BYTES & t->lock_mask);
}

/* Acquire and release: what is done between them is seen whole by the next to take the lock. */
INLINE void bucket_lock(const TabiaTable *t, const Word *bucket, Integrity integrity) {
    if (integrity != TABIA_LOCKED) return;
    SpinLock *lock = lock_of(t, bucket);
    while (atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire))
        while (atomic_load_explicit(&lock->taken, memory_order_relaxed)) lock_spin();
}

INLINE void bucket_unlock(const TabiaTable *t, const Word *bucket, Integrity integrity) {
    if (integrity != TABIA_LOCKED) return;
    assert(atomic_load_explicit(&lock_of(t, bucket)->taken, memory_order_relaxed));
    atomic_store_explicit(&lock_of(t, bucket)->taken, 0, memory_order_release);
}

/* ---- counters ---- */

typedef enum {
#define COUNTER_MEMBER(name, text) COUNTED_##name,
    TABIA_COUNTERS(COUNTER_MEMBER)
#undef COUNTER_MEMBER
        COUNTED_N
} CounterEvent;

void tabia_count_event(const TabiaTable *t, CounterEvent event);
/* Counts the slots of a bucket whose bucket tag is broken. */
void tabia_count_torn(const TabiaTable *t, const Word *bucket);
