/* SPDX-License-Identifier: MIT */
/* What every rank does: fetch units, expand them, send positions home, count for others, report. */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "state.h"

/* ---- units ---- */

static bool stock_room(DistributedPerft *r, size_t n) {
    Stock *s = &r->stock;
    if (s->n + n <= s->room) return true;
    size_t room = s->room ? s->room : 1024;
    while (room < s->n + n) room *= 2;
    WireUnit *unit = malloc(room * sizeof *unit);
    if (!unit) return false; /* handed out again in time */
    for (size_t i = 0; i < s->n; i++) unit[i] = s->unit[(s->first + i) % s->room];
    free(s->unit);
    s->unit = unit, s->first = 0, s->room = room;
    return true;
}

/* With private tables all is at home with us. */
void worker_homes(DistributedPerft *r, const void *bytes, size_t n) {
    if (n != sizeof r->homes || r->has_homes) return;
    memcpy(&r->homes, bytes, n);
    if (r->job.private_tables) partition_fill(&r->homes, r->rank);
    r->has_homes = true;
}

/* The depth, then units. */
void worker_units(DistributedPerft *r, const void *bytes, size_t n) {
    uint64_t depth;
    if (n < sizeof depth || (n - sizeof depth) % sizeof(WireUnit) || r->phase != PHASE_COUNTING) return;
    memcpy(&depth, bytes, sizeof depth);
    if (!r->coordinator) owners_end(r); /* whatever came of it, the frontier is made */
    r->stock.depth = (int)depth;
    r->stock.wanting = false;
    const char *at = (const char *)bytes + sizeof depth;
    if (!stock_room(r, n / sizeof(WireUnit))) return;
    for (size_t left = (n - sizeof depth) / sizeof(WireUnit); left; left--, at += sizeof(WireUnit))
        memcpy(r->stock.unit + (r->stock.first + r->stock.n++) % r->stock.room, at, sizeof(WireUnit));
}

/* What lies a few units ahead is brought into the caches: they may have come long ago. */
static WireUnit take_unit(Stock *s) {
    enum { AHEAD = 8, CACHE_LINE = 64 };
    const WireUnit unit = s->unit[s->first];
    const char *ahead = (const char *)(s->unit + (s->first + AHEAD) % s->room);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE);
    s->first = (s->first + 1) % s->room;
    s->n--;
    return unit;
}

/* Below which the stock is filled up: what is done in some milliseconds, as a message and its answer may take. */
static size_t low_stock(const DistributedPerft *r, double now) {
    static const double ahead = 0.03;
    const double rate = (double)r->stock.finished / (now - r->wall_began + 1e-3);
    return 2 + (size_t)(rate * ahead);
}

/* Asks for more before the last are begun. */
static void want_units(DistributedPerft *r) {
    Stock *s = &r->stock;
    const double now = ranks_now(r), again = r->job.timeout / 4;
    if ((r->has_homes && s->n >= low_stock(r, now)) || (s->wanting && now - s->wanted_at < (again < 0.5 ? again : 0.5)))
        return;
    s->wanting = true, s->wanted_at = now;
    ranks_post(r, 0, WIRE_UNIT_REQUEST, &now, r->has_homes ? 0 : sizeof now);
}

/* ---- reports ---- */

DistributedPerftStats worker_tally(const DistributedPerft *r) {
    DistributedPerftStats t = r->tally;
    t.ranks = 1;
    t.probes = r->probes, t.hits = r->hits;
    t.cpu = tabia_clock_cpu() - r->cpu_began;
    tabia_cluster_counters(r->cluster, &t.table);
    return t;
}

/* The probes and hits so far, then what was done. */
static void send_report(DistributedPerft *r) {
    uint64_t report[3 + 3 * WIRE_RESULTS_MAX];
    report[0] = r->probes, report[1] = r->hits;
    const double cpu = tabia_clock_cpu() - r->cpu_began;
    memcpy(report + 2, &cpu, sizeof cpu);
    memcpy(report + 3, r->stock.done, r->stock.dones * sizeof *r->stock.done);
    ranks_post(r, 0, WIRE_RESULTS, report, (3 + 3 * r->stock.dones) * sizeof *report);
    r->stock.dones = 0;
    r->stock.reported_at = ranks_now(r);
}

static void report_done(DistributedPerft *r, uint64_t unit, U128 leaves) {
    r->stock.finished++;
    r->stock.done[r->stock.dones++] = (WireResult){unit, (uint64_t)leaves, (uint64_t)(leaves >> 64)};
    if (r->stock.dones == WIRE_RESULTS_MAX) send_report(r);
}

/* What is done is told soon, and that we are alive from time to time. */
static void report_in_time(DistributedPerft *r) {
    const double since = ranks_now(r) - r->stock.reported_at, still = r->job.timeout / 5;
    if (since > (r->stock.dones ? 0.05 : still < 1 ? still : 1)) send_report(r);
}

/* ---- work ---- */

static bool is_stopped(const DistributedPerft *r) {
    return atomic_load_explicit(&r->stop, memory_order_relaxed);
}

/* A unit that is too shallow for a floor, or of a count that merges nothing. */
static void lay_out_unit(DistributedPerft *r) {
    const WireUnit unit = take_unit(&r->stock);
    WorkItem *e = worker_pool_acquire(&r->crew);
    e->kind = WORK_UNIT, e->number = unit.unit, e->moves = 0, e->depth = r->stock.depth;
    e->key = (Key){unit.key[0], unit.key[1]};
    e->position = wire_position_read(&unit.position);
    worker_pool_submit(&r->crew, e);
}

/* What the crew has counted goes where it belongs. False: there was nothing. */
static bool collect(DistributedPerft *r) {
    bool any = false;
    for (WorkItem *e; (e = worker_pool_collect(&r->crew)); any = true) {
        r->probes += e->probes, r->hits += e->hits;
        if (e->kind != WORK_UNIT)
            sibling_sets_served(r, e);
        else if (!is_stopped(r))
            report_done(r, e->number, e->sum);
        worker_pool_recycle(&r->crew, e);
    }
    return any;
}

static void set_group(Bits *set, unsigned group, bool there) {
    const Bits one = bit((int)(group % 64));
    set[group / 64] = there ? set[group / 64] | one : set[group / 64] & ~one;
}

static unsigned first_free_group(const DistributedPerft *r) {
    for (unsigned w = 0; w < UNIT_GROUPS / 64; w++)
        if (~r->used[w]) return 64 * w + (unsigned)first(~r->used[w]);
    return UNIT_GROUPS;
}

void worker_answered(DistributedPerft *r, Group *g) {
    if (--g->open == 0) set_group(r->lively, (unsigned)(g - r->group), true);
}

/*
 * A group that is free, if another is needed: while two have positions to send, there is work, and units that are not
 * begun can still be given to others. Those that wait for sums do not count: units of one time are of one kind, and
 * have the same homes, so that for a while one rank has all the work, and may not hold up the others. Those that wait
 * for answers of the table will have work soon, but not now: there are some of them, for as long as answers travel.
 */
static Group *group_needed(DistributedPerft *r) {
    enum { SENDING = 2, ASKING = 4 };
    const unsigned at = first_free_group(r);
    unsigned sending = 0, asking = 0;
    if (at >= unit_groups_max(r->stock.depth)) return NULL;
    for (unsigned w = 0; w < UNIT_GROUPS / 64; w++)
        for (Bits left = r->lively[w]; left;) {
            const Group *g = r->group + 64 * w + pop(&left);
            asking += g->stage == GROUP_ASKING;
            sending += g->stage == GROUP_COUNTING && g->next < g->ply[g->floor].n;
            if (sending >= SENDING || asking >= ASKING) return NULL;
        }
    return r->group + at;
}

static bool begin_group(DistributedPerft *r) {
    Stock *s = &r->stock;
    Group *g = s->n && r->has_homes ? group_needed(r) : NULL; /* units may overtake the homes */
    if (!g) return false;
    WireUnit unit[UNIT_GROUP_SIZE_MAX];
    const size_t most = unit_group_size(s->depth), n = s->n < most ? s->n : most;
    for (size_t i = 0; i < n; i++) unit[i] = take_unit(s);
    if (!group_begin(g, unit, n, s->depth, &r->fault)) ranks_fail(r, "%s", r->fault.text);
    set_group(r->used, (unsigned)(g - r->group), true);
    set_group(r->lively, (unsigned)(g - r->group), true);
    return true;
}

static void end_group(DistributedPerft *r, Group *g) {
    group_sum(g, r->job.private_tables ? NULL : r->cluster);
    for (size_t i = 0; i < g->ply[0].n; i++) report_done(r, g->unit[i], g->ply[0].leaves[i]);
    set_group(r->used, (unsigned)(g - r->group), false);
    set_group(r->lively, (unsigned)(g - r->group), false);
}

/* The next position of a group's floor, if there is a letter for it. Where a family is a matter of microseconds its
   letter leaves when it is full, or nothing else is left to do; a deep one is not kept from who may have no work. */
static bool send_one(DistributedPerft *r, Group *g) {
    const GroupPly *floor = g->ply + g->floor;
    if (g->next + 1 < floor->n) __builtin_prefetch(&floor->position[g->next + 1]);
    while (g->next < floor->n && floor->known[g->next]) g->next++;
    if (g->next < floor->n) {
        if (!families_send(r, g, g->next)) return false;
        g->next++;
    }
    if (g->next == floor->n && floor->depth > LEAF_PARENT_DEPTH_MIN) families_send_drafts(r);
    return true;
}

/* One step of a group, if it can take one. */
static bool work_on_group(DistributedPerft *r, Group *g) {
    TabiaCluster *asked = r->job.private_tables ? NULL : r->cluster;
    if (g->stage == GROUP_ASKING && tabia_cluster_batch_done(r->cluster, &g->batch)) {
        if (!group_expand(g, asked, &r->zobrist, &r->fault)) ranks_fail(r, "%s", r->fault.text);
        return true;
    }
    if (g->stage != GROUP_COUNTING) return false;
    if (g->next < g->ply[g->floor].n) return send_one(r, g);
    if (g->open) {
        set_group(r->lively, (unsigned)(g - r->group), false);
        return false;
    }
    end_group(r, g);
    return true;
}

/* Of the first that can. */
static bool work_on_groups(DistributedPerft *r) {
    for (unsigned w = 0; w < UNIT_GROUPS / 64; w++)
        for (Bits left = r->lively[w]; left;)
            if (work_on_group(r, r->group + 64 * w + pop(&left))) return true;
    return false;
}

/* Lays out what comes next: a family that another asks for, and a position of a floor. While a second letter waits
   here, families alone: so that few are under way, whose memory stays in the caches. */
static bool lay_out_next(DistributedPerft *r) {
    if (!r->merges || (r->stock.room && r->stock.depth < 4)) {
        if (!r->stock.n) return false;
        lay_out_unit(r);
        return true;
    }
    bool worked = families_work(r);
    const Task *open = r->families.open;
    if (worked && open && open->next) return true;
    if (begin_group(r)) worked = true;
    return work_on_groups(r) || worked;
}

void worker_care(DistributedPerft *r) {
    report_in_time(r);
    want_units(r);
}

bool worker_step(DistributedPerft *r, unsigned pieces) {
    enum { ERRANDS_A_PIECE = 2 };
    unsigned laid_out = 0, counted = 0;
    bool any = collect(r);
    while (laid_out < pieces && !r->failed && worker_pool_has_room(&r->crew, ERRANDS_A_PIECE) && lay_out_next(r))
        laid_out++;
    while (counted < ERRANDS_A_PIECE * pieces && worker_pool_help(&r->crew)) counted++;
    if (collect(r)) any = true;
    if (laid_out || counted || any) return true;
    families_send_drafts(r); /* all letters may be drafts */
    if (r->stock.dones) send_report(r);
    return false;
}
