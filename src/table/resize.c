/* SPDX-License-Identifier: MIT */
/*
 * Another size for a table in use. A second table of the new size is made; when the system has memory for both at once
 * the slots move over, each thread filling a part of the new one from that part of the old one that belongs there, so
 * that no two threads ever write the same bucket. Then the two exchange their memories, and the second table goes away
 * with the old one. Generations and counters stay: what is moved keeps its epoch, and pointers to the table and to
 * its partitions stay good.
 */
#include "table/resize.h"

#include "allocate.h"
#include "base/error.h"
#include "base/memory_limit.h"
#include "table/move.h"
#include "table/segment.h"
#include "table/work.h"

/* Besides the new table: for everybody else on the machine. */
static const uint64_t TO_SPARE = 64 << 20;

/* ---- moving ---- */

typedef struct {
    WorkRun work; /* first: a piece is given only this */
    const TabiaTable *from;
    TabiaTable *to;
    GenerationSnapshot now;
} TableResize;

static void move_piece(WorkRun *work, uint64_t piece, unsigned worker) {
    TableResize *m = (TableResize *)work;
    uint64_t begin, end, items[SLOTS_MAX * SLOT_WORDS_MAX];
    work_part(work, piece, m->to->buckets, &begin, &end);
    const uint64_t first = tabia_move_span(begin, m->to->buckets, m->from->buckets).first;
    const uint64_t last = tabia_move_span(end - 1, m->to->buckets, m->from->buckets).last;
    for (uint64_t b = first; b <= last; b++) {
        const unsigned n = tabia_move_read(m->from, b, &m->now, items);
        if (!n) continue;
        BucketSpan targets = tabia_move_span(b, m->from->buckets, m->to->buckets);
        if (targets.first < begin) targets.first = begin;
        if (targets.last >= end) targets.last = end - 1;
        for (uint64_t target = targets.first; target <= targets.last; target++)
            tabia_move_write(m->to, target, &m->now, items, n, &m->now);
    }
    tabia_work_tick(work, worker, 0);
}

/* By the generation counters of the old table, which will be the new one's. */
static void move_all(const TabiaTable *from, TabiaTable *to, unsigned threads) {
    TableResize m = {.from = from, .to = to, .now = tabia_move_snapshot(from)};
    tabia_work_begin(&m.work, NULL, 0, 0);
    m.work.piece = move_piece;
    m.work.pieces = to->buckets < 16 * (uint64_t)threads ? to->buckets : 16 * (uint64_t)threads;
    tabia_work_run(&m.work, threads, NULL);
}

/* ---- a second table, and the exchange ---- */

/* The options as the caller would have written them: in t->options some defaults that are not 0 have become 0. */
static TabiaOptions asked_for(const TabiaTable *t, uint64_t bytes) {
    TabiaOptions o = t->options;
    o.bytes = bytes;
    if (o.type == TABIA_ENTRIES && o.path_bits == 0) o.path_bits = TABIA_NO_PATH_BITS;
    if (o.age_weight == 0) o.age_weight = TABIA_AGE_IGNORED;
    return o;
}

/* Neither has a stale segment by the generation counters: a's are marked by the number of clears that stays. */
static void exchange_one(TabiaTable *a, TabiaTable *b) {
    assert(a->words == b->words);
    const TabiaTable copy = *a;
    a->base = b->base, a->buckets = b->buckets, a->segment = b->segment;
    a->memory = b->memory, a->options.bytes = b->options.bytes;
    b->base = copy.base, b->buckets = copy.buckets, b->segment = copy.segment;
    b->memory = copy.memory, b->options.bytes = copy.options.bytes;
    tabia_segments_zeroed(a);
}

static void exchange(TabiaTable *a, TabiaTable *b) {
    exchange_one(a, b);
    for (unsigned i = 0; a->partition && i < a->options.partitions; i++) exchange_one(a->partition[i], b->partition[i]);
}

static void move_shares(const TabiaTable *from, TabiaTable *to) {
    const unsigned partitions = from->partition ? from->options.partitions : 1;
    for (unsigned i = 0; i < partitions; i++) {
        const TabiaTable *old = from->partition ? from->partition[i] : from;
        TabiaTable *grown = to->partition ? to->partition[i] : to;
        move_all(old, grown, from->options.threads);
    }
}

/* ---- resizing ---- */

/* What destroying the table gives back. Reserved pages are no room for others. */
static uint64_t held(const TabiaTable *t) {
    return t->memory.reserved ? 0 : t->memory.bytes;
}

static int refuse(const TabiaTable *t, TabiaError *error) {
    if (t->options.name)
        return tabia_error_set(
            error, TABIA_ERROR_UNSUPPORTED,
            "the table named '%.200s' cannot change its size, because other processes may be using it: "
            "destroy it in all of them and create it again",
            t->options.name);
    if (!t->memory.at)
        return tabia_error_set(error, TABIA_ERROR_OPTION,
                               "a partition of a partitioned table lies in the whole's memory: resize the whole");
    return 0;
}

int tabia_table_resize_within(TabiaTable *t, uint64_t bytes, uint64_t available, bool *kept, TabiaError *error) {
    if (!t) return tabia_error_set(error, TABIA_ERROR_OPTION, "no table to resize: NULL was given");
    int code = refuse(t, error);
    if (code) return code;
    TabiaOptions o = asked_for(t, bytes);
    if (!o.bytes) o.bytes = TABIA_BYTES_DEFAULT;
    const bool keep = available > TO_SPARE && o.bytes <= available - TO_SPARE;
    if (!keep) o.touch = TABIA_TOUCH_LATER;
    TabiaTable *second;
    code = tabia_table_create_after(&second, &o, keep ? 0 : held(t), error);
    if (code) return code;
    if (keep) move_shares(t, second);
    exchange(t, second);
    tabia_table_destroy(second);
    if (kept) *kept = keep;
    if (!keep) (void)tabia_allocate(t, NULL, NULL); /* what is not provided now is when it is used */
    return 0;
}

int tabia_table_resize(TabiaTable *t, uint64_t bytes, bool *kept, TabiaError *error) {
    const MemoryLimit room = tabia_memory_limit("");
    return tabia_table_resize_within(t, bytes, room.bytes - room.swap, kept, error);
}
