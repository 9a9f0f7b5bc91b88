/* SPDX-License-Identifier: MIT */
/*
 * The ranks, as events in the order of time:
 *
 *     rank     free from | unit: its segment, ready from     unit: ...       | units in hand, there from
 *     rank     ...                          \_ `ahead` of them: while one waits for answers, another is worked on
 *
 *     coordinator    free from | units left
 */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "distributed/perft/wire.h"

static const double us = 1e-6;

/* A unit in a rank's hands. */
typedef struct {
    uint32_t segment, end; /* the next one, and where the unit ends; equal: done, a unit is wanted from `ready` on */
    double ready;
    bool over; /* no unit will come any more */
} Strand;

typedef struct {
    Strand strand[SIMULATE_AHEAD_MAX];
    double free_from, last_end; /* of its last unit */
    uint64_t next, have;        /* units handed out and not begun, places in the order of all */
    double have_from;
} Rank;

typedef struct {
    double at;
    unsigned rank;
} Turn;

typedef struct {
    const SimulateCosts *c;
    SimulateWalk walk;
    unsigned ranks, ahead, repeats;
    double more;     /* of what homes count, by which it grows */
    uint32_t *order; /* units, largest first */
    uint64_t given, all;
    double coordinator_free;
    Rank *rank;
    Turn *heap; /* the rank whose turn is first on top */
    unsigned waiting_ranks;
    SimulateRow *row;
} Sim;

/* ---- turns ---- */

static bool before(Turn a, Turn b) {
    return a.at != b.at ? a.at < b.at : a.rank < b.rank;
}

static void push_turn(Sim *s, Turn t) {
    unsigned i = s->waiting_ranks++;
    for (; i && before(t, s->heap[(i - 1) / 2]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = t;
}

static Turn pop_turn(Sim *s) {
    const Turn first = s->heap[0], last = s->heap[--s->waiting_ranks];
    unsigned i = 0;
    for (unsigned child; (child = 2 * i + 1) < s->waiting_ranks; i = child) {
        if (child + 1 < s->waiting_ranks && before(s->heap[child + 1], s->heap[child])) child++;
        if (!before(s->heap[child], last)) break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return first;
}

/* ---- units ---- */

static uint64_t chunk_of(const Sim *s) {
    const uint64_t left = s->all - s->given, share = left / (4 * (uint64_t)s->ranks), most = (uint64_t)s->c->chunk;
    const uint64_t chunk = share < most ? share : most;
    return chunk ? chunk : left > 0;
}

/* The messages of one such request, and those by which results come back (distributed/perft/wire.h). */
static void note_control(Sim *s, uint64_t chunk) {
    enum {
        HEAD = 24,
        UNIT = sizeof(WireUnit),
        UNITS = WIRE_UNITS_MAX,
        DONE = sizeof(WireResult),
        DONES = WIRE_RESULTS_MAX
    };
    const double positions = (double)chunk * s->walk.positions / s->walk.units;
    const double units = ceil(positions / UNITS), dones = positions / DONES;
    SimulateRow *row = s->row;
    row->requests++;
    const double messages = 1 + units + dones;
    const double bytes = HEAD + units * (HEAD + 8) + dones * 2 * HEAD + positions * (UNIT + DONE);
    row->control += messages, row->control_bytes += bytes, row->reports += dones;
    row->handing += (messages * s->c->message + bytes / SIMULATE_ENTRY_BYTES * s->c->entry) * us;
}

/* The rank asks for units at that time; they are noted as in hand from when they will have come. */
static void request_units(Sim *s, Rank *r, double at) {
    const uint64_t chunk = chunk_of(s);
    r->next = s->given, r->have = chunk;
    s->given += chunk;
    r->have_from = at;
    if (s->ranks == 1 || !chunk) return;
    if (r != s->rank) note_control(s, chunk);
    const double there = at + (r == s->rank ? 0 : s->c->latency) * us;
    const double begun = there > s->coordinator_free ? there : s->coordinator_free;
    s->coordinator_free = begun + s->c->service * us;
    s->row->handing += s->c->service * us;
    s->row->service += s->c->service * us;
    s->rank[0].free_from += s->c->service * us;
    r->have_from = s->coordinator_free + (r == s->rank ? 0 : s->c->latency) * us;
}

static void begin_unit(Sim *s, Rank *r, Strand *strand, double at) {
    if (!r->have) request_units(s, r, at);
    strand->over = !r->have;
    if (strand->over) return;
    const uint32_t unit = s->order[r->next / s->repeats];
    strand->ready = at > r->have_from ? at : r->have_from;
    strand->segment = s->walk.first[unit], strand->end = s->walk.first[unit + 1];
    r->next++, r->have--;
}

/* What a rank does next: of all its strands what comes first. NULL: it is done. */
static Strand *first_ready(const Sim *s, Rank *r) {
    Strand *first = NULL;
    for (unsigned i = 0; i < s->ahead; i++) {
        Strand *strand = &r->strand[i];
        if (!strand->over && (!first || strand->ready < first->ready)) first = strand;
    }
    return first;
}

/* ---- time ---- */

static void work_on(Sim *s, Rank *r, Strand *strand) {
    const SimulateSegment *g = &s->walk.segment[strand->segment++];
    const double begun = strand->ready > r->free_from ? strand->ready : r->free_from;
    const double looking = s->ranks > 1 && s->c->poll > 0 ? g->work * s->c->look / s->c->poll : 0;
    const double again = g->sent * s->walk.more;
    SimulateRow *row = s->row;
    row->waiting += begun - r->free_from;
    row->work += g->work, row->asking += g->asking, row->serving += g->serving, row->looking += looking;
    row->again += again;
    r->free_from = begun + g->work + again + g->asking + g->serving + looking;
    strand->ready = r->free_from + g->answer;
    if (strand->segment < strand->end) return;
    if (strand->ready > r->last_end) r->last_end = strand->ready;
}

static double turn_of(const Rank *r, const Strand *strand) {
    return strand->segment == strand->end || strand->ready > r->free_from ? strand->ready : r->free_from;
}

static void next_turn(Sim *s, unsigned number) {
    Rank *r = &s->rank[number];
    const Strand *strand = first_ready(s, r);
    if (!strand) return;
    push_turn(s, (Turn){turn_of(r, strand), number});
}

static void run_events(Sim *s) {
    for (unsigned i = 0; i < s->ranks; i++) next_turn(s, i);
    for (uint64_t turns = 0; s->waiting_ranks; turns++) {
        if (turns % 4096 == 0 && tabia_stop_requested()) return;
        const unsigned number = pop_turn(s).rank;
        Rank *r = &s->rank[number];
        Strand *strand = first_ready(s, r);
        if (strand->segment == strand->end)
            begin_unit(s, r, strand, strand->ready);
        else
            work_on(s, r, strand);
        next_turn(s, number);
    }
}

/* The busiest home's time for what is sent to it; all else others can do. */
static double busiest_home(Sim *s) {
    double most = 0, sum = 0;
    for (unsigned i = 0; i < s->ranks; i++) {
        sum += s->walk.home[i];
        if (s->walk.home[i] > most) most = s->walk.home[i];
    }
    s->row->busiest = sum > 0 ? most * s->ranks / sum : 1;
    return most * (1 + s->walk.more) * s->repeats;
}

static void sum_up(Sim *s) {
    SimulateRow *row = s->row;
    for (unsigned i = 0; i < s->ranks; i++)
        if (s->rank[i].last_end > row->wall) row->wall = s->rank[i].last_end;
    const double busiest = busiest_home(s);
    if (busiest > row->wall) row->wall = busiest;
    for (unsigned i = 0; i < s->ranks; i++) row->tail += row->wall - s->rank[i].last_end;
    const SimulateWalk *w = &s->walk;
    row->messages = w->messages * s->repeats;
    row->entries = w->entries * s->repeats;
    row->sent = w->number[SIMULATE_SENDS] * s->repeats, row->stored = w->number[SIMULATE_STORES] * s->repeats;
    row->asked = w->number[SIMULATE_ASKS] * s->repeats, row->known = w->known * s->repeats;
    row->unpacking = (double)row->sent * s->c->family * us;
    row->bytes = w->bytes * s->repeats, row->counted = w->counted * s->repeats;
    row->overhead =
        row->work > 0 ? (row->again + row->asking + row->serving + row->looking + row->handing) / row->work : 0;
    row->efficiency = row->wall > 0 ? row->work / (s->ranks * row->wall) : 1;
}

/* ---- beginning ---- */

typedef struct {
    double work;
    uint32_t unit;
} Sized;

static int larger_first(const void *a, const void *b) {
    const Sized *x = a, *y = b;
    if (x->work != y->work) return x->work > y->work ? -1 : 1;
    return x->unit < y->unit ? -1 : 1;
}

static bool make_order(Sim *s) {
    Sized *sized = malloc((s->walk.units + 1) * sizeof *sized);
    s->order = malloc((s->walk.units + 1) * sizeof *s->order);
    const bool good = sized && s->order;
    for (uint32_t i = 0; good && i < s->walk.units; i++) sized[i] = (Sized){s->walk.work[i], i};
    if (good) qsort(sized, s->walk.units, sizeof *sized, larger_first);
    for (uint32_t i = 0; good && i < s->walk.units; i++) s->order[i] = sized[i].unit;
    free(sized);
    return good;
}

bool simulate_run(const Trace *t, const SimulateCosts *c, unsigned ranks, unsigned repeats, SimulateRow *row,
                  Fault *fault) {
    *row = (SimulateRow){.ranks = ranks};
    Sim s = {.c = c, .ranks = ranks, .ahead = (unsigned)c->ahead, .repeats = repeats, .row = row};
    if (!simulate_walk(&s.walk, t, c, ranks, repeats, fault)) return false;
    s.all = row->units = (uint64_t)s.walk.units * repeats;
    s.rank = calloc(ranks, sizeof *s.rank);
    s.heap = malloc(ranks * sizeof *s.heap);
    bool good =
        (s.rank && s.heap && make_order(&s)) || tabia_fault(fault, "not enough memory to simulate %u ranks", ranks);
    if (good) {
        run_events(&s);
        sum_up(&s);
        good = !tabia_stop_requested() || tabia_fault(fault, "stopped");
    }
    simulate_walk_free(&s.walk);
    free(s.order);
    free(s.rank);
    free(s.heap);
    return good;
}
