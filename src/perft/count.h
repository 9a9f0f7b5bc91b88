/* SPDX-License-Identifier: MIT */
/*
 * Counting below one position, the hot text of perft: one always-inline function per kind of node, and beside each the
 * instances for the two colours, which call each other ply by ply.
 *
 *   remaining plies
 *       more    sums in 128 bits          count_deep
 *       4 ..    sums in 64 bits           hashed_node    probes each child's key, expands what is unknown
 *       3       the lowest merged ply     lowest_merged  lists the children's keys, prefetching each bucket, and
 *       2                                                only then probes; what is unknown is built and counted by
 *       1                                                count_last_two, which plays neither of the last two plies
 *
 * Up to PLIES_64_BIT plies (rules/types.h) a sum fits 64 bits whatever the position.
 *
 * Without a table the same plies are walked with nothing remembered: every path from the root is counted.
 */
#pragma once
#include <assert.h>

#include "count/last_two.h"
#include "kernel.h"
#include "move_lists.h"

enum { STOP_CHECK_PLIES = 4 };

INLINE bool should_stop(const KernelContext *c, int depth) {
    return depth >= STOP_CHECK_PLIES && atomic_load_explicit(c->stop, memory_order_relaxed);
}

/* ---- named instances that recurse, declared first ---- */

static uint64_t hashed_white(KernelContext *c, const Position *p, Key key, int depth);
static uint64_t hashed_black(KernelContext *c, const Position *p, Key key, int depth);
static uint64_t walked_white(KernelContext *c, const Position *p, int depth);
static uint64_t walked_black(KernelContext *c, const Position *p, int depth);

NOINLINE uint64_t last_one_white(const Position *p) {
    return count_last_one(p, WHITE);
}
NOINLINE uint64_t last_one_black(const Position *p) {
    return count_last_one(p, BLACK);
}
NOINLINE uint64_t last_two_white(const Position *p) {
    return count_last_two(p, WHITE);
}
NOINLINE uint64_t last_two_black(const Position *p) {
    return count_last_two(p, BLACK);
}

INLINE uint64_t last_two_of(const Position *p, Colour us) {
    return us == WHITE ? last_two_white(p) : last_two_black(p);
}

/* ---- without a table ---- */

INLINE uint64_t walked_node(KernelContext *c, const Position *p, int depth, Colour us) {
    if (should_stop(c, depth)) return 0;
    Move list[MOVES_MAX];
    const unsigned n = us == WHITE ? list_white(p, list) : list_black(p, list);
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        make_move(&child, p, us, list[i]);
        if (depth == 3)
            sum += last_two_of(&child, (Colour)!us);
        else
            sum += us == WHITE ? walked_black(c, &child, depth - 1) : walked_white(c, &child, depth - 1);
    }
    return sum;
}

static uint64_t walked_white(KernelContext *c, const Position *p, int depth) {
    return walked_node(c, p, depth, WHITE);
}
static uint64_t walked_black(KernelContext *c, const Position *p, int depth) {
    return walked_node(c, p, depth, BLACK);
}

/* ---- with a table ---- */

/* The children of a node: their moves and their keys; the table's buckets have been prefetched. */
typedef struct {
    unsigned n;
    Key key[MOVES_MAX];
    Move move[MOVES_MAX];
} ProbedChildren;

/* What the visit of a node's moves goes by. */
typedef struct {
    const KernelContext *c;
    const Position *p;
    Key key;
    Colour us;
    int child_depth;
    ProbedChildren *children;
    unsigned n;
} PrefetchVisit;

INLINE SlotRef slot_of(const KernelContext *c, Key key, int depth) {
    return counts_slot_ref(c->table, (TabiaKey){key[0], key[1]}, (unsigned)depth);
}

INLINE void prefetch_child(void *context, UnpackedMove m) {
    PrefetchVisit *v = context;
    const Key key = key_after(v->c->zobrist, v->p, v->key, v->us, m);
    counts_prefetch(slot_of(v->c, key, v->child_depth));
    v->children->key[v->n] = key;
    v->children->move[v->n++] = move_pack(m);
}

INLINE void prefetch_children(ProbedChildren *children, const KernelContext *c, const Position *p, Key key, int depth,
                              Colour us) {
    PrefetchVisit visit = {c, p, key, us, depth - 1, children, 0};
    MoveSink k = {.visit = prefetch_child, .context = &visit};
    generate(p, &k, us, GEN_VISIT);
    children->n = visit.n;
}
NOINLINE void prefetch_children_white(ProbedChildren *children, const KernelContext *c, const Position *p, Key key,
                                      int depth) {
    prefetch_children(children, c, p, key, depth, WHITE);
}
NOINLINE void prefetch_children_black(ProbedChildren *children, const KernelContext *c, const Position *p, Key key,
                                      int depth) {
    prefetch_children(children, c, p, key, depth, BLACK);
}

/* The lowest merged ply and those above it differ in what is done for an unknown child only. */
INLINE uint64_t hashed_node(KernelContext *c, const Position *p, Key key, int depth, Colour us) {
    const Colour them = (Colour)!us;
    if (should_stop(c, depth)) return 0;
    ProbedChildren children;
    if (us == WHITE)
        prefetch_children_white(&children, c, p, key, depth);
    else
        prefetch_children_black(&children, c, p, key, depth);
    uint64_t sum = 0;
    c->probes += children.n;
    for (unsigned i = 0; i < children.n; i++) {
        const SlotRef slot = slot_of(c, children.key[i], depth - 1);
        uint64_t leaves = counts_probe(c->table, slot);
        if (leaves) {
            c->hits++;
        } else {
            Position child;
            make_move(&child, p, us, children.move[i]);
            if (depth == 3)
                c->leaves_counted += leaves = last_two_of(&child, them);
            else
                leaves = us == WHITE ? hashed_black(c, &child, children.key[i], depth - 1)
                                     : hashed_white(c, &child, children.key[i], depth - 1);
            if (should_stop(c, depth)) return 0;
            if (leaves) counts_store(c->table, slot, leaves);
        }
        sum += leaves;
    }
    return sum;
}

NOINLINE uint64_t lowest_merged_white(KernelContext *c, const Position *p, Key key) {
    return hashed_node(c, p, key, 3, WHITE);
}
NOINLINE uint64_t lowest_merged_black(KernelContext *c, const Position *p, Key key) {
    return hashed_node(c, p, key, 3, BLACK);
}
static uint64_t hashed_white(KernelContext *c, const Position *p, Key key, int depth) {
    return depth == 3 ? lowest_merged_white(c, p, key) : hashed_node(c, p, key, depth, WHITE);
}
static uint64_t hashed_black(KernelContext *c, const Position *p, Key key, int depth) {
    return depth == 3 ? lowest_merged_black(c, p, key) : hashed_node(c, p, key, depth, BLACK);
}

/* ---- any depth ---- */

static uint64_t count_lowest(const Position *p, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return p->turn == WHITE ? last_one_white(p) : last_one_black(p);
    return last_two_of(p, (Colour)p->turn);
}

static uint64_t count_shallow(KernelContext *c, const Position *p, Key key, int depth) {
    if (depth <= 2) {
        const uint64_t leaves = count_lowest(p, depth);
        c->leaves_counted += leaves;
        return leaves;
    }
    const bool white = p->turn == WHITE;
    if (c->table) return white ? hashed_white(c, p, key, depth) : hashed_black(c, p, key, depth);
    return white ? walked_white(c, p, depth) : walked_black(c, p, depth);
}

/* Above PLIES_64_BIT: sums in 128 bits. A sum that an entry cannot hold is not stored. */
static U128 count_deep(KernelContext *c, const Position *p, Key key, int depth) {
    if (depth <= PLIES_64_BIT) return count_shallow(c, p, key, depth);
    if (should_stop(c, depth)) return 0;
    const SlotRef slot = c->table ? slot_of(c, key, depth) : (SlotRef){0};
    const uint64_t known = c->table ? counts_probe(c->table, slot) : 0;
    if (known) return known;
    Move list[MOVES_MAX];
    const unsigned n = list_moves(p, list);
    U128 sum = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        make_move(&child, p, (Colour)p->turn, list[i]);
        sum += count_deep(c, &child, c->table ? zobrist_key(c->zobrist, &child) : key, depth - 1);
    }
    if (c->table && sum && !(sum >> 64) && !should_stop(c, depth)) counts_store(c->table, slot, (uint64_t)sum);
    return sum;
}

/* ---- some children of a node, as their owner rank counts them ---- */

static void keys_listed(const Zobrist *z, const Position *p, Key key, const Move *list, unsigned n, Key *keys) {
    if (p->turn == WHITE)
        for (unsigned i = 0; i < n; i++) keys[i] = key_after_move(z, p, key, WHITE, list[i]);
    else
        for (unsigned i = 0; i < n; i++) keys[i] = key_after_move(z, p, key, BLACK, list[i]);
}

static void prefetch_siblings(const KernelContext *c, const Siblings *s) {
    for (unsigned i = 0; i < s->n; i++) counts_prefetch(slot_of(c, s->key[i], s->depth));
}

/* As hashed_node does it for all of them. */
INLINE uint64_t count_siblings_of(KernelContext *c, const Siblings *s, Colour us) {
    uint64_t sum = 0;
    c->probes += s->n;
    for (unsigned i = 0; i < s->n; i++) {
        const Key key = s->key[i];
        const SlotRef slot = slot_of(c, key, s->depth);
        uint64_t leaves = counts_probe(c->table, slot);
        if (leaves) {
            c->hits++;
        } else {
            Position child;
            make_move(&child, s->p, us, s->move[i]);
            leaves = us == WHITE ? hashed_black(c, &child, key, s->depth) : hashed_white(c, &child, key, s->depth);
            if (should_stop(c, s->depth)) return 0;
            if (leaves) counts_store(c->table, slot, leaves);
        }
        sum += leaves;
    }
    return sum;
}

/* Above PLIES_64_BIT plies each probes and stores by itself. */
static U128 count_siblings(KernelContext *c, const Siblings *s) {
    assert(s->depth >= 3);
    if (s->depth <= PLIES_64_BIT - 1)
        return s->p->turn == WHITE ? count_siblings_of(c, s, WHITE) : count_siblings_of(c, s, BLACK);
    U128 sum = 0;
    for (unsigned i = 0; i < s->n; i++) {
        Position child;
        make_move(&child, s->p, (Colour)s->p->turn, s->move[i]);
        sum += count_deep(c, &child, s->key[i], s->depth);
    }
    return sum;
}
