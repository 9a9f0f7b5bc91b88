/* SPDX-License-Identifier: MIT */
#include "batch_server.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct ReceivedBatch {
    struct ReceivedBatch *next;
    unsigned from, sets, submitted, counted;
    bool is_malformed; /* no more of it is submitted, and it is not answered */
    WireBatchHeader header;
    size_t at, n;                          /* bytes: where the next set begins; of the message */
    uint64_t sum[2 * WIRE_BATCH_SETS_MAX]; /* as they are sent: wire_sum_words() of each */
    uint64_t word[WIRE_WORDS_MAX];
} ReceivedBatch;

struct BatchServer {
    const RankContext *rank;
    WorkerPool *pool;
    AnswerCallback answer;
    ReceivedBatch *first, **end; /* those not answered yet, in the order in which they came */
    ReceivedBatch *next;         /* of these, the first with sets to submit */
    ReceivedBatch *spare;        /* answered, kept for batches to come: their memory is in the caches */
    uint64_t served;
};

BatchServer *batch_server_create(const RankContext *rank, WorkerPool *pool, AnswerCallback answer, TabiaError *error) {
    BatchServer *s = malloc(sizeof *s);
    if (!s) return tabia_fail(error, "not enough memory for messages"), NULL;
    *s = (BatchServer){.rank = rank, .pool = pool, .answer = answer, .end = &s->first};
    return s;
}

static void free_list(ReceivedBatch *batch) {
    for (ReceivedBatch *next; batch; batch = next) {
        next = batch->next;
        free(batch);
    }
}

void batch_server_destroy(BatchServer *s) {
    if (!s) return;
    free_list(s->first);
    free_list(s->spare);
    free(s);
}

static ReceivedBatch *acquire(BatchServer *s) {
    ReceivedBatch *batch = s->spare;
    if (!batch) return malloc(sizeof *batch);
    s->spare = batch->next;
    return batch;
}

bool batch_server_receive(BatchServer *s, unsigned from, const void *bytes, size_t n) {
    ReceivedBatch *batch = n < sizeof batch->header || n > sizeof batch->word ? NULL : acquire(s);
    if (!batch) return false;
    memcpy(&batch->header, bytes, sizeof batch->header);
    batch->next = NULL, batch->from = from, batch->sets = batch->header.sets;
    batch->submitted = batch->counted = 0;
    batch->is_malformed = false;
    batch->at = sizeof batch->header, batch->n = n;
    memcpy(batch->word, bytes, n);
    *s->end = batch;
    s->end = &batch->next;
    if (!s->next) s->next = batch;
    return true;
}

static void send_answer(BatchServer *s, const ReceivedBatch *batch) {
    enum { HEADER_WORDS = sizeof(WireBatchHeader) / sizeof(uint64_t) };
    uint64_t answer[HEADER_WORDS + 2 * WIRE_BATCH_SETS_MAX];
    const size_t words = batch->sets * wire_sum_words(batch->header.depth);
    memcpy(answer, &batch->header, sizeof batch->header);
    memcpy(answer + HEADER_WORDS, batch->sum, words * sizeof *answer);
    s->answer.call(s->answer.context, batch->from, answer, (HEADER_WORDS + words) * sizeof *answer);
}

/* Batches are counted about in the order in which they came, so it is one of the first. */
static void retire(BatchServer *s, ReceivedBatch *batch) {
    ReceivedBatch **link = &s->first;
    while (*link != batch) link = &(*link)->next;
    *link = batch->next;
    if (!batch->next) s->end = link;
    if (s->next == batch) s->next = batch->next;
    batch->next = s->spare;
    s->spare = batch;
}

/* The next set of a batch; its moves follow it. False: the message is malformed, though its checksum was right. */
static bool read_set(const ReceivedBatch *batch, WireSiblings *set) {
    if (!batch->sets || batch->sets > WIRE_BATCH_SETS_MAX || batch->at + sizeof *set > batch->n) return false;
    memcpy(set, (const char *)batch->word + batch->at, sizeof *set);
    const unsigned moves = set->position.spare;
    return moves && moves <= MOVES_MAX && batch->at + wire_siblings_words(moves) * sizeof(uint64_t) <= batch->n;
}

/* Its asker will recount it. */
static void reject(BatchServer *s, ReceivedBatch *batch) {
    s->next = batch->next;
    batch->is_malformed = true;
    if (batch->counted == batch->submitted) retire(s, batch);
}

/* A batch may have arrived long ago: what lies a few sets ahead is prefetched. */
static void prefetch_ahead(const ReceivedBatch *batch) {
    enum { AHEAD = 256, CACHE_LINE = 64 };
    const char *ahead = (const char *)batch->word + batch->at + AHEAD;
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE);
}

bool batch_server_submit(BatchServer *s) {
    ReceivedBatch *batch = s->next;
    WireSiblings set;
    if (!batch) return false;
    if (!read_set(batch, &set)) return reject(s, batch), true;
    const unsigned moves = set.position.spare;
    WorkItem *item = worker_pool_acquire(s->pool);
    item->type = WORK_SIBLINGS, item->batch = batch, item->sibling_set = batch->submitted++;
    item->key = (Key){set.key[0], set.key[1]}, item->depth = batch->header.depth, item->moves = moves;
    item->position = position_unpack(&set.position);
    memcpy(item->move, (char *)batch->word + batch->at + sizeof set, moves * sizeof *item->move);
    s->rank->kernel->keys(&s->rank->zobrist, &item->position, item->key, item->move, moves, item->child);
    worker_pool_submit(s->pool, item);
    batch->at += wire_siblings_words(moves) * sizeof(uint64_t);
    prefetch_ahead(batch);
    if (batch->submitted == batch->sets) s->next = batch->next;
    return true;
}

bool batch_server_has_backlog(const BatchServer *s) {
    return s->next && s->next->next;
}

static void write_sum(ReceivedBatch *batch, unsigned set, U128 sum) {
    const unsigned words = wire_sum_words(batch->header.depth);
    assert(words > 1 || !(sum >> 64));
    batch->sum[words * set] = (uint64_t)sum;
    if (words > 1) batch->sum[words * set + 1] = (uint64_t)(sum >> 64);
}

void batch_server_finish(BatchServer *s, const WorkItem *item) {
    ReceivedBatch *batch = item->batch;
    assert(item->type == WORK_SIBLINGS && item->sibling_set < batch->submitted);
    write_sum(batch, item->sibling_set, item->sum);
    batch->counted++;
    s->served += batch->from != s->rank->rank;
    if (batch->counted < (batch->is_malformed ? batch->submitted : batch->sets)) return;
    if (!batch->is_malformed && !rank_is_stopped(s->rank)) send_answer(s, batch);
    retire(s, batch);
}

void batch_server_add_stats(const BatchServer *s, DistributedPerftStats *stats) {
    stats->sibling_sets_served += s->served;
}
