/* SPDX-License-Identifier: MIT */
/* A search with the hooks of the distributed engine over a simulated network: rank 0 searches, rank 1 only owns its part
   of the table, so that what rank 0 finds there has been sent there. */
#include "search_tools.h"

#include "base/random.h"
#include "cluster/transport_simulated.h"
#include "distributed/engine/distributed_engine_internal.h"

enum { RANKS = 2 };

static const char KIWI[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

typedef struct {
    DistributedEngine engine; /* of rank 0; first, because its address is the context of its hooks */
    SimulatedNetwork *net;
    TabiaTable *table[RANKS];
    TabiaCluster *cluster[RANKS];
    uint64_t random;
} TwoRanks;

/* When rank 0 serves, rank 1 has its turn: it requests a position, and answers. */
static void serve_both(void *context, const Search *search, unsigned thread) {
    TwoRanks *w = context;
    const uint64_t index = random_next(&w->random);
    tabia_cluster_entry_request(w->cluster[1], (TabiaKey){index, random_next(&w->random)}, 1);
    tabia_cluster_poll(w->cluster[1]);
    w->engine.peers.serve(&w->engine, search, thread);
}

static void begin(TwoRanks *w, DistributedEngineOptions options) {
    *w = (TwoRanks){.engine = {.ranks = RANKS, .options = options}, .random = 3};
    w->net = simulated_network_create((SimulatedNetworkOptions){.ranks = RANKS, .seed = 5, .delay = 1e-4}, NULL);
    assert_non_null(w->net);
    for (unsigned r = 0; r < RANKS; r++) {
        const TabiaOptions table = {.bytes = 1 << 20, .threads = 1};
        assert_int_equal(tabia_table_create(&w->table[r], &table, NULL), TABIA_OK);
        TabiaTransport *transport = simulated_network_rank(w->net, r);
        assert_int_equal(tabia_cluster_create(&w->cluster[r], transport, w->table[r], NULL, NULL), TABIA_OK);
    }
    w->engine.cluster = w->cluster[0];
    remote_ranks_init(&w->engine);
}

static void end(TwoRanks *w) {
    for (unsigned r = 0; r < RANKS; r++) {
        tabia_cluster_destroy(w->cluster[r]);
        tabia_table_destroy(w->table[r]);
    }
    simulated_network_destroy(w->net);
}

/* Rank 0 searches alone. What each rank has counted. */
static void search_on_rank_0(DistributedEngineOptions options, TabiaClusterCounters counted[RANKS]) {
    TwoRanks w;
    begin(&w, options);
    SearchPeers peers = w.engine.peers;
    peers.serve = serve_both;
    Search *s = new_search((SearchSettings){.table = w.table[0], .peers = &peers});
    search_from(s, KIWI);
    search_run(s, &(SearchLimits){.depth = 9});
    for (unsigned r = 0; r < RANKS; r++) tabia_cluster_counters(w.cluster[r], &counted[r]);
    search_destroy(s);
    end(&w);
}

static uint64_t sum_waits(const TabiaClusterCounters *c) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < TABIA_CLUSTER_WAITS; i++) sum += c->waits[i];
    return sum;
}

/* The owner keeps what it is sent, and both answer while one searches. */
static void owners_keep_and_searches_serve(void **state) {
    TabiaClusterCounters c[RANKS];
    search_on_rank_0((DistributedEngineOptions){.store_depth = 2, .probe_depth = 2}, c);
    assert_true(c[0].remote_stores > 100 && c[1].served_stores > 100);
    assert_true(c[0].remote_hits > 100 && c[1].served_hits >= c[0].remote_hits);
    assert_true(c[0].served_probes > 100);
    assert_true(c[0].received > 0 && c[0].received_serving == c[0].received && c[1].received_serving == 0);
    for (unsigned r = 0; r < RANKS; r++) assert_int_equal(sum_waits(&c[r]), c[r].received);
}

/* ---- a search to a depth ---- */

enum { DEPTH = 6 };

static unsigned on_the_next(const void *context, int iteration) {
    return iteration == DEPTH + 1;
}

/* A process that has completed the depth is on the next one, and ends the search of the others. */
static void a_completed_depth_ends_other_searches(void **state) {
    for (unsigned completed = 0; completed < 2; completed++) {
        TwoRanks w;
        begin(&w, (DistributedEngineOptions){.store_depth = 100, .probe_depth = 100});
        SearchPeers peers = w.engine.peers;
        if (completed) peers.remote_threads_on = on_the_next;
        Search *s = new_search((SearchSettings){.table = w.table[0], .peers = &peers});
        search_from(s, KIWI);
        search_run(s, &(SearchLimits){.depth = DEPTH});
        assert_int_equal(search_result(s, 0).depth == DEPTH, !completed);
        search_destroy(s);
        end(&w);
    }
}

#include "test_remote_ranks_list.h"
