/* SPDX-License-Identifier: MIT */
/*
 * How near a probe comes to what the memory can do: independent random probes of a full table, by the library's call
 * for many keys, against the fastest bare loop over the same memory, which only reads each line whole.
 *
 *     ring    | line | line | line | ... 256 lines; prefetch at the head, read `ahead` places behind it
 *
 * The bare loop makes the same keys and finds the line as the table does, so that this cost is in both. It is written
 * in two ways, with the ring and without (the processor then looks ahead by itself), and the better one counts. How far
 * ahead is best for it is tried out beforehand, for each number of threads.
 */
#include <stdlib.h>

#include "bench_inside.h"
#include "bench_keys.h"
#include "table/table_internal.h"

enum { RING = 256, RECORD_TYPES = 3, CONTENDERS = 2 * RECORD_TYPES };

/* What a sample measures: a contender, on so many threads, with so long a distance of its prefetch. */
typedef struct {
    unsigned contender, threads, ahead;
} ProbeRun;

typedef struct {
    TabiaTable *table[RECORD_TYPES];
    ProbeRun row[BENCH_ROWS_MAX];
} BareLines;

/* One loop at work. */
typedef struct {
    TabiaTable *table;
    unsigned ahead; /* 0: no prefetch, bare reads only */
    uint64_t span;
} Loop;

INLINE uint64_t probe_loop(const Loop *l, TabiaRecordType type, uint64_t from, unsigned n) {
    TabiaKey keys[BENCH_MANY];
    uint64_t sum = 0, number = bench_begin(from, l->span);
    for (unsigned done = 0; done < n; done += BENCH_MANY) {
        for (unsigned i = 0; i < BENCH_MANY; i++) keys[i] = bench_key(number + done + i);
        sum += bench_probe_many(l->table, type, keys, BENCH_MANY);
    }
    return sum;
}

static uint64_t probe_entries(void *loop, uint64_t from, unsigned n) {
    return probe_loop(loop, TABIA_ENTRIES, from, n);
}
static uint64_t probe_counts(void *loop, uint64_t from, unsigned n) {
    return probe_loop(loop, TABIA_COUNTS, from, n);
}
static uint64_t probe_records(void *loop, uint64_t from, unsigned n) {
    return probe_loop(loop, TABIA_RECORDS, from, n);
}

/* A line of 64 bytes, read whole. */
typedef uint64_t Line __attribute__((vector_size(CACHE_LINE_BYTES)));

INLINE uint64_t line_sum(Line sum) {
    uint64_t all = 0;
    for (unsigned i = 0; i < CACHE_LINE_WORDS; i++) all += sum[i];
    return all;
}

INLINE const Line *line_of(const TabiaTable *t, uint64_t number, uint64_t *check) {
    const TabiaKey key = bench_key(number);
    *check = key.check;
    return (const Line *)(const void *)bucket_of(t, key.index);
}

static uint64_t read_plainly(const Loop *l, uint64_t from, unsigned n) {
    const TabiaTable *t = l->table;
    uint64_t sum = 0, number = bench_begin(from, l->span), check;
    Line lines = {0};
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++) {
        lines ^= *line_of(t, number + i, &check);
        sum += check;
    }
    return sum ^ line_sum(lines);
}

static uint64_t read_bare(void *loop, uint64_t from, unsigned n) {
    const Loop *l = loop;
    const TabiaTable *t = l->table;
    if (!l->ahead) return read_plainly(l, from, n);
    const Line *ring[RING];
    uint64_t sum = 0, number = bench_begin(from, l->span), check;
    Line lines = {0};
    for (unsigned i = 0; i < n + l->ahead; i++) {
        const Line *line = line_of(t, number + i, &check);
        __builtin_prefetch((const void *)line);
        ring[i % RING] = line;
        sum += check;
        if (i >= l->ahead) lines ^= *ring[(i - l->ahead) % RING];
    }
    return sum ^ line_sum(lines);
}

/* Each record type, and before it the bare reads of the memory that its table lies in: two tables of the same kind were seen
   to differ by an eighth, for no other reason than where they lie. */
static const struct {
    const char *name;
    BenchWork *work;
} contender[CONTENDERS] = {
    {"bare reads of entries", read_bare}, {"entries", probe_entries},
    {"bare reads of counts", read_bare},  {"counts", probe_counts},
    {"bare reads of records", read_bare}, {"records of 3 words", probe_records},
};
static const TabiaRecordType record_type[RECORD_TYPES] = {TABIA_ENTRIES, TABIA_COUNTS, TABIA_RECORDS};

static bool is_bare(unsigned which) {
    return which % 2 == 0;
}

static bool rate_of(Bench *b, BareLines *lines, ProbeRun run, double seconds, double *rate) {
    assert(run.contender < CONTENDERS && run.ahead < RING);
    TabiaTable *table = lines->table[run.contender / 2];
    Loop l = {table, run.ahead, bench_span(table)};
    return bench_rate(b, run.threads, seconds, contender[run.contender].work, &l, rate);
}

/* The distance with the best of two short runs. */
static bool find_distance(Bench *b, BareLines *lines, ProbeRun *run) {
    if (!is_bare(run->contender)) return true; /* the library's own */
    static const unsigned distance[] = {0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192};
    const ProbeRun tried = *run;
    double highest = 0, rate;
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned i = 0; i < sizeof distance / sizeof *distance; i++) {
            const ProbeRun next = {tried.contender, tried.threads, distance[i]};
            if (!rate_of(b, lines, next, bench_seconds(b) / 4, &rate)) return false;
            if (rate > highest) highest = rate, *run = next;
        }
    return true;
}

static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    BareLines *lines = context;
    double rate;
    if (!rate_of(b, lines, lines->row[row], bench_seconds(b), &rate)) return false;
    *figure = rate / 1e6;
    return true;
}

static bool make_tables(Bench *b, BareLines *lines, uint64_t bytes) {
    for (unsigned f = 0; f < RECORD_TYPES; f++) {
        const TabiaOptions options = {.bytes = bytes, .type = record_type[f], .touch = TABIA_TOUCH_LATER};
        if (!bench_create_table(b, &lines->table[f], &options)) return false;
        if (!bench_fill(lines->table[f], bench_threads_max(b), b->error)) return false;
    }
    return true;
}

static bool make_rows(Bench *b, BareLines *lines, BenchTable *t) {
    int bare = -1;
    for (unsigned s = 0; s < b->job->steps; s++)
        for (unsigned c = 0; c < CONTENDERS; c++) {
            ProbeRun run = {.contender = c, .threads = b->job->threads[s]};
            if (!find_distance(b, lines, &run)) return false;
            const unsigned row = is_bare(c)
                                     ? bench_row(t, run.threads, -1, "%s, %u ahead", contender[c].name, run.ahead)
                                     : bench_row(t, run.threads, bare, "%s, by many", contender[c].name);
            if (is_bare(c)) bare = (int)row;
            lines->row[row] = run;
        }
    return true;
}

bool bench_line(Bench *b) {
    BareLines lines = {0};
    const uint64_t bytes = bench_affordable(b->job->bytes, RECORD_TYPES);
    BenchTable *t = bench_table(b, BENCH_LINE, "M lines/s", "Random probes with prefetch against bare reads");
    bool good = t && make_tables(b, &lines, bytes) && make_rows(b, &lines, t);
    if (good) {
        bench_note_memory(t, lines.table[0], b->job->bytes);
        good = bench_measure(b, t, measure, &lines);
    }
    for (unsigned f = 0; f < RECORD_TYPES; f++) tabia_table_destroy(lines.table[f]);
    free(t);
    return good;
}
