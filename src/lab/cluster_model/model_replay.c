/* SPDX-License-Identifier: MIT */
/*
 * The replay: a trace as the work and the messages of rank 0 of P.
 *
 *     owner   1     2     3            an outbox for each owner and each of the three message types, with the number of
 *           [ 7 ] [ 0 ] [ 3 ]          its message and the time of its first entry
 *
 *     queue   2:9  1:4  3:1  ...       outboxes in the order in which they were begun: those whose batching delay is
 *                                      over are in front. An outbox that was sent because it was full has another number
 *                                      now and is skipped
 */
#include <assert.h>
#include <stdlib.h>

#include "distributed/perft/wire.h"
#include "model.h"

typedef struct {
    uint32_t entries, number, moves, hits;
} ModelOutbox;

typedef struct {
    uint32_t owner, number;
    double at;
} OpenOutbox;

/* Outboxes of one message type, to all owners. */
typedef struct {
    ModelOutbox *outbox; /* of each owner */
    OpenOutbox *queue;
    uint64_t head, tail;
} OutboxSet;

typedef struct {
    const ModelCosts *c;
    ModelReplay *w;
    const Trace *t;
    unsigned ranks, place; /* place: of the trace's partition for that number of ranks */
    double now;            /* seconds of work so far */
    OutboxSet outboxes[MODEL_MESSAGE_TYPES];
    double hit_share, hit_credit; /* of the trace's hits, the share requested from owners; of that, what is still due */
    unsigned sets;                /* of the current leaf parent, one for each owner */
    struct {
        unsigned owner, moves;
    } set[MOVES_MAX];
    ModelSegment open;
    unsigned pending;   /* messages since the last wait whose answers it needs */
    double answer_cost; /* processor time of the most expensive of them and its answer, both ends together */
} ReplayState;

static const double us = 1e-6;

/* ---- messages ---- */

/* Sizes in bytes, from cluster/message.h and distributed/perft/wire.h. */
enum { HEADER = 24, KEY = 16, COUNT = 16, STORE = 24, MOVE = sizeof(Move) };
enum { BATCH_HEADER = sizeof(WireBatchHeader), SIBLINGS = sizeof(WireSiblings), SUM = sizeof(uint64_t) };
static const double padding = 3; /* of moves to a multiple of 8 bytes: 0 to 6 */

static double batch_bytes(const ModelOutbox *d) {
    return BATCH_HEADER + d->entries * (SIBLINGS + padding) + d->moves * MOVE;
}

/* Has the batch no room for another sibling set, however many moves that has? */
static bool batch_is_full(const ReplayState *k, const ModelOutbox *d) {
    const double room = TABIA_CLUSTER_BYTES_MAX - batch_bytes(d);
    return d->entries >= k->c->batch_sets || room < SIBLINGS + MOVES_MAX * MOVE;
}

/* A message and its answer. */
static double message_bytes(ModelMessageType type, const ModelOutbox *d) {
    const uint64_t bitmap = (d->entries + 63) / 64 * 8;
    switch (type) {
    case MODEL_PROBES:
        return 2 * HEADER + d->entries * KEY + (double)bitmap + d->hits * COUNT;
    case MODEL_SIBLINGS:
        return 2 * HEADER + batch_bytes(d) + BATCH_HEADER + d->entries * SUM;
    default:
        return HEADER + d->entries * STORE;
    }
}

static void count_message(ModelReplay *w, ModelMessageType type, const ModelOutbox *d) {
    w->bytes += message_bytes(type, d);
    w->number[type] += d->entries;
    w->hits += d->hits;
}

/* Both ways and both ends. Batches of sibling sets vary in length. */
static double wire_cost(const ModelCosts *c, ModelMessageType type, const ModelOutbox *d) {
    switch (type) {
    case MODEL_PROBES:
        return 2 * (c->message + d->entries * c->entry);
    case MODEL_SIBLINGS:
        return 2 * c->message + message_bytes(type, d) / MODEL_ENTRY_BYTES * c->entry;
    default:
        return c->message + d->entries * c->entry;
    }
}

static void charge_message(ReplayState *k, ModelMessageType type, const ModelOutbox *d) {
    const bool is_answered = type != MODEL_STORES;
    const unsigned n = d->entries;
    const double transfer = wire_cost(k->c, type, d);
    const double applied = n * (type == MODEL_SIBLINGS ? k->c->siblings : k->c->apply);
    k->open.requesting += transfer / 2 * us;
    k->open.serving += (transfer / 2 + applied) * us;
    k->w->messages += is_answered ? 2 : 1;
    k->w->entries += (is_answered ? 2 : 1) * (uint64_t)n;
    if (!is_answered) return;
    k->pending++;
    if (transfer + applied > k->answer_cost) k->answer_cost = transfer + applied;
}

static void send_outbox(ReplayState *k, ModelMessageType type, unsigned owner) {
    assert(owner < k->ranks);
    ModelOutbox *outbox = &k->outboxes[type].outbox[owner];
    charge_message(k, type, outbox);
    count_message(k->w, type, outbox);
    *outbox = (ModelOutbox){.number = outbox->number + 1};
}

static void flush_outboxes(ReplayState *k, ModelMessageType type, double before) {
    OutboxSet *d = &k->outboxes[type];
    for (; d->head < d->tail && d->queue[d->head].at <= before; d->head++) {
        const OpenOutbox b = d->queue[d->head];
        if (d->outbox[b.owner].number == b.number) send_outbox(k, type, b.owner);
    }
}

static void add_entry(ReplayState *k, ModelMessageType type, unsigned owner, unsigned hits) {
    OutboxSet *d = &k->outboxes[type];
    ModelOutbox *outbox = &d->outbox[owner];
    if (!outbox->entries++) d->queue[d->tail++] = (OpenOutbox){owner, outbox->number, k->now};
    outbox->hits += hits;
    if (type != MODEL_SIBLINGS && outbox->entries >= k->c->batch_keys) send_outbox(k, type, owner);
}

/* All sets are known. The rank that owns most of the moves counts it (distributed/perft/scheduler.h). */
static void end_leaf_parent(ReplayState *k) {
    unsigned own = 0;
    for (unsigned i = 1; i < k->sets; i++)
        if (k->set[i].moves > k->set[own].moves) own = i;
    for (unsigned i = 0; i < k->sets; i++) {
        const unsigned owner = k->set[i].owner;
        ModelOutbox *outbox = &k->outboxes[MODEL_SIBLINGS].outbox[owner];
        if (i == own) continue;
        if (batch_is_full(k, outbox)) send_outbox(k, MODEL_SIBLINGS, owner);
        add_entry(k, MODEL_SIBLINGS, owner, 0);
        outbox->moves += k->set[i].moves;
    }
    k->sets = 0;
}

/* Sets of one leaf parent that have the same owner are one. */
static void add_siblings(ReplayState *k, const TraceEvent *e) {
    const unsigned owner = k->place ? k->t->set_owner[(uint64_t)e->owner * (k->t->partitions - 1) + k->place - 1] : 0;
    unsigned i = 0;
    k->w->owner_work[owner] += e->work_ns * 1e-9;
    k->open.owner_work += e->work_ns * 1e-9;
    while (i < k->sets && k->set[i].owner != owner) i++;
    if (i == k->sets) k->set[k->sets++].owner = owner, k->set[i].moves = 0;
    k->set[i].moves += e->detail;
}

/* ---- segments ---- */

/* One round trip, the owners' next polls (of m at random times, the last), processing on both ends, and our poll. */
static double answer_time(const ReplayState *k) {
    const ModelCosts *c = k->c;
    if (!k->pending) return 0;
    const double polls = c->poll_interval * k->pending / (k->pending + 1.0) + c->poll_interval / 2;
    return (2 * c->latency + polls + k->answer_cost) * us;
}

static void close_segment(ReplayState *k, bool waits) {
    ModelReplay *w = k->w;
    assert(k->open.owner_work <= k->open.work + 1e-6);
    k->open.answer = waits ? answer_time(k) : 0;
    if (waits) k->pending = 0, k->answer_cost = 0;
    w->segment[w->segments++] = k->open;
    k->open = (ModelSegment){0};
}

static void end_unit(ReplayState *k) {
    end_leaf_parent(k);
    if (k->w->units) close_segment(k, false);
    k->w->first[k->w->units] = k->w->segments;
}

/* Misses of the trace are requested. Of its hits the rank has most in its own table. */
static void add_probe(ReplayState *k, const TraceEvent *e, unsigned owner) {
    k->hit_credit += e->detail ? k->hit_share : 1;
    if (k->hit_credit < 1) return;
    k->hit_credit--;
    add_entry(k, MODEL_PROBES, owner, e->detail);
}

static void replay_event(ReplayState *k, const TraceEvent *e) {
    assert(k->w->units || e->type == TRACE_UNIT);
    const unsigned owner = (unsigned)((uint64_t)e->owner * k->ranks >> 32);
    const double work = e->work_ns * 1e-9;
    if (e->type != TRACE_SIBLINGS || !e->depth) end_leaf_parent(k);
    if (e->type == TRACE_UNIT) {
        end_unit(k);
        k->w->work[k->w->units++] = 0;
        k->w->positions += e->depth ? e->depth : 1;
    }
    k->now += work;
    k->open.work += work;
    k->w->work[k->w->units - 1] += work;
    flush_outboxes(k, MODEL_PROBES, k->now - k->c->batching_delay * us);
    flush_outboxes(k, MODEL_STORES, k->now - k->c->batching_delay * us);
    if (e->type == TRACE_PROBE && owner) add_probe(k, e, owner);
    if (e->type == TRACE_STORE && owner) add_entry(k, MODEL_STORES, owner, 0);
    if (e->type == TRACE_SIBLINGS) add_siblings(k, e);
    if (e->type != TRACE_WAIT) return;
    flush_outboxes(k, MODEL_PROBES, k->now); /* batches wait until they are full: distributed/perft/rank_worker.c */
    close_segment(k, true);
}

/* ---- the whole trace ---- */

/* Of the trace's hits, in one table for all, the share that is not in a rank's own table but in that of its owner, as
   so many ranks counted when it was recorded. All, where there is no record for so many. */
static double requested_share(const ReplayState *k, const TraceSums *s) {
    const double remote = (double)s->hits * (k->ranks - 1) / k->ranks;
    return k->place && remote > 0 ? (double)k->t->partition[k->place].remote_hits / remote : 1;
}

static bool replay_allocate(ReplayState *k, const TraceSums *s) {
    ModelReplay *w = k->w;
    const uint64_t units = s->of_type[TRACE_UNIT];
    w->segment = malloc((units + s->of_type[TRACE_WAIT] + 1) * sizeof *w->segment);
    w->first = malloc((units + 1) * sizeof *w->first);
    w->work = malloc((units + 1) * sizeof *w->work);
    w->owner_work = calloc(k->ranks, sizeof *w->owner_work);
    bool good = w->segment && w->first && w->work && w->owner_work;
    static const TraceEventType of[MODEL_MESSAGE_TYPES] = {TRACE_PROBE, TRACE_SIBLINGS, TRACE_STORE};
    for (ModelMessageType type = MODEL_PROBES; type < MODEL_MESSAGE_TYPES; type++) {
        OutboxSet *d = &k->outboxes[type];
        d->outbox = calloc(k->ranks, sizeof *d->outbox);
        d->queue = malloc((s->of_type[of[type]] + 1) * sizeof *d->queue);
        good = good && d->outbox && d->queue;
    }
    return good;
}

bool model_replay(ModelReplay *w, const Trace *t, const ModelCosts *c, unsigned ranks, unsigned repeats,
                  TabiaError *error) {
    *w = (ModelReplay){0};
    ReplayState k = {.c = c, .w = w, .t = t, .ranks = ranks};
    if (!trace_find_partition(t, ranks, &k.place))
        return tabia_fail(error, "the trace has no partition for %u ranks; record it with --owners %u", ranks, ranks);
    const TraceSums sums = trace_sums(t);
    k.hit_share = repeats == 1 ? requested_share(&k, &sums) : 0;
    const bool good = replay_allocate(&k, &sums) || tabia_fail(error, "not enough memory to simulate %u ranks", ranks);
    if (good) {
        if (t->partitions) w->counted = (double)t->partition[k.place].counted;
        if (k.place) w->growth = (double)t->partition[k.place].counted / (double)t->partition[0].counted - 1;
        for (uint64_t i = 0; i < t->events; i++) replay_event(&k, &t->event[i]);
        for (ModelMessageType type = MODEL_PROBES; type < MODEL_MESSAGE_TYPES; type++) flush_outboxes(&k, type, k.now);
        end_unit(&k);
    }
    for (ModelMessageType type = MODEL_PROBES; type < MODEL_MESSAGE_TYPES; type++) {
        free(k.outboxes[type].outbox);
        free(k.outboxes[type].queue);
    }
    if (!good) model_replay_release(w);
    return good;
}

void model_replay_release(ModelReplay *w) {
    free(w->segment);
    free(w->first);
    free(w->work);
    free(w->owner_work);
    *w = (ModelReplay){0};
}
