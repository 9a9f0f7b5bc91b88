/* SPDX-License-Identifier: MIT */
/*
 * What one call takes when the table lies in the cache: the library's calls, which a program cannot see into. Each call is independent of the one before, as in a loop; half of the keys of
 * `either` are there, in an order that no processor foresees.
 */
#include <stdlib.h>

#include "bench_inside.h"
#include "bench_keys.h"
#include "tabia/entry.h"

enum { IN_CACHE = 256 << 10 };

enum { KEY_BITS = 12, KEYS = 1 << KEY_BITS };

typedef struct {
    TabiaTable *asked, *written;         /* equal in the beginning; stores have one of their own */
    TabiaKey *present, *absent, *either; /* KEYS of each */
    TabiaTable *table;                   /* that one and those in use */
    const TabiaKey *keys;
} Calls;

INLINE uint64_t digest(TabiaHit hit) {
    return (uint64_t)hit.entry.score + hit.entry.move + hit.entry.draft + hit.move_ok + hit.score_ok + hit.generation;
}

static uint64_t probe_called(void *context, uint64_t from, unsigned n) {
    (void)from;
    const Calls *c = context;
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++) sum += digest(tabia_entry_probe(c->table, c->keys[i % KEYS], 0));
    return sum;
}

static uint64_t store_called(void *context, uint64_t from, unsigned n) {
    (void)from;
    const Calls *c = context;
    for (unsigned i = 0; i < n; i++) {
        const TabiaKey key = c->keys[i % KEYS];
        tabia_entry_store(c->table, key, 0, bench_entry(key));
    }
    return 0;
}

static const struct {
    const char *name;
    BenchWork *work;
} call[] = {
    {"probe of what is there", probe_called},
    {"probe of what is not there", probe_called},
    {"probe of either", probe_called},
    {"store", store_called},
};

static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    Calls *c = context;
    assert(row < sizeof call / sizeof *call);
    double rate;
    c->table = row == 3 ? c->written : c->asked;
    c->keys = row == 0 ? c->present : row == 1 ? c->absent : c->either;
    if (!bench_rate(b, 1, bench_seconds(b), call[row].work, c, &rate)) return false;
    *figure = 1e9 / rate;
    return true;
}

/* Keys that are in the full table, keys that are not, and either in an order that cannot be foreseen. */
static bool choose_keys(Bench *b, Calls *c) {
    c->present = malloc(3 * KEYS * sizeof *c->present);
    if (!c->present) return tabia_fail(b->error, "no memory for %d keys", 3 * KEYS);
    c->absent = c->present + KEYS, c->either = c->absent + KEYS;
    unsigned present = 0, absent = 0;
    for (uint64_t i = 0; present < KEYS || absent < KEYS; i++) {
        const TabiaKey key = bench_key(i);
        const bool there = tabia_entry_probe(c->asked, key, 0).move_ok;
        if (there && present < KEYS) c->present[present++] = key;
        if (!there && absent < KEYS) c->absent[absent++] = key;
    }
    for (unsigned i = 0; i < KEYS; i++) c->either[i] = bench_key(i).check >> 40 & 1 ? c->present[i] : c->absent[i];
    return true;
}

static bool make_tables(Bench *b, Calls *c) {
    const TabiaOptions options = {.bytes = IN_CACHE};
    return bench_create_table(b, &c->asked, &options) && bench_create_table(b, &c->written, &options) &&
           bench_fill(c->asked, 1, b->error) && bench_fill(c->written, 1, b->error) && choose_keys(b, c);
}

bool bench_calls(Bench *b) {
    Calls c = {0};
    BenchTable *t = bench_table(b, BENCH_CALLS, "ns", "One call for entries, table of 256 KiB, one thread");
    bool good = t && make_tables(b, &c);
    for (unsigned i = 0; good && i < sizeof call / sizeof *call; i++) bench_row(t, 1, -1, "%s", call[i].name);
    good = good && bench_measure(b, t, true, measure, &c);
    free(c.present);
    tabia_table_destroy(c.asked);
    tabia_table_destroy(c.written);
    free(t);
    return good;
}
