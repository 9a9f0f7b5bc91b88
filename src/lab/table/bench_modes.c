/* SPDX-License-Identifier: MIT */
/*
 * What keeping entries whole costs: three random probes and one store by turns, without protection, by the library's
 * calls, and under spinlocks without any other protection; in memory and in the cache.
 *
 * Where a large table happens to lie decides more than the protection: two tables of the same kind were seen to differ by
 * an eighth. So all work on the same memory: for the library's calls the check words are signed before the sample, and
 * plain again after it, which a second XOR does.
 */
#include <stdlib.h>

#include "base/text.h"
#include "base/threads.h"
#include "bench_inside.h"
#include "bench_keys.h"
#include "bench_unprotected.h"
#include "table/table_internal.h"

enum { WAYS = 4, IN_CACHE = 256 << 10, AHEAD = 16, RING = 32, LOCKS = 4096 };
_Static_assert(AHEAD < RING, "a key is read before its place is written again");

typedef struct {
    _Alignas(CACHE_LINE_BYTES) _Atomic uint32_t taken;
} SpinLock;

typedef struct {
    TabiaTable *table;
    SpinLock *locks;
    bool is_signed;   /* the content, as the library has it */
    unsigned threads; /* for the signing */
    unsigned mode_of[BENCH_ROWS_MAX], threads_of[BENCH_ROWS_MAX];
} Modes;

/* ---- one memory for all ---- */

static void sign_part(void *context, unsigned worker) {
    const Modes *m = context;
    Word *word = (Word *)m->table->base;
    const uint64_t slots = m->table->buckets * WAYS;
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
    SpinLock *locks;
    uint64_t span;
} Mix;

/* With so many locks; 0: none. */
INLINE SpinLock *take_lock(const Mix *m, TabiaKey key, unsigned locks) {
    if (!locks) return NULL;
    SpinLock *lock = m->locks + bucket_number(m->table, key.index) % locks;
    while (atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire))
        while (atomic_load_explicit(&lock->taken, memory_order_relaxed)) continue;
    return lock;
}

INLINE void give_lock(SpinLock *lock) {
    if (lock) atomic_store_explicit(&lock->taken, 0, memory_order_release);
}

INLINE uint64_t one_call(const Mix *m, TabiaKey key, bool store, bool protected, unsigned locks) {
    uint64_t score = 0;
    SpinLock *lock = take_lock(m, key, locks);
    if (store && protected)
        tabia_entry_store(m->table, key, 0, bench_entry(key));
    else if (store)
        bench_store_unprotected(m->table, key, bench_entry(key));
    else
        score = (uint64_t)(protected ? tabia_entry_probe(m->table, key, 0) : bench_probe_unprotected(m->table, key))
                    .entry.score;
    give_lock(lock);
    return score;
}

/* Every fourth key is stored; the keys of a thread's batch follow each other, which to the memory is at random. */
INLINE uint64_t mix(const Mix *m, uint64_t from, unsigned n, bool protected, unsigned locks) {
    TabiaKey ring[RING];
    uint64_t sum = 0, number = bench_begin(from, m->span);
    for (unsigned i = 0; i < n + AHEAD; i++) {
        const TabiaKey ahead = bench_key(number + i);
        tabia_table_prefetch(m->table, ahead);
        ring[i % RING] = ahead;
        if (i >= AHEAD) sum += one_call(m, ring[(i - AHEAD) % RING], i % 4 == 0, protected, locks);
    }
    return sum;
}

static uint64_t mix_none(void *m, uint64_t from, unsigned n) {
    return mix(m, from, n, false, 0);
}
static uint64_t mix_xor(void *m, uint64_t from, unsigned n) {
    return mix(m, from, n, true, 0);
}
static uint64_t mix_locked(void *m, uint64_t from, unsigned n) {
    return mix(m, from, n, false, LOCKS);
}
static uint64_t mix_one_lock(void *m, uint64_t from, unsigned n) {
    return mix(m, from, n, false, 1);
}

/* Without protection twice: what the machine makes of the same thing. */
static const struct {
    const char *name;
    BenchWork *work;
    bool is_signed;
} mode[] = {
    {"none", mix_none, false},
    {"none: again", mix_none, false},
    {"xor", mix_xor, true},
    {"locked: 4096 locks", mix_locked, false},
    {"locked: one lock", mix_one_lock, false},
};
enum { MODES = sizeof mode / sizeof *mode };

static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    Modes *modes = context;
    const unsigned which = modes->mode_of[row];
    Mix m = {modes->table, modes->locks, bench_span(modes->table)};
    return make_signed(b, modes, mode[which].is_signed) &&
           bench_millions(b, modes->threads_of[row], mode[which].work, &m, figure);
}

static bool make_table(Bench *b, Modes *modes, uint64_t bytes) {
    const TabiaOptions options = {.bytes = bytes, .touch = TABIA_TOUCH_LATER};
    modes->locks = aligned_alloc(CACHE_LINE_BYTES, LOCKS * sizeof *modes->locks);
    if (!modes->locks) return tabia_fail(b->error, "no memory for %d locks", LOCKS);
    for (unsigned i = 0; i < LOCKS; i++) atomic_init(&modes->locks[i].taken, 0);
    return bench_create_table(b, &modes->table, &options) && bench_fill(modes->table, modes->threads, b->error);
}

static void make_rows(Bench *b, Modes *modes, BenchTable *t) {
    for (unsigned s = 0; s < b->job->steps; s++) {
        int none = -1;
        for (unsigned i = 0; i < MODES; i++) {
            const unsigned row = bench_row(t, b->job->threads[s], none, "%s", mode[i].name);
            if (none < 0) none = (int)row;
            modes->mode_of[row] = i, modes->threads_of[row] = b->job->threads[s];
        }
    }
}

static bool compare(Bench *b, uint64_t asked) {
    Modes modes = {.threads = bench_threads_max(b), .is_signed = true};
    char size[SHORT_TEXT_MAX];
    const uint64_t bytes = bench_affordable(asked, 1);
    BenchTable *t = bench_table(b, BENCH_MODES, "M operations/s", "Three probes and a store in turn, table of %s",
                                tabia_size_text(bytes, size));
    bool good = t && make_table(b, &modes, bytes);
    if (good) {
        make_rows(b, &modes, t);
        bench_note_memory(t, modes.table, asked);
        good = bench_measure(b, t, measure, &modes);
    }
    tabia_table_destroy(modes.table);
    free(modes.locks);
    free(t);
    return good;
}

bool bench_modes(Bench *b) {
    return compare(b, b->job->bytes) && (b->stopped || compare(b, IN_CACHE));
}
