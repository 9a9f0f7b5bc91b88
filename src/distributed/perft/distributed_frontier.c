/* SPDX-License-Identifier: MIT */
/* What every rank does: expand, send children to their owners, merge, and send what it has to rank 0. */
#include "distributed_frontier.h"

#include <stdlib.h>
#include <string.h>

#include "perft/units.h"
#include "rules/movegen.h"
#include "state.h"

enum {
    DRAFT_WORDS = TABIA_CLUSTER_BYTES_MAX / 8,
    PARENTS_A_STEP = 16,
    UNITS_A_STEP = 200,
};

/* A parent: shares that are not 0 follow, root move << OWNERS_PATH_BITS | paths, then moves, two in a word. */
typedef struct {
    uint64_t origin;
    Bits position[sizeof(Position) / sizeof(Bits)];
    uint64_t key[2];
    uint32_t shares, moves;
} Parent;

typedef struct {
    uint16_t move, number;
} Child;

enum { PARENT_WORDS = sizeof(Parent) / 8 };
_Static_assert(sizeof(Parent) == 96 && sizeof(Child) == 4, "no holes");

/* ---- beginning and end ---- */

/* Is there so much to do below the base that it is worth sharing? */
static bool worth_sharing(const DistributedPerft *r, const Owners *o) {
    const Frontier *f = &o->base;
    const size_t from = r->job.distributed_from ? r->job.distributed_from : DISTRIBUTED_FRONTIER_MOVES_MIN;
    size_t children = 0;
    if (f->ply == 0 || o->plies <= 0 || f->units >= o->limits.enough || f->units >> (64 - 9 * o->plies)) return false;
    for (size_t u = 0; u < f->units; u++) children += moves_count(f->position + u);
    return children >= from;
}

static bool get_memory(DistributedPerft *r, Owners *o, Fault *fault) {
    bool good = (o->draft = calloc(r->ranks, sizeof *o->draft)) != NULL;
    good = (o->harvest.told = calloc(r->ranks, sizeof *o->harvest.told)) && good;
    good = (o->harvest.inbox = calloc(r->ranks, sizeof *o->harvest.inbox)) && good;
    for (int i = 1; i <= o->plies; i++) {
        good = (o->ply[i].inbox = calloc(r->ranks, sizeof *o->ply[i].inbox)) && good;
        o->ply[i].ply.f.roots = o->base.roots;
        o->ply[i].ply.f.ply = o->base.ply + i;
    }
    return good || tabia_fault(fault, "not enough memory to share the frontier");
}

static void begin_ply(DistributedPerft *r, int at) {
    Owners *o = r->owners;
    o->stage = OWNERS_SEND;
    o->at = at;
    o->next = at == 1 ? o->base.units * r->rank / r->ranks : 0;
    o->past = at == 1 ? o->base.units * (r->rank + 1) / r->ranks : o->ply[at - 1].ply.f.units;
    for (unsigned to = 0; to < r->ranks; to++) o->draft[to].sequence = 0, o->draft[to].words = 1;
}

bool owners_begin(DistributedPerft *r, FrontierLimits limits, Fault *fault) {
    enum { BASE = 1000, BASE_MOST = 20000 };
    if (r->ranks == 1 || !limits.merge) return true;
    Owners *o = r->owners = calloc(1, sizeof *o);
    if (!o) return tabia_fault(fault, "not enough memory to begin");
    FrontierLimits few = limits;
    o->limits = limits;
    if (few.enough > BASE) few.enough = BASE;
    if (few.most > BASE_MOST) few.most = BASE_MOST;
    if (!frontier_make(&o->base, &r->job.job->root, &r->zobrist, few, fault)) return false;
    o->plies = (limits.max_ply < FRONTIER_PLIES_MAX ? limits.max_ply : FRONTIER_PLIES_MAX) - o->base.ply;
    if (!worth_sharing(r, o)) {
        owners_end(r);
        return true;
    }
    if (!get_memory(r, o, fault)) return false;
    begin_ply(r, 1);
    return true;
}

static void free_inboxes(OwnersInbox *in, unsigned ranks) {
    for (unsigned i = 0; in && i < ranks; i++) free(in[i].seen);
    free(in);
}

void owners_end(DistributedPerft *r) {
    Owners *o = r->owners;
    if (!o) return;
    for (int i = 0; i <= FRONTIER_PLIES_MAX; i++) {
        frontier_ply_free(&o->ply[i].ply);
        free(o->ply[i].origin);
        free_inboxes(o->ply[i].inbox, r->ranks);
    }
    free_inboxes(o->harvest.inbox, r->ranks);
    free(o->harvest.told);
    free(o->harvest.word);
    free(o->draft);
    frontier_free(&o->base);
    free(o);
    r->owners = NULL;
}

/* ---- messages ---- */

bool owners_take(OwnersInbox *in, uint32_t sequence, bool last) {
    const size_t word = sequence / 64;
    if (word >= in->words) {
        const size_t words = 2 * word + 4;
        uint64_t *seen = realloc(in->seen, words * sizeof *seen);
        if (!seen) return false; /* as if it had been lost */
        memset(seen + in->words, 0, (words - in->words) * sizeof *seen);
        in->seen = seen, in->words = words;
    }
    if (in->seen[word] >> sequence % 64 & 1) return false;
    in->seen[word] |= 1ull << sequence % 64;
    in->came++;
    if (last) in->all = (size_t)sequence + 1;
    return true;
}

bool owners_has_all(const OwnersInbox *in) {
    return in->all && in->came == in->all;
}

static void send_draft(DistributedPerft *r, unsigned to, WireKind kind, bool last) {
    OwnersDraft *d = r->owners->draft + to;
    const WirePlyHeader head = {.ply = (uint16_t)r->owners->at, .last = last, .sequence = d->sequence++};
    memcpy(d->word, &head, sizeof head);
    const size_t words = d->words;
    d->words = 1;
    ranks_post(r, to, kind, d->word, words * sizeof *d->word);
}

/* ---- expanding ---- */

static unsigned pack_shares(const Frontier *f, size_t unit, uint64_t *packed) {
    unsigned n = 0;
    const uint64_t *share = f->share + unit * f->roots;
    for (uint64_t root = 0; root < f->roots; root++)
        if (share[root]) packed[n++] = root << OWNERS_PATH_BITS | share[root];
    return n;
}

/* Writes a parent and as many of the moves as there is room for; says how many. */
static unsigned write_parent(OwnersDraft *d, Parent parent, const uint64_t *packed, const Child *child, unsigned n) {
    const size_t before = d->words + PARENT_WORDS + parent.shares,
                 room = before < DRAFT_WORDS ? DRAFT_WORDS - before : 0;
    parent.moves = n < 2 * room ? n : (unsigned)(2 * room);
    if (!parent.moves) return 0;
    memcpy(d->word + d->words, &parent, sizeof parent);
    memcpy(d->word + d->words + PARENT_WORDS, packed, parent.shares * sizeof *packed);
    d->words = before + (parent.moves + 1) / 2;
    d->word[d->words - 1] = 0;
    memcpy(d->word + before, child, parent.moves * sizeof *child);
    return parent.moves;
}

static void send_children(DistributedPerft *r, unsigned to, const Parent *parent, const uint64_t *packed,
                          const Child *child, unsigned n) {
    while (n) {
        const unsigned written = write_parent(r->owners->draft + to, *parent, packed, child, n);
        if (!written) send_draft(r, to, WIRE_CHILDREN, false);
        child += written, n -= written;
    }
}

/* High bits of the key's one word: the slots of the frontier's hash table are low bits of the other. */
static unsigned owner_of_key(const DistributedPerft *r, Key key) {
    return (unsigned)((unsigned __int128)(key[1] * 0x9e3779b97f4a7c15ull) * r->ranks >> 64);
}

static void expand_parent(DistributedPerft *r, const Frontier *f, size_t u, uint64_t origin) {
    uint64_t packed[MOVES_MAX];
    Move list[MOVES_MAX];
    Child child[MOVES_MAX];
    unsigned owner[MOVES_MAX];
    const Position *p = f->position + u;
    const unsigned n = moves_list(p, list);
    Parent parent = {.origin = origin, .key = {f->key[u][0], f->key[u][1]}, .shares = pack_shares(f, u, packed)};
    memcpy(parent.position, p, sizeof *p);
    for (unsigned i = 0; i < n; i++) owner[i] = owner_of_key(r, position_key_after(p, f->key[u], list[i], &r->zobrist));
    for (unsigned i = 0; i < n; i++) {
        if (owner[i] == UINT32_MAX) continue;
        const unsigned to = owner[i];
        unsigned children = 0;
        for (unsigned k = i; k < n; k++)
            if (owner[k] == to) child[children++] = (Child){list[k], (uint16_t)k}, owner[k] = UINT32_MAX;
        send_children(r, to, &parent, packed, child, children);
    }
}

static void expand_some(DistributedPerft *r) {
    Owners *o = r->owners;
    const OwnersPly *above = o->ply + o->at - 1;
    const Frontier *f = o->at == 1 ? &o->base : &above->ply.f;
    for (unsigned i = 0; i < PARENTS_A_STEP && o->next < o->past; i++, o->next++)
        expand_parent(r, f, o->next, o->at == 1 ? o->next : above->origin[o->next]);
    if (o->next < o->past) return;
    o->stage = OWNERS_WAIT;
    for (unsigned to = 0; to < r->ranks; to++) send_draft(r, to, WIRE_CHILDREN, true);
}

/* ---- merging ---- */

static bool note_origin(OwnersPly *ply, size_t unit, uint64_t origin) {
    if (unit >= ply->origins) {
        const size_t room = 2 * unit + 256;
        uint64_t *larger = realloc(ply->origin, room * sizeof *larger);
        if (!larger) return false;
        memset(larger + ply->origins, 0xff, (room - ply->origins) * sizeof *larger);
        ply->origin = larger, ply->origins = room;
    }
    if (origin < ply->origin[unit]) ply->origin[unit] = origin;
    return true;
}

static bool merge_child(DistributedPerft *r, OwnersPly *ply, const Parent *parent, const uint64_t *packed,
                        Child child) {
    Position from, to;
    size_t unit;
    memcpy(&from, parent->position, sizeof from);
    position_play(&to, &from, child.move);
    const Key key = position_key_after(&from, (Key){parent->key[0], parent->key[1]}, child.move, &r->zobrist);
    if (!frontier_ply_find(&ply->ply, &to, key, true, &unit, &r->fault)) return false;
    uint64_t *share = ply->ply.f.share + unit * ply->ply.f.roots;
    for (unsigned i = 0; i < parent->shares; i++) {
        const uint64_t root = packed[i] >> OWNERS_PATH_BITS;
        if (root < ply->ply.f.roots) share[root] += packed[i] & ((1ull << OWNERS_PATH_BITS) - 1);
    }
    return note_origin(ply, unit, parent->origin << OWNERS_MOVE_BITS | child.number);
}

static bool merge(DistributedPerft *r, OwnersPly *ply, const uint64_t *word, size_t words) {
    for (size_t at = 1; at + PARENT_WORDS <= words;) {
        Parent parent;
        Child child;
        memcpy(&parent, word + at, sizeof parent);
        const uint64_t *packed = word + at + PARENT_WORDS;
        at += PARENT_WORDS + (size_t)parent.shares + ((size_t)parent.moves + 1) / 2;
        if (at > words) return true; /* from another program: the check was right */
        for (unsigned i = 0; i < parent.moves; i++) {
            memcpy(&child, (const char *)(packed + parent.shares) + i * sizeof child, sizeof child);
            if (!merge_child(r, ply, &parent, packed, child)) return false;
        }
    }
    return true;
}

void owners_children(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    Owners *o = r->owners;
    uint64_t word[DRAFT_WORDS];
    WirePlyHeader head;
    if (!o || n < sizeof head || n > sizeof word) return;
    memcpy(word, bytes, n);
    memcpy(&head, bytes, sizeof head);
    if (head.ply < 1 || head.ply > o->plies) return;
    OwnersPly *ply = o->ply + head.ply;
    if (!owners_take(ply->inbox + from, head.sequence, head.last)) return;
    if (!merge(r, ply, word, n / 8)) ranks_fail(r, "not enough memory for the frontier");
    ply->complete += owners_has_all(ply->inbox + from);
}

/* ---- the ply is whole, and what then ---- */

/* Rank 0: one ply more, or the harvest of one. */
void owners_next(DistributedPerft *r, const void *bytes, size_t n) {
    Owners *o = r->owners;
    WirePlyHeader head;
    if (!o || n != sizeof head || o->stage != OWNERS_TOLD) return;
    memcpy(&head, bytes, sizeof head);
    if (!head.last && head.ply == o->at + 1 && head.ply <= o->plies) begin_ply(r, head.ply);
    if (!head.last || head.ply < 1 || head.ply > o->at) return;
    o->stage = OWNERS_HARVEST;
    o->at = head.ply;
    o->next = 0, o->past = o->ply[o->at].ply.f.units;
    o->draft[0].sequence = 0;
}

static void harvest_some(DistributedPerft *r) {
    Owners *o = r->owners;
    const OwnersPly *ply = o->ply + o->at;
    uint64_t packed[MOVES_MAX];
    for (unsigned i = 0; i < UNITS_A_STEP && o->next < o->past; i++, o->next++) {
        const unsigned shares = pack_shares(&ply->ply.f, o->next, packed);
        OwnersDraft *d = o->draft;
        if (d->words + 2 + shares > DRAFT_WORDS) send_draft(r, 0, WIRE_GATHER, false);
        d->word[d->words++] = ply->origin[o->next];
        d->word[d->words++] = shares;
        memcpy(d->word + d->words, packed, shares * sizeof *packed);
        d->words += shares;
    }
    if (o->next < o->past) return;
    o->stage = OWNERS_DONE;
    send_draft(r, 0, WIRE_GATHER, true);
}

static void tell(DistributedPerft *r) {
    Owners *o = r->owners;
    o->stage = OWNERS_TOLD;
    const uint64_t told[2] = {(uint64_t)o->at, o->ply[o->at].ply.f.units};
    ranks_post(r, 0, WIRE_PLY_SIZE, told, sizeof told);
}

bool owners_step(DistributedPerft *r) {
    Owners *o = r->owners;
    if (!o || r->post) return false; /* what is written must leave first */
    if (o->stage == OWNERS_SEND)
        expand_some(r);
    else if (o->stage == OWNERS_HARVEST)
        harvest_some(r);
    else if (o->stage == OWNERS_WAIT && o->ply[o->at].complete == r->ranks)
        tell(r);
    else
        return false;
    return true;
}
