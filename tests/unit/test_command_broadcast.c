/* SPDX-License-Identifier: MIT */
/* The stream of broadcast: whole, in order and once at every rank, over nets that lose, double, damage and reorder. */
#include "unit.h"

#include "base/random.h"
#include "cluster/transport_simulated.h"
#include "distributed/engine/command_broadcast.h"

enum { RANKS_MAX = 80, TAG_COMMAND = 3, TAG_ACKNOWLEDGE = 4, LINES = 400 };

typedef struct {
    unsigned ranks;
    SimulatedNetwork *net;
    TabiaCluster *cluster[RANKS_MAX];
    CommandBroadcast broadcast[RANKS_MAX];
    char *received[RANKS_MAX];
    size_t received_n[RANKS_MAX], received_capacity[RANKS_MAX];
    char *sent;
    size_t sent_n, sent_capacity;
} BroadcastRanks;

/* One of these for each rank, so that a message knows whose it is. */
typedef struct {
    BroadcastRanks *ranks_of;
    unsigned rank;
} RankContext;

static void receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n) {
    const RankContext *p = context;
    CommandBroadcast *o = &p->ranks_of->broadcast[p->rank];
    (tag == TAG_COMMAND ? broadcast_receive_command : broadcast_receive_acknowledge)(o, source, bytes, n);
}

static void append(char **text, size_t *n, size_t *room, const char *more, size_t length) {
    if (!length) return;
    if (*n + length > *room) *text = realloc(*text, *room = 2 * (*n + length));
    memcpy(*text + *n, more, length);
    *n += length;
}

static void begin(BroadcastRanks *w, RankContext *contexts, SimulatedNetworkOptions network) {
    *w = (BroadcastRanks){.ranks = network.ranks};
    w->net = simulated_network_create(network, NULL);
    assert_non_null(w->net);
    for (unsigned r = 0; r < w->ranks; r++) {
        contexts[r] = (RankContext){w, r};
        const TabiaClusterOptions options = {.receive = receive, .context = &contexts[r], .timeout = 1};
        assert_int_equal(tabia_cluster_create(&w->cluster[r], simulated_network_rank(w->net, r), NULL, &options, NULL),
                         0);
        broadcast_init(&w->broadcast[r], w->cluster[r], (BroadcastTags){TAG_COMMAND, TAG_ACKNOWLEDGE}, 5);
    }
}

static void end(BroadcastRanks *w) {
    for (unsigned r = 0; r < w->ranks; r++) {
        broadcast_release(&w->broadcast[r]);
        tabia_cluster_destroy(w->cluster[r]);
        free(w->received[r]);
    }
    free(w->sent);
    simulated_network_destroy(w->net);
}

static void send_line(BroadcastRanks *w, unsigned length) {
    char line[6000];
    memset(line, 'a' + (int)(length % 26), length);
    line[length] = '\n';
    append(&w->sent, &w->sent_n, &w->sent_capacity, line, length + 1);
    broadcast_append(&w->broadcast[0], line, length + 1);
}

static void poll_all(BroadcastRanks *w, unsigned dead) {
    for (unsigned r = 0; r < w->ranks; r++) {
        size_t n;
        if (r == dead) continue;
        tabia_cluster_poll(w->cluster[r]);
        broadcast_progress(&w->broadcast[r]);
        const char *text = broadcast_unread(&w->broadcast[r], &n);
        append(&w->received[r], &w->received_n[r], &w->received_capacity[r], text, r ? n : 0);
        broadcast_consume(&w->broadcast[r], r ? n : 0);
    }
}

static bool all_arrived(const BroadcastRanks *w, unsigned dead) {
    for (unsigned r = 1; r < w->ranks; r++)
        if (r != dead && broadcast_parent(r) != dead && w->received_n[r] < w->sent_n) return false;
    return true;
}

static void run(BroadcastRanks *w, unsigned dead) {
    uint64_t random = 7;
    for (unsigned i = 0; i < LINES; i++) {
        send_line(w, random_below(&random, 30) ? random_below(&random, 100) : random_below(&random, 5999));
        poll_all(w, dead);
    }
    for (unsigned i = 0; i < 200000 && !all_arrived(w, dead); i++) poll_all(w, dead);
}

static void check_received(const BroadcastRanks *w, unsigned dead) {
    for (unsigned r = 1; r < w->ranks; r++) {
        if (r == dead || broadcast_parent(r) == dead) continue;
        assert_int_equal(w->received_n[r], w->sent_n);
        assert_memory_equal(w->received[r], w->sent, w->sent_n);
    }
}

static void text_arrives_at_all_ranks(void **state) {
    static const unsigned sizes[] = {2, 9, 80};
    for (unsigned i = 0; i < 3; i++) {
        BroadcastRanks w;
        RankContext contexts[RANKS_MAX];
        begin(&w, contexts,
              (SimulatedNetworkOptions){.ranks = sizes[i],
                                        .seed = 5 + i,
                                        .delay = 1e-3,
                                        .step = 1e-5,
                                        .lost = 50000,
                                        .duplicated = 50000,
                                        .damaged = 20000});
        run(&w, RANKS_MAX);
        check_received(&w, RANKS_MAX);
        for (unsigned round = 0; round < 20000 && !broadcast_is_delivered(&w.broadcast[0]); round++)
            poll_all(&w, RANKS_MAX);
        assert_true(broadcast_is_delivered(&w.broadcast[0]));
        assert_int_equal(broadcast_lost(&w.broadcast[0]), 0);
        assert_true(simulated_network_counters(w.net).lost && simulated_network_counters(w.net).damaged);
        end(&w);
    }
}

/* Says a line every `pause` seconds; no rank may be behind by more than so many lines. */
static void keeps_up(SimulatedNetworkOptions network, double pause, unsigned behind) {
    enum { LINES_SENT = 300 };
    size_t sent[LINES_SENT];
    BroadcastRanks w;
    RankContext contexts[RANKS_MAX];
    begin(&w, contexts, network);
    for (unsigned i = 0; i < LINES_SENT; i++) {
        send_line(&w, 20 + i % 50);
        sent[i] = w.sent_n;
        for (const double until = tabia_cluster_now(w.cluster[0]) + pause; tabia_cluster_now(w.cluster[0]) < until;)
            poll_all(&w, RANKS_MAX);
        assert_true(i < behind || w.received_n[1] >= sent[i - behind]);
    }
    assert_true(!network.lost || simulated_network_counters(w.net).lost > 20);
    end(&w);
}

/* Text that comes all the time, as in a game of short moves, does not put off what was lost or overtaken. */
static void loss_is_repaired_under_load(void **state) {
    keeps_up((SimulatedNetworkOptions){.ranks = 2, .seed = 8, .step = 1e-5, .delay = 1e-4, .lost = 100000}, 0.02, 10);
}

static void overtaken_segments_are_sent_again_at_once(void **state) {
    keeps_up((SimulatedNetworkOptions){.ranks = 2, .seed = 9, .step = 1e-5, .delay = 2e-3}, 5e-4,
             40); /* not after 100 */
}

/* A rank that is dead holds nobody up but those behind it, and its text is not kept. */
static void dead_ranks_do_not_block_others(void **state) {
    BroadcastRanks w;
    RankContext contexts[RANKS_MAX];
    begin(&w, contexts, (SimulatedNetworkOptions){.ranks = 20, .seed = 3, .delay = 1e-3, .step = 1e-5});
    simulated_network_kill(w.net, 1);
    run(&w, 1);
    check_received(&w, 1);
    for (unsigned round = 0; round < 100000 && !broadcast_lost(&w.broadcast[0]); round++) poll_all(&w, 1);
    assert_int_equal(broadcast_lost(&w.broadcast[0]), 1);
    assert_true(broadcast_is_delivered(&w.broadcast[0]));
    end(&w);
}

#include "test_command_broadcast_list.h"
