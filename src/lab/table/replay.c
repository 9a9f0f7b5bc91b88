/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include <stdlib.h>

#include "base/stop.h"
#include "base/threads.h"
#include "tabia/counts.h"
#include "tabia/entry.h"

typedef struct {
    _Alignas(64) ReplayCounts counts;
} WorkerCounts;

/* One perft of the stream being replayed. */
typedef struct {
    const Stream *stream;
    TabiaTable *table;
    bool entries;
    unsigned path_plies, threads;
    const StreamRecord **unit;
    const StreamRecord *const *above; /* the parent of each unit, or NULL */
    size_t units;
    const StreamRecord *root;
    WorkerCounts *worker;
} Replay;

/* What one thread walks with. */
typedef struct {
    const Replay *r;
    TabiaTable *table;
    ReplayCounts *counts;
    uint64_t open_check[STREAM_DEPTH_MAX + 1]; /* the check word of the open node of each depth */
} Walk;

/* ---- the two record types ---- */

enum { COUNT_BITS = 47 }; /* of what an entry holds of a count; larger ones are not stored */

static TabiaEntry entry_of(uint64_t leaves, unsigned depth) {
    return (TabiaEntry){.move = (uint16_t)(0x8000 | (leaves & 0x7fff)), /* never 0: no move would be kept from before */
                        .score = (int16_t)(leaves >> 15),
                        .evaluation = (int16_t)(leaves >> 31),
                        .draft = (uint8_t)depth,
                        .bound = TABIA_BOUND_EXACT};
}

static uint64_t leaves_of(TabiaEntry e) {
    return (uint64_t)(e.move & 0x7fff) | (uint64_t)(uint16_t)e.score << 15 | (uint64_t)(uint16_t)e.evaluation << 31;
}

static TabiaKey key_of(const StreamRecord *node) {
    return (TabiaKey){node->key[0], node->key[1]};
}

/* Of the last positions before the node, each in its place. */
static uint64_t path_of(const Walk *w, const StreamRecord *node) {
    uint64_t path = 0;
    for (unsigned i = 1; i <= w->r->path_plies && node->depth + i <= STREAM_DEPTH_MAX; i++)
        path = (path ^ w->open_check[node->depth + i]) * 0x9e3779b97f4a7c15ull;
    return path >> 32;
}

/* True: known, *leaves is what the table says. */
static bool ask(Walk *w, const StreamRecord *node, uint64_t path, uint64_t *leaves) {
    ReplayCounts *c = w->counts;
    c->probes++;
    if (!w->r->entries) {
        *leaves = tabia_counts_probe(w->table, key_of(node), node->depth);
        if (!*leaves) return false;
    } else {
        const TabiaHit hit = tabia_entry_probe(w->table, key_of(node), path);
        const bool deep = hit.move_ok && hit.entry.draft == node->depth;
        c->known += hit.move_ok && !(deep && hit.score_ok);
        c->refused += deep && !hit.score_ok;
        if (!deep || !hit.score_ok) return false;
        *leaves = leaves_of(hit.entry);
    }
    c->hits++;
    c->wrong += *leaves != node->leaves;
    return true;
}

static void tell(Walk *w, const StreamRecord *node, uint64_t path, uint64_t leaves) {
    if (!w->r->entries)
        tabia_counts_store(w->table, key_of(node), node->depth, leaves);
    else if (!(leaves >> COUNT_BITS))
        tabia_entry_store(w->table, key_of(node), path, entry_of(leaves, node->depth));
}

/* ---- the walk ---- */

static uint64_t walk(Walk *w, const StreamRecord *node) {
    const uint64_t path = w->r->path_plies ? path_of(w, node) : 0;
    uint64_t leaves;
    if (ask(w, node, path, &leaves)) return leaves;
    w->counts->walked++;
    leaves = node->size == 1 ? node->leaves : 0;
    assert(node->size >= 1 && node->depth <= STREAM_DEPTH_MAX);
    w->open_check[node->depth] = node->key[1];
    for (const StreamRecord *child = node + 1; child < node + node->size; child += child->size)
        leaves += walk(w, child);
    tell(w, node, path, leaves);
    return leaves;
}

static void work(void *context, unsigned worker) {
    Replay *r = context;
    Walk w = {.r = r, .table = tabia_table_partition(r->table, worker), .counts = &r->worker[worker].counts};
    w.open_check[r->root->depth] = r->root->key[1];
    assert(worker < r->threads);
    const size_t end = r->units * (worker + 1) / r->threads;
    for (size_t i = r->units * worker / r->threads; i < end && !tabia_stop_requested(); i++) {
        const StreamRecord *unit = r->unit[i];
        if (unit->depth + 1u < r->root->depth) w.open_check[unit->depth + 1] = r->above[i]->key[1];
        w.counts->total += walk(&w, unit);
    }
}

/* ---- the units ---- */

/* Lists a perft's units and their parents, unless the lists are NULL; how many there are. */
static size_t list_units(const StreamRecord *root, const StreamRecord **unit, const StreamRecord **parent) {
    size_t n = 0;
    for (const StreamRecord *a = root + 1; a < root + root->size; a += a->size) {
        if (a->size == 1 && unit) unit[n] = a, parent[n] = root;
        n += a->size == 1;
        for (const StreamRecord *b = a + 1; b < a + a->size; b += b->size, n++)
            if (unit) unit[n] = b, parent[n] = a;
    }
    return n;
}

/* Of the perft that has the most. */
static size_t most_units(const Stream *s) {
    size_t most = 0;
    for (uint32_t i = 0; i < s->runs; i++) {
        const size_t n = list_units(&s->record[s->run[i].first], NULL, NULL);
        most = n > most ? n : most;
    }
    return most;
}

static void add_counts(ReplayCounts *to, const ReplayCounts *c) {
    to->probes += c->probes;
    to->hits += c->hits;
    to->walked += c->walked;
    to->known += c->known;
    to->refused += c->refused;
    to->wrong += c->wrong;
    to->total += c->total;
}

static bool run_one(Replay *r, const StreamRun *run, const StreamRecord **parents, ReplayCounts *counts,
                    TabiaError *error) {
    r->root = &r->stream->record[run->first];
    r->units = list_units(r->root, r->unit, parents);
    assert(run->first + run->records <= r->stream->records);
    for (unsigned i = 0; i < r->threads; i++) r->worker[i].counts = (ReplayCounts){0};
    if (!tabia_threads_run(r->threads, work, r, error)) return false;
    for (unsigned i = 0; i < r->threads; i++) add_counts(counts, &r->worker[i].counts);
    return !tabia_stop_requested() || tabia_fail(error, "stopped");
}

static bool run_all(Replay *r, const StreamRecord **parents, ReplayCounts *sum, ReplayCounts *by_run,
                    TabiaError *error) {
    const Stream *s = r->stream;
    for (uint32_t i = 0; i < s->runs; i++) {
        ReplayCounts counts = {0};
        if (i && s->run[i].generation != s->run[i - 1].generation) tabia_table_new_generation(r->table);
        if (!run_one(r, &s->run[i], parents, &counts, error)) return false;
        add_counts(sum, &counts);
        if (by_run) by_run[i] = counts;
    }
    return true;
}

bool replay_run(const Stream *s, TabiaTable *table, const ReplayOptions *o, ReplayCounts *sum, ReplayCounts *by_run,
                TabiaError *error) {
    const size_t units = most_units(s) + 1;
    TabiaInfo info;
    tabia_table_info(table, &info);
    *sum = (ReplayCounts){0};
    Replay r = {.stream = s, .table = table, .entries = info.type == TABIA_ENTRIES, .path_plies = o->path_plies};
    r.threads = o->threads ? o->threads : 1;
    const StreamRecord **parents = malloc(units * sizeof *parents);
    r.above = parents;
    r.unit = malloc(units * sizeof *r.unit);
    r.worker = aligned_alloc(64, r.threads * sizeof *r.worker);
    const bool enough = parents && r.unit && r.worker;
    const bool good = enough ? run_all(&r, parents, sum, by_run, error)
                             : tabia_fail(error, "not enough memory to replay with %u threads", r.threads);
    free(parents);
    free(r.unit);
    free(r.worker);
    return good;
}
