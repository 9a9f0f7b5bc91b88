/* SPDX-License-Identifier: MIT */
/* Recording: each root move's subtree by one thread, into memory of its own, and all put together at the end. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/threads.h"
#include "perft/kernel.h"
#include "rules/movegen.h"
#include "stream.h"
#include "tabia/counts.h"

/* A list of records that grows. */
typedef struct {
    StreamRecord *at;
    size_t n, room;
} List;

/* One perft being recorded. */
typedef struct {
    const StreamJob *job;
    const PerftKernel *kernel;
    const Zobrist *zobrist;
    TabiaTable *counts; /* so that what is met again is not counted again */
    Position root;
    int depth, floor;
    unsigned moves, threads;
    Move move[MOVES_MAX];
    List list[MOVES_MAX]; /* of each root move */
    atomic_uint next;
    _Atomic uint64_t made;
    atomic_bool stop, too_large, no_memory;
} Tree;

static bool list_add(List *l, StreamRecord r) {
    if (l->n == l->room) {
        const size_t room = l->room ? l->room * 2 : 1024;
        StreamRecord *more = realloc(l->at, room * sizeof *more);
        if (!more) return false;
        l->at = more, l->room = room;
    }
    l->at[l->n++] = r;
    return true;
}

static uint64_t count_leaves(Tree *t, const Position *p, Key key, int depth) {
    const TabiaKey table_key = {key[0], key[1]};
    uint64_t leaves = tabia_counts_probe(t->counts, table_key, (unsigned)depth);
    if (leaves) return leaves;
    KernelContext c = {.zobrist = t->zobrist, .table = t->counts, .stop = tabia_stop_flag()};
    const U128 sum = t->kernel->count(&c, p, key, depth);
    if (sum >> 64) t->too_large = true;
    leaves = (uint64_t)sum;
    if (!tabia_stop_requested()) tabia_counts_store(t->counts, table_key, (unsigned)depth, leaves);
    return leaves;
}

/* Appends the subtree of p; its leaves. */
static uint64_t record_tree(Tree *t, List *l, const Position *p, Key key, int depth) {
    enum { LOOK_PLIES = 5 };
    const size_t mine = l->n;
    if (depth >= LOOK_PLIES && tabia_stop_requested()) t->stop = true;
    if (t->stop || t->no_memory || t->too_large) return 0;
    if (!list_add(l, (StreamRecord){.key = {key[0], key[1]}, .depth = (uint8_t)depth})) t->no_memory = true;
    if (t->no_memory) return 0;
    uint64_t leaves = 0;
    Move list[MOVES_MAX];
    const unsigned n = depth > t->floor ? moves_list(p, list) : 0;
    if (depth == t->floor) leaves = count_leaves(t, p, key, depth);
    for (unsigned i = 0; i < n; i++) {
        Position child;
        position_make_move(&child, p, list[i]);
        const Key child_key = position_key_after(p, key, list[i], t->zobrist);
        if (__builtin_add_overflow(leaves, record_tree(t, l, &child, child_key, depth - 1), &leaves))
            t->too_large = true;
    }
    assert(depth >= t->floor && l->n > mine);
    if (l->n - mine > UINT32_MAX) t->too_large = true;
    l->at[mine].leaves = leaves;
    l->at[mine].size = (uint32_t)(l->n - mine);
    return leaves;
}

static void record_moves(void *context, unsigned worker) {
    Tree *t = context;
    const Key key = zobrist_key(t->zobrist, &t->root);
    unsigned i;
    while ((i = t->next++) < t->moves && !t->stop) {
        Position child;
        position_make_move(&child, &t->root, t->move[i]);
        record_tree(t, &t->list[i], &child, position_key_after(&t->root, key, t->move[i], t->zobrist), t->depth - 1);
        t->made += t->list[i].n;
        if (tabia_stop_requested()) t->stop = true;
        if (worker == 0 && t->job->progress) t->job->progress(t->job->context, t->made, (double)(i + 1) / t->moves);
    }
}

static bool say_why(const Tree *t, TabiaError *error) {
    if (t->stop) return tabia_fail(error, "stopped");
    if (t->no_memory) return tabia_fail(error, "not enough memory for the stream; a higher --floor makes it smaller");
    if (t->too_large) return tabia_fail(error, "more than 2^64 leaves or 2^32 records; take a smaller depth");
    return true;
}

/* Puts the root and the lists of its moves behind what the stream holds. The lists are freed. */
static bool append(Stream *s, Tree *t, TabiaError *error) {
    uint64_t records = 1;
    for (unsigned i = 0; i < t->moves; i++) records += t->list[i].n;
    if (records > UINT32_MAX) t->too_large = true;
    if (!say_why(t, error)) return false;
    StreamRecord *all = realloc(s->record, (s->records + records) * sizeof *all);
    if (!all) t->no_memory = true;
    if (!all) return say_why(t, error);
    s->record = all;
    StreamRecord *root = all + s->records, *to = root + 1;
    const Key key = zobrist_key(t->zobrist, &t->root);
    *root = (StreamRecord){.key = {key[0], key[1]}, .size = (uint32_t)records, .depth = (uint8_t)t->depth};
    for (unsigned i = 0; i < t->moves; i++) {
        List *l = &t->list[i];
        if (__builtin_add_overflow(root->leaves, l->at[0].leaves, &root->leaves)) t->too_large = true;
        memcpy(to, l->at, l->n * sizeof *to);
        to += l->n;
        free(l->at);
        *l = (List){0};
    }
    assert(to == root + records);
    s->records += records;
    return say_why(t, error);
}

/* One perft, as the run number s->runs. */
static bool add_run(Stream *s, Tree *t, const Position *root, int depth, uint32_t generation, TabiaError *error) {
    StreamRun *run = realloc(s->run, (s->runs + 1) * sizeof *run);
    if (!run) return tabia_fail(error, "not enough memory for %u perfts", s->runs + 1);
    s->run = run;
    const uint64_t first = s->records;
    t->root = *root;
    t->depth = depth;
    t->moves = moves_list(root, t->move);
    t->next = 0;
    const bool ran = tabia_threads_run(t->threads, record_moves, t, error);
    const bool good = ran && append(s, t, error);
    for (unsigned i = 0; i < t->moves; i++) free(t->list[i].at), t->list[i] = (List){0};
    if (good) s->run[s->runs++] = (StreamRun){first, s->records - first, (uint32_t)depth, generation};
    return good;
}

static bool make_runs(Stream *s, Tree *t, TabiaError *error) {
    const StreamJob *job = t->job;
    Position p = job->root;
    for (unsigned ply = 0; ply <= job->plies; ply++) {
        for (int depth = job->deepen ? t->floor + 1 : job->depth; depth <= job->depth; depth++)
            if (!add_run(s, t, &p, depth, ply, error)) return false;
        if (ply < job->plies) position_make_move(&p, &p, job->game[ply]);
    }
    return true;
}

bool stream_make(Stream *s, const StreamJob *job, TabiaError *error) {
    enum { COUNTS_BYTES = 256 << 20 };
    *s = (Stream){.floor = (uint32_t)(job->floor ? job->floor : STREAM_FLOOR_LEAST)};
    snprintf(s->text, sizeof s->text, "%s", job->text ? job->text : "");
    if (job->depth <= (int)s->floor || job->depth > STREAM_DEPTH_MAX || s->floor < STREAM_FLOOR_LEAST)
        return tabia_fail(error, "depth %d with floor %u: the floor is at least %d, the depth more than it, at most %d",
                          job->depth, s->floor, STREAM_FLOOR_LEAST, STREAM_DEPTH_MAX);
    const TabiaOptions options = {.type = TABIA_COUNTS, .bytes = COUNTS_BYTES, .touch = TABIA_TOUCH_LATER};
    Zobrist *zobrist = aligned_alloc(64, (sizeof *zobrist + 63) / 64 * 64);
    Tree *t = aligned_alloc(64, (sizeof *t + 63) / 64 * 64);
    TabiaTable *counts = NULL;
    bool good = zobrist && t;
    if (!good) tabia_fail(error, "not enough memory to begin");
    if (good && tabia_table_create(&counts, &options, error)) good = false;
    if (good) {
        zobrist_init(zobrist, job->keys_seed);
        memset(t, 0, sizeof *t);
        t->job = job, t->zobrist = zobrist, t->counts = counts, t->kernel = perft_kernel_at(0),
        t->floor = (int)s->floor;
        t->threads = job->threads ? job->threads : tabia_threads_usable();
        good = make_runs(s, t, error);
    }
    tabia_table_destroy(counts);
    free(zobrist);
    free(t);
    if (!good) stream_free(s);
    return good;
}
