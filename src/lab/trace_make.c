/* SPDX-License-Identifier: MIT */
/*
 * Recording a trace: a perft by one thread that does what a rank of a cluster does, with a table for each home.
 *
 *     ply 0      o           a unit, or some where they are small: not asked for
 *     ply 1     o o o        each position once; asked for, and expanded where it is not known
 *      ...
 *     floor    o  o  o  o    its children go home (perft/ranks/home.h)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/stop.h"
#include "fen.h"
#include "lab/trace.h"
#include "movegen.h"
#include "perft/frontier.h"
#include "perft/key_set.h"
#include "perft/path.h"
#include "perft/ranks/group.h"
#include "perft/ranks/home.h"
#include "perft/units.h"
#include "tabia/counts.h"

/* As tabia-mpi does it (perft/units.c). */
enum { UNITS_MOST = 1000000, UNITS_ENOUGH = 20000, PLIES_MAX = 12, HASH_BYTES = 256 << 20 };

/* How many units are worked on together, for fuller messages, by the plies to the floor. */
static size_t group_size(unsigned plies) {
    return group_units((int)plies + GROUP_FLOOR);
}

/* The positions of a ply below a unit; known ones have no children in the next. */
typedef struct {
    size_t n;
    Position *position;
    Key *key;
    bool *known;
    uint64_t *leaves;
} Ply;

typedef struct {
    Trace *trace; /* NULL: only `counted` is wanted */
    const TraceJob *job;
    Zobrist *zobrist;
    TabiaTable **table;    /* of each home */
    unsigned homes, place; /* how many, and their place among the numbers that are tried: 0 is one home */
    HomeMap *map;          /* of each number of homes */
    const PerftPath *path;
    Frontier outer;
    uint32_t *order; /* of its units: a rank's are akin */
    unsigned plies;  /* from the units to the floor */
    Ply ply[PLIES_MAX];
    atomic_bool stop; /* stays false; for count */
    double since;     /* processor time that has been recorded */
    double look;      /* what a look at that clock costs: as much as some counts, so it is taken off */
    uint64_t counted; /* positions that no table knew */
    U128 leaves;
    double done, all; /* units, of all homes: for progress */
} Making;

static uint64_t take_time(Making *m) {
    if (!m->trace) return 0;
    const double before = m->since;
    m->since = tabia_clock_cpu();
    const double took = m->since - before - m->look;
    return took > 0 ? (uint64_t)(took * 1e9) : 0;
}

static double cost_of_a_look(void) {
    enum { LOOKS = 1000 };
    const double begun = tabia_clock_cpu();
    for (unsigned i = 1; i < LOOKS; i++) tabia_clock_cpu();
    return (tabia_clock_cpu() - begun) / LOOKS;
}

static void note(Making *m, TraceKind kind, unsigned depth, uint32_t owner) {
    if (m->trace) trace_add(m->trace, kind, depth, owner, take_time(m));
}

/* ---- whose ---- */

static uint32_t owner_hash(Key key, unsigned depth) {
    return (uint32_t)counts_key((TabiaKey){key[0], key[1]}, depth).index;
}

/* The homes of what a move leads to, for each number of them. */
static void find_homes(const Making *m, const Position *p, Move move, uint16_t home[TRACE_HOMES_MAX]) {
    const HomeView view = home_view_of_move(p, move);
    memset(home, 0, TRACE_HOMES_MAX * sizeof *home);
    for (unsigned i = 0; i < m->job->homes_n; i++) home[i] = (uint16_t)home_of(&m->map[i], view);
}

static TabiaTable *table_of(const Making *m, uint32_t hash) {
    return m->table[(uint64_t)hash * m->homes >> 32];
}

/* ---- counts ---- */

/* From the home's table, or counted there. */
static uint64_t count_at_home(Making *m, const Position *p, Key key, int depth, TabiaTable *home) {
    const TabiaKey table_key = {key[0], key[1]};
    uint64_t leaves = tabia_counts_probe(home, table_key, (unsigned)depth);
    if (leaves) return leaves;
    CountContext c = {.zobrist = m->zobrist, .table = home, .stop = &m->stop};
    leaves = (uint64_t)m->path->count(&c, p, key, depth);
    m->counted += c.probes - c.hits + 1;
    tabia_counts_store(home, table_key, (unsigned)depth, leaves);
    return leaves;
}

/* A position of the floor, and the homes of its children. */
typedef struct {
    unsigned n;
    Move move[MOVES_MAX];
    uint16_t home[MOVES_MAX][TRACE_HOMES_MAX];
} Family;

/* As a home counts them. Two plies are asked of no table, and each counts as one that none knew. */
static uint64_t count_children(const Making *m, CountContext *c, const Position *p, Key key, const Move *list,
                               unsigned n, int depth) {
    enum { MERGED = 3 };
    Key keys[MOVES_MAX];
    if (depth >= MERGED) {
        m->path->keys(m->zobrist, p, key, list, n, keys);
        const Siblings children = {p, list, keys, n, depth};
        m->path->expect(c, &children);
        return (uint64_t)m->path->children(c, &children);
    }
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++, c->probes++) {
        Position child;
        position_play(&child, p, list[i]);
        leaves += m->path->last_two(&child);
    }
    return leaves;
}

/* The moves from `first` on that have the same homes; they are taken out. */
static uint64_t count_part(Making *m, Family *f, unsigned first, const Position *p, Key key, int depth,
                           unsigned *moves) {
    CountContext c = {
        .zobrist = m->zobrist, .table = m->table[m->place ? f->home[first][m->place - 1] : 0], .stop = &m->stop};
    Move list[MOVES_MAX];
    *moves = 0;
    for (unsigned i = first; i < f->n; i++) {
        if (!f->move[i] || memcmp(f->home[i], f->home[first], sizeof f->home[i])) continue;
        list[(*moves)++] = f->move[i];
        f->move[i] = 0;
    }
    const uint64_t leaves = count_children(m, &c, p, key, list, *moves, depth - 1);
    m->counted += c.probes - c.hits;
    return leaves;
}

static uint64_t count_by_homes(Making *m, const Position *p, Key key, int depth) {
    Family f;
    f.n = moves_list(p, f.move);
    for (unsigned i = 0; i < f.n; i++) find_homes(m, p, f.move[i], f.home[i]);
    uint64_t leaves = 0;
    note(m, TRACE_WORK, 0, 0);
    for (unsigned first = 0, parts = 0, moves; first < f.n; first++) {
        if (!f.move[first]) continue;
        leaves += count_part(m, &f, first, p, key, depth, &moves);
        if (m->trace) trace_add_send(m->trace, parts++, moves, f.home[first], take_time(m));
    }
    return leaves;
}

/* Of a position whose children have been stored: their sum. One that was pushed out is counted again. */
static uint64_t sum_children(Making *m, const Position *p, Key key, int depth) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++) {
        const Key child_key = position_key_after(p, key, list[i], m->zobrist);
        Position child;
        position_play(&child, p, list[i]);
        leaves +=
            count_at_home(m, &child, child_key, depth - 1, table_of(m, owner_hash(child_key, (unsigned)depth - 1)));
    }
    return leaves;
}

/* ---- plies ---- */

static void ply_free(Ply *p) {
    free(p->position);
    free(p->key);
    free(p->known);
    free(p->leaves);
    *p = (Ply){0};
}

static bool ply_room(Ply *p, size_t n) {
    p->n = n;
    p->position = aligned_alloc(64, (n + 1) * sizeof *p->position);
    p->key = aligned_alloc(64, (n + 4) / 4 * 4 * sizeof *p->key);
    p->known = calloc(n + 1, sizeof *p->known);
    p->leaves = calloc(n + 1, sizeof *p->leaves);
    return p->position && p->key && p->known && p->leaves;
}

/* The children of what is not known of `from`, each once. */
static bool expand(const Making *m, const Ply *from, Ply *to, Fault *fault) {
    KeySet set = {0};
    Move list[MOVES_MAX];
    for (size_t i = 0; i < from->n; i++) {
        const unsigned n = from->known[i] ? 0 : moves_list(&from->position[i], list);
        for (unsigned k = 0; k < n; k++) {
            const Key key = position_key_after(&from->position[i], from->key[i], list[k], m->zobrist);
            if (key_set_add(&set, key, 1, (uint64_t)i << 16 | list[k], fault)) continue;
            key_set_free(&set);
            return false;
        }
    }
    const bool good =
        ply_room(to, set.used) || tabia_fault(fault, "not enough memory for a ply of %zu positions", set.used);
    for (size_t s = 0, n = 0; good && s < set.slots; s++) {
        if (!set.slot[s].paths) continue;
        const uint64_t origin = set.slot[s].origin;
        position_play(&to->position[n], &from->position[origin >> 16], (Move)(origin & 0xffff));
        to->key[n++] = set.slot[s].key;
    }
    key_set_free(&set);
    return good;
}

static void ask(Making *m, Ply *p, unsigned depth) {
    for (size_t i = 0; i < p->n; i++) {
        const uint32_t owner = owner_hash(p->key[i], depth);
        p->known[i] = tabia_counts_probe(table_of(m, owner), (TabiaKey){p->key[i][0], p->key[i][1]}, depth) != 0;
        note(m, TRACE_ASK, depth, owner);
        if (m->trace && p->known[i]) trace_was_known(m->trace);
    }
    note(m, TRACE_NEED, 0, 0);
}

static void store(Making *m, const Ply *p, size_t i, unsigned depth, uint64_t leaves) {
    const uint32_t owner = owner_hash(p->key[i], depth);
    tabia_counts_store(table_of(m, owner), (TabiaKey){p->key[i][0], p->key[i][1]}, depth, leaves);
    note(m, TRACE_STORE, depth, owner);
}

/* ---- units ---- */

/* Counts the floor, then sums up and stores from there up. Units are not stored: nobody else asks for them. */
static void count_plies(Making *m) {
    const unsigned floor = (unsigned)m->job->floor;
    for (unsigned up = 0; up <= m->plies; up++) {
        const unsigned ply = m->plies - up, depth = floor + up;
        Ply *p = &m->ply[ply];
        for (size_t i = 0; i < p->n; i++)
            if (!p->known[i])
                p->leaves[i] = depth == floor ? count_by_homes(m, &p->position[i], p->key[i], (int)depth)
                                              : sum_children(m, &p->position[i], p->key[i], (int)depth);
        if (depth == floor) note(m, TRACE_NEED, 0, 0);
        for (size_t i = 0; ply && i < p->n; i++)
            if (!p->known[i]) store(m, p, i, depth, p->leaves[i]);
    }
}

static uint64_t paths_of(const Frontier *f, size_t unit) {
    uint64_t paths = 0;
    for (unsigned r = 0; r < f->roots; r++) paths += f->share[unit * f->roots + r];
    return paths;
}

static bool begin_group(Making *m, size_t unit, size_t n, Fault *fault) {
    if (!ply_room(m->ply, n)) return tabia_fault(fault, "not enough memory for a unit");
    for (size_t i = 0; i < n; i++) {
        const uint32_t which = m->order[unit + i];
        m->ply->position[i] = m->outer.position[which], m->ply->key[i] = m->outer.key[which];
    }
    return true;
}

static bool record_group(Making *m, size_t unit, size_t n, Fault *fault) {
    take_time(m);
    note(m, TRACE_UNIT, (unsigned)n, 0);
    bool good = begin_group(m, unit, n, fault);
    for (unsigned ply = 1; good && ply <= m->plies; ply++) {
        good = expand(m, &m->ply[ply - 1], &m->ply[ply], fault);
        if (good) ask(m, &m->ply[ply], (unsigned)m->job->floor + m->plies - ply);
    }
    if (good) count_plies(m);
    for (size_t i = 0; good && i < n; i++)
        m->leaves += (U128)paths_of(&m->outer, m->order[unit + i]) * m->ply->leaves[i];
    note(m, TRACE_WORK, 0, 0);
    for (unsigned ply = 0; ply <= m->plies; ply++) ply_free(&m->ply[ply]);
    return good;
}

static bool record_units(Making *m, Fault *fault) {
    const TraceJob *job = m->job;
    const size_t units = m->outer.units, most = group_size(m->plies);
    m->all = (double)units * (job->homes_n + 2);
    for (size_t i = 0, n; i < units; i += n) {
        n = units - i < most ? units - i : most;
        if (!record_group(m, i, n, fault)) return false;
        if (tabia_stop_requested()) return tabia_fault(fault, "stopped");
        m->done += (double)n;
        if (job->progress) job->progress(job->context, m->done / m->all);
    }
    return true;
}

/* ---- all of it ---- */

static bool make_tables(Making *m, unsigned homes, Fault *fault) {
    enum { LEAST = 1 << 12 };
    const uint64_t all = m->job->hash_bytes ? m->job->hash_bytes : HASH_BYTES, each = all / homes;
    /* Touched now: to clear a page takes as long as some thousand counts, and is no home's work. */
    const TabiaOptions options = {.face = TABIA_COUNTS, .bytes = each > LEAST ? each : LEAST};
    TabiaReason why;
    m->homes = 0;
    m->table = calloc(homes, sizeof *m->table);
    if (!m->table) return tabia_fault(fault, "not enough memory for %u tables", homes);
    for (; m->homes < homes; m->homes++)
        if (tabia_table_create(&m->table[m->homes], &options, &why)) return tabia_fault(fault, "%s", why.text);
    return true;
}

static void free_tables(Making *m) {
    for (unsigned i = 0; m->table && i < m->homes; i++) tabia_table_destroy(m->table[i]);
    free(m->table);
    m->table = NULL;
}

/* A whole count with so many homes. trace: where it is recorded, or NULL. */
static bool count_once(Making *m, unsigned number, unsigned homes, Trace *trace, Fault *fault) {
    m->trace = trace;
    m->place = number;
    m->counted = 0, m->leaves = 0;
    const bool good = make_tables(m, homes, fault) && record_units(m, fault);
    free_tables(m);
    return good;
}

/* With one home, recorded, and then again without a record, for the time. */
static bool count_twice(Making *m, Trace *trace, Fault *fault) {
    if (!count_once(m, 0, 1, trace, fault)) return false;
    trace->homes[0] = (TraceHomes){1, m->counted};
    const double recorded = trace_sums(trace).work, begun = tabia_clock_cpu();
    if (!count_once(m, 0, 1, NULL, fault)) return false;
    const double took = tabia_clock_cpu() - begun;
    trace->slowed = took > 0 ? recorded / took : 0;
    if (recorded > 0) trace_scale(trace, took / recorded);
    return true;
}

static bool put_in_order(Making *m, Fault *fault) {
    m->order = malloc((m->outer.units + 1) * sizeof *m->order);
    if (!m->order) return tabia_fault(fault, "not enough memory for %zu units", m->outer.units);
    for (size_t i = 0; i < m->outer.units; i++) m->order[i] = (uint32_t)i;
    return units_order(&m->outer, m->order, m->outer.units, fault);
}

static bool make_maps(Making *m, Fault *fault) {
    const TraceJob *job = m->job;
    m->map = malloc((job->homes_n + 1) * sizeof *m->map);
    bool good = m->map || tabia_fault(fault, "not enough memory for the homes");
    for (unsigned i = 0; good && i < job->homes_n; i++)
        good = home_map_make(&m->map[i], &m->outer, (int)m->plies, job->homes[i], fault);
    return good;
}

static bool make(Making *m, const Position *root, Trace *trace, Fault *fault) {
    const TraceJob *job = m->job;
    const FrontierLimits limits = {job->depth - job->floor, job->units ? job->units : UNITS_ENOUGH, UNITS_MOST, true};
    trace->homes_n = job->homes_n + 1;
    zobrist_init(m->zobrist, 1);
    m->path = perft_path_at(0);
    if (!frontier_make(&m->outer, root, m->zobrist, limits, fault)) return false;
    m->plies = (unsigned)(job->depth - job->floor - m->outer.ply);
    bool good = make_maps(m, fault) && put_in_order(m, fault) && count_twice(m, trace, fault);
    const U128 leaves = m->leaves;
    for (unsigned i = 0; good && i < job->homes_n; i++) {
        good = count_once(m, i + 1, job->homes[i], NULL, fault);
        trace->homes[i + 1] = (TraceHomes){job->homes[i], m->counted};
        if (good && m->leaves != leaves)
            good = tabia_fault(fault, "%u homes count something else than one", job->homes[i]);
    }
    frontier_free(&m->outer);
    free(m->map);
    free(m->order);
    return good;
}

static bool check_job(const TraceJob *job, Fault *fault) {
    enum { DEPTH_MAX = 12 };
    if (job->depth < 5 || job->depth > DEPTH_MAX || job->floor < 3 || job->floor > job->depth - 2)
        return tabia_fault(fault, "depth %d with the floor at %d: depths are 5 to %d, floors 3 to the depth - 2",
                           job->depth, job->floor, DEPTH_MAX);
    for (unsigned i = 0; i < job->homes_n; i++)
        if (job->homes_n >= TRACE_HOMES_MAX || job->homes[i] < 2 || job->homes[i] > UINT16_MAX ||
            (i && job->homes[i] <= job->homes[i - 1]))
            return tabia_fault(fault, "numbers of homes: at most %d of them, rising from 2 on", TRACE_HOMES_MAX - 1);
    return true;
}

bool trace_make(Trace *t, const TraceJob *job, uint64_t *leaves, Fault *fault) {
    *t = (Trace){0};
    const char *fen = job->fen ? job->fen : fen_start;
    Making m = {.job = job, .look = cost_of_a_look()};
    Position root;
    if (!check_job(job, fault) || !fen_parse(&root, fen, fault)) return false;
    m.zobrist = aligned_alloc(64, (sizeof *m.zobrist + 63) / 64 * 64);
    bool good = m.zobrist ? make(&m, &root, t, fault) : tabia_fault(fault, "not enough memory to begin");
    if (good && t->no_memory) good = tabia_fault(fault, "not enough memory for the trace");
    free(m.zobrist);
    *leaves = (uint64_t)m.leaves;
    snprintf(t->text, sizeof t->text, "perft %d of %.100s, floor %d", job->depth, fen, job->floor);
    t->of = (TraceOf){(uint64_t)job->depth, (uint64_t)job->floor, job->hash_bytes ? job->hash_bytes : HASH_BYTES,
                      job->units ? job->units : UNITS_ENOUGH, ""};
    snprintf(t->of.fen, sizeof t->of.fen, "%.127s", fen);
    if (!good) trace_free(t);
    return good;
}
