/* SPDX-License-Identifier: MIT */
/*
 * The walk: a trace as the work and the messages of rank 0 of P.
 *
 *     owner   1     2     3            a draft for each owner and each of the two kinds, its message number and when
 *           [ 7 ] [ 0 ] [ 3 ]          its first entry came
 *
 *     queue   2:9  1:4  3:1  ...       drafts in the order in which they were begun: those that have lingered are in
 * front. A draft that went because it was full has another number now: it is passed over
 */
#include <stdlib.h>

#include "lab/simulate.h"

typedef struct {
    uint32_t entries, number;
} Draft;

typedef struct {
    uint32_t owner, number;
    double at;
} Begun;

/* Drafts of one kind, to all owners. */
typedef struct {
    Draft *draft; /* of each owner */
    Begun *queue;
    uint64_t head, tail;
} Drafts;

typedef struct {
    const SimulateCosts *c;
    SimulateWalk *w;
    unsigned ranks;
    double now; /* seconds of work so far */
    Drafts asks, stores;
    SimulateSegment open;
    unsigned asked, largest; /* asks sent since the last need: messages, and entries of the largest */
} Walk;

static const double us = 1e-6;

/* ---- messages ---- */

static void pay_message(Walk *k, unsigned entries, bool is_ask) {
    const SimulateCosts *c = k->c;
    const double end = (c->message + entries * c->entry) / 2 * us; /* at one of them */
    k->open.asking += is_ask ? 2 * end : end;
    k->open.serving += (is_ask ? 2 * end : end) + entries * c->apply * us;
    k->w->messages += is_ask ? 2 : 1;
    k->w->entries += is_ask ? 2 * (uint64_t)entries : entries;
    if (!is_ask) return;
    k->asked++;
    if (entries > k->largest) k->largest = entries;
}

static void send(Walk *k, Drafts *d, unsigned owner) {
    Draft *draft = &d->draft[owner];
    pay_message(k, draft->entries, d == &k->asks);
    draft->entries = 0, draft->number++;
}

static void send_lingered(Walk *k, Drafts *d, double before) {
    for (; d->head < d->tail && d->queue[d->head].at <= before; d->head++) {
        const Begun b = d->queue[d->head];
        if (d->draft[b.owner].number == b.number) send(k, d, b.owner);
    }
}

static void send_all(Walk *k, Drafts *d) {
    send_lingered(k, d, k->now);
}

static void add_entry(Walk *k, Drafts *d, unsigned owner) {
    Draft *draft = &d->draft[owner];
    if (!draft->entries++) d->queue[d->tail++] = (Begun){owner, draft->number, k->now};
    if (draft->entries >= k->c->batch) send(k, d, owner);
}

/* ---- segments ---- */

/* There and back, the owners' next looks (of m that come at any time, the last), theirs and our handling, our look. */
static double answer_time(const Walk *k) {
    const SimulateCosts *c = k->c;
    if (!k->asked) return 0;
    const double looks = c->poll * k->asked / (k->asked + 1.0) + c->poll / 2;
    return (2 * c->latency + looks + 2 * c->message + k->largest * (2 * c->entry + c->apply)) * us;
}

static void close_segment(Walk *k, bool needs) {
    SimulateWalk *w = k->w;
    k->open.answer = needs ? answer_time(k) : 0;
    if (needs) k->asked = k->largest = 0;
    w->segment[w->segments++] = k->open;
    k->open = (SimulateSegment){0};
}

static void end_unit(Walk *k) {
    if (k->w->units) close_segment(k, false);
    k->w->first[k->w->units] = k->w->segments;
}

static void take_event(Walk *k, const TraceEvent *e) {
    const unsigned owner = (unsigned)((uint64_t)e->owner * k->ranks >> 32);
    const double work = e->work_ns * 1e-9;
    if (e->kind == TRACE_UNIT) {
        end_unit(k);
        k->w->work[k->w->units++] = 0;
    }
    k->now += work;
    k->open.work += work;
    k->w->work[k->w->units - 1] += work;
    send_lingered(k, &k->asks, k->now - k->c->linger * us);
    send_lingered(k, &k->stores, k->now - k->c->linger * us);
    if (e->kind == TRACE_ASK && owner) add_entry(k, &k->asks, owner);
    if (e->kind == TRACE_STORE && owner) add_entry(k, &k->stores, owner);
    if (e->kind != TRACE_NEED) return;
    send_all(k, &k->asks);
    close_segment(k, true);
}

/* ---- all of it ---- */

static bool make_room(Walk *k, const TraceSums *s) {
    SimulateWalk *w = k->w;
    const uint64_t units = s->of_kind[TRACE_UNIT];
    w->segment = malloc((units + s->of_kind[TRACE_NEED] + 1) * sizeof *w->segment);
    w->first = malloc((units + 1) * sizeof *w->first);
    w->work = malloc((units + 1) * sizeof *w->work);
    k->asks.draft = calloc(k->ranks, sizeof *k->asks.draft);
    k->stores.draft = calloc(k->ranks, sizeof *k->stores.draft);
    k->asks.queue = malloc((s->of_kind[TRACE_ASK] + 1) * sizeof *k->asks.queue);
    k->stores.queue = malloc((s->of_kind[TRACE_STORE] + 1) * sizeof *k->stores.queue);
    return w->segment && w->first && w->work && k->asks.draft && k->stores.draft && k->asks.queue && k->stores.queue;
}

bool simulate_walk(SimulateWalk *w, const Trace *t, const SimulateCosts *c, unsigned ranks, Fault *fault) {
    *w = (SimulateWalk){0};
    Walk k = {.c = c, .w = w, .ranks = ranks};
    const TraceSums sums = trace_sums(t);
    const bool good = make_room(&k, &sums) || tabia_fault(fault, "not enough memory to simulate %u ranks", ranks);
    if (good) {
        for (uint64_t i = 0; i < t->events; i++) take_event(&k, &t->event[i]);
        send_all(&k, &k.asks);
        send_all(&k, &k.stores);
        end_unit(&k);
    }
    free(k.asks.draft);
    free(k.asks.queue);
    free(k.stores.draft);
    free(k.stores.queue);
    if (!good) simulate_walk_free(w);
    return good;
}

void simulate_walk_free(SimulateWalk *w) {
    free(w->segment);
    free(w->first);
    free(w->work);
    *w = (SimulateWalk){0};
}
