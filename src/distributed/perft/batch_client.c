/* SPDX-License-Identifier: MIT */
#include "batch_client.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "outbox.h"
#include "rules/make_move.h"
#include "rules/movegen.h"

enum { BATCHES_MAX = 2048, BATCHES_PER_OWNER = 1024 };

typedef enum { BATCH_FREE, BATCH_OPEN, BATCH_IN_FLIGHT } BatchStage;

typedef struct {
    BatchStage stage;
    unsigned owner, sets, words; /* words: of the message so far */
    double sent_at;              /* seconds */
    LeafParentRef parent[WIRE_BATCH_SETS_MAX];
    union {
        WireBatchHeader header;
        uint64_t word[WIRE_WORDS_MAX];
        Move move[TABIA_CLUSTER_BYTES_MAX / sizeof(Move)];
    } message;
} SiblingBatch;

struct BatchClient {
    const RankContext *rank;
    const PartitionMap *map;
    WorkerPool *pool;
    SumCallback answered;
    Memory memory;       /* of the batches */
    SiblingBatch *batch; /* BATCHES_MAX; from batch[used] on none was ever used, and its pages are not touched yet */
    unsigned used;
    uint16_t *open;            /* of each owner: its open batch + 1, or 0 */
    unsigned *in_flight;       /* of each owner */
    uint16_t *effective_owner; /* of each owner: it, or this rank if it is dead */
    Move **next;               /* of each owner, during a split: where its next move is written; otherwise NULL */
    uint64_t uses;             /* batches sent */
    uint64_t sets_sent, sets_recounted;
};

_Static_assert(BATCHES_MAX < UINT16_MAX, "a batch's number + 1 fits 16 bits");

/* ---- creation ---- */

static bool allocate(BatchClient *s, unsigned ranks) {
    const MemoryRequest request = {.bytes = BATCHES_MAX * sizeof(SiblingBatch), .small_pages = true};
    if (!tabia_memory_get(&s->memory, request, NULL)) return false;
    s->batch = s->memory.at;
    s->open = calloc(ranks, sizeof *s->open);
    s->in_flight = calloc(ranks, sizeof *s->in_flight);
    s->effective_owner = malloc(ranks * sizeof *s->effective_owner);
    s->next = calloc(ranks, sizeof *s->next);
    return s->open && s->in_flight && s->effective_owner && s->next;
}

BatchClient *batch_client_create(const RankContext *rank, const PartitionMap *map, WorkerPool *pool,
                                 SumCallback answered, TabiaError *error) {
    BatchClient *s = calloc(1, sizeof *s);
    if (!s || !allocate(s, rank->ranks)) {
        batch_client_destroy(s);
        return tabia_fail(error, "not enough memory for messages"), NULL;
    }
    s->rank = rank, s->map = map, s->pool = pool, s->answered = answered;
    for (unsigned owner = 0; owner < rank->ranks; owner++) s->effective_owner[owner] = (uint16_t)owner;
    return s;
}

void batch_client_destroy(BatchClient *s) {
    if (!s) return;
    tabia_memory_free(&s->memory);
    free(s->open);
    free(s->in_flight);
    free(s->effective_owner);
    free(s->next);
    free(s);
}

/* ---- batches ---- */

static SiblingBatch *open_batch(const BatchClient *s, unsigned owner) {
    return s->open[owner] ? s->batch + s->open[owner] - 1 : NULL;
}

static void send_batch(BatchClient *s, SiblingBatch *batch) {
    assert(batch->stage == BATCH_OPEN && batch->sets > 0 && batch->sets <= WIRE_BATCH_SETS_MAX);
    batch->message.header.use = ++s->uses;
    batch->message.header.number = (uint16_t)(batch - s->batch);
    batch->message.header.sets = (uint16_t)batch->sets;
    batch->stage = BATCH_IN_FLIGHT;
    batch->sent_at = s->rank->now;
    s->open[batch->owner] = 0;
    s->in_flight[batch->owner]++;
    s->sets_sent += batch->sets;
    outbox_send(s->rank->outbox, batch->owner, WIRE_BATCH, batch->message.word, batch->words * sizeof(uint64_t));
}

static SiblingBatch *acquire_batch(BatchClient *s, unsigned owner) {
    if (s->in_flight[owner] >= BATCHES_PER_OWNER) return NULL;
    for (unsigned i = 0; i < BATCHES_MAX; i++) {
        SiblingBatch *batch = s->batch + i;
        if (batch->stage != BATCH_FREE) continue;
        batch->stage = BATCH_OPEN, batch->owner = owner, batch->sets = 0;
        batch->words = sizeof(WireBatchHeader) / sizeof(uint64_t);
        s->open[owner] = (uint16_t)(i + 1);
        if (i == s->used) s->used++;
        return batch;
    }
    return NULL;
}

/* Where the moves of the next set for an owner are written, with room for all of a position; NULL: no batch is free
   just now. May send the open batch of that owner when it is full or of another depth. */
static Move *reserve_set(BatchClient *s, unsigned owner, int child_depth) {
    assert(owner != s->rank->rank);
    SiblingBatch *batch = open_batch(s, owner);
    const bool is_full =
        batch && (batch->sets == WIRE_BATCH_SETS_MAX || batch->words + wire_siblings_words(MOVES_MAX) > WIRE_WORDS_MAX);
    if (is_full || (batch && batch->sets && batch->message.header.depth != child_depth)) {
        send_batch(s, batch);
        batch = NULL;
    }
    if (!batch) batch = acquire_batch(s, owner);
    if (!batch) return NULL;
    batch->message.header.depth = (uint16_t)child_depth;
    return batch->message.move + (batch->words * sizeof(uint64_t) + sizeof(WireSiblings)) / sizeof(Move);
}

/* Appends a set whose moves (1 to MOVES_MAX) were written where reserve_set() said. */
static void append_set(BatchClient *s, unsigned owner, const LeafParent *parent, unsigned moves) {
    SiblingBatch *batch = open_batch(s, owner);
    WireSiblings set = {.position = position_pack(parent->position), .key = {parent->key[0], parent->key[1]}};
    assert(batch && moves > 0 && moves <= MOVES_MAX && batch->sets < WIRE_BATCH_SETS_MAX);
    set.position.spare = (uint16_t)moves;
    memcpy(batch->message.word + batch->words, &set, sizeof set);
    batch->words += wire_siblings_words(moves);
    batch->parent[batch->sets++] = parent->ref;
    assert(batch->words <= WIRE_WORDS_MAX);
}

/* ---- splitting ---- */

/* One split. */
typedef struct {
    BatchClient *s;
    const LeafParent *parent;
    WorkItem *local; /* the moves whose owner is this rank */
    bool is_blocked;
    unsigned owners;
    uint16_t owner[MOVES_MAX]; /* those found so far */
    Move *begin[MOVES_MAX];    /* of the moves to each */
    Move discarded[MOVES_MAX]; /* those without a batch */
} MoveSplit;

/* Adds an owner that this split has not found before. Returns the rank that counts for it: itself, or this rank if it is dead. */
static unsigned add_owner(MoveSplit *split, unsigned owner) {
    BatchClient *s = split->s;
    if (!tabia_cluster_alive(s->rank->cluster, owner)) return s->effective_owner[owner] = (uint16_t)s->rank->rank;
    Move *begin = reserve_set(s, owner, split->parent->child_depth);
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
    BatchClient *s = split->s;
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

int batch_client_split(BatchClient *s, const LeafParent *parent) {
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
    for (unsigned i = 0; i < split.owners; i++) append_set(s, split.owner[i], parent, moves[i]);
    if (is_local) submit_local(&split);
    return (int)(split.owners + is_local);
}

/* ---- answers ---- */

void batch_client_flush(BatchClient *s) {
    for (unsigned owner = 0; owner < s->rank->ranks; owner++) {
        SiblingBatch *batch = open_batch(s, owner);
        if (batch && batch->sets) send_batch(s, batch);
    }
}

/* Sums of `words` words each, in the order of the sets. */
static void use_sums(BatchClient *s, SiblingBatch *batch, const uint64_t *sum, unsigned words) {
    for (unsigned i = 0; i < batch->sets; i++, sum += words)
        s->answered.call(s->answered.context, batch->parent[i], wire_u128(sum[0], words > 1 ? sum[1] : 0));
    if (batch->owner != s->rank->rank) s->in_flight[batch->owner]--;
    batch->stage = BATCH_FREE;
}

void batch_client_receive_sums(BatchClient *s, unsigned from, const void *bytes, size_t n) {
    WireBatchHeader header;
    uint64_t sum[2 * WIRE_BATCH_SETS_MAX];
    if (n < sizeof header) return;
    memcpy(&header, bytes, sizeof header);
    SiblingBatch *batch = s->batch + header.number % BATCHES_MAX;
    const bool is_ours = batch->stage == BATCH_IN_FLIGHT && batch->owner == from &&
                         batch->message.header.use == header.use && batch->sets == header.sets;
    const unsigned words = wire_sum_words(batch->message.header.depth);
    if (!is_ours || n != sizeof header + batch->sets * words * sizeof *sum) return; /* recounted before it came */
    memcpy(sum, (const char *)bytes + sizeof header, batch->sets * words * sizeof *sum);
    use_sums(s, batch, sum, words);
}

/* An owner that lives may have much to do, so it is waited for much longer than for a sign of life: a batch may be
   lost, but hardly ever is. From here on the batch's owner is this rank. */
void batch_client_recount_lost(BatchClient *s, BatchServer *server) {
    const RankContext *rank = s->rank;
    const double overdue = rank->now - 4 * rank->timeout;
    for (unsigned owner = 0; owner < rank->ranks; owner++)
        if (tabia_cluster_alive(rank->cluster, owner)) s->effective_owner[owner] = (uint16_t)owner;
    for (unsigned i = 0; i < s->used; i++) {
        SiblingBatch *batch = s->batch + i;
        if (batch->stage != BATCH_IN_FLIGHT || batch->owner == rank->rank) continue;
        if (batch->sent_at > overdue && tabia_cluster_alive(rank->cluster, batch->owner)) continue;
        if (!batch_server_receive(server, rank->rank, batch->message.word, batch->words * sizeof(uint64_t))) continue;
        s->sets_recounted += batch->sets;
        s->in_flight[batch->owner]--;
        batch->owner = rank->rank;
    }
}

void batch_client_add_stats(const BatchClient *s, DistributedPerftStats *stats) {
    stats->sibling_sets_sent += s->sets_sent;
    stats->sibling_sets_recounted += s->sets_recounted;
}
