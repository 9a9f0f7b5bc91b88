/* SPDX-License-Identifier: MIT */
/* Random probes of entries, with and without prefetch, in small pages and in the largest to be had. */
#include <stdlib.h>

#include "bench_inside.h"
#include "bench_keys.h"

enum { PAGE_CHOICES = 2, PREFETCH_CHOICES = 2, AHEAD = 24, RING = 32 };
_Static_assert(AHEAD < RING, "a key is read before its place is written again");

static const char *const pages_name[PAGE_CHOICES] = {"largest", "small"};

typedef struct {
    TabiaTable *table[PAGE_CHOICES];
    struct {
        unsigned pages, threads;
        bool prefetch;
    } row[BENCH_ROWS_MAX];
} Pages;

typedef struct {
    const TabiaTable *table;
    uint64_t span;
} Probes;

static uint64_t probe_ahead(void *context, unsigned worker, uint64_t from, unsigned n) {
    (void)worker;
    const Probes *p = context;
    TabiaKey ring[RING];
    uint64_t sum = 0, number = bench_begin(from, p->span);
    for (unsigned i = 0; i < n + AHEAD; i++) {
        const TabiaKey key = bench_key(number + i);
        tabia_table_prefetch(p->table, key);
        ring[i % RING] = key;
        if (i >= AHEAD) sum += bench_probe(p->table, TABIA_ENTRIES, ring[(i - AHEAD) % RING]);
    }
    return sum;
}

/* Each key waits for what the last probe found, as a search that does not ask ahead. */
static uint64_t probe_waiting(void *context, unsigned worker, uint64_t from, unsigned n) {
    (void)worker;
    const Probes *p = context;
    uint64_t sum = 0, number = bench_begin(from, p->span);
    for (unsigned i = 0; i < n; i++) sum += bench_probe(p->table, TABIA_ENTRIES, bench_key(number + i + (sum & 1)));
    return sum;
}

static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    const Pages *pages = context;
    assert(pages->row[row].pages < PAGE_CHOICES);
    const TabiaTable *table = pages->table[pages->row[row].pages];
    Probes p = {table, bench_span(table)};
    return bench_millions(b, pages->row[row].threads, pages->row[row].prefetch ? probe_ahead : probe_waiting, &p,
                          figure);
}

static bool make_tables(Bench *b, Pages *pages, BenchTable *t, uint64_t bytes) {
    for (unsigned k = 0; k < PAGE_CHOICES; k++) {
        const TabiaOptions options = {
            .bytes = bytes, .pages = k == 0 ? TABIA_PAGES_LARGEST : TABIA_PAGES_SMALL, .touch = TABIA_TOUCH_LATER};
        TabiaInfo info;
        char page[BENCH_SIZE_TEXT];
        if (!bench_create_table(b, &pages->table[k], &options)) return false;
        if (!bench_fill(pages->table[k], bench_threads_max(b), b->error)) return false;
        tabia_table_info(pages->table[k], &info);
        bench_note(t, "%s: pages of %s obtained", pages_name[k], bench_size_text(info.page_bytes, page));
    }
    return true;
}

static void make_rows(Bench *b, Pages *pages, BenchTable *t) {
    for (unsigned s = 0; s < b->job->steps; s++)
        for (unsigned i = 0; i < PREFETCH_CHOICES; i++) {
            int largest = -1;
            for (unsigned k = 0; k < PAGE_CHOICES; k++) {
                const unsigned row = bench_row(t, b->job->threads[s], largest, "%s pages %s", pages_name[k],
                                               i == 0 ? "with prefetch" : "waiting for each");
                if (k == 0) largest = (int)row;
                pages->row[row].pages = k, pages->row[row].threads = b->job->threads[s];
                pages->row[row].prefetch = i == 0;
            }
        }
}

bool bench_pages(Bench *b) {
    Pages pages = {0};
    char size[BENCH_SIZE_TEXT];
    const uint64_t bytes = bench_affordable(b->job->bytes, PAGE_CHOICES);
    BenchTable *t = bench_table(b, BENCH_pages, "M probes/s", "Random probes of entries, tables of %s",
                                bench_size_text(bytes, size));
    bool good = t && make_tables(b, &pages, t, bytes);
    if (good) {
        make_rows(b, &pages, t);
        good = bench_measure(b, t, true, measure, &pages);
    }
    for (unsigned k = 0; k < PAGE_CHOICES; k++) tabia_table_destroy(pages.table[k]);
    free(t);
    return good;
}
