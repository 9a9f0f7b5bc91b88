/* SPDX-License-Identifier: MIT */
/*
 * The search: from the root down to the node that decides most, and back up as soon as another would.
 *
 *     number of the side to move    the smallest of its moves
 *     number of the other side      the sum of the moves that are open, and some for those that wait
 *
 * Of the drops of a group the defender tries one at a time: the others do not count before it is proven to lose. Without an
 * addition for them he would go ever deeper by drops alone. Likewise a move without promotion waits for the one with it. Of the
 * children that overlap, the largest counts, and not the sum (KomoringHeights).
 */
#include "base/time.h"
#include "mate_worker.h"

enum { CHECK_NODES = 64, REGION_SELDOM = 32 }; /* limits are looked at so often */

/* ---- which threads are where ---- */

static _Atomic uint8_t *busy(const MateWorker *w, Key key) {
    return &w->solver->busy[key[1] % MATE_BUSY];
}

/* What a number counts for where other threads are behind it. */
static uint32_t seen_number(const MateWorker *w, const MateChild *c, int side) {
    const uint32_t n = c->number[side];
    if (w->solver->settings.threads < 2 || n >= MATE_NUMBER_MAX - 1) return n;
    const unsigned others = atomic_load_explicit(busy(w, c->key), memory_order_relaxed);
    const uint32_t more = n + others * (1 + n / 8);
    return more < MATE_NUMBER_MAX ? more : MATE_NUMBER_MAX - 1;
}

/* ---- a node's numbers ---- */

typedef struct {
    uint32_t best, second; /* of the side to move, as seen */
    uint32_t number;
    uint64_t others;  /* of the other side, the sum without */
    uint32_t overlap; /* the largest of the children that overlap */
    unsigned open, waiting, chosen;
} MateSums;

static void add_open(const MateWorker *w, const MateChild *c, int side, unsigned i, MateSums *m) {
    const uint32_t seen = seen_number(w, c, side);
    m->open++;
    if (!c->overlaps)
        m->others += c->number[!side];
    else if (c->number[!side] > m->overlap)
        m->overlap = c->number[!side];
    if (c->number[side] < m->number) m->number = c->number[side];
    if (seen < m->best)
        m->second = m->best, m->best = seen, m->chosen = i;
    else if (seen < m->second)
        m->second = seen;
}

/* The side to move has a child that is solved for it: is it better than what it had? */
static void take_solved(MateFrame *f, const MateChild *c, bool attacks) {
    const bool first = f->number[attacks ? PROOF : DISPROOF] != 0;
    const unsigned length = c->is_undo ? 0 : c->length + 1u;
    if (!first && (attacks ? f->length <= length : f->hangs <= c->hangs)) return;
    f->number[attacks ? PROOF : DISPROOF] = 0, f->number[attacks ? DISPROOF : PROOF] = MATE_NUMBER_MAX;
    f->move = c->move, f->length = (uint16_t)length, f->hangs = c->hangs, f->hand = mate_won_hand(f, c);
}

/* All children are solved for the other side. */
static void set_lost(const MateWorker *w, MateFrame *f, bool attacks) {
    f->number[attacks ? PROOF : DISPROOF] = MATE_NUMBER_MAX, f->number[attacks ? DISPROOF : PROOF] = 0;
    f->hangs = 0, f->length = 0, f->hand = mate_lost_hand(f, mate_child(w, f, 0));
    for (unsigned i = 0; i < f->children; i++) {
        const MateChild *c = mate_child(w, f, i);
        f->hangs = mate_plies_union(f->hangs, c->hangs);
        if (c->length + 1 > f->length && (c->length || !c->interposes))
            f->length = (uint16_t)(c->length + 1), f->move = c->move;
    }
}

/* Adds the children that interpose, or the others. */
static void add_children(const MateWorker *w, MateFrame *f, bool interpose, int side, MateSums *m) {
    for (unsigned i = 0; i < f->children; i++) {
        const MateChild *c = mate_child(w, f, i);
        const bool refutes = c->number[DISPROOF] == 0 && !c->hangs;
        if (c->interposes != interpose && (interpose || !refutes)) continue;
        if (c->number[side] == 0)
            take_solved(f, c, side == PROOF);
        else if (c->number[!side] != 0 && c->after && mate_child(w, f, c->after - 1u)->number[!side])
            m->waiting++;
        else if (c->number[!side] != 0)
            add_open(w, c, side, i, m);
    }
}

/* All other defences are proven: what takes no longer once an interposition is undone is left out. */
static void begin_interpositions(MateWorker *w, MateFrame *f) {
    f->others_left = 1;
    for (unsigned i = 0; i < f->children; i++) {
        const MateChild *c = mate_child(w, f, i);
        if (!c->interposes && c->length + 2u > f->others_left) f->others_left = c->length + 2u;
    }
    for (unsigned i = 0; i < f->children; i++)
        if (mate_child(w, f, i)->interposes) mate_look_up(w, mate_child(w, f, i));
}

static MateSums sum_up(MateWorker *w, MateFrame *f) {
    const bool attacks = mate_is_attacker(w->ply);
    const int side = attacks ? PROOF : DISPROOF;
    MateSums m = {.best = MATE_NUMBER_MAX, .second = MATE_NUMBER_MAX, .number = MATE_NUMBER_MAX};
    f->number[PROOF] = f->number[DISPROOF] = MATE_NUMBER_MAX;
    add_children(w, f, false, side, &m);
    if (f->number[side] && !m.open && !attacks && f->left) {
        if (!f->others_left) begin_interpositions(w, f);
        add_children(w, f, true, side, &m);
    }
    if (f->number[side] == 0) return m;
    if (!m.open) {
        set_lost(w, f, attacks);
        return m;
    }
    m.others += m.overlap + (m.waiting ? 1 + m.waiting / 8 : 0);
    const uint32_t other = m.others < MATE_NUMBER_MAX ? (uint32_t)m.others : MATE_NUMBER_MAX - 1;
    f->number[side] = m.number, f->number[!side] = other;
    return m;
}

/* ---- down and up ---- */

static bool enter(MateWorker *w) {
    MateFrame *f = mate_top(w);
    f->entry.nodes = w->nodes++;
    w->window++, w->window_new += f->entry.ply == MATE_PLY_NONE;
    w->since++, w->since_new += f->entry.ply == MATE_PLY_NONE;
    f->board = mate_board_key(w->solver, f);
    w->filter[f->board[0] % MATE_FILTER]++, w->on_path[f->key[1] % MATE_FILTER]++;
    atomic_fetch_add_explicit(busy(w, f->key), 1, memory_order_relaxed);
    if (!mate_expand(w)) return atomic_store(&w->solver->has_failed, true), false;
    for (unsigned i = 0; i < f->children; i++) {
        MateChild *c = mate_child(w, f, i);
        c->overlaps = i < 32 && f->entry.overlaps >> i & 1;
        if (!mate_is_solved(c->number) && c->ply <= w->ply) f->extends = true; /* a loop may lead back */
    }
    return true;
}

static void drop(MateWorker *w) {
    const MateFrame *f = mate_top(w);
    w->filter[f->board[0] % MATE_FILTER]--, w->on_path[f->key[1] % MATE_FILTER]--;
    atomic_fetch_sub_explicit(busy(w, f->key), 1, memory_order_relaxed);
    w->ply--;
}

/* The top frame is done with for now; its parent gets what it is. */
static void leave(MateWorker *w) {
    MateFrame *f = mate_top(w);
    f->hangs =
        w->solver->settings.plain_table ? 0 : mate_plies_above(f->hangs, w->ply); /* loops below are on all paths */
    mate_store(w);
    if (w->ply == 0) {
        w->is_solved = true;
        return;
    }
    mate_remember(w);
    MateFrame *parent = f - 1;
    MateChild *c = mate_child(w, parent, parent->chosen);
    c->number[PROOF] = f->number[PROOF], c->number[DISPROOF] = f->number[DISPROOF];
    c->length = f->length, c->hangs = f->hangs, c->hand = f->hand;
    if (c->ply > w->ply) c->ply = (int16_t)w->ply;
    if (w->nodes > f->entry.nodes + 1 || f->entry.ply == MATE_PLY_NONE) parent->extends = false;
    drop(w);
}

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* How far the chosen child may go until another one is better, or the parent is. */
static void set_child_limits(const MateFrame *f, const MateChild *c, MateFrame *n, const MateSums *m, int side) {
    const uint32_t second = m->second < MATE_NUMBER_MAX ? m->second + m->second / 4 + 1 : MATE_NUMBER_MAX;
    n->limit[side] = lesser(f->limit[side], second);
    if (n->limit[side] <= c->number[side]) n->limit[side] = c->number[side] + 1; /* a better one is busy */
    const uint32_t rest = f->number[!side] - (c->overlaps ? m->overlap : c->number[!side]);
    n->limit[!side] = f->limit[!side] == MATE_NUMBER_MAX ? MATE_NUMBER_MAX : f->limit[!side] - rest;
}

static bool descend(MateWorker *w, const MateSums *m) {
    MateFrame *f = mate_top(w), *n = f + 1;
    MateChild *c = mate_child(w, f, m->chosen);
    f->chosen = m->chosen;
    if (w->nodes == f->entry.nodes + 1) mate_find_overlap(w, m->chosen);
    if (w->ply + 1 >= MATE_PLY_MAX) { /* no room: disproven here, and nowhere else */
        c->number[PROOF] = MATE_NUMBER_MAX, c->number[DISPROOF] = 0, c->hangs = ~(MatePlies)0;
        return w->is_cut = true;
    }
    mate_begin_child(f, c, n);
    n->path_key = mate_mix(f->path_key ^ c->key[1]);
    n->entry.number[PROOF] = c->number[PROOF], n->entry.number[DISPROOF] = c->number[DISPROOF];
    n->entry.last = c->last, n->entry.ply = c->ply, n->entry.overlaps = c->below;
    n->extends = f->extends && c->ply != MATE_PLY_NONE;
    set_child_limits(f, c, n, m, mate_is_attacker(w->ply) ? PROOF : DISPROOF);
    w->ply++;
    return enter(w);
}

static bool step(MateWorker *w) {
    MateFrame *f = mate_top(w);
    const MateSums m = sum_up(w, f);
    const bool solved = mate_is_solved(f->number);
    for (int i = 0; i < 2 && f->extends && !solved; i++)
        if (f->limit[i] <= f->number[i]) f->limit[i] = f->number[i] + 1;
    if (!solved && f->number[PROOF] < f->limit[PROOF] && f->number[DISPROOF] < f->limit[DISPROOF])
        return descend(w, &m);
    leave(w);
    return true;
}

/* ---- limits, and what other threads have found ---- */

bool mate_is_over(const MateSolver *s) {
    const MateLimits *l = &s->limits;
    const uint64_t nodes = atomic_load_explicit(&s->nodes, memory_order_relaxed);
    return (l->is_over && l->is_over(l->context, nodes)) || (l->nodes && nodes >= l->nodes) ||
           (s->nodes_max && nodes >= s->nodes_max) || (l->seconds > 0 && tabia_clock_wall() - s->began >= l->seconds);
}

/* One thread in ten searches of a second says how far it is. */
static void say(MateWorker *w) {
    MateSolver *s = w->solver;
    const double now = tabia_clock_wall();
    if (w != s->worker || !s->limits.progress || now - s->said < 0.1) return;
    s->said = now;
    s->limits.progress(s->limits.context, atomic_load_explicit(&s->nodes, memory_order_relaxed));
}

/* Frame i is solved: all below it is in vain. */
static void return_to(MateWorker *w, int i) {
    while (w->ply > i) drop(w);
    mate_top(w)->hangs = 0;
    leave(w);
}

/* Another thread may have solved a node of the path. */
static void adopt(MateWorker *w) {
    MateRecord r;
    for (int i = 0; i <= w->ply; i++) {
        MateFrame *f = &w->frame[i];
        if (!mate_probe(w->solver, f, &r)) continue;
        f->number[PROOF] = r.number[PROOF], f->number[DISPROOF] = r.number[DISPROOF];
        f->move = r.move, f->length = r.length, f->hand = r.hand;
        return_to(w, i);
        return;
    }
}

/*
 * Hardly any node of late was new: the search is in loops. Or it takes long: that is seen from the table's loss of nodes alone.
 * Are the positions around it few enough to be solved at once?
 */
static void leave_loops(MateWorker *w) {
    const unsigned room = mate_region_room(w);
    const bool in_loops = w->window_new < w->window / 16;
    if (w->window < room || (!in_loops && w->window < REGION_SELDOM * room)) return;
    w->window = w->window_new = 0;
    if (mate_top(w)->left || w->solver->settings.plain_table) return;
    for (int part = 0; part <= (in_loops ? 2 : 0); part++) {
        const int ply = w->ply * part / 2; /* the root, and further down */
        if (!mate_solve_region(w, ply)) continue;
        return_to(w, ply);
        return;
    }
    mate_grow_region(w);
}

/* The paths of loops get longer and longer, and what is disproven on one holds on no other. From the root the numbers that are
   stored lead elsewhere. */
static void restart(MateWorker *w) {
    if (w->since < w->patience + 16 * (unsigned)w->ply) return;
    const bool in_loops = w->since_new < w->since / 16;
    w->since = w->since_new = 0;
    if (!in_loops || w->frame[0].left) return;
    w->patience += MATE_PATIENCE / 16; /* whatever takes long ends */
    for (; w->ply > 0; leave(w)) sum_up(w, mate_top(w));
}

/* Now and then: may the search go on? */
static bool goes_on(MateWorker *w) {
    MateSolver *s = w->solver;
    if (w->nodes - w->nodes_said < CHECK_NODES) return true;
    atomic_fetch_add_explicit(&s->nodes, w->nodes - w->nodes_said, memory_order_relaxed);
    w->nodes_said = w->nodes;
    say(w);
    if (mate_is_over(s)) atomic_store(&s->ends, true);
    if (s->settings.threads > 1) adopt(w);
    if (!w->is_solved) leave_loops(w);
    if (!w->is_solved) restart(w);
    return !w->is_solved && !atomic_load_explicit(&s->ends, memory_order_relaxed);
}

void mate_run(MateWorker *w, const MateFrame *root) {
    MateFrame *f = &w->frame[0];
    w->ply = 0, w->is_solved = w->is_cut = false;
    *f = *root;
    f->attacks = true;
    f->key = zobrist_key(w->solver->zobrist, &f->position), f->path_key = 1;
    f->entry.number[PROOF] = f->entry.number[DISPROOF] = 1;
    f->limit[PROOF] = f->limit[DISPROOF] = MATE_NUMBER_MAX;
    f->entry.ply = MATE_PLY_NONE;
    bool good = enter(w);
    while (good && !w->is_solved && goes_on(w)) good = step(w);
    while (w->ply > 0) drop(w);
    drop(w);
    w->ply = 0;
}
