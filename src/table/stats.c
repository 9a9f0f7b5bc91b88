/* SPDX-License-Identifier: MIT */
/* What a table can tell of itself. */
#include "entry_inline.h"
#include "named.h"

/* ---- hashfull ---- */

/* What is asked of every slot: when it was stored. */
typedef struct {
    uint64_t field;
    uint64_t epoch_tag;
    unsigned max_age;
} HashfullSpan;

/* Entries of the present generation and so many before it: their data words tell. */
INLINE unsigned entries_used(const Word *bucket, unsigned slots, HashfullSpan span) {
    unsigned used = 0;
    for (unsigned i = 0; i < slots; i++) {
        const uint64_t data = load_relaxed(bucket + 2 * i + 1);
        used += data && entry_age(data, span.field) <= span.max_age;
    }
    return used;
}

/* Counts and records that strict generations have not forgotten. */
static unsigned slots_used(const TabiaTable *t, const Word *bucket, uint64_t epoch_tag) {
    uint64_t words[TABIA_RECORD_WORDS_MAX];
    unsigned used = 0;
    for (unsigned i = 0; i < t->slots; i++) {
        const uint64_t identity = slot_load_words(bucket + i * (t->words + 1), words, t->words);
        used += identity && ((identity ^ epoch_tag) & t->path_mask) == 0;
    }
    return used;
}

/* The slots in use of a bucket that is not stale. */
INLINE unsigned bucket_used(const TabiaTable *t, const Word *bucket, HashfullSpan span) {
    if (t->options.type != TABIA_ENTRIES) return slots_used(t, bucket, span.epoch_tag);
    return entries_used(bucket, t->slots, span);
}

typedef struct {
    uint64_t used, seen;
} HashfullSample;

/* Of the first `most` slots, in whole buckets, at least one. Any are as good: which a key falls into is chance. */
static HashfullSample sample(const TabiaTable *t, unsigned max, unsigned max_age) {
    const HashfullSpan span = {generation_field_now(t), epoch_tag_of(t), max_age};
    uint64_t buckets = max < t->slots ? 1 : max / t->slots, used = 0;
    if (buckets > t->buckets) buckets = t->buckets;
    for (uint64_t g = 0; g < buckets; g++) {
        const Word *bucket = (const Word *)(t->base + g * CACHE_LINE_BYTES);
        if (!segment_stale(t, bucket)) used += bucket_used(t, bucket, span);
    }
    return (HashfullSample){used, buckets * t->slots};
}

unsigned tabia_table_hashfull_age(const TabiaTable *t, unsigned max_age) {
    enum { SLOTS_SEEN = 1000 };
    HashfullSample all = {0, 0};
    if (!t) return 0;
    if (!t->partition) all = sample(t, SLOTS_SEEN, max_age);
    /* of more partitions than there are buckets to look at, some, evenly spread */
    const unsigned partitions = t->options.partitions, max = SLOTS_SEEN / t->slots;
    const unsigned asked = partitions < max ? partitions : max;
    for (unsigned i = 0; t->partition && i < asked; i++) {
        const unsigned at = (unsigned)((uint64_t)i * partitions / asked);
        const HashfullSample one = sample(t->partition[at], SLOTS_SEEN / asked, max_age);
        all.used += one.used, all.seen += one.seen;
    }
    assert(all.seen > 0 && all.seen <= SLOTS_SEEN && all.used <= all.seen);
    return (unsigned)(all.used * 1000 / all.seen);
}

unsigned tabia_table_hashfull(const TabiaTable *t) {
    return tabia_table_hashfull_age(t, 0);
}

/* ---- info ---- */

/* A partition has a piece of the whole's memory. */
static uint64_t page_bytes_of(const TabiaTable *t) {
    const Memory piece = {.at = t->base, .bytes = table_bytes(t)};
    return tabia_memory_page_bytes(t->memory.at ? &t->memory : &piece);
}

void tabia_table_info(const TabiaTable *t, TabiaInfo *info) {
    *info = (TabiaInfo){.type = TABIA_ENTRIES};
    if (!t) return;
    const TabiaOptions *o = &t->options;
    const TabiaTable *first = t->partition ? t->partition[0] : t;
    *info = (TabiaInfo){
        .type = o->type,
        .replacement = o->replacement,
        .buckets = first->buckets * o->partitions,
        .page_bytes = page_bytes_of(t),
        .generation = generation_now(t),
        .identity = o->identity,
        .record_words = t->words,
        .path_bits = o->type == TABIA_ENTRIES ? o->path_bits : 0,
        .move_bits = o->type == TABIA_ENTRIES ? o->move_bits : 0,
        .user_bits = o->user_bits,
        .signature_bits = o->signature_bits,
        .partitions = o->partitions,
        .joined = t->named && tabia_named_joined(t->named),
    };
    info->bytes = info->buckets * CACHE_LINE_BYTES;
    info->slots = info->buckets * t->slots;
}

/* ---- counters ---- */

void tabia_table_counters(const TabiaTable *t, TabiaCounters *counters) {
    uint64_t sum[COUNTED_N] = {0};
    const unsigned partitions = !t ? 0 : t->partition ? t->options.partitions : 1;
    for (unsigned s = 0; s < partitions; s++) {
        const CounterShard *shards = t->partition ? t->partition[s]->counters : t->counters;
        for (unsigned i = 0; shards && i < COUNTER_SHARDS; i++)
            for (unsigned c = 0; c < COUNTED_N; c++)
                sum[c] += atomic_load_explicit(&shards[i].count[c], memory_order_relaxed);
    }
#define COUNTER_COPY(name, text) counters->name = sum[COUNTED_##name];
    TABIA_COUNTERS(COUNTER_COPY)
#undef COUNTER_COPY
}
