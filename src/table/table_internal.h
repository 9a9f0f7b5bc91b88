/* SPDX-License-Identifier: MIT */
/*
 * The table behind all record types: what a probe reads of it, where a key belongs, and how time passes in it.
 *
 *     TabiaTable ---> base  | bucket | bucket | ... one line of 64 bytes each
 *                |          | slot slot slot slot |
 *                +--> generations  generation, epoch, clears: in the table's memory when it is named, so that all see it
 *                +--> segment the clear that each part of the memory was last zeroed for (segment.h)
 *
 * A slot's identity is what its check word says once the data is taken out of it:
 *
 *     [ signature | zeros | user bits and upper bits of moves (entries) | path (entries) or tag (other types) ]
 *       high                                                                                            low
 *
 * The epoch is XORed into every signature. A clear, and with strict generations every generation, begins a new one: what
 * was stored before is never found again, whatever wraps around. A clear also makes all segments stale, so that what
 * was stored before it has no say in what is replaced. The tag is the number of epochs modulo 4 and tells the replacement
 * which counts and records are of another strict generation; entries have their generation for that.
 */
#pragma once
#include <pthread.h>

#include "base/memory.h"
#include "bucket.h"

enum {
    CACHE_LINE_BYTES = 64,
    CACHE_LINE_WORDS = 8,
    GENERATIONS = 63,        /* that an entry tells apart */
    AGE_WEIGHT_STRICT = 512, /* more than any priority: what strict generations forget goes first */
    GENERATION_BITS = 58,    /* of the count of generations, which no program reaches; above it 1 + the count % 63 */
    EPOCH_TAG_BITS = 2,
};

/* Counts up; read by every probe, written once a search. */
typedef struct {
    Word generation; /* their count and, above it, what entries have of it: so no store divides */
    Word epoch;      /* a random word, 0 for the first */
    Word epochs;     /* how many began so far */
    Word clears;     /* their number, 1 .. CLEARS, or 0: none yet (segment.h) */
} GenerationState;

/* Counters of some threads: each thread always uses the same shard, most have one of their own. */
enum { COUNTER_SHARDS = 64, COUNTERS_MAX = 16 };
typedef struct {
    _Alignas(2 * CACHE_LINE_BYTES) Word count[COUNTERS_MAX];
} CounterShard;

typedef struct Named Named; /* named.c */

struct TabiaTable {
    char *base;
    uint64_t buckets;
    uint64_t signature_mask, path_mask, extra_mask; /* extra: user bits and upper bits of moves */
    uint64_t position_mask;                         /* in which two check words of the same position agree */
    GenerationState *generations;
    _Atomic uint8_t *segment; /* NULL: a whole without memory of its own */
    CounterShard *counters;   /* NULL: none */
    bool probes_slowly;       /* there is more to a probe than the probe: counters, refresh_on_hit,
                                 user bits, longer moves */
    bool stores_slowly;       /* the same of stores: counters; of counts also another rule */
    bool refuses;             /* an entry of lower priority than all slots */
    unsigned words;           /* of data in a slot */
    unsigned slots;           /* in a bucket */
    unsigned age_weight, path_bits;
    unsigned exact_bonus, keep_margin; /* as numbers: 0, and more than any draft, where there is none */

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

/*
 * The upper 64 bits of the product. The empty assembly keeps compilers from joining a shift with it into one of two
 * words (shld), which takes some processors six cycles.
 */
INLINE uint64_t multiply_high(uint64_t a, uint64_t b) {
    uint64_t upper = (uint64_t)((unsigned __int128)a * b >> 64);
    __asm__("" : "+r"(upper));
    return upper;
}

INLINE uint64_t bucket_number(const TabiaTable *t, uint64_t index) {
    return multiply_high(index, t->buckets);
}

INLINE Word *bucket_of(const TabiaTable *t, uint64_t index) {
    assert(t->base);
    return (Word *)(t->base + bucket_number(t, index) * CACHE_LINE_BYTES);
}

INLINE void bucket_prefetch(const TabiaTable *t, TabiaKey key) {
    __builtin_prefetch(bucket_of(t, key.index));
}

INLINE uint64_t signature_of(const TabiaTable *t, uint64_t check) {
    const uint64_t signature = (check ^ load_relaxed(&t->generations->epoch)) & t->signature_mask;
    return signature ? signature : (uint64_t)1 << 63;
}

/* path: the path key of an entry, the tag for the other record types. */
INLINE SlotRef slot_ref_of(const TabiaTable *t, TabiaKey key, uint64_t path) {
    const SlotRef p = {bucket_of(t, key.index), signature_of(t, key.check) | (path & t->path_mask)};
    assert(p.identity & t->signature_mask); /* so that no position has the identity of an empty slot */
    return p;
}

/* The bytes of all buckets. */
INLINE uint64_t table_bytes(const TabiaTable *t) {
    return t->buckets * CACHE_LINE_BYTES;
}

/* ---- counters ---- */

typedef enum {
#define COUNTER_MEMBER(name, text) COUNTED_##name,
    TABIA_COUNTERS(COUNTER_MEMBER)
#undef COUNTER_MEMBER
        COUNTED_N
} CounterEvent;

/* Kept out of the way of tables without counters. */
NOINLINE void count_event(const TabiaTable *t, CounterEvent event) {
    assert(event < COUNTED_N);
    const uint64_t thread = (uint64_t)pthread_self() * 0x9e3779b97f4a7c15ull;
    CounterShard *shard = &t->counters[thread >> 32 & (COUNTER_SHARDS - 1)];
    atomic_fetch_add_explicit(&shard->count[event], 1, memory_order_relaxed);
}

/* A probe, and whether it found its position. */
INLINE void count_probe(const TabiaTable *t, bool there) {
    if (!t->counters) return;
    count_event(t, COUNTED_probes);
    if (there) count_event(t, COUNTED_hits);
}

/* A store, and what became of it. */
INLINE void count_store(const TabiaTable *t, CounterEvent event) {
    if (!t->counters) return;
    count_event(t, COUNTED_stores);
    count_event(t, event);
}
