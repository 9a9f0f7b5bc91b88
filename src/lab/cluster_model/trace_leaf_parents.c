/* SPDX-License-Identifier: MIT */
/* A leaf parent: its siblings go to their owners (distributed/perft/partition.h). */
#include <assert.h>
#include <string.h>

#include "base/stop.h"
#include "rules/movegen.h"
#include "trace_recorder.h"

/* The owners of the position after a move, for each number of owners; where nothing is recorded, only for the number
   that counts, so that a leaf parent has no more sibling sets than on so many ranks. */
static void find_owners(const TraceRecorder *r, const Position *p, Move move, uint16_t owner[TRACE_PARTITIONS_MAX]) {
    const OwnerKey owner_key = owner_key_of_move(p, move);
    memset(owner, 0, TRACE_PARTITIONS_MAX * sizeof *owner);
    for (unsigned i = 0; i < r->options->partitions; i++)
        if (r->trace || r->partition == i + 1) owner[i] = (uint16_t)partition_owner(&r->map[i], owner_key);
}

/* From the owner's table, or counted there. */
uint64_t trace_count_at_owner(TraceRecorder *r, const Position *p, Key key, int depth, TabiaTable *owner) {
    const TabiaKey table_key = {key[0], key[1]};
    uint64_t leaves = tabia_counts_probe(owner, table_key, (unsigned)depth);
    if (leaves) return leaves;
    KernelContext c = {.zobrist = r->zobrist, .table = owner, .stop = tabia_stop_flag()};
    leaves = (uint64_t)r->kernel->count(&c, p, key, depth);
    r->sums.counted += c.probes - c.hits + 1;
    tabia_counts_store(owner, table_key, (unsigned)depth, leaves);
    return leaves;
}

/* A leaf parent, its moves, and the owners of the positions after them. depth: plies to the leaves. */
typedef struct {
    const Position *position;
    Key key;
    int depth;
    unsigned n;
    Move move[MOVES_MAX]; /* 0: counted */
    uint16_t owner[MOVES_MAX][TRACE_PARTITIONS_MAX];
} TraceSiblings;

/* As an owner counts n of the moves. Positions two plies above the leaves are not probed; each counts as unknown. */
static uint64_t count_siblings(const TraceRecorder *r, KernelContext *c, const TraceSiblings *s, const Move *list,
                               unsigned n) {
    enum { PROBED_DEPTH_MIN = 3 };
    const int depth = s->depth - 1;
    Key keys[MOVES_MAX];
    if (depth >= PROBED_DEPTH_MIN) {
        r->kernel->keys(r->zobrist, s->position, s->key, list, n, keys);
        const Siblings children = {s->position, list, keys, n, depth};
        r->kernel->prefetch(c, &children);
        return (uint64_t)r->kernel->children(c, &children);
    }
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++, c->probes++) {
        Position child;
        position_make_move(&child, s->position, list[i]);
        leaves += r->kernel->last_two(&child);
    }
    return leaves;
}

/* Counts the moves from `first` on that have the same owners, and marks them as counted. */
static uint64_t count_set(TraceRecorder *r, TraceSiblings *s, unsigned first, unsigned *moves) {
    assert(s->move[first]);
    const unsigned owner = r->partition ? s->owner[first][r->partition - 1] : 0;
    KernelContext c = {.zobrist = r->zobrist, .table = r->table[owner], .stop = tabia_stop_flag()};
    Move list[MOVES_MAX];
    *moves = 0;
    for (unsigned i = first; i < s->n; i++) {
        if (!s->move[i] || memcmp(s->owner[i], s->owner[first], sizeof s->owner[i])) continue;
        list[(*moves)++] = s->move[i];
        s->move[i] = 0;
    }
    const uint64_t leaves = count_siblings(r, &c, s, list, *moves);
    r->sums.counted += c.probes - c.hits;
    r->counted[owner] += c.probes - c.hits;
    return leaves;
}

uint64_t trace_count_leaf_parent(TraceRecorder *r, const Position *p, Key key, int depth) {
    TraceSiblings s;
    s.position = p, s.depth = depth;
    s.key = key;
    assert(depth > 1);
    s.n = moves_list(p, s.move);
    for (unsigned i = 0; i < s.n; i++) find_owners(r, p, s.move[i], s.owner[i]);
    uint64_t leaves = 0;
    trace_record_event(r, TRACE_WORK, 0, 0);
    for (unsigned first = 0, sets = 0, moves; first < s.n; first++) {
        if (!s.move[first]) continue;
        leaves += count_set(r, &s, first, &moves);
        if (r->trace) trace_add_siblings(r->trace, sets++, moves, s.owner[first], trace_elapsed_ns(r));
    }
    return leaves;
}
