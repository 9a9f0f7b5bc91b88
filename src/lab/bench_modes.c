/* SPDX-License-Identifier: MIT */
/*
 * What keeping entries whole costs: three random probes and one store by turns, in each integrity mode, in memory and
 * in the cache. A second table without protection stands for what means nothing: where its ratio to the first differs
 * from 1, that is the noise of the machine and of where the tables happen to lie.
 */
#include <stdlib.h>

#include "lab/bench_inside.h"
#include "lab/bench_keys.h"

enum { MODES = 6, IN_CACHE = 256 << 10, AHEAD = 16, RING = 32 };

static const struct {
    const char *name;
    TabiaIntegrity integrity;
    unsigned locks;
} mode[MODES] = {
    {"none", TABIA_NONE, 0}, {"none: another table", TABIA_NONE, 0},     {"xor", TABIA_XOR, 0},
    {"wide", TABIA_WIDE, 0}, {"locked: 4096 locks", TABIA_LOCKED, 4096}, {"locked: one lock", TABIA_LOCKED, 1},
};

typedef struct {
    TabiaTable *table[MODES];
    unsigned mode_of[BENCH_ROWS_MAX], threads_of[BENCH_ROWS_MAX];
} Modes;

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
    const Modes *modes = context;
    TabiaTable *table = modes->table[modes->mode_of[row]];
    Mix m = {table, bench_span(table)};
    double rate;
    if (!bench_rate(b, modes->threads_of[row], bench_seconds(b), mix, &m, &rate)) return false;
    *figure = rate / 1e6;
    return true;
}

/* A processor without atomic 16-byte accesses has no mode wide, and says so. */
static bool make_tables(Bench *b, Modes *modes, BenchTable *t, uint64_t bytes) {
    for (unsigned i = 0; i < MODES; i++) {
        const TabiaOptions options = {.bytes = bytes, .integrity = mode[i].integrity, .locks = mode[i].locks};
        TabiaReason why = {""};
        const int code = tabia_table_create(&modes->table[i], &options, &why);
        if (code == TABIA_ERROR_UNSUPPORTED) {
            bench_note(t, "%s: %s", mode[i].name, why.text);
            continue;
        }
        if (code) return tabia_fault(b->fault, "%s", why.text);
        if (!bench_fill(modes->table[i], b->job->threads[b->job->steps - 1], b->fault)) return false;
    }
    return true;
}

static void make_rows(Bench *b, Modes *modes, BenchTable *t) {
    for (unsigned s = 0; s < b->job->steps; s++) {
        int none = -1;
        for (unsigned i = 0; i < MODES; i++) {
            if (!modes->table[i]) continue;
            const unsigned row = bench_row(t, b->job->threads[s], none, "%s", mode[i].name);
            if (none < 0) none = (int)row;
            modes->mode_of[row] = i, modes->threads_of[row] = b->job->threads[s];
        }
    }
}

static bool compare(Bench *b, uint64_t asked) {
    Modes modes = {0};
    char size[BENCH_SIZE_TEXT];
    const uint64_t bytes = bench_affordable(asked, MODES);
    BenchTable *t = bench_table(b, BENCH_modes, "M operations/s", "Three probes and a store in turn, tables of %s",
                                bench_size_text(bytes, size));
    bool good = t && make_tables(b, &modes, t, bytes);
    if (good) {
        make_rows(b, &modes, t);
        bench_note_memory(t, modes.table[0], asked);
        good = bench_measure(b, t, true, measure, &modes);
    }
    for (unsigned i = 0; i < MODES; i++) tabia_table_destroy(modes.table[i]);
    free(t);
    return good;
}

bool bench_modes(Bench *b) {
    return compare(b, b->job->bytes) && (b->stopped || compare(b, IN_CACHE));
}
