/* SPDX-License-Identifier: MIT */
/* Claims that ranks tell each other, over a simulated network that delays, reorders and damages messages. */
#include "unit.h"

#include "base/random.h"
#include "cluster/transport_simulated.h"

enum { RANKS_MAX = 3 };
static const double LEASE = 10; /* seconds of the simulated clock */

/* Ranks of one simulated network, each with a table of entries and one of claims. */
typedef struct {
    SimulatedNetwork *net;
    unsigned ranks;
    TabiaTable *table[RANKS_MAX], *claims[RANKS_MAX];
    TabiaCluster *cluster[RANKS_MAX];
} ClaimRanks;

static void poll_all(ClaimRanks *w, unsigned times) {
    while (times--)
        for (unsigned r = 0; r < w->ranks; r++) tabia_cluster_poll(w->cluster[r]);
}

static ClaimRanks *create(SimulatedNetworkOptions network) {
    ClaimRanks *w = calloc(1, sizeof *w);
    TabiaError error;
    assert_non_null(w);
    w->ranks = network.ranks;
    w->net = simulated_network_create(network, &error);
    assert_non_null(w->net);
    for (unsigned r = 0; r < w->ranks; r++) {
        const TabiaOptions entries = {.bytes = 1 << 16, .threads = 1};
        const TabiaOptions claims = {.bytes = 1 << 16, .threads = 1, .type = TABIA_CLAIMS};
        assert_int_equal(tabia_table_create(&w->table[r], &entries, &error), 0);
        assert_int_equal(tabia_table_create(&w->claims[r], &claims, &error), 0);
        const TabiaClusterOptions o = {.claims = w->claims[r], .claim_lease = LEASE};
        TabiaTransport *transport = simulated_network_rank(w->net, r);
        assert_int_equal(tabia_cluster_create(&w->cluster[r], transport, w->table[r], &o, &error), 0);
    }
    return w;
}

static void destroy(ClaimRanks *w) {
    for (unsigned r = 0; r < w->ranks; r++) {
        tabia_cluster_destroy(w->cluster[r]);
        tabia_table_destroy(w->table[r]);
        tabia_table_destroy(w->claims[r]);
    }
    simulated_network_destroy(w->net);
    free(w);
}

static TabiaKey key_number(uint64_t n) {
    uint64_t state = n * 7919;
    const uint64_t index = random_next(&state);
    return (TabiaKey){index, random_next(&state)};
}

static uint64_t claim_time(const ClaimRanks *w, unsigned rank) {
    return (uint64_t)(tabia_cluster_now(w->cluster[rank]) * 1e6);
}

static TabiaClaim claim_at(const ClaimRanks *w, unsigned rank, uint64_t n) {
    return tabia_claim_check(w->claims[rank], key_number(n), claim_time(w, rank), (uint64_t)(LEASE * 1e6));
}

static void other_ranks_hear_of_claims(void **state) {
    (void)state;
    ClaimRanks *w = create((SimulatedNetworkOptions){.ranks = 3, .seed = 5, .delay = 1e-4});
    const TabiaEntry entry = {.move = 7, .draft = 9, .bound = TABIA_BOUND_EXACT};
    tabia_cluster_claim_broadcast(w->cluster[0], key_number(1), 12, 400);
    tabia_cluster_claim_broadcast(w->cluster[0], key_number(2), 9999, 65535);
    tabia_cluster_entry_broadcast(w->cluster[0], key_number(1), UINT64_MAX, entry);
    const uint64_t before = claim_time(w, 1);
    poll_all(w, 1000);
    for (unsigned r = 1; r < 3; r++) {
        const TabiaClaim c = claim_at(w, r, 1), deep = claim_at(w, r, 2);
        assert_int_equal(c.worker, 400);
        assert_int_equal(c.depth, 12);
        assert_in_range(c.since, before, claim_time(w, r)); /* when it arrived */
        assert_int_equal(deep.worker, 65535);
        assert_int_equal(deep.depth, 255);
        assert_int_equal(claim_at(w, r, 3).worker, 0);
        assert_int_equal(tabia_entry_probe(w->table[r], key_number(1), UINT64_MAX).entry.move,
                         7);                                                    /* an entry is none */
        assert_false(tabia_entry_probe(w->table[r], key_number(2), 0).move_ok); /* and a claim is no entry */
    }
    assert_int_equal(claim_at(w, 0, 1).worker, 0); /* its own is the caller's to make */
    tabia_cluster_release_broadcast(w->cluster[0], key_number(1), 400);
    tabia_cluster_release_broadcast(w->cluster[0], key_number(2), 400); /* of another worker */
    poll_all(w, 1000);
    for (unsigned r = 1; r < 3; r++) {
        assert_int_equal(claim_at(w, r, 1).worker, 0);
        assert_int_equal(claim_at(w, r, 2).worker, 65535);
    }
    destroy(w);
}

/* What is damaged on the way is dropped with its message. */
static void damaged_claims_are_nobodys(void **state) {
    (void)state;
    enum { N = 300 };
    ClaimRanks *w = create((SimulatedNetworkOptions){.ranks = 2, .seed = 9, .damaged = 500000});
    unsigned arrived = 0;
    for (unsigned i = 0; i < N; i++) {
        tabia_cluster_claim_broadcast(w->cluster[0], key_number(i), i % 200, (uint16_t)(i + 1));
        tabia_cluster_flush(w->cluster[0]);
        poll_all(w, 3);
    }
    poll_all(w, 1000);
    for (unsigned i = 0; i < N; i++) {
        const TabiaClaim c = claim_at(w, 1, i);
        if (!c.worker) continue;
        assert_int_equal(c.worker, i + 1);
        assert_int_equal(c.depth, i % 200);
        arrived++;
    }
    assert_in_range(arrived, N / 4, N * 3 / 4);
    destroy(w);
}

static void claims_go_with_entries(void **state) {
    (void)state;
    TabiaError error;
    SimulatedNetwork *net = simulated_network_create((SimulatedNetworkOptions){.ranks = 1}, &error);
    for (TabiaRecordType type = TABIA_ENTRIES; type <= TABIA_CLAIMS; type++)
        for (TabiaRecordType beside = TABIA_ENTRIES; beside <= TABIA_CLAIMS; beside++) {
            const TabiaOptions t = {.bytes = 1 << 12, .type = type}, b = {.bytes = 1 << 12, .type = beside};
            TabiaTable *table, *claims;
            TabiaCluster *cluster;
            assert_int_equal(tabia_table_create(&table, &t, NULL) | tabia_table_create(&claims, &b, NULL), 0);
            const bool good = type == TABIA_ENTRIES && beside == TABIA_CLAIMS;
            const TabiaClusterOptions o = {.claims = claims};
            const int code = tabia_cluster_create(&cluster, simulated_network_rank(net, 0), table, &o, &error);
            assert_int_equal(code, good ? 0 : TABIA_ERROR_OPTION);
            tabia_cluster_destroy(cluster);
            tabia_table_destroy(table);
            tabia_table_destroy(claims);
        }
    simulated_network_destroy(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_ranks_hear_of_claims),
        cmocka_unit_test(damaged_claims_are_nobodys),
        cmocka_unit_test(claims_go_with_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
