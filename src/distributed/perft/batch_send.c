/* SPDX-License-Identifier: MIT */
/*
 * A position of a floor on its way to the homes of its children (family.h). One pass of the generator finds the moves
 * and whose they are, and writes each where it is needed:
 *
 *     e2e4 ----------------> the draft of a letter to home 1
 *     b1c3 --> this rank ---> an errand of its crew, with the key of what it leads to
 *     d2d4 ----------------> the same draft
 */
#include "rules/make_move.h"
#include "rules/movegen.h"
#include "state.h"

typedef struct {
    DistributedPerft *r;
    const Position *p;
    Key key;
    int depth; /* of what its moves lead to */
    unsigned rank;
    WorkItem *own;
    bool missing; /* a letter */
    unsigned homes;
    uint16_t home[MOVES_MAX]; /* those met so far */
    Move *begin[MOVES_MAX];   /* of the moves to each */
    Move nowhere[MOVES_MAX];  /* those without a letter */
} Sending;

static Move *begin_letter(Sending *s, unsigned home) {
    Letter *l = letter_for(s->r, home, s->depth);
    if (l) return letter_next_moves(l);
    s->missing = true;
    return s->nowhere;
}

/* Another home, met for the first time; a dead one's part is ours. Who it is. */
static unsigned begin_part(Sending *s, unsigned home) {
    Families *f = &s->r->families;
    if (!tabia_cluster_alive(s->r->cluster, home)) return f->instead[home] = (uint16_t)s->rank;
    f->next[home] = begin_letter(s, home);
    s->home[s->homes] = (uint16_t)home, s->begin[s->homes++] = f->next[home];
    return home;
}

INLINE void write_own(Sending *s, Colour us, Kind kind, int from, int to, int flag) {
    WorkItem *e = s->own;
    e->child[e->moves] = key_after(&s->r->zobrist, s->p, s->key, us, kind, from, to, flag);
    e->move[e->moves++] = move_make(from, to, flag);
}

INLINE void write_move(Sending *s, Colour us, Kind kind, int from, int to, int flag) {
    Families *f = &s->r->families;
    unsigned home = f->instead[partition_owner(&s->r->homes, owner_key_after(s->p, us, kind, from, to, flag))];
    if (home != s->rank && UNLIKELY(!f->next[home])) home = begin_part(s, home);
    if (home != s->rank)
        *f->next[home]++ = move_make(from, to, flag);
    else
        write_own(s, us, kind, from, to, flag);
}
INLINE void write_white(void *context, Kind kind, int from, int to, int flag) {
    write_move(context, WHITE, kind, from, to, flag);
}
INLINE void write_black(void *context, Kind kind, int from, int to, int flag) {
    write_move(context, BLACK, kind, from, to, flag);
}

NOINLINE void write_moves_white(Sending *s) {
    Sink k = {.visit = write_white, .context = s};
    generate(s->p, &k, WHITE, WALK);
}
NOINLINE void write_moves_black(Sending *s) {
    Sink k = {.visit = write_black, .context = s};
    generate(s->p, &k, BLACK, WALK);
}

/* Forgets the homes met, and says how many moves went to each. */
static void end_parts(Sending *s, uint16_t moves[MOVES_MAX]) {
    for (unsigned k = 0; k < s->homes; k++) {
        Move **next = s->r->families.next + s->home[k];
        moves[k] = (uint16_t)(*next - s->begin[k]);
        *next = NULL;
    }
}

static void keep_own(Sending *s, Group *g, size_t position) {
    WorkItem *e = s->own;
    e->kind = WORK_LEAF_PARENT, e->of = g, e->number = position;
    e->position = *s->p, e->key = s->key, e->depth = s->depth;
    worker_pool_submit(&s->r->crew, e);
    g->open++;
}

static void send_home(Sending *s, Group *g, size_t position, unsigned home, unsigned moves) {
    DistributedPerft *r = s->r;
    const FamilyOf of = {(uint32_t)(g - r->group), (uint32_t)position};
    letter_add(r->families.letter + r->families.draft[home] - 1, of, s->p, s->key, moves);
    if (r->job.trace)
        r->job.trace(r->job.trace_context, TABIA_CLUSTER_EVENT_WORK, (unsigned)s->depth, home, ranks_now(r));
    g->open++;
}

bool families_send(DistributedPerft *r, Group *g, size_t position) {
    const GroupPly *floor = g->ply + g->floor;
    uint16_t moves[MOVES_MAX];
    Sending s;
    s.r = r, s.p = floor->position + position, s.key = floor->key[position], s.depth = floor->depth - 1;
    s.rank = r->rank, s.own = worker_pool_acquire(&r->crew), s.missing = false, s.homes = 0;
    s.own->moves = 0;
    if (s.p->turn == WHITE)
        write_moves_white(&s);
    else
        write_moves_black(&s);
    end_parts(&s, moves);
    if (s.missing || !s.own->moves) worker_pool_recycle(&r->crew, s.own);
    if (s.missing) return false;
    for (unsigned k = 0; k < s.homes; k++) send_home(&s, g, position, s.home[k], moves[k]);
    if (s.own->moves) keep_own(&s, g, position);
    return true;
}
