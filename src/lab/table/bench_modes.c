/* SPDX-License-Identifier: MIT */
/*
 * What keeping entries whole costs: three random probes and one store by turns, in each integrity mode, in memory and
 * in the cache.
 *
 *     a small table for each mode: its options, route and locks -----+
 *     memory | bucket | bucket | ... all with the same content <-----+
 *
 * Where a large table happens to lie decides more than the mode: two tables of the same mode were seen to differ by an
 * eighth. So all modes work on the same memory. The modes other than xor write a slot in the same way; for xor the
 * check words are signed before the sample, and plain again after it, which a second XOR does.
 */
#include <stdlib.h>

#include "base/threads.h"
#include "bench_inside.h"
#include "bench_keys.h"
#include "table/table_internal.h"

enum { WAYS = 4, IN_CACHE = 256 << 10, AHEAD = 16, RING = 32 };
_Static_assert(AHEAD < RING, "a key is read before its place is written again");

typedef struct {
    TabiaTable *memory;               /* the table whose memory is used */
    TabiaTable *table[BENCH_MODES_N]; /* NULL: this processor has no such mode */
    bool is_signed;                   /* the content, as xor has it */
    unsigned threads;                 /* for the signing */
    unsigned mode_of[BENCH_ROWS_MAX], threads_of[BENCH_ROWS_MAX];
} Modes;

/* ---- one memory for all ---- */

static void sign_part(void *context, unsigned worker) {
    const Modes *m = context;
    Word *word = (Word *)m->memory->base;
    const uint64_t slots = m->memory->buckets * WAYS;
    assert(worker < m->threads);
    const uint64_t from = slots * worker / m->threads, to = slots * (worker + 1) / m->threads;
    for (uint64_t i = from; i < to; i++) {
        const uint64_t data = atomic_load_explicit(word + 2 * i + 1, memory_order_relaxed);
        const uint64_t check = atomic_load_explicit(word + 2 * i, memory_order_relaxed);
        atomic_store_explicit(word + 2 * i, check ^ hash_word(data), memory_order_relaxed);
    }
}

static bool make_signed(Bench *b, Modes *m, bool wanted) {
    if (m->is_signed == wanted) return true;
    m->is_signed = wanted;
    return tabia_threads_run(m->threads, sign_part, m, b->error);
}

/* ---- the work ---- */

typedef struct {
    TabiaTable *table;
    uint64_t span;
} Mix;

/* Every fourth key is stored; the keys of a thread's batch follow each other, which to the memory is at random. */
static uint64_t mix(void *context, unsigned worker, uint64_t from, unsigned n) {
    (void)worker;
    const Mix *m = context;
    TabiaKey ring[RING];
    uint64_t sum = 0, number = bench_begin(from, m->span);
    for (unsigned i = 0; i < n + AHEAD; i++) {
        const TabiaKey ahead = bench_key(number + i);
        tabia_table_prefetch(m->table, ahead);
        ring[i % RING] = ahead;
        if (i < AHEAD) continue;
        const TabiaKey key = ring[(i - AHEAD) % RING];
        if (i % 4 == 0)
            tabia_entry_store(m->table, key, 0, bench_entry(key));
        else
            sum += bench_probe(m->table, TABIA_ENTRIES, key);
    }
    return sum;
}

static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    Modes *modes = context;
    const unsigned which = modes->mode_of[row];
    Mix m = {modes->table[which], bench_span(modes->memory)};
    assert(m.table && m.table->base == modes->memory->base);
    return make_signed(b, modes, bench_mode[which].integrity == TABIA_XOR) &&
           bench_millions(b, modes->threads_of[row], mix, &m, figure);
}

/* A small table of the mode, sent to work in the common memory. A processor without atomic 16-byte accesses has no mode
   wide, and says so. */
static bool make_mode(Bench *b, Modes *modes, BenchTable *t, unsigned which) {
    const TabiaOptions options = {
        .bytes = CACHE_LINE_BYTES, .integrity = bench_mode[which].integrity, .locks = bench_mode[which].locks};
    TabiaError cause;
    const int code = tabia_table_create(&modes->table[which], &options, &cause);
    if (code == TABIA_ERROR_UNSUPPORTED) return bench_note(t, "%s: %s", bench_mode[which].name, cause.text), true;
    if (code) return *b->error = cause, false;
    free(modes->table[which]->segment);
    modes->table[which]->segment = modes->memory->segment;
    modes->table[which]->base = modes->memory->base;
    modes->table[which]->buckets = modes->memory->buckets;
    return true;
}

static void free_tables(Modes *modes) {
    for (unsigned i = 0; i < BENCH_MODES_N; i++) {
        if (modes->table[i]) modes->table[i]->segment = NULL; /* the memory's */
        tabia_table_destroy(modes->table[i]);
    }
    tabia_table_destroy(modes->memory);
}

static bool make_tables(Bench *b, Modes *modes, BenchTable *t, uint64_t bytes) {
    const TabiaOptions options = {.bytes = bytes, .integrity = TABIA_NONE, .touch = TABIA_TOUCH_LATER};
    bool good = bench_create_table(b, &modes->memory, &options) && bench_fill(modes->memory, modes->threads, b->error);
    for (unsigned i = 0; i < BENCH_MODES_N && good; i++) good = make_mode(b, modes, t, i);
    return good;
}

static void make_rows(Bench *b, Modes *modes, BenchTable *t) {
    for (unsigned s = 0; s < b->job->steps; s++) {
        int none = -1;
        for (unsigned i = 0; i < BENCH_MODES_N; i++) {
            if (!modes->table[i]) continue;
            const unsigned row = bench_row(t, b->job->threads[s], none, "%s", bench_mode[i].name);
            if (none < 0) none = (int)row;
            modes->mode_of[row] = i, modes->threads_of[row] = b->job->threads[s];
        }
    }
}

static bool compare(Bench *b, uint64_t asked) {
    Modes modes = {.threads = bench_threads_max(b)};
    char size[BENCH_SIZE_TEXT];
    const uint64_t bytes = bench_affordable(asked, 1);
    BenchTable *t = bench_table(b, BENCH_MODES, "M operations/s", "Three probes and a store in turn, table of %s",
                                bench_size_text(bytes, size));
    bool good = t && make_tables(b, &modes, t, bytes);
    if (good) {
        make_rows(b, &modes, t);
        bench_note_memory(t, modes.memory, asked);
        good = bench_measure(b, t, true, measure, &modes);
    }
    free_tables(&modes);
    free(t);
    return good;
}

bool bench_modes(Bench *b) {
    return compare(b, b->job->bytes) && (b->stopped || compare(b, IN_CACHE));
}
