/* SPDX-License-Identifier: MIT */
#include "sibling_splitter.h"

#include <assert.h>
#include <stdlib.h>

#include "rules/make_move.h"
#include "rules/movegen.h"

struct SiblingSplitter {
    const RankContext *rank;
    const PartitionMap *map;
    SiblingBatches *batches;
    WorkerPool *pool;
    SplitterTrace trace;
    uint16_t *effective_owner; /* of each owner: it, or this rank if it is dead */
    Move **next;               /* of each owner, during a split: where its next move is written; otherwise NULL */
};

/* One split. */
typedef struct {
    SiblingSplitter *s;
    const LeafParent *parent;
    WorkItem *local; /* the moves whose owner is this rank */
    bool is_blocked;
    unsigned owners;
    uint16_t owner[MOVES_MAX]; /* those found so far */
    Move *begin[MOVES_MAX];    /* of the moves to each */
    Move discarded[MOVES_MAX]; /* those without a batch */
} MoveSplit;

SiblingSplitter *sibling_splitter_create(const RankContext *rank, const PartitionMap *map, SiblingBatches *batches,
                                         WorkerPool *pool, TabiaError *error) {
    SiblingSplitter *s = calloc(1, sizeof *s);
    if (s) {
        s->rank = rank, s->map = map, s->batches = batches, s->pool = pool;
        s->effective_owner = malloc(rank->ranks * sizeof *s->effective_owner);
        s->next = calloc(rank->ranks, sizeof *s->next);
    }
    if (!s || !s->effective_owner || !s->next) {
        sibling_splitter_destroy(s);
        tabia_fail(error, "not enough memory for messages");
        return NULL;
    }
    for (unsigned owner = 0; owner < rank->ranks; owner++) s->effective_owner[owner] = (uint16_t)owner;
    return s;
}

void sibling_splitter_destroy(SiblingSplitter *s) {
    if (!s) return;
    free(s->effective_owner);
    free(s->next);
    free(s);
}

void sibling_splitter_set_trace(SiblingSplitter *s, SplitterTrace trace) {
    s->trace = trace;
}

void sibling_splitter_restore_owners(SiblingSplitter *s) {
    for (unsigned owner = 0; owner < s->rank->ranks; owner++)
        if (tabia_cluster_alive(s->rank->cluster, owner)) s->effective_owner[owner] = (uint16_t)owner;
}

/* Adds an owner that this split has not found before. Returns the rank that counts for it: itself, or this rank if it is dead. */
static unsigned add_owner(MoveSplit *split, unsigned owner) {
    SiblingSplitter *s = split->s;
    if (!tabia_cluster_alive(s->rank->cluster, owner)) return s->effective_owner[owner] = (uint16_t)s->rank->rank;
    Move *begin = sibling_batches_reserve(s->batches, owner, split->parent->child_depth);
    if (!begin) split->is_blocked = true, begin = split->discarded;
    s->next[owner] = begin;
    split->owner[split->owners] = (uint16_t)owner, split->begin[split->owners++] = begin;
    return owner;
}

INLINE void write_local(MoveSplit *split, Colour us, UnpackedMove m) {
    const LeafParent *parent = split->parent;
    WorkItem *item = split->local;
    item->child[item->moves] = key_after(&split->s->rank->zobrist, parent->position, parent->key, us, m);
    item->move[item->moves++] = move_pack(m);
}

INLINE void write_move(MoveSplit *split, Colour us, UnpackedMove m) {
    SiblingSplitter *s = split->s;
    const unsigned here = s->rank->rank;
    unsigned owner = s->effective_owner[partition_owner(s->map, owner_key_after(split->parent->position, us, m))];
    if (owner != here && UNLIKELY(!s->next[owner])) owner = add_owner(split, owner);
    if (owner != here)
        *s->next[owner]++ = move_pack(m);
    else
        write_local(split, us, m);
}
INLINE void write_white(void *context, UnpackedMove m) {
    write_move(context, WHITE, m);
}
INLINE void write_black(void *context, UnpackedMove m) {
    write_move(context, BLACK, m);
}

NOINLINE void write_moves_white(MoveSplit *split) {
    MoveSink k = {.visit = write_white, .context = split};
    generate(split->parent->position, &k, WHITE, GEN_VISIT);
}
NOINLINE void write_moves_black(MoveSplit *split) {
    MoveSink k = {.visit = write_black, .context = split};
    generate(split->parent->position, &k, BLACK, GEN_VISIT);
}

/* Forgets the owners found; moves[i] is how many moves each got. */
static void end_split(const MoveSplit *split, uint16_t moves[MOVES_MAX]) {
    for (unsigned i = 0; i < split->owners; i++) {
        Move **next = split->s->next + split->owner[i];
        moves[i] = (uint16_t)(*next - split->begin[i]);
        *next = NULL;
    }
}

static void submit_local(const MoveSplit *split) {
    const LeafParent *parent = split->parent;
    WorkItem *item = split->local;
    item->type = WORK_LEAF_PARENT, item->parent = parent->ref;
    item->position = *parent->position, item->key = parent->key, item->depth = parent->child_depth;
    worker_pool_submit(split->s->pool, item);
}

static void append_remote(const MoveSplit *split, unsigned owner, unsigned moves) {
    SiblingSplitter *s = split->s;
    const unsigned depth = (unsigned)split->parent->child_depth;
    sibling_batches_append(s->batches, owner, split->parent, moves);
    if (s->trace.call) s->trace.call(s->trace.context, TABIA_CLUSTER_EVENT_WORK, depth, owner, s->rank->now);
}

int sibling_splitter_split(SiblingSplitter *s, const LeafParent *parent) {
    uint16_t moves[MOVES_MAX];
    MoveSplit split; /* its arrays stay undefined: they are written before they are read */
    split.s = s, split.parent = parent, split.local = worker_pool_acquire(s->pool);
    split.is_blocked = false, split.owners = 0;
    split.local->moves = 0;
    if (parent->position->turn == WHITE)
        write_moves_white(&split);
    else
        write_moves_black(&split);
    end_split(&split, moves);
    const bool is_local = split.local->moves && !split.is_blocked;
    if (!is_local) worker_pool_recycle(s->pool, split.local);
    if (split.is_blocked) return -1;
    for (unsigned i = 0; i < split.owners; i++) append_remote(&split, split.owner[i], moves[i]);
    if (is_local) submit_local(&split);
    return (int)(split.owners + is_local);
}
