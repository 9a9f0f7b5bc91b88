/* SPDX-License-Identifier: MIT */
/* Making tables and giving them back, and what can be asked of them. */
#include "tabia/table.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "base/error.h"
#include "base/random.h"
#include "replacement.h"
#include "tabia/entry.h"
#include "table/named.h"
#include "table/options.h"
#include "table/segment.h"
#include "table_internal.h"

/* ---- making ---- */

/* Of entries: the bits in the check word above the path. */
static unsigned extra_bits(const TabiaOptions *o) {
    return o->user_bits + o->move_bits - TABIA_MOVE_BITS_DEFAULT;
}

static int refuse_all(TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to begin with");
}

/* All but the memory. */
static void shape(TabiaTable *t, const TabiaOptions *o) {
    *t = (TabiaTable){.generations = &t->own_generations, .options = *o};
    t->own_generations.generation = generation_word(0);
    t->words = o->record_words;
    t->slots = CACHE_LINE_WORDS / (o->record_words + 1);
    t->buckets = o->bytes / CACHE_LINE_BYTES;
    t->path_bits = o->path_bits;
    t->path_mask = o->path_bits ? ~(uint64_t)0 >> (64 - o->path_bits) : 0;
    t->extra_mask = (((uint64_t)1 << extra_bits(o)) - 1) << o->path_bits;
    t->position_mask = ~(t->path_mask | t->extra_mask);
    t->signature_mask = ~(uint64_t)0 << (64 - o->signature_bits);
    t->exact_bonus = o->exact_bonus == TABIA_NO_EXACT_BONUS ? 0 : o->exact_bonus;
    t->keep_margin = o->keep_margin == TABIA_KEEP_NEVER ? KEEP_NEVER : o->keep_margin;
    t->age_weight = o->strict_generations ? AGE_WEIGHT_STRICT : o->age_weight;
    const bool other_rule = o->replacement != replacement_default(o->type);
    t->refuses = o->type == TABIA_ENTRIES && replacement_refuses(o->replacement);
    t->probes_slowly = o->counters || o->refresh_on_hit || extra_bits(o);
    t->stores_slowly = o->counters || (o->type == TABIA_COUNTS && other_rule);
    assert(t->buckets > 0 && t->words >= 1 && o->path_bits + extra_bits(o) + o->signature_bits <= 64);
}

static int get_segments(TabiaTable *t, TabiaError *error) {
    if (t->segment) return 0;
    t->segment = calloc(segments_of(t), 1);
    return t->segment ? 0
                      : tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a byte for each %d", SEGMENT_BYTES);
}

static int get_counters(TabiaTable *t, TabiaError *error) {
    if (!t->options.counters) return 0;
    t->counters = tabia_aligned_get(_Alignof(CounterShard), COUNTER_SHARDS * sizeof(CounterShard));
    if (!t->counters) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for counters");
    memset(t->counters, 0, COUNTER_SHARDS * sizeof(CounterShard));
    return 0;
}

static void clean_up(TabiaTable *t) {
    for (unsigned i = 0; t->partition && i < t->options.partitions; i++) tabia_table_destroy(t->partition[i]);
    free(t->partition);
    tabia_named_close(t);
    tabia_memory_free(&t->memory);
    free(t->segment);
    tabia_aligned_free(t->counters);
    free(t->name);
    tabia_aligned_free(t);
}

/* One table with memory of its own, or, with `base`, in another's. */
static int make_one(TabiaTable **made, const TabiaOptions *o, char *base, uint64_t returned, TabiaError *error) {
    TabiaTable *t =
        tabia_aligned_get(CACHE_LINE_BYTES, (sizeof *t + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES);
    if (!t) return refuse_all(error);
    shape(t, o);
    if (o->name && !(t->name = strdup(o->name))) return tabia_aligned_free(t), refuse_all(error);
    t->options.name = t->name;
    t->base = base;
    int code = base ? 0 : tabia_allocate_addresses(t, returned, error);
    if (!code) code = get_segments(t, error);
    if (!code) code = get_counters(t, error);
    if (code)
        clean_up(t);
    else
        *made = t;
    return code;
}

/* The partitions of a whole: each a table of its own, in the whole's memory. Partitions begin where lines do. */
static int make_shares(TabiaTable *t, TabiaError *error) {
    TabiaOptions o = t->options;
    o.bytes = t->buckets / o.partitions * CACHE_LINE_BYTES;
    o.partitions = 1;
    t->partition = calloc(t->options.partitions, sizeof *t->partition);
    if (!t->partition)
        return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for %u partitions", t->options.partitions);
    for (unsigned i = 0; i < t->options.partitions; i++) {
        const int code = make_one(&t->partition[i], &o, t->base + i * o.bytes, 0, error);
        if (code) return code;
    }
    return 0;
}

int tabia_table_create_after(TabiaTable **table, const TabiaOptions *options, uint64_t returned, TabiaError *error) {
    *table = NULL;
    TabiaOptions o;
    int code = tabia_options_fill(&o, options, error);
    if (code) return code;
    TabiaTable *t = NULL;
    code = make_one(&t, &o, NULL, returned, error);
    if (!code && o.partitions > 1) code = make_shares(t, error);
    if (!code) code = tabia_allocate(t, options ? options->watch : NULL, error);
    if (!code)
        *table = t;
    else if (t)
        clean_up(t);
    return code;
}

int tabia_table_create(TabiaTable **table, const TabiaOptions *options, TabiaError *error) {
    return tabia_table_create_after(table, options, 0, error);
}

void tabia_table_destroy(TabiaTable *t) {
    if (t) clean_up(t);
}

TabiaTable *tabia_table_partition(TabiaTable *t, unsigned partition) {
    return t && t->partition ? t->partition[partition % t->options.partitions] : t;
}

/* ---- time ---- */

/* Everything stored so far becomes unrecognisable. The last to begin an epoch wins; any is good. */
static void new_epoch(GenerationState *generations) {
    uint64_t epoch = atomic_fetch_add_explicit(&generations->epochs, 1, memory_order_relaxed) + 1;
    atomic_store_explicit(&generations->epoch, random_next(&epoch), memory_order_relaxed);
}

static void next_generation(GenerationState *generations) {
    uint64_t now = load_relaxed(&generations->generation), next;
    do {
        next = generation_word(generation_count(now) + 1);
    } while (!atomic_compare_exchange_weak_explicit(&generations->generation, &now, next, memory_order_relaxed,
                                                    memory_order_relaxed));
}

void tabia_table_new_generation(TabiaTable *t) {
    if (!t) return;
    for (unsigned i = 0; t->partition && i < t->options.partitions; i++) tabia_table_new_generation(t->partition[i]);
    next_generation(t->generations);
    if (t->options.strict_generations) new_epoch(t->generations);
}

void tabia_table_clear(TabiaTable *t) {
    if (!t) return;
    for (unsigned i = 0; t->partition && i < t->options.partitions; i++) tabia_table_clear(t->partition[i]);
    next_generation(t->generations);
    new_epoch(t->generations);
    tabia_segments_clear(t);
}

void tabia_table_wipe(TabiaTable *t) {
    if (!t) return;
    for (unsigned i = 0; t->partition && i < t->options.partitions; i++) tabia_table_wipe(t->partition[i]);
    if (!t->partition) memset(t->base, 0, table_bytes(t));
    Word *const words[] = {&t->generations->epoch, &t->generations->epochs, &t->generations->clears};
    atomic_store_explicit(&t->generations->generation, generation_word(0), memory_order_relaxed);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        atomic_store_explicit(words[i], 0, memory_order_relaxed);
    tabia_segments_zeroed(t);
}

void tabia_table_prefetch(const TabiaTable *t, TabiaKey key) {
    if (LIKELY(t != NULL)) bucket_prefetch(t, key);
}
