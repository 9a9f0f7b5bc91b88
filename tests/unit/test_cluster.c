/* SPDX-License-Identifier: MIT */
/* The distributed table over a simulated network that delays, reorders, loses and damages messages. */
#include "unit.h"

#include "base/random.h"
#include "cluster/cluster_internal.h"
#include "cluster/transport_simulated.h"

enum { RANKS_MAX = 5 };

/* Ranks of one simulated network, each with its table. */
typedef struct {
    SimulatedNetwork *net;
    unsigned ranks;
    TabiaTable *table[RANKS_MAX];
    TabiaCluster *cluster[RANKS_MAX];
    unsigned received, last_tag, last_source;
    char last[100];
} ClusterRanks;

static void receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n) {
    ClusterRanks *w = context;
    w->received++, w->last_source = source, w->last_tag = tag;
    memcpy(w->last, bytes, n < sizeof w->last ? n : sizeof w->last);
}

static void poll_all(ClusterRanks *w, unsigned times) {
    while (times--)
        for (unsigned r = 0; r < w->ranks; r++) tabia_cluster_poll(w->cluster[r]);
}

/* In what the last rank differs from the others. */
typedef struct {
    const char *configuration;
    uint64_t bytes, identity;
    TabiaReplacement replacement;
} OddRank;

static ClusterRanks *create_with_odd_rank(SimulatedNetworkOptions network, TabiaOptions table, OddRank last) {
    ClusterRanks *w = calloc(1, sizeof *w);
    TabiaError error;
    assert_non_null(w);
    w->ranks = network.ranks;
    w->net = simulated_network_create(network, &error);
    assert_non_null(w->net);
    for (unsigned r = 0; r < w->ranks; r++) {
        const bool odd = r == w->ranks - 1;
        TabiaOptions t = table;
        t.threads = 1;
        t.bytes = odd && last.bytes ? last.bytes : table.bytes ? table.bytes : 1 << 20;
        if (odd) t.identity = last.identity;
        if (odd && last.replacement) t.replacement = last.replacement;
        const TabiaClusterOptions o = {.configuration = odd && last.configuration ? last.configuration : "keys 1",
                                       .probe_depth = 3,
                                       .store_depth = 3,
                                       .timeout = 0.05,
                                       .handshake_timeout = 0.05,
                                       .receive = receive,
                                       .context = w};
        assert_int_equal(tabia_table_create(&w->table[r], &t, &error), 0);
        assert_int_equal(
            tabia_cluster_create(&w->cluster[r], simulated_network_rank(w->net, r), w->table[r], &o, &error), 0);
    }
    return w;
}

static ClusterRanks *create(SimulatedNetworkOptions network) {
    return create_with_odd_rank(network, (TabiaOptions){0}, (OddRank){0});
}

static void destroy(ClusterRanks *w) {
    for (unsigned r = 0; r < w->ranks; r++) {
        tabia_cluster_destroy(w->cluster[r]);
        tabia_table_destroy(w->table[r]);
    }
    simulated_network_destroy(w->net);
    free(w);
}

static TabiaKey key_number(uint64_t n) {
    uint64_t state = n * 7919;
    const uint64_t index = random_next(&state);
    return (TabiaKey){index, random_next(&state)};
}

static TabiaClusterCounters sum_counters(const ClusterRanks *w) {
    TabiaClusterCounters sum = {0};
    for (unsigned r = 0; r < w->ranks; r++) {
        TabiaClusterCounters one;
        tabia_cluster_counters(w->cluster[r], &one);
#define ADD(name, text) sum.name += one.name;
        TABIA_CLUSTER_COUNTERS(ADD)
#undef ADD
    }
    return sum;
}

/* An entry that another rank stored is found by the second probe; below the depths nothing is sent. */
static void entries_arrive_for_the_next_probe(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 3, .seed = 2, .delay = 1e-4});
    unsigned first = 0, second = 0;
    for (unsigned i = 0; i < 300; i++) {
        const TabiaEntry e = {.move = (uint16_t)(i + 1), .score = (int16_t)-i, .draft = 9, .bound = TABIA_BOUND_EXACT};
        tabia_cluster_entry_store(w->cluster[0], key_number(i), i, e, 9);
        tabia_cluster_entry_store(w->cluster[0], key_number(1000 + i), i, e, 2);
    }
    poll_all(w, 1000);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 300; i++) {
            const TabiaHit hit = tabia_cluster_entry_probe(w->cluster[1], key_number(i), i, 5);
            if (round)
                assert_true(hit.move_ok && hit.score_ok && hit.entry.move == i + 1 && hit.entry.score == -(int)i);
            *(round ? &second : &first) += hit.move_ok;
            const bool is_there = tabia_cluster_owner(w->cluster[1], key_number(1000 + i)) == 0; /* who stored it */
            const TabiaHit shallow = tabia_cluster_entry_probe(w->cluster[1], key_number(1000 + i), i, 5);
            assert_int_equal(shallow.move_ok, round && is_there);
        }
        poll_all(w, 1000);
    }
    assert_int_equal(second, 300);
    assert_true(first > 50 && first < 150); /* those that rank 1 owns */
    assert_false(tabia_cluster_entry_probe(w->cluster[2], key_number(7), 7, 2).move_ok &&
                 tabia_cluster_owner(w->cluster[2], key_number(7)) != 2);
    const TabiaClusterCounters sum = sum_counters(w);
    assert_int_equal(
        sum.corrupt_messages + sum.corrupt_entries + sum.timed_out_probes + sum.dropped_probes + sum.dropped_stores, 0);
    assert_true(sum.remote_hits > 150 && sum.remote_hits == sum.served_hits && sum.remote_probes == sum.served_probes);
    destroy(w);
}

/* A remote probe makes an entry as fresh as a store. */
static void a_remote_probe_refreshes(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 3});
    uint64_t n = 0;
    while (tabia_cluster_owner(w->cluster[0], key_number(n)) != 1) n++;
    const TabiaKey key = key_number(n);
    tabia_entry_store(w->table[1], key, 0, (TabiaEntry){.move = 5, .draft = 4, .bound = TABIA_BOUND_LOWER});
    tabia_table_new_generation(w->table[1]);
    assert_int_equal(tabia_entry_age(w->table[1], tabia_entry_probe(w->table[1], key, 0)), 1);
    tabia_cluster_entry_request(w->cluster[0], key, 4);
    poll_all(w, 1000);
    assert_int_equal(tabia_entry_probe(w->table[0], key, 0).entry.move, 5);
    assert_int_equal(tabia_entry_age(w->table[1], tabia_entry_probe(w->table[1], key, 0)), 0);
    destroy(w);
}

static TabiaEntry entry_number(unsigned n) {
    return (TabiaEntry){
        .move = (uint16_t)(n + 1), .score = (int16_t)(n % 1000), .draft = 3, .bound = TABIA_BOUND_EXACT};
}

/* A message of another program, whose checksum is right. */
static void stores_have_their_length(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 6});
    const ClusterMessage m = {.header = {.items = 2}};
    for (unsigned words = 7; words <= 9; words++) tabia_shard_apply_stores(w->cluster[0], &m, words);
    assert_int_equal(sum_counters(w).corrupt_messages, 2);
    assert_int_equal(sum_counters(w).served_stores, 2);
    destroy(w);
}

/* The slot of a request that timed out has another one when the reply comes. */
static void late_replies_are_ignored(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 7});
    TabiaCluster *c = w->cluster[0];
    const uint64_t far = UINT64_MAX; /* its owner is rank 1 */
    ClusterMessage late = {.header = {.items = 1}};
    for (unsigned i = 0; i < 2; i++) {
        tabia_cluster_entry_request(c, (TabiaKey){far, 1 + ((uint64_t)i << 20)}, 9);
        tabia_request_flush(c, 1);
        if (!i) late.header.id = c->requests.free[c->requests.free_n];
        if (!i) tabia_request_expire(c, 1, 1);
        c->peer[1].dead = false;
    }
    assert_int_equal(c->peer[1].unanswered, 1);
    tabia_request_reply(c, 1, &late, 1);
    assert_int_equal(sum_counters(w).stale_replies, 1);
    assert_int_equal(c->peer[1].unanswered, 1);
    late.header.id |= 1 << 16;
    tabia_request_reply(c, 1, &late, 1);
    assert_int_equal(c->peer[1].unanswered, 0);
    destroy(w);
}

/* A rank that has died costs its shard: requests to it time out once, then none are sent. */
static void a_dead_rank_is_a_miss(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 5});
    simulated_network_kill(w->net, 1);
    for (unsigned round = 0; round < 2; round++) {
        assert_int_equal(tabia_cluster_alive(w->cluster[0], 1), round == 0);
        for (unsigned i = 0; i < 64; i++)
            assert_false(tabia_cluster_entry_probe(w->cluster[0], key_number(i), 0, 3).move_ok);
        poll_all(w, 200000); /* more than the timeout */
    }
    const TabiaClusterCounters sum = sum_counters(w);
    assert_true(sum.timed_out_probes > 10 && sum.remote_probes == sum.timed_out_probes);
    assert_int_equal(sum.dropped_probes, sum.timed_out_probes);
    destroy(w);
}

static int verdict(ClusterRanks *w, unsigned rank, TabiaError *error) {
    int ready = 0;
    for (unsigned i = 0; i < 200000 && !(ready = tabia_cluster_ready(w->cluster[rank], error)); i++) poll_all(w, 1);
    return ready;
}

static void ranks_must_agree(void **state) {
    static const struct {
        OddRank odd;
        const char *said;
    } differences[] = {
        {{.configuration = "keys 2"}, "rank 2 has \"keys 2"},
        {{.bytes = 1 << 21}, "2097152 bytes"},
        {{.identity = 0x51a}, "entries of identity 51a"},
        {{.replacement = TABIA_REPLACE_DEPTH_AND_AGE}, "rank 2 has \"replacement rule 3"},
    };
    TabiaError error[RANKS_MAX] = {0};
    const SimulatedNetworkOptions network = {.ranks = 3, .seed = 6, .delay = 1e-4, .lost = 300000};
    ClusterRanks *w = create(network);
    for (unsigned r = 0; r < 3; r++) assert_int_equal(verdict(w, r, error), 1);
    destroy(w);
    for (unsigned i = 0; i < sizeof differences / sizeof *differences; i++) {
        w = create_with_odd_rank((SimulatedNetworkOptions){.ranks = 3, .seed = 6}, (TabiaOptions){0},
                                 differences[i].odd);
        for (unsigned r = 0; r < 3; r++) {
            assert_int_equal(verdict(w, r, &error[r]), TABIA_ERROR_FOREIGN);
            assert_non_null(strstr(error[r].text, differences[i].said));
        }
        destroy(w);
    }
    w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 6});
    simulated_network_kill(w->net, 1);
    assert_int_equal(verdict(w, 0, error), TABIA_ERROR_SYSTEM);
    assert_non_null(strstr(error[0].text, "rank 1 has not answered"));
    destroy(w);
}

static void programs_send_messages(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 7});
    assert_true(tabia_cluster_send(w->cluster[1], 0, 42, "hello", 6));
    poll_all(w, 1);
    assert_int_equal(w->received, 1);
    assert_int_equal(w->last_tag, 42);
    assert_int_equal(w->last_source, 1);
    assert_string_equal(w->last, "hello");
    assert_true(tabia_cluster_send(w->cluster[1], 1, 3, "self", 5));
    assert_int_equal(w->received, 2);
    destroy(w);
}

/* Without a table the program's messages go all the same, and what is for a table is passed over. */
static void a_table_may_be_missing(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 9});
    const TabiaClusterOptions options = {.receive = receive, .context = w};
    tabia_cluster_destroy(w->cluster[1]);
    assert_int_equal(tabia_cluster_create(&w->cluster[1], simulated_network_rank(w->net, 1), NULL, &options, NULL), 0);
    for (unsigned i = 0; i < 64; i++) {
        tabia_cluster_entry_store(w->cluster[0], key_number(i), 0, entry_number(i), 3);
        tabia_cluster_entry_request(w->cluster[0], key_number(i), 3);
    }
    assert_true(tabia_cluster_send(w->cluster[0], 1, 42, "hello", 6));
    poll_all(w, 1000);
    assert_int_equal(w->received, 1);
    const TabiaClusterCounters sum = sum_counters(w);
    assert_true(sum.remote_probes > 10 && sum.remote_stores > 10);
    assert_int_equal(sum.served_probes + sum.served_stores + sum.corrupt_messages, 0);
    destroy(w);
}

static void what_cannot_be_distributed_is_refused(void **state) {
    static const struct {
        TabiaOptions options;
        const char *said;
    } tables[] = {
        {{.bytes = 1 << 12, .type = TABIA_RECORDS}, "type: a table of records cannot be distributed"},
        {{.bytes = 1 << 12, .partitions = 2}, "a whole of 2 partitions cannot be distributed"},
        {{.bytes = 1 << 12, .type = TABIA_COUNTS}, "type: a table of counts cannot be distributed"},
    };
    TabiaError error;
    TabiaTable *table;
    TabiaCluster *cluster = (TabiaCluster *)&error;
    SimulatedNetwork *net = simulated_network_create((SimulatedNetworkOptions){.ranks = 1}, &error);
    assert_int_equal(tabia_cluster_create(&cluster, NULL, NULL, NULL, &error), TABIA_ERROR_OPTION);
    assert_null(cluster);
    assert_int_equal(strncmp(error.text, "transport: NULL", 15), 0);
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_int_equal(tabia_table_create(&table, &tables[i].options, &error), 0);
        assert_int_equal(tabia_cluster_create(&cluster, simulated_network_rank(net, 0), table, NULL, &error),
                         TABIA_ERROR_OPTION);
        assert_string_equal(error.text, tables[i].said);
        tabia_table_destroy(table);
    }
    simulated_network_destroy(net);
}

#include "test_cluster_list.h"
