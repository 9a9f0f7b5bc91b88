/* SPDX-License-Identifier: MIT */
/* The zeroing after a clear (src/table/segment.c): what a thread publishes includes it. */
#include "table/segment.h"

#include <string.h>

#include "programs.h"

enum { BUCKETS = 2 };
static _Alignas(CACHE_LINE_BYTES) Word words[BUCKETS * CACHE_LINE_WORDS];
static _Atomic uint8_t mark;
static atomic_bool published;
static TabiaTable table;
static const uint64_t old = (uint64_t)1 << 60, first = (uint64_t)2 << 60, second = (uint64_t)3 << 60;

/* A slot of each bucket holds something of before the clear number `clears`. */
static void begin_with(uint64_t clears, uint8_t marked) {
    table = (TabiaTable){.base = (char *)words, .buckets = BUCKETS, .segment = &mark};
    table.generations = &table.own_generations;
    memset((void *)words, 0, sizeof words);
    for (unsigned i = 0; i < BUCKETS; i++) slot_store(words + i * CACHE_LINE_WORDS, old, 1);
    mark = marked;
    published = false;
    table.own_generations.clears = clears;
    model_name(&published, "the program's own flag");
}

static void publish(void) {
    atomic_store_explicit(&published, true, memory_order_release);
}
static bool is_published(void) {
    return atomic_load_explicit(&published, memory_order_acquire);
}

static void begin_zeroing(void) {
    begin_with(1, SEGMENT_STALE);
}

static void store_and_publish(void) {
    segment_prepare(&table, words);
    slot_store(words, first, 1);
    publish();
}

/* What is stored in another bucket stays. */
static void store_after(void) {
    Word *const bucket = words + CACHE_LINE_WORDS;
    if (!is_published()) return;
    model_require(!segment_stale(&table, bucket) && slot_load(words).check == first, "what was published is not seen");
    slot_store(bucket, second, 1);
    model_require(slot_load(bucket).check == second, "zeros of before a store come after it");
}

/* The last number but one: the next is 1, which the mark has from long ago. */
static void begin_last(void) {
    begin_with(CLEARS, 1);
}

static void clear_and_publish(void) {
    tabia_segments_clear(&table);
    publish();
}

static void look_after(void) {
    if (is_published()) model_require(segment_stale(&table, words), "a segment of long ago seems to be zeroed");
}

static void clear_too(void) {
    tabia_segments_clear(&table);
}

static void end_cleared(void) {
    model_require(table.own_generations.clears == 2, "a clear is lost");
}

const ModelProgram model_zeroing = {"segment", begin_zeroing, {store_and_publish, store_after}, NULL, NULL, 0};
const ModelProgram model_clears = {"clears",    begin_last, {clear_and_publish, clear_too, look_after},
                                   end_cleared, NULL,       0};
