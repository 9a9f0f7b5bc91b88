/* SPDX-License-Identifier: MIT */
#include "rank_worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "batch_client.h"
#include "outbox.h"
#include "unit_group.h"

/* Units that rank 0 has assigned to this rank and that are not begun: unit[first] to unit[end - 1], all of one depth. First
   in, first out. */
typedef struct {
    WireUnit *unit; /* `capacity` */
    size_t first, end, capacity;
    int depth; /* of the units, in plies */
} UnitQueue;

struct RankWorker {
    const RankContext *rank;
    UnitQueue units;
    WorkerPool *pool;
    UnitGroups *groups;
    BatchClient *client;
    BatchServer *server;
    PartitionMap map;
    bool has_map, has_request;                        /* has_request: units were requested and have not come */
    double requested_at, reported_at, first_units_at; /* seconds; first_units_at: 0 before */
    double cpu_started;                               /* this process's processor time, seconds */
    WireResult result[WIRE_RESULTS_MAX];              /* finished and not reported */
    unsigned results;
    uint64_t units_finished, probes, hits, leaves_counted; /* by this rank so far */
};

/* ---- units ---- */

/* With private tables this rank owns everything. */
void rank_worker_receive_partition(RankWorker *w, const void *bytes, size_t n) {
    if (n != sizeof w->map || w->has_map) return;
    memcpy(&w->map, bytes, n);
    if (!w->rank->is_shared) partition_fill(&w->map, w->rank->rank);
    w->has_map = true;
}

static size_t queue_length(const UnitQueue *q) {
    return q->end - q->first;
}

/* Room for n more. The units move to the front, and to larger memory if they must. */
static bool queue_reserve(UnitQueue *q, size_t n) {
    const size_t length = queue_length(q);
    if (q->end + n <= q->capacity) return true;
    if (length) memmove(q->unit, q->unit + q->first, length * sizeof *q->unit);
    q->first = 0, q->end = length;
    if (length + n <= q->capacity) return true;
    const size_t capacity = 2 * (length + n) + 1024;
    WireUnit *larger = realloc(q->unit, capacity * sizeof *larger);
    if (!larger) return false;
    q->unit = larger, q->capacity = capacity;
    return true;
}

/* The oldest unit, of which there must be one. It may have arrived long ago: what lies a few units ahead is prefetched. */
static WireUnit queue_pop(UnitQueue *q) {
    enum { AHEAD = 8, CACHE_LINE = 64 };
    assert(q->first < q->end);
    if (q->first + AHEAD < q->end) {
        const char *ahead = (const char *)(q->unit + q->first + AHEAD);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + CACHE_LINE);
    }
    return q->unit[q->first++];
}

/* Where memory is out they are lost: rank 0 assigns them again after the timeout. */
void rank_worker_receive_units(RankWorker *w, const void *bytes, size_t n) {
    uint64_t depth;
    if (n < sizeof depth || (n - sizeof depth) % sizeof(WireUnit)) return;
    memcpy(&depth, bytes, sizeof depth);
    w->has_request = false;
    if (!w->first_units_at) w->first_units_at = w->rank->now;
    const size_t units = (n - sizeof depth) / sizeof(WireUnit);
    w->units.depth = (int)depth;
    if (!units || !queue_reserve(&w->units, units)) return;
    memcpy(w->units.unit + w->units.end, (const char *)bytes + sizeof depth, units * sizeof(WireUnit));
    w->units.end += units;
}

/* Below that the queue is refilled: what is done in 30 ms, as a message and its answer may take some milliseconds. */
static size_t low_mark(const RankWorker *w) {
    static const double ahead = 0.03;
    const double rate = (double)w->units_finished / (w->rank->now - w->first_units_at + 1e-3);
    return 2 + (size_t)(rate * ahead);
}

/* Requests more units before the last ones are begun. */
static void request_units(RankWorker *w) {
    const double now = w->rank->now, again = w->rank->timeout / 4;
    if (w->has_map && queue_length(&w->units) >= low_mark(w)) return;
    if (w->has_request && now - w->requested_at < (again < 0.5 ? again : 0.5)) return;
    w->has_request = true, w->requested_at = now;
    outbox_send(w->rank->outbox, 0, WIRE_UNIT_REQUEST, &now, w->has_map ? 0 : sizeof now);
}

/* ---- reports ---- */

static double cpu_seconds(const RankWorker *w) {
    return tabia_clock_cpu() - w->cpu_started;
}

static void send_report(RankWorker *w) {
    enum { HEADER_WORDS = 4, RESULT_WORDS = sizeof(WireResult) / sizeof(uint64_t) };
    uint64_t report[HEADER_WORDS + RESULT_WORDS * WIRE_RESULTS_MAX];
    const double cpu = cpu_seconds(w);
    report[0] = w->probes, report[1] = w->hits, report[2] = w->leaves_counted;
    memcpy(report + 3, &cpu, sizeof cpu);
    memcpy(report + HEADER_WORDS, w->result, w->results * sizeof *w->result);
    outbox_send(w->rank->outbox, 0, WIRE_RESULTS, report, (HEADER_WORDS + RESULT_WORDS * w->results) * sizeof *report);
    w->results = 0;
    w->reported_at = w->rank->now;
}

static void note_result(RankWorker *w, uint64_t unit, U128 leaves) {
    assert(w->results < WIRE_RESULTS_MAX);
    w->units_finished++;
    w->result[w->results++] = (WireResult){unit, (uint64_t)leaves, (uint64_t)(leaves >> 64)};
    if (w->results == WIRE_RESULTS_MAX) send_report(w);
}

/* Results are reported within 50 ms; a heartbeat goes out every second, or five times per timeout. */
static void report_if_due(RankWorker *w) {
    const double since = w->rank->now - w->reported_at, heartbeat = w->rank->timeout / 5;
    if (since > (w->results ? 0.05 : heartbeat < 1 ? heartbeat : 1)) send_report(w);
}

void rank_worker_report(RankWorker *w) {
    report_if_due(w);
    request_units(w);
}

/* ---- work ---- */

/* Are units counted whole? Where they are too shallow for a leaf-parent ply, the count merges nothing, or no other rank
   owns a part: work items of a few microseconds, as in positions of few moves, would wait at the lock of the pool. */
static bool counts_whole_units(const RankWorker *w) {
    const bool is_shallow = w->units.capacity && w->units.depth < LEAF_PARENT_DEPTH_MIN;
    return is_shallow || !w->rank->merges || w->rank->ranks == 1;
}

static void submit_unit(RankWorker *w) {
    const WireUnit unit = queue_pop(&w->units);
    WorkItem *item = worker_pool_acquire(w->pool);
    item->type = WORK_UNIT, item->unit = unit.unit, item->moves = 0, item->depth = w->units.depth;
    item->key = (Key){unit.key[0], unit.key[1]};
    item->position = position_unpack(&unit.position);
    worker_pool_submit(w->pool, item);
}

static void use_item(RankWorker *w, const WorkItem *item) {
    switch (item->type) {
    case WORK_UNIT:
        if (!rank_is_stopped(w->rank)) note_result(w, item->unit, item->sum);
        return;
    case WORK_LEAF_PARENT:
        unit_groups_add_sum(w->groups, item->parent, item->sum);
        return;
    case WORK_SIBLINGS:
        batch_server_finish(w->server, item);
        return;
    }
}

/* What the pool has counted goes where it belongs. False: there was nothing. */
static bool collect(RankWorker *w) {
    bool any = false;
    for (WorkItem *item; (item = worker_pool_collect(w->pool)); any = true) {
        w->probes += item->probes, w->hits += item->hits, w->leaves_counted += item->leaves_counted;
        use_item(w, item);
        worker_pool_recycle(w->pool, item);
    }
    return any;
}

/* Units may overtake the partition map. */
static bool begin_group(RankWorker *w) {
    UnitQueue *q = &w->units;
    WireUnit unit[UNIT_GROUP_SIZE_MAX];
    TabiaError error;
    if (!queue_length(q) || !w->has_map || !unit_groups_want_units(w->groups, q->depth)) return false;
    const size_t size = unit_group_size(q->depth), n = queue_length(q) < size ? queue_length(q) : size;
    for (size_t i = 0; i < n; i++) unit[i] = queue_pop(q);
    if (!unit_groups_begin(w->groups, unit, n, q->depth, &error)) run_error_set(w->rank->error, "%s", error.text);
    return true;
}

/* Splits the next leaf parent, if its batches have room, and reports the groups that are done. */
static bool step_groups(RankWorker *w) {
    LeafParent parent;
    UnitCounts counts;
    if (unit_groups_finish(w->groups, &counts)) {
        for (size_t i = 0; i < counts.n; i++) note_result(w, counts.unit[i], counts.leaves[i]);
        return true;
    }
    if (!unit_groups_next(w->groups, &parent)) return false;
    const int sums = batch_client_split(w->client, &parent);
    if (sums < 0) return false;
    if (unit_groups_split(w->groups, parent.ref, (unsigned)sums)) batch_client_flush(w->client);
    return true;
}

/* A sibling set of another rank, and a leaf parent of this one. While a second batch waits here, sibling sets alone: so
   few batches are in use, whose memory stays in the caches. */
static bool submit_next(RankWorker *w) {
    if (counts_whole_units(w)) {
        if (!queue_length(&w->units)) return false;
        submit_unit(w);
        return true;
    }
    bool worked = batch_server_submit(w->server);
    if (worked && batch_server_has_backlog(w->server)) return true;
    if (begin_group(w)) worked = true;
    return step_groups(w) || worked;
}

bool rank_worker_step(RankWorker *w, unsigned rounds) {
    enum { ITEMS_PER_ROUND = 2 };
    unsigned submitted = 0, counted = 0;
    bool any = collect(w);
    while (submitted < rounds && !w->rank->error->is_set && worker_pool_has_room(w->pool, ITEMS_PER_ROUND) &&
           submit_next(w))
        submitted++;
    while (counted < ITEMS_PER_ROUND * rounds && worker_pool_help(w->pool)) counted++;
    if (collect(w)) any = true;
    if (submitted || counted || any) return true;
    batch_client_flush(w->client); /* every batch may be open, and none in flight */
    if (w->results) send_report(w);
    return false;
}

/* ---- messages of other modules ---- */

void rank_worker_receive_batch(RankWorker *w, unsigned from, const void *bytes, size_t n) {
    batch_server_receive(w->server, from, bytes, n);
}

void rank_worker_receive_sums(RankWorker *w, unsigned from, const void *bytes, size_t n) {
    batch_client_receive_sums(w->client, from, bytes, n);
}

void rank_worker_recount_lost(RankWorker *w) {
    batch_client_recount_lost(w->client, w->server);
}

/* A batch that is recounted is answered here. */
static void send_answer(void *context, unsigned to, const void *bytes, size_t n) {
    RankWorker *w = context;
    if (to == w->rank->rank)
        batch_client_receive_sums(w->client, to, bytes, n);
    else
        outbox_send(w->rank->outbox, to, WIRE_SUMS, bytes, n);
}

static void add_sum(void *context, LeafParentRef parent, U128 sum) {
    const RankWorker *w = context;
    unit_groups_add_sum(w->groups, parent, sum);
}

/* ---- creation ---- */

static bool create_modules(RankWorker *w, unsigned threads, TabiaError *error) {
    const RankContext *rank = w->rank;
    const KernelContext context = {.zobrist = &rank->zobrist, .table = rank->table, .stop = &rank->stop};
    return (w->pool = worker_pool_create(threads, &context, rank->kernel, error)) &&
           (w->groups = unit_groups_create(rank, error)) &&
           (w->client = batch_client_create(rank, &w->map, w->pool, (SumCallback){w, add_sum}, error)) &&
           (w->server = batch_server_create(rank, w->pool, (AnswerCallback){w, send_answer}, error));
}

RankWorker *rank_worker_create(const RankContext *rank, unsigned threads, TabiaError *error) {
    RankWorker *w = calloc(1, sizeof *w);
    if (!w) return tabia_fail(error, "not enough memory to begin"), NULL;
    w->rank = rank;
    if (!create_modules(w, threads, error)) return rank_worker_destroy(w), NULL;
    return w;
}

void rank_worker_destroy(RankWorker *w) {
    if (!w) return;
    worker_pool_destroy(w->pool);
    unit_groups_destroy(w->groups);
    batch_client_destroy(w->client);
    batch_server_destroy(w->server);
    free(w->units.unit);
    free(w);
}

void rank_worker_start(RankWorker *w) {
    w->cpu_started = tabia_clock_cpu();
}

void rank_worker_add_stats(const RankWorker *w, DistributedPerftStats *stats) {
    stats->probes += w->probes, stats->hits += w->hits, stats->leaves_counted += w->leaves_counted;
    stats->cpu += cpu_seconds(w);
    batch_client_add_stats(w->client, stats);
    batch_server_add_stats(w->server, stats);
}
