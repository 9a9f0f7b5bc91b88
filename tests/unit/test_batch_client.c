/* SPDX-License-Identifier: MIT */
/* Each sum that a rank asked for is used once, whatever answers come, how late and how often. */
#include "unit.h"

#include "cluster/transport_simulated.h"
#include "distributed/perft/batch_client.h"
#include "distributed/perft/outbox.h"
#include "notation/fen.h"

enum {
    TIMEOUT = 1,
    SUM = 197281 /* leaves four plies below the start */,
    ANSWER_WORDS = sizeof(WireBatchHeader) / sizeof(uint64_t) + 1
};

/* The bytes of an answer to a batch of one set. */
typedef struct {
    uint64_t word[ANSWER_WORDS];
} Answer;

/* Rank 0 asks, and rank 1 owns every move. */
typedef struct {
    SimulatedNetwork *net;
    TabiaTable *table;
    TabiaCluster *cluster[2];
    RankContext rank;
    RunError error;
    PartitionMap map;
    WorkerPool *pool;
    BatchClient *client;
    BatchServer *server; /* of rank 0, for what it counts itself */
    Position position;
    Answer own;             /* of that server */
    WireBatchHeader asked;  /* the last batch that came to rank 1 */
    unsigned batches, sums; /* come there; used here */
    uint64_t total;         /* of the sums */
} Asker;

static void receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n) {
    Asker *a = context;
    if (tag != WIRE_BATCH) return;
    assert_true(source == 0 && n > sizeof a->asked);
    memcpy(&a->asked, bytes, sizeof a->asked);
    a->batches++;
}

static void use_sum(void *context, LeafParentRef parent, U128 sum) {
    Asker *a = context;
    assert_true(parent.group == 3 && parent.position == 5);
    a->sums++, a->total += (uint64_t)sum;
}

static void keep_answer(void *context, unsigned to, const void *bytes, size_t n) {
    Asker *a = context;
    assert_true(to == 0 && n == sizeof a->own);
    memcpy(&a->own, bytes, n);
}

static void create_modules(Asker *a) {
    const KernelContext context = {.zobrist = &a->rank.zobrist, .table = a->table, .stop = &a->rank.stop};
    a->pool = worker_pool_create(1, &context, a->rank.kernel, NULL);
    a->client = batch_client_create(&a->rank, &a->map, a->pool, (SumCallback){a, use_sum}, NULL);
    a->server = batch_server_create(&a->rank, a->pool, (AnswerCallback){a, keep_answer}, NULL);
    assert_true(a->pool && a->client && a->server);
}

static Asker *begin(void) {
    Asker *a = aligned_alloc(_Alignof(Asker), sizeof *a);
    TabiaError error;
    *a = (Asker){0};
    a->net = simulated_network_create((SimulatedNetworkOptions){.ranks = 2, .seed = 1}, &error);
    for (unsigned r = 0; r < 2; r++) {
        const TabiaClusterOptions options = {.receive = receive, .context = a};
        assert_int_equal(
            tabia_cluster_create(&a->cluster[r], simulated_network_rank(a->net, r), NULL, &options, &error), 0);
    }
    const TabiaOptions table = {.bytes = 1 << 16, .type = TABIA_COUNTS};
    assert_int_equal(tabia_table_create(&a->table, &table, &error), TABIA_OK);
    a->rank = (RankContext){.ranks = 2,
                            .timeout = TIMEOUT,
                            .kernel = perft_kernel_at(0),
                            .table = a->table,
                            .cluster = a->cluster[0],
                            .outbox = outbox_create(a->cluster[0]),
                            .error = &a->error,
                            .merges = true,
                            .is_shared = true};
    zobrist_init(&a->rank.zobrist, 1);
    partition_fill(&a->map, 1);
    assert_true(fen_parse(&a->position, fen_start, &error));
    create_modules(a);
    return a;
}

static void end(Asker *a) {
    batch_client_destroy(a->client);
    batch_server_destroy(a->server);
    worker_pool_destroy(a->pool);
    outbox_destroy(a->rank.outbox);
    for (unsigned r = 0; r < 2; r++) tabia_cluster_destroy(a->cluster[r]);
    tabia_table_destroy(a->table);
    simulated_network_destroy(a->net);
    free(a);
}

/* Asks for the one sum of the start position. False: no batch is free. */
static bool ask(Asker *a) {
    const unsigned before = a->batches;
    const LeafParent parent = {
        .ref = {3, 5}, .child_depth = 3, .position = &a->position, .key = zobrist_key(&a->rank.zobrist, &a->position)};
    const int sums = batch_client_split(a->client, &parent);
    if (sums < 0) return false;
    assert_int_equal(sums, 1);
    batch_client_flush(a->client);
    for (unsigned polls = 0; a->batches == before && polls < 1000; polls++) tabia_cluster_poll(a->cluster[1]);
    assert_int_equal(a->batches, before + 1);
    return true;
}

static Answer answer_of(const Asker *a) {
    Answer answer;
    memcpy(answer.word, &a->asked, sizeof a->asked);
    answer.word[ANSWER_WORDS - 1] = SUM;
    return answer;
}

static void give(Asker *a, unsigned from, Answer answer) {
    batch_client_receive_sums(a->client, from, &answer, sizeof answer);
}

/* The owner is silent for too long: rank 0 counts by itself, and gives itself the answer. */
static void recount(Asker *a) {
    a->rank.now += 5 * TIMEOUT;
    batch_client_recount_lost(a->client, a->server);
    assert_true(batch_server_submit(a->server));
    assert_true(worker_pool_help(a->pool));
    WorkItem *item = worker_pool_collect(a->pool);
    batch_server_finish(a->server, item);
    worker_pool_recycle(a->pool, item);
}

/* A batch is used again at once, some thousand times a second: its uses may not be counted in a few bits. */
static void an_answer_to_an_old_use_is_ignored(void **state) {
    enum { USES = 1 << 16 };
    Asker *a = begin();
    assert_true(ask(a));
    const Answer old = answer_of(a);
    const unsigned number = a->asked.number;
    give(a, 1, old);
    for (unsigned use = 1; use < USES; use++) {
        assert_true(ask(a));
        give(a, 1, answer_of(a));
    }
    assert_true(ask(a));
    assert_int_equal(a->asked.number, number);
    give(a, 1, old);
    give(a, 0, answer_of(a)); /* not of its owner */
    assert_int_equal(a->sums, USES);
    give(a, 1, answer_of(a));
    assert_int_equal(a->sums, USES + 1);
    end(a);
}

/* Nor is the owner's answer to what was recounted meanwhile; and a recount frees the owner's place, however many they are. */
static void what_is_recounted_is_used_once(void **state) {
    enum { RECOUNTS = 3000 }; /* more than batches there are */
    Asker *a = begin();
    for (unsigned i = 0; i < RECOUNTS; i++) {
        assert_true(ask(a));
        const Answer late = answer_of(a);
        recount(a);
        give(a, 1, late);
        assert_int_equal(a->sums, i);
        give(a, 0, a->own);
        assert_int_equal(a->sums, i + 1);
        give(a, 1, late);
        assert_int_equal(a->sums, i + 1);
    }
    assert_int_equal(a->total, (uint64_t)RECOUNTS * SUM);
    end(a);
}

/* An owner gets so many batches at a time; then the asker does other work, until an answer comes. */
static void an_owner_without_answers_gets_no_more(void **state) {
    Asker *a = begin();
    unsigned sent = 0;
    while (ask(a)) sent++;
    assert_int_equal(sent, 1024);
    give(a, 1, answer_of(a));
    assert_true(ask(a));
    assert_false(ask(a));
    end(a);
}

#include "test_batch_client_list.h"
