/* SPDX-License-Identifier: MIT */
#include "sibling_batches.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "outbox.h"

typedef enum { BATCH_FREE, BATCH_OPEN, BATCH_IN_FLIGHT } BatchStage;

typedef struct {
    BatchStage stage;
    uint16_t round;              /* how often this batch was used: an answer to an earlier use is ignored */
    unsigned owner, sets, words; /* words: of the message so far */
    double sent_at;              /* seconds */
    LeafParentRef parent[WIRE_BATCH_SETS_MAX];
    union {
        WireBatchHeader header;
        uint64_t word[WIRE_WORDS_MAX];
        Move move[TABIA_CLUSTER_BYTES_MAX / sizeof(Move)];
    } message;
} SiblingBatch;

struct SiblingBatches {
    const RankContext *rank;
    SumCallback answered;
    Memory memory;       /* of the batches */
    SiblingBatch *batch; /* BATCHES_MAX; from batch[used] on none was ever used, and its pages are not touched yet */
    unsigned used;
    uint16_t *open;      /* of each owner: its open batch + 1, or 0 */
    unsigned *in_flight; /* of each owner */
    uint64_t sets_sent, sets_recounted;
};

_Static_assert(BATCHES_MAX < UINT16_MAX, "a batch's number fits half of an id");

SiblingBatches *sibling_batches_create(const RankContext *rank, SumCallback answered, TabiaError *error) {
    const MemoryRequest request = {.bytes = BATCHES_MAX * sizeof(SiblingBatch), .small_pages = true};
    SiblingBatches *b = calloc(1, sizeof *b);
    if (b && tabia_memory_get(&b->memory, request, NULL)) {
        b->rank = rank, b->answered = answered;
        b->batch = b->memory.at;
        b->open = calloc(rank->ranks, sizeof *b->open);
        b->in_flight = calloc(rank->ranks, sizeof *b->in_flight);
        if (b->open && b->in_flight) return b;
    }
    sibling_batches_destroy(b);
    tabia_fail(error, "not enough memory for messages");
    return NULL;
}

void sibling_batches_destroy(SiblingBatches *b) {
    if (!b) return;
    tabia_memory_free(&b->memory);
    free(b->open);
    free(b->in_flight);
    free(b);
}

static SiblingBatch *open_batch(const SiblingBatches *b, unsigned owner) {
    return b->open[owner] ? b->batch + b->open[owner] - 1 : NULL;
}

static void send_batch(SiblingBatches *b, SiblingBatch *batch) {
    assert(batch->stage == BATCH_OPEN && batch->sets > 0 && batch->sets <= WIRE_BATCH_SETS_MAX);
    batch->message.header.id = (uint32_t)(batch - b->batch) | (uint32_t)batch->round << 16;
    batch->message.header.sets = (uint16_t)batch->sets;
    batch->stage = BATCH_IN_FLIGHT;
    batch->sent_at = b->rank->now;
    b->open[batch->owner] = 0;
    b->in_flight[batch->owner]++;
    b->sets_sent += batch->sets;
    outbox_send(b->rank->outbox, batch->owner, WIRE_BATCH, batch->message.word, batch->words * sizeof(uint64_t));
}

static SiblingBatch *acquire_batch(SiblingBatches *b, unsigned owner) {
    if (b->in_flight[owner] >= BATCHES_PER_OWNER) return NULL;
    for (unsigned i = 0; i < BATCHES_MAX; i++) {
        SiblingBatch *batch = b->batch + i;
        if (batch->stage != BATCH_FREE) continue;
        batch->stage = BATCH_OPEN, batch->owner = owner, batch->sets = 0;
        batch->words = sizeof(WireBatchHeader) / sizeof(uint64_t);
        b->open[owner] = (uint16_t)(i + 1);
        if (i == b->used) b->used++;
        return batch;
    }
    return NULL;
}

Move *sibling_batches_reserve(SiblingBatches *b, unsigned owner, int child_depth) {
    assert(owner != b->rank->rank);
    SiblingBatch *batch = open_batch(b, owner);
    const bool is_full =
        batch && (batch->sets == WIRE_BATCH_SETS_MAX || batch->words + wire_siblings_words(MOVES_MAX) > WIRE_WORDS_MAX);
    if (is_full || (batch && batch->sets && batch->message.header.depth != child_depth)) {
        send_batch(b, batch);
        batch = NULL;
    }
    if (!batch) batch = acquire_batch(b, owner);
    if (!batch) return NULL;
    batch->message.header.depth = (uint16_t)child_depth;
    return batch->message.move + (batch->words * sizeof(uint64_t) + sizeof(WireSiblings)) / sizeof(Move);
}

void sibling_batches_append(SiblingBatches *b, unsigned owner, const LeafParent *parent, unsigned moves) {
    SiblingBatch *batch = open_batch(b, owner);
    WireSiblings set = {.position = position_pack(parent->position), .key = {parent->key[0], parent->key[1]}};
    assert(batch && moves > 0 && moves <= MOVES_MAX && batch->sets < WIRE_BATCH_SETS_MAX);
    set.position.spare = (uint16_t)moves;
    memcpy(batch->message.word + batch->words, &set, sizeof set);
    batch->words += wire_siblings_words(moves);
    batch->parent[batch->sets++] = parent->ref;
    assert(batch->words <= WIRE_WORDS_MAX);
}

void sibling_batches_flush(SiblingBatches *b) {
    for (unsigned owner = 0; owner < b->rank->ranks; owner++) {
        SiblingBatch *batch = open_batch(b, owner);
        if (batch && batch->sets) send_batch(b, batch);
    }
}

/* Sums of `words` words each, in the order of the sets. */
static void use_sums(SiblingBatches *b, SiblingBatch *batch, const uint64_t *sum, unsigned words) {
    for (unsigned i = 0; i < batch->sets; i++, sum += words)
        b->answered.call(b->answered.context, batch->parent[i], wire_u128(sum[0], words > 1 ? sum[1] : 0));
    if (batch->owner != b->rank->rank) b->in_flight[batch->owner]--;
    batch->stage = BATCH_FREE;
    batch->round++;
}

void sibling_batches_receive_sums(SiblingBatches *b, unsigned from, const void *bytes, size_t n) {
    WireBatchHeader header;
    uint64_t sum[2 * WIRE_BATCH_SETS_MAX];
    if (n < sizeof header) return;
    memcpy(&header, bytes, sizeof header);
    SiblingBatch *batch = b->batch + header.id % 0x10000 % BATCHES_MAX;
    const bool is_ours = batch->stage == BATCH_IN_FLIGHT && batch->owner == from && batch->round == header.id >> 16 &&
                         batch->sets == header.sets;
    const unsigned words = wire_sum_words(batch->message.header.depth);
    if (!is_ours || n != sizeof header + batch->sets * words * sizeof *sum) return; /* recounted before it came */
    memcpy(sum, (const char *)bytes + sizeof header, batch->sets * words * sizeof *sum);
    use_sums(b, batch, sum, words);
}

/* An owner that lives may have much to do, so it is waited for much longer than for a sign of life: a batch may be
   lost, but hardly ever is. From here on the batch's owner is this rank. */
void sibling_batches_recount_lost(SiblingBatches *b, BatchServer *server) {
    const RankContext *rank = b->rank;
    const double overdue = rank->now - 4 * rank->timeout;
    for (unsigned i = 0; i < b->used; i++) {
        SiblingBatch *batch = b->batch + i;
        if (batch->stage != BATCH_IN_FLIGHT || batch->owner == rank->rank) continue;
        if (batch->sent_at > overdue && tabia_cluster_alive(rank->cluster, batch->owner)) continue;
        if (!batch_server_receive(server, rank->rank, batch->message.word, batch->words * sizeof(uint64_t))) continue;
        b->sets_recounted += batch->sets;
        b->in_flight[batch->owner]--;
        batch->owner = rank->rank;
    }
}

void sibling_batches_add_stats(const SiblingBatches *b, DistributedPerftStats *stats) {
    stats->sibling_sets_sent += b->sets_sent;
    stats->sibling_sets_recounted += b->sets_recounted;
}
