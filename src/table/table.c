/* SPDX-License-Identifier: MIT */
/* Making tables and giving them back, and what can be asked of them. */
#include "tabia/table.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "base/error.h"
#include "base/random.h"
#include "entry_avx2.h"
#include "replacement.h"
#include "tabia/entry.h"
#include "table/named.h"
#include "table/options.h"
#include "table/segment.h"
#include "table_internal.h"

/* ---- making ---- */

/* Of entries: the bits in the check word beside the path. */
static unsigned bits_beside(const TabiaOptions *o) {
    return o->user_bits + o->move_bits - TABIA_MOVE_BITS_DEFAULT;
}

/* May entries be probed and stored by entry_standard.h? There a path lies below bit 16, the signature has all bits above it,
   and a priority is less than the upper sixteen bits of any data word. */
static bool is_standard(const TabiaOptions *o) {
    const unsigned bonus = o->exact_bonus == TABIA_NO_EXACT_BONUS ? 0 : o->exact_bonus;
    return o->type == TABIA_ENTRIES && o->integrity == TABIA_XOR && o->path_bits <= 16 && !bits_beside(o) &&
           o->path_bits + o->signature_bits == 64 && o->age_weight >= 1 &&
           GENERATIONS * o->age_weight + UINT8_MAX + bonus < 1 << 10 && tabia_standard_runs();
}

static Route route_of(const TabiaOptions *o) {
    if (o->counters || o->probing_off || o->ways != 4) return ROUTE_SLOW;
    if (is_standard(o)) return ROUTE_STANDARD;
    if (bits_beside(o)) return o->integrity == TABIA_XOR ? ROUTE_CUSTOM : ROUTE_SLOW;
    switch (o->integrity) {
    case TABIA_WIDE:
        return ROUTE_WIDE;
    case TABIA_LOCKED:
        return ROUTE_LOCKED;
    case TABIA_NONE:
        return ROUTE_NONE;
    default:
        return ROUTE_XOR;
    }
}

static Route store_route_of(const TabiaOptions *o) {
    return o->replacement == replacement_default(o->type) ? route_of(o) : ROUTE_SLOW;
}

static Route probe_route_of(const TabiaOptions *o) {
    const Route route = route_of(o);
    if (!o->refresh_on_hit) return route;
    const bool by_xor = route == ROUTE_STANDARD || route == ROUTE_XOR || route == ROUTE_CUSTOM;
    return by_xor ? ROUTE_CUSTOM_REFRESH : ROUTE_SLOW;
}

static int refuse_all(TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory to begin with");
}

static void shape_lanes(TabiaTable *t) {
    /* of the data words of slots 0 and 2, and of 1 and 3: bytes 6 and 7 of each */
    static const uint16_t place[2][8] = {{0x0706, 0x8080, 0x0f0e, 0x8080, 0x8080, 0x8080, 0x8080, 0x8080},
                                         {0x8080, 0x0706, 0x8080, 0x0f0e, 0x8080, 0x8080, 0x8080, 0x8080}};
    memcpy(t->lanes, place, sizeof place);
    for (unsigned i = 0; i < 8; i++) {
        t->lanes[LANES_GENERATIONS][i] = GENERATIONS;
        t->lanes[LANES_EXACT][i] = TABIA_BOUND_EXACT << 8;
        t->lanes[LANES_BONUS][i] = (uint16_t)t->exact_bonus;
        t->lanes[LANES_DRAFT][i] = UINT8_MAX;
        t->lanes[LANES_WEIGHT][i] = (uint16_t)t->age_weight;
        t->lanes[LANES_NONE][i] = i < 4 ? 0 : UINT16_MAX;
    }
}

/* All but the memory. */
static void shape(TabiaTable *t, const TabiaOptions *o) {
    *t = (TabiaTable){.generations = &t->own_generations, .options = *o};
    t->own_generations.generation = generation_word(0);
    t->words = o->record_words;
    t->slots = o->ways;
    t->bucket_bytes = o->type == TABIA_RECORDS ? CACHE_LINE_BYTES : 16 * o->ways;
    t->buckets = o->bytes / t->bucket_bytes;
    t->path_bits = o->path_bits;
    t->path_mask = o->path_bits ? ~(uint64_t)0 >> (64 - o->path_bits) : 0;
    t->tag_shift = o->path_bits + bits_beside(o);
    t->beside_mask = (((uint64_t)1 << bits_beside(o)) - 1) << o->path_bits;
    t->signature_mask = ~(uint64_t)0 << (64 - o->signature_bits);
    t->exact_bonus = o->exact_bonus == TABIA_NO_EXACT_BONUS ? 0 : o->exact_bonus;
    t->keep_margin = o->keep_margin == TABIA_KEEP_NEVER ? KEEP_NEVER : o->keep_margin;
    t->age_weight = o->age_weight;
    t->has_bucket_tag = o->counters;
    assert(t->buckets > 0 && t->words >= 1 && t->tag_shift + o->signature_bits <= 64);
    t->integrity = o->integrity;
    shape_lanes(t);
    t->store_route = store_route_of(o);
    t->route = probe_route_of(o);
}

static int get_locks(TabiaTable *t, TabiaError *error) {
    if (t->integrity != TABIA_LOCKED || t->locks) return 0;
    t->locks = tabia_aligned_get(CACHE_LINE_BYTES, t->options.locks * sizeof(SpinLock));
    if (!t->locks) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for %u locks", t->options.locks);
    memset(t->locks, 0, t->options.locks * sizeof(SpinLock));
    t->lock_mask = t->options.locks - 1;
    return 0;
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
    tabia_aligned_free(t->locks);
    tabia_aligned_free(t->counters);
    free(t->name);
    tabia_aligned_free(t);
}

/* One table with memory of its own, or, with `base`, in another's. */
static int make_one(TabiaTable **made, const TabiaOptions *o, char *base, MemoryTotal of, TabiaError *error) {
    TabiaTable *t =
        tabia_aligned_get(CACHE_LINE_BYTES, (sizeof *t + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES);
    if (!t) return refuse_all(error);
    shape(t, o);
    if (o->name && !(t->name = strdup(o->name))) return tabia_aligned_free(t), refuse_all(error);
    t->options.name = t->name;
    t->base = base;
    int code = base ? 0 : tabia_allocate_addresses(t, of, error);
    if (!code) code = get_segments(t, error);
    if (!code) code = get_locks(t, error);
    if (!code) code = get_counters(t, error);
    if (code)
        clean_up(t);
    else
        *made = t;
    return code;
}

/* The partitions of a whole: each a table of its own, in the whole's memory or its own. Nothing is touched before all have
   what they need. Partitions begin where lines do. */
static int make_shares(TabiaTable *t, MemoryTotal of, TabiaError *error) {
    TabiaOptions o = t->options;
    o.bytes = t->buckets * t->bucket_bytes / o.partitions / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    o.sharing = TABIA_SHARED, o.partitions = 1;
    t->partition = calloc(t->options.partitions, sizeof *t->partition);
    if (!t->partition)
        return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for %u partitions", t->options.partitions);
    for (unsigned i = 0; i < t->options.partitions; i++) {
        char *base = t->base ? t->base + i * o.bytes : NULL;
        const int code = make_one(&t->partition[i], &o, base, of, error);
        if (code) return code;
        if (!t->partition[i]->memory.reserved) of.taken += t->partition[i]->memory.bytes;
    }
    return 0;
}

/* A whole without memory: its partitions have it. */
static int make_private(TabiaTable **made, const TabiaOptions *o, TabiaError *error) {
    TabiaTable *t =
        tabia_aligned_get(CACHE_LINE_BYTES, (sizeof *t + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES);
    if (!t) return refuse_all(error);
    shape(t, o);
    *made = t;
    return 0;
}

int tabia_table_create_after(TabiaTable **table, const TabiaOptions *options, uint64_t returned, TabiaError *error) {
    *table = NULL;
    TabiaOptions o;
    int code = tabia_options_fill(&o, options, error);
    if (code) return code;
    TabiaTable *t = NULL;
    const MemoryTotal of = {.whole = o.bytes, .returned = returned};
    code = o.sharing == TABIA_PRIVATE ? make_private(&t, &o, error) : make_one(&t, &o, NULL, of, error);
    if (!code && o.sharing != TABIA_SHARED) code = make_shares(t, of, error);
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
    if (!t->partition) memset(t->base, 0, t->buckets * t->bucket_bytes);
    Word *const words[] = {&t->generations->epoch, &t->generations->epochs, &t->generations->clears};
    atomic_store_explicit(&t->generations->generation, generation_word(0), memory_order_relaxed);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        atomic_store_explicit(words[i], 0, memory_order_relaxed);
    tabia_segments_zeroed(t);
}

void tabia_table_prefetch(const TabiaTable *t, TabiaKey key) {
    if (LIKELY(t != NULL)) __builtin_prefetch(bucket_of(t, key.index, t->bucket_bytes));
}
