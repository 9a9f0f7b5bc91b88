/* SPDX-License-Identifier: MIT */
/* Random probes of entries, with and without prefetch, in small pages and in the largest to be had. */
#include <stdlib.h>

#include "bench_inside.h"
#include "bench_keys.h"

enum { KINDS = 2, WAYS_TO_ASK = 2, AHEAD = 24, RING = 32 };

static const char *const piece_type_name[KINDS] = {"largest", "small"};

typedef struct {
    TabiaTable *table[KINDS];
    struct {
        unsigned kind, threads;
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
    const TabiaTable *table = pages->table[pages->row[row].kind];
    Probes p = {table, bench_span(table)};
    BenchWork *work = pages->row[row].prefetch ? probe_ahead : probe_waiting;
    double rate;
    if (!bench_rate(b, pages->row[row].threads, bench_seconds(b), work, &p, &rate)) return false;
    *figure = rate / 1e6;
    return true;
}

static bool make_tables(Bench *b, Pages *pages, BenchTable *t, uint64_t bytes) {
    for (unsigned k = 0; k < KINDS; k++) {
        const TabiaOptions options = {
            .bytes = bytes, .pages = k == 0 ? TABIA_PAGES_LARGEST : TABIA_PAGES_SMALL, .touch = TABIA_TOUCH_LATER};
        TabiaInfo info;
        char page[BENCH_SIZE_TEXT];
        if (!bench_create_table(b, &pages->table[k], &options)) return false;
        if (!bench_fill(pages->table[k], b->job->threads[b->job->steps - 1], b->error)) return false;
        tabia_table_info(pages->table[k], &info);
        bench_note(t, "%s: pages of %s obtained", piece_type_name[k], bench_size_text(info.page_bytes, page));
    }
    return true;
}

static void make_rows(Bench *b, Pages *pages, BenchTable *t) {
    for (unsigned s = 0; s < b->job->steps; s++)
        for (unsigned way = 0; way < WAYS_TO_ASK; way++) {
            int largest = -1;
            for (unsigned k = 0; k < KINDS; k++) {
                const unsigned row = bench_row(t, b->job->threads[s], largest, "%s pages %s", piece_type_name[k],
                                               way == 0 ? "with prefetch" : "waiting for each");
                if (k == 0) largest = (int)row;
                pages->row[row].kind = k, pages->row[row].threads = b->job->threads[s];
                pages->row[row].prefetch = way == 0;
            }
        }
}

bool bench_pages(Bench *b) {
    Pages pages = {0};
    char size[BENCH_SIZE_TEXT];
    const uint64_t bytes = bench_affordable(b->job->bytes, KINDS);
    BenchTable *t = bench_table(b, BENCH_pages, "M probes/s", "Random probes of entries, tables of %s",
                                bench_size_text(bytes, size));
    bool good = t && make_tables(b, &pages, t, bytes);
    if (good) {
        make_rows(b, &pages, t);
        good = bench_measure(b, t, true, measure, &pages);
    }
    for (unsigned k = 0; k < KINDS; k++) tabia_table_destroy(pages.table[k]);
    free(t);
    return good;
}
