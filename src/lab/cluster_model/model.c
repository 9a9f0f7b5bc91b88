/* SPDX-License-Identifier: MIT */
/*
 * A discrete event simulation of the ranks, in the order of time:
 *
 *     rank           free from | unit: its segment, ready from     unit: ...       | units assigned, there from
 *     rank           ...           \_ `units_in_flight` of them: while one waits for answers, another is worked on
 *
 *     coordinator    free from | units left
 */
#include "model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "distributed/perft/wire.h"

static const double us = 1e-6;

/* A unit in flight. */
typedef struct {
    uint32_t segment,
        end; /* the next segment, and where the unit ends; equal: another unit is needed from `ready` on */
    double ready;
    bool finished; /* there are no more units */
} ModelUnit;

typedef struct {
    ModelUnit unit[MODEL_UNITS_MAX];
    double free_from, last_end; /* of its last unit */
    uint64_t next, assigned;    /* units assigned and not begun: the first, in the order of all; how many */
    double assigned_from;
} ModelRank;

typedef struct {
    double at;
    unsigned rank;
} ModelEvent;

typedef struct {
    const ModelCosts *c;
    ModelReplay replay;
    unsigned ranks, units_in_flight, repeats;
    uint32_t *order; /* units, largest first */
    uint64_t scheduled, all;
    double coordinator_free_from;
    ModelRank *rank;
    ModelEvent *queue; /* a binary heap: the earliest event on top */
    unsigned queued;
    ModelResult *result;
} ModelRun;

/* ---- the event queue ---- */

static bool is_earlier(ModelEvent a, ModelEvent b) {
    return a.at != b.at ? a.at < b.at : a.rank < b.rank;
}

static void push_event(ModelRun *s, ModelEvent e) {
    assert(s->queued < s->ranks);
    unsigned i = s->queued++;
    for (; i && is_earlier(e, s->queue[(i - 1) / 2]); i = (i - 1) / 2) s->queue[i] = s->queue[(i - 1) / 2];
    s->queue[i] = e;
}

static ModelEvent pop_event(ModelRun *s) {
    assert(s->queued);
    const ModelEvent first = s->queue[0], last = s->queue[--s->queued];
    unsigned i = 0;
    for (unsigned child; (child = 2 * i + 1) < s->queued; i = child) {
        if (child + 1 < s->queued && is_earlier(s->queue[child + 1], s->queue[child])) child++;
        if (!is_earlier(s->queue[child], last)) break;
        s->queue[i] = s->queue[child];
    }
    s->queue[i] = last;
    return first;
}

/* ---- units ---- */

static uint64_t chunk_of(const ModelRun *s) {
    const uint64_t left = s->all - s->scheduled, most = (uint64_t)s->c->chunk;
    const uint64_t quarter = left / (4 * (uint64_t)s->ranks), chunk = quarter < most ? quarter : most;
    return chunk ? chunk : left > 0;
}

/* The messages of one request for units, and those by which results return (distributed/perft/wire.h). */
static void charge_control(ModelRun *s, uint64_t chunk) {
    enum {
        HEADER = 24,
        UNIT = sizeof(WireUnit),
        UNITS = WIRE_UNITS_MAX,
        REPORT = sizeof(WireResult),
        REPORTS = WIRE_RESULTS_MAX
    };
    const double positions = (double)chunk * s->replay.positions / s->replay.units;
    const double units = ceil(positions / UNITS), reports = positions / REPORTS;
    ModelTraffic *traffic = &s->result->traffic;
    traffic->requests++;
    const double messages = 1 + units + reports;
    const double bytes = HEADER + units * (HEADER + 8) + reports * 2 * HEADER + positions * (UNIT + REPORT);
    traffic->control += messages, traffic->control_bytes += bytes, traffic->reports += reports;
    s->result->cpu.scheduling += (messages * s->c->message + bytes / MODEL_ENTRY_BYTES * s->c->entry) * us;
}

/* The rank requests units at that time; they are assigned from the time when they will have arrived. */
static void request_units(ModelRun *s, ModelRank *r, double at) {
    const uint64_t chunk = chunk_of(s);
    r->next = s->scheduled, r->assigned = chunk;
    s->scheduled += chunk;
    assert(s->scheduled <= s->all);
    r->assigned_from = at;
    if (s->ranks == 1 || !chunk) return;
    if (r != s->rank) charge_control(s, chunk);
    const double arrival = at + (r == s->rank ? 0 : s->c->latency) * us;
    const double begun = arrival > s->coordinator_free_from ? arrival : s->coordinator_free_from;
    s->coordinator_free_from = begun + s->c->service * us;
    s->result->cpu.scheduling += s->c->service * us;
    s->result->cpu.service += s->c->service * us;
    s->rank[0].free_from += s->c->service * us;
    r->assigned_from = s->coordinator_free_from + (r == s->rank ? 0 : s->c->latency) * us;
}

static void begin_unit(ModelRun *s, ModelRank *r, ModelUnit *unit, double at) {
    if (!r->assigned) request_units(s, r, at);
    unit->finished = !r->assigned;
    if (unit->finished) return;
    const uint32_t index = s->order[r->next / s->repeats];
    unit->ready = at > r->assigned_from ? at : r->assigned_from;
    unit->segment = s->replay.first[index], unit->end = s->replay.first[index + 1];
    assert(r->next < s->all);
    r->next++, r->assigned--;
}

/* What a rank does next: the unit that is ready first. NULL: it has finished. */
static ModelUnit *first_ready_unit(const ModelRun *s, ModelRank *r) {
    ModelUnit *first = NULL;
    for (unsigned i = 0; i < s->units_in_flight; i++) {
        ModelUnit *unit = &r->unit[i];
        if (!unit->finished && (!first || unit->ready < first->ready)) first = unit;
    }
    return first;
}

/* ---- time ---- */

static void execute_segment(ModelRun *s, ModelRank *r, ModelUnit *unit) {
    assert(unit->segment < unit->end);
    const ModelSegment *g = &s->replay.segment[unit->segment++];
    const double begun = unit->ready > r->free_from ? unit->ready : r->free_from;
    const double polling =
        s->ranks > 1 && s->c->poll_interval > 0 ? g->work * s->c->empty_poll / s->c->poll_interval : 0;
    const double recounted = g->owner_work * s->replay.growth;
    ModelCpu *cpu = &s->result->cpu;
    s->result->waiting += begun - r->free_from;
    cpu->work += g->work, cpu->requesting += g->requesting, cpu->serving += g->serving, cpu->polling += polling;
    cpu->recounted += recounted;
    r->free_from = begun + g->work + recounted + g->requesting + g->serving + polling;
    unit->ready = r->free_from + g->answer;
    if (unit->segment < unit->end) return;
    if (unit->ready > r->last_end) r->last_end = unit->ready;
}

static double event_time(const ModelRank *r, const ModelUnit *unit) {
    return unit->segment == unit->end || unit->ready > r->free_from ? unit->ready : r->free_from;
}

static void schedule_event(ModelRun *s, unsigned number) {
    ModelRank *r = &s->rank[number];
    const ModelUnit *unit = first_ready_unit(s, r);
    if (!unit) return;
    push_event(s, (ModelEvent){event_time(r, unit), number});
}

static void run_events(ModelRun *s) {
    for (unsigned i = 0; i < s->ranks; i++) schedule_event(s, i);
    for (uint64_t events = 0; s->queued; events++) {
        if (events % 4096 == 0 && tabia_stop_requested()) return;
        const unsigned number = pop_event(s).rank;
        ModelRank *r = &s->rank[number];
        ModelUnit *unit = first_ready_unit(s, r);
        assert(unit); /* a rank without one has no event */
        if (unit->segment == unit->end)
            begin_unit(s, r, unit, unit->ready);
        else
            execute_segment(s, r, unit);
        schedule_event(s, number);
    }
}

/* The time of the busiest owner for the sibling sets sent to it; all other work can be done by other ranks. */
static double busiest_owner(ModelRun *s) {
    double most = 0, sum = 0;
    for (unsigned i = 0; i < s->ranks; i++) {
        sum += s->replay.owner_work[i];
        if (s->replay.owner_work[i] > most) most = s->replay.owner_work[i];
    }
    s->result->imbalance = sum > 0 ? most * s->ranks / sum : 1;
    return most * (1 + s->replay.growth) * s->repeats;
}

static void summarise(ModelRun *s) {
    ModelResult *result = s->result;
    for (unsigned i = 0; i < s->ranks; i++)
        if (s->rank[i].last_end > result->wall) result->wall = s->rank[i].last_end;
    const double busiest = busiest_owner(s);
    if (busiest > result->wall) result->wall = busiest;
    for (unsigned i = 0; i < s->ranks; i++) result->tail += result->wall - s->rank[i].last_end;
    const ModelReplay *w = &s->replay;
    ModelCpu *cpu = &result->cpu;
    ModelTraffic *traffic = &result->traffic;
    traffic->messages = w->messages * s->repeats;
    traffic->entries = w->entries * s->repeats;
    traffic->sibling_sets = w->number[MODEL_SIBLINGS] * s->repeats;
    traffic->remote_stores = w->number[MODEL_STORES] * s->repeats;
    traffic->remote_probes = w->number[MODEL_PROBES] * s->repeats, traffic->remote_hits = w->hits * s->repeats;
    traffic->bytes = w->bytes * s->repeats, result->counted = w->counted * s->repeats;
    cpu->unpacking = (double)traffic->sibling_sets * s->c->siblings * us;
    assert(cpu->unpacking >= 0 && cpu->work >= 0);
    const double overhead = cpu->recounted + cpu->requesting + cpu->serving + cpu->polling + cpu->scheduling;
    result->overhead = cpu->work > 0 ? overhead / cpu->work : 0;
    result->efficiency = result->wall > 0 ? result->cpu.work / (s->ranks * result->wall) : 1;
}

/* ---- the run ---- */

typedef struct {
    double work;
    uint32_t unit;
} UnitWork;

static int compare_by_work(const void *a, const void *b) {
    const UnitWork *x = a, *y = b;
    if (x->work != y->work) return x->work > y->work ? -1 : 1;
    return x->unit < y->unit ? -1 : 1;
}

static bool sort_units(ModelRun *s) {
    UnitWork *by_work = malloc((s->replay.units + 1) * sizeof *by_work);
    s->order = malloc((s->replay.units + 1) * sizeof *s->order);
    const bool good = by_work && s->order;
    for (uint32_t i = 0; good && i < s->replay.units; i++) by_work[i] = (UnitWork){s->replay.work[i], i};
    if (good) qsort(by_work, s->replay.units, sizeof *by_work, compare_by_work);
    for (uint32_t i = 0; good && i < s->replay.units; i++) s->order[i] = by_work[i].unit;
    free(by_work);
    return good;
}

bool model_run(const Trace *t, const ModelCosts *c, unsigned ranks, unsigned repeats, ModelResult *result,
               TabiaError *error) {
    *result = (ModelResult){.ranks = ranks};
    ModelRun s = {
        .c = c, .ranks = ranks, .units_in_flight = (unsigned)c->units_in_flight, .repeats = repeats, .result = result};
    if (!model_replay(&s.replay, t, c, ranks, repeats, error)) return false;
    s.all = result->units = (uint64_t)s.replay.units * repeats;
    s.rank = calloc(ranks, sizeof *s.rank);
    s.queue = malloc(ranks * sizeof *s.queue);
    bool good =
        (s.rank && s.queue && sort_units(&s)) || tabia_fail(error, "not enough memory to simulate %u ranks", ranks);
    if (good) {
        run_events(&s);
        summarise(&s);
        good = !tabia_stop_requested() || tabia_fail(error, "stopped");
    }
    model_replay_release(&s.replay);
    free(s.order);
    free(s.rank);
    free(s.queue);
    return good;
}
