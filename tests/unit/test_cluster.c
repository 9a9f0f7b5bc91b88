/* SPDX-License-Identifier: MIT */
/* The distributed table over a simulated network that delays, reorders, loses and damages messages. */
#include "unit.h"

#include "base/random.h"
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

static ClusterRanks *create(SimulatedNetworkOptions network, TabiaRecordType type) {
    return create_with_odd_rank(network, (TabiaOptions){.type = type}, (OddRank){0});
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

/* What one rank stores, all others find by a batch, and after that in their own tables. */
static void counts_are_found_from_everywhere(void **state) {
    enum { N = 1000 };
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 4, .seed = 1, .delay = 1e-4}, TABIA_COUNTS);
    static TabiaKey keys[N];
    for (unsigned i = 0; i < N; i++) {
        keys[i] = key_number(i);
        tabia_cluster_counts_store(w->cluster[i % 4], keys[i], 3 + i % 2, 100 + i);
    }
    poll_all(w, 1000);
    for (unsigned r = 0; r < 4; r++)
        for (unsigned depth = 3; depth < 5; depth++) {
            TabiaClusterBatch batch;
            static uint64_t counts[N];
            tabia_cluster_counts_probe_batch(w->cluster[r], &batch, keys, depth, counts, N);
            while (!tabia_cluster_batch_done(w->cluster[r], &batch)) poll_all(w, 1);
            for (unsigned i = 0; i < N; i++) {
                assert_int_equal(counts[i], 3 + i % 2 == depth ? 100 + i : 0);
                assert_int_equal(tabia_counts_probe(w->table[r], keys[i], depth), counts[i]);
            }
        }
    const TabiaClusterCounters sum = sum_counters(w);
    assert_int_equal(
        sum.corrupt_messages + sum.corrupt_entries + sum.timed_out_probes + sum.dropped_probes + sum.dropped_stores, 0);
    assert_true(sum.remote_hits > N && sum.remote_hits == sum.served_hits && sum.remote_probes == sum.served_probes);
    destroy(w);
}

/* An entry that another rank stored is found by the second probe; below the depths nothing is sent. */
static void entries_arrive_for_the_next_probe(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 3, .seed = 2, .delay = 1e-4}, TABIA_ENTRIES);
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
    destroy(w);
}

/* A remote probe makes an entry as fresh as a store. */
static void a_remote_probe_refreshes(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 3}, TABIA_ENTRIES);
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

/* ---- what the owner refuses ---- */

enum { SLOTS = 4, STORED = SLOTS + 1, REFUSED = SLOTS, DEEP = 5 };

/* Two ranks, each with a table of one bucket. */
static ClusterRanks *create_buckets(TabiaRecordType type, TabiaReplacement rule) {
    const TabiaOptions table = {.bytes = 64, .type = type, .replacement = rule, .counters = true};
    return create_with_odd_rank((SimulatedNetworkOptions){.ranks = 2, .seed = 8}, table, (OddRank){0});
}

/* Rank 0 stores what rank 1 owns, one after the other, priorities[STORED - 1] into a full bucket. Which of them rank 1
   has lost: REFUSED, if the last one. */
static unsigned lost_by_owner(ClusterRanks *w, TabiaRecordType type, const unsigned priorities[STORED]) {
    TabiaKey keys[STORED];
    unsigned lost = 0, sum = 0;
    for (uint64_t n = 0, found = 0; found < STORED; n++) {
        const TabiaKey key = key_number(n);
        const unsigned owner = type == TABIA_COUNTS ? tabia_cluster_counts_owner(w->cluster[0], key, DEEP)
                                                    : tabia_cluster_owner(w->cluster[0], key);
        if (owner == 1) keys[found++] = key;
    }
    for (unsigned i = 0; i < STORED; i++) {
        const TabiaEntry e = {.move = 1, .draft = (uint8_t)priorities[i], .bound = TABIA_BOUND_LOWER};
        if (type == TABIA_COUNTS)
            tabia_cluster_counts_store(w->cluster[0], keys[i], DEEP, priorities[i]);
        else
            tabia_cluster_entry_store(w->cluster[0], keys[i], 0, e, DEEP);
        poll_all(w, 1000);
    }
    for (unsigned i = 0; i < STORED; i++) {
        const bool known = type == TABIA_COUNTS ? tabia_counts_probe(w->table[1], keys[i], DEEP) == priorities[i]
                                                : tabia_entry_probe(w->table[1], keys[i], 0).move_ok;
        if (!known) lost = i, sum++;
    }
    assert_int_equal(sum, 1);
    return lost;
}

/* What a rank sends to the owner is stored there by the rule of the owner's table, which may refuse it. */
static void owners_refuse_by_the_rule(void **state) {
    static const struct {
        TabiaReplacement rule;
        unsigned lost[2][3]; /* of the cases below: entries, counts */
    } rules[] = {
        {TABIA_REPLACE_ALWAYS, {{3, 3, 0}, {3, 3, 0}}},
        {TABIA_REPLACE_DEPTH_AND_AGE, {{REFUSED, 3, REFUSED}, {0, 0, 0}}},
    };
    static const unsigned cases[3][STORED] = {{40, 30, 20, 10, 5}, {40, 30, 20, 10, 25}, {10, 20, 30, 40, 5}};
    for (TabiaRecordType type = TABIA_ENTRIES; type <= TABIA_COUNTS; type++)
        for (unsigned r = 0; r < sizeof rules / sizeof *rules; r++)
            for (unsigned i = 0; i < 3; i++) {
                ClusterRanks *w = create_buckets(type, rules[r].rule);
                const unsigned lost = lost_by_owner(w, type, cases[i]);
                TabiaCounters counters;
                tabia_table_counters(w->table[1], &counters);
                assert_int_equal(lost, rules[r].lost[type][i]);
                assert_int_equal(counters.stores, STORED);
                assert_int_equal(counters.refused, lost == REFUSED);
                destroy(w);
            }
}

/* Every damaged message is seen; no wrong count ever comes out. */
static void damage_is_detected(void **state) {
    enum { N = 400 };
    ClusterRanks *w =
        create((SimulatedNetworkOptions){.ranks = 3, .seed = 4, .delay = 1e-4, .damaged = 100000, .duplicated = 50000},
               TABIA_COUNTS);
    static TabiaKey keys[N];
    static uint64_t counts[N];
    unsigned found = 0;
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned i = 0; i < N; i++) {
            keys[i] = key_number(round * N + i);
            tabia_cluster_counts_store(w->cluster[i % 3], keys[i], 3, round * N + i + 1);
        }
        poll_all(w, 500);
        TabiaClusterBatch batch;
        tabia_cluster_counts_probe_batch(w->cluster[round % 3], &batch, keys, 3, counts, N);
        while (!tabia_cluster_batch_done(w->cluster[round % 3], &batch)) poll_all(w, 1);
        for (unsigned i = 0; i < N; i++) {
            assert_true(counts[i] == 0 || counts[i] == round * N + i + 1);
            found += counts[i] != 0;
        }
    }
    poll_all(w, 500);
    assert_true(simulated_network_counters(w->net).damaged > 100);
    assert_int_equal(sum_counters(w).corrupt_messages, simulated_network_counters(w->net).damaged);
    assert_true(found > 200 * N * 6 / 10);
    destroy(w);
}

/* A rank that has died costs its shard: requests to it time out once, then none are sent. */
static void a_dead_rank_is_a_miss(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 5}, TABIA_COUNTS);
    TabiaKey keys[64];
    uint64_t counts[64];
    for (unsigned i = 0; i < 64; i++) keys[i] = key_number(i);
    simulated_network_kill(w->net, 1);
    TabiaClusterBatch batch;
    tabia_cluster_counts_probe_batch(w->cluster[0], &batch, keys, 3, counts, 64);
    assert_true(batch.pending > 10 && tabia_cluster_alive(w->cluster[0], 1));
    while (!tabia_cluster_batch_done(w->cluster[0], &batch)) tabia_cluster_poll(w->cluster[0]);
    assert_false(tabia_cluster_alive(w->cluster[0], 1));
    tabia_cluster_counts_probe_batch(w->cluster[0], &batch, keys, 3, counts, 64);
    assert_int_equal(batch.pending, 0);
    assert_true(sum_counters(w).timed_out_probes > 10 &&
                sum_counters(w).dropped_probes == sum_counters(w).timed_out_probes);
    destroy(w);
}

static int verdict(ClusterRanks *w, unsigned rank, TabiaError *error) {
    int ready = 0;
    for (unsigned i = 0; i < 200000 && !(ready = tabia_cluster_ready(w->cluster[rank], error)); i++) poll_all(w, 1);
    return ready;
}

static void ranks_must_agree(void **state) {
    static const struct {
        TabiaRecordType type;
        OddRank odd;
        const char *said;
    } differences[] = {
        {TABIA_COUNTS, {.configuration = "keys 2"}, "rank 2 has \"keys 2"},
        {TABIA_COUNTS, {.bytes = 1 << 21}, "2097152 bytes"},
        {TABIA_ENTRIES, {.identity = 0x51a}, "entries of identity 51a"},
        {TABIA_ENTRIES, {.replacement = TABIA_REPLACE_DEPTH_AND_AGE}, "rank 2 has \"replacement rule 3"},
    };
    TabiaError error[RANKS_MAX] = {0};
    const SimulatedNetworkOptions network = {.ranks = 3, .seed = 6, .delay = 1e-4, .lost = 300000};
    ClusterRanks *w = create(network, TABIA_COUNTS);
    for (unsigned r = 0; r < 3; r++) assert_int_equal(verdict(w, r, error), 1);
    destroy(w);
    for (unsigned i = 0; i < sizeof differences / sizeof *differences; i++) {
        w = create_with_odd_rank((SimulatedNetworkOptions){.ranks = 3, .seed = 6},
                                 (TabiaOptions){.type = differences[i].type}, differences[i].odd);
        for (unsigned r = 0; r < 3; r++) {
            assert_int_equal(verdict(w, r, &error[r]), TABIA_ERROR_FOREIGN);
            assert_non_null(strstr(error[r].text, differences[i].said));
        }
        destroy(w);
    }
    w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 6}, TABIA_COUNTS);
    simulated_network_kill(w->net, 1);
    assert_int_equal(verdict(w, 0, error), TABIA_ERROR_SYSTEM);
    assert_non_null(strstr(error[0].text, "rank 1 has not answered"));
    destroy(w);
}

static void programs_send_messages(void **state) {
    ClusterRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 7}, TABIA_COUNTS);
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

static void a_table_and_a_transport_are_needed(void **state) {
    TabiaError error;
    TabiaTable *table, *records;
    TabiaCluster *cluster = (TabiaCluster *)&error;
    const TabiaOptions options = {.bytes = 1 << 12};
    const TabiaClusterOptions cluster_options = {0};
    SimulatedNetwork *net = simulated_network_create((SimulatedNetworkOptions){.ranks = 1}, &error);
    TabiaTransport *transport = simulated_network_rank(net, 0);
    assert_int_equal(tabia_table_create(&table, &options, &error), 0);
    assert_int_equal(tabia_cluster_create(&cluster, transport, NULL, &cluster_options, &error), TABIA_ERROR_OPTION);
    assert_null(cluster);
    assert_int_equal(strncmp(error.text, "table: NULL", 11), 0);
    assert_int_equal(tabia_cluster_create(&cluster, NULL, table, &cluster_options, &error), TABIA_ERROR_OPTION);
    assert_int_equal(strncmp(error.text, "transport: NULL", 15), 0);
    assert_int_equal(tabia_cluster_create(&cluster, NULL, NULL, &cluster_options, NULL), TABIA_ERROR_OPTION);
    assert_int_equal(tabia_table_create(&records, &(TabiaOptions){.bytes = 1 << 12, .type = TABIA_RECORDS}, &error), 0);
    assert_int_equal(tabia_cluster_create(&cluster, transport, records, &cluster_options, &error), TABIA_ERROR_OPTION);
    assert_string_equal(error.text, "type: a table of records cannot be distributed");
    tabia_table_destroy(records);
    tabia_table_destroy(table);
    simulated_network_destroy(net);
}

#include "test_cluster_list.h"
