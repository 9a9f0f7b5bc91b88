/* SPDX-License-Identifier: MIT */
/*
 * The walk: a trace as the work and the messages of rank 0 of P.
 *
 *     owner   1     2     3            a draft for each owner and each of the three kinds, its message number and when
 *           [ 7 ] [ 0 ] [ 3 ]          its first entry came
 *
 *     queue   2:9  1:4  3:1  ...       drafts in the order in which they were begun: those that have lingered are in
 * front. A draft that went because it was full has another number now: it is passed over
 */
#include <stdlib.h>

#include "distributed/perft/wire.h"
#include "simulate.h"

typedef struct {
    uint32_t entries, number, moves, known;
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
    const Trace *t;
    unsigned ranks, place; /* place: of that number of ranks among the trace's homes */
    double now;            /* seconds of work so far */
    Drafts drafts[SIMULATE_KINDS];
    double share, owed; /* of asks that the trace knew: what goes to owners; of that, what has not gone */
    unsigned parts;     /* of the position that is being sent: what each home gets of it */
    struct {
        unsigned home, moves;
    } part[MOVES_MAX];
    SimulateSegment open;
    unsigned asked;   /* messages since the last need whose answers it needs */
    double answering; /* processor time of the dearest of them and its answer, both ends together */
} Walk;

static const double us = 1e-6;

/* ---- messages ---- */

/* Their parts, as cluster/message.h and distributed/perft/wire.h lay them out. */
enum { HEAD = 24, KEY = 16, COUNT = 16, STORE = 24, MOVE = sizeof(Move) };
enum { LETTER = sizeof(WireBatchHeader), FAMILY = sizeof(WireSiblings), SUM = sizeof(uint64_t) };
static const double filling = 3; /* of moves, up to 8 bytes: 0 to 6 */

static double letter_bytes(const Draft *d) {
    return LETTER + d->entries * (FAMILY + filling) + d->moves * MOVE;
}

/* Has it no room for another position, however many moves that has? */
static bool letter_is_full(const Walk *k, const Draft *d) {
    const double room = TABIA_CLUSTER_BYTES_MAX - letter_bytes(d);
    return d->entries >= k->c->families || room < FAMILY + MOVES_MAX * MOVE;
}

/* A message and its answer. */
static double bytes_of(SimulateKind kind, const Draft *d) {
    switch (kind) {
    case SIMULATE_ASKS:
        return 2 * HEAD + d->entries * KEY + (d->entries + 63) / 64 * 8 + d->known * COUNT;
    case SIMULATE_SENDS:
        return 2 * HEAD + letter_bytes(d) + LETTER + d->entries * SUM;
    default:
        return HEAD + d->entries * STORE;
    }
}

static void note_message(SimulateWalk *w, SimulateKind kind, const Draft *d) {
    w->bytes += bytes_of(kind, d);
    w->number[kind] += d->entries;
    w->known += d->known;
}

/* Both ways and both ends. Letters are as long as what they hold. */
static double wires_of(const SimulateCosts *c, SimulateKind kind, const Draft *d) {
    switch (kind) {
    case SIMULATE_ASKS:
        return 2 * (c->message + d->entries * c->entry);
    case SIMULATE_SENDS:
        return 2 * c->message + bytes_of(kind, d) / SIMULATE_ENTRY_BYTES * c->entry;
    default:
        return c->message + d->entries * c->entry;
    }
}

static void pay_message(Walk *k, SimulateKind kind, const Draft *d) {
    const bool is_answered = kind != SIMULATE_STORES;
    const unsigned n = d->entries;
    const double wires = wires_of(k->c, kind, d);
    const double applied = n * (kind == SIMULATE_SENDS ? k->c->family : k->c->apply);
    k->open.asking += wires / 2 * us;
    k->open.serving += (wires / 2 + applied) * us;
    k->w->messages += is_answered ? 2 : 1;
    k->w->entries += (is_answered ? 2 : 1) * (uint64_t)n;
    if (!is_answered) return;
    k->asked++;
    if (wires + applied > k->answering) k->answering = wires + applied;
}

static void send(Walk *k, SimulateKind kind, unsigned owner) {
    Draft *draft = &k->drafts[kind].draft[owner];
    pay_message(k, kind, draft);
    note_message(k->w, kind, draft);
    *draft = (Draft){.number = draft->number + 1};
}

static void send_lingered(Walk *k, SimulateKind kind, double before) {
    Drafts *d = &k->drafts[kind];
    for (; d->head < d->tail && d->queue[d->head].at <= before; d->head++) {
        const Begun b = d->queue[d->head];
        if (d->draft[b.owner].number == b.number) send(k, kind, b.owner);
    }
}

static void add_entry(Walk *k, SimulateKind kind, unsigned owner, unsigned known) {
    Drafts *d = &k->drafts[kind];
    Draft *draft = &d->draft[owner];
    if (!draft->entries++) d->queue[d->tail++] = (Begun){owner, draft->number, k->now};
    draft->known += known;
    if (kind != SIMULATE_SENDS && draft->entries >= k->c->batch) send(k, kind, owner);
}

/* All parts are there. The rank that is home to most of it has it (distributed/perft/scheduler.h). */
static void end_position(Walk *k) {
    unsigned own = 0;
    for (unsigned i = 1; i < k->parts; i++)
        if (k->part[i].moves > k->part[own].moves) own = i;
    for (unsigned i = 0; i < k->parts; i++) {
        const unsigned home = k->part[i].home;
        Draft *draft = &k->drafts[SIMULATE_SENDS].draft[home];
        if (i == own) continue;
        if (letter_is_full(k, draft)) send(k, SIMULATE_SENDS, home);
        add_entry(k, SIMULATE_SENDS, home, 0);
        draft->moves += k->part[i].moves;
    }
    k->parts = 0;
}

/* Parts of one position that have the same home are one. */
static void send_home(Walk *k, const TraceEvent *e) {
    const unsigned home = k->place ? k->t->home[(uint64_t)e->owner * (k->t->homes_n - 1) + k->place - 1] : 0;
    unsigned i = 0;
    k->w->home[home] += e->work_ns * 1e-9;
    k->open.sent += e->work_ns * 1e-9;
    while (i < k->parts && k->part[i].home != home) i++;
    if (i == k->parts) k->part[k->parts++].home = home, k->part[i].moves = 0;
    k->part[i].moves += e->more;
}

/* ---- segments ---- */

/* There and back, the owners' next looks (of m that come at any time, the last), theirs and our handling, our look. */
static double answer_time(const Walk *k) {
    const SimulateCosts *c = k->c;
    if (!k->asked) return 0;
    const double looks = c->poll * k->asked / (k->asked + 1.0) + c->poll / 2;
    return (2 * c->latency + looks + k->answering) * us;
}

static void close_segment(Walk *k, bool needs) {
    SimulateWalk *w = k->w;
    k->open.answer = needs ? answer_time(k) : 0;
    if (needs) k->asked = 0, k->answering = 0;
    w->segment[w->segments++] = k->open;
    k->open = (SimulateSegment){0};
}

static void end_unit(Walk *k) {
    end_position(k);
    if (k->w->units) close_segment(k, false);
    k->w->first[k->w->units] = k->w->segments;
}

/* What was new in the trace is asked for. Of the others the rank has most in its own table. */
static void ask(Walk *k, const TraceEvent *e, unsigned owner) {
    k->owed += e->more ? k->share : 1;
    if (k->owed < 1) return;
    k->owed--;
    add_entry(k, SIMULATE_ASKS, owner, e->more);
}

static void take_event(Walk *k, const TraceEvent *e) {
    const unsigned owner = (unsigned)((uint64_t)e->owner * k->ranks >> 32);
    const double work = e->work_ns * 1e-9;
    if (e->kind != TRACE_SEND || !e->depth) end_position(k);
    if (e->kind == TRACE_UNIT) {
        end_unit(k);
        k->w->work[k->w->units++] = 0;
        k->w->positions += e->depth ? e->depth : 1;
    }
    k->now += work;
    k->open.work += work;
    k->w->work[k->w->units - 1] += work;
    send_lingered(k, SIMULATE_ASKS, k->now - k->c->linger * us);
    send_lingered(k, SIMULATE_STORES, k->now - k->c->linger * us);
    if (e->kind == TRACE_ASK && owner) ask(k, e, owner);
    if (e->kind == TRACE_STORE && owner) add_entry(k, SIMULATE_STORES, owner, 0);
    if (e->kind == TRACE_SEND) send_home(k, e);
    if (e->kind != TRACE_NEED) return;
    send_lingered(k, SIMULATE_ASKS, k->now); /* batches wait until they are full: distributed/perft/rank_worker.c */
    close_segment(k, true);
}

/* ---- all of it ---- */

/* Of what the trace knew, with one table for all, so much is not in a rank's own table but at its owner, as its ranks
   counted when it was recorded. All of it, where nothing is known of so many. */
static double share_of_known(const Walk *k, const TraceSums *s) {
    const double remote = (double)s->known * (k->ranks - 1) / k->ranks;
    return k->place && remote > 0 ? (double)k->t->homes[k->place].known / remote : 1;
}

static bool make_room(Walk *k, const TraceSums *s) {
    SimulateWalk *w = k->w;
    const uint64_t units = s->of_kind[TRACE_UNIT];
    w->segment = malloc((units + s->of_kind[TRACE_NEED] + 1) * sizeof *w->segment);
    w->first = malloc((units + 1) * sizeof *w->first);
    w->work = malloc((units + 1) * sizeof *w->work);
    w->home = calloc(k->ranks, sizeof *w->home);
    bool good = w->segment && w->first && w->work && w->home;
    static const TraceKind of[SIMULATE_KINDS] = {TRACE_ASK, TRACE_SEND, TRACE_STORE};
    for (SimulateKind kind = SIMULATE_ASKS; kind < SIMULATE_KINDS; kind++) {
        Drafts *d = &k->drafts[kind];
        d->draft = calloc(k->ranks, sizeof *d->draft);
        d->queue = malloc((s->of_kind[of[kind]] + 1) * sizeof *d->queue);
        good = good && d->draft && d->queue;
    }
    return good;
}

bool simulate_walk(SimulateWalk *w, const Trace *t, const SimulateCosts *c, unsigned ranks, unsigned repeats,
                   Fault *fault) {
    *w = (SimulateWalk){0};
    Walk k = {.c = c, .w = w, .t = t, .ranks = ranks};
    if (!trace_find_homes(t, ranks, &k.place))
        return tabia_fault(fault, "the trace has no homes for %u ranks; record it with --homes %u", ranks, ranks);
    const TraceSums sums = trace_sums(t);
    k.share = repeats == 1 ? share_of_known(&k, &sums) : 0;
    const bool good = make_room(&k, &sums) || tabia_fault(fault, "not enough memory to simulate %u ranks", ranks);
    if (good) {
        if (t->homes_n) w->counted = (double)t->homes[k.place].counted;
        if (k.place) w->more = (double)t->homes[k.place].counted / (double)t->homes[0].counted - 1;
        for (uint64_t i = 0; i < t->events; i++) take_event(&k, &t->event[i]);
        for (SimulateKind kind = SIMULATE_ASKS; kind < SIMULATE_KINDS; kind++) send_lingered(&k, kind, k.now);
        end_unit(&k);
    }
    for (SimulateKind kind = SIMULATE_ASKS; kind < SIMULATE_KINDS; kind++) {
        free(k.drafts[kind].draft);
        free(k.drafts[kind].queue);
    }
    if (!good) simulate_walk_free(w);
    return good;
}

void simulate_walk_free(SimulateWalk *w) {
    free(w->segment);
    free(w->first);
    free(w->work);
    free(w->home);
    *w = (SimulateWalk){0};
}
