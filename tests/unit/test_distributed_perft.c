/* SPDX-License-Identifier: MIT */
/* Perft on many ranks over a simulated network in one process: the counts are exact. (What befalls messages and ranks
   by a seed: test_cluster_seeds.c.) */
#include "distributed_run.h"

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char kiwi[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
static const char promotions[] = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";

/* A clock that goes on by so much at each reading: every rank then polls its messages after each piece of work. */
static const double slow = 20e-6;

static void counts_are_exact(void **state) {
    const SimulatedNetworkOptions net = {.ranks = 3, .seed = 1, .delay = 50e-6};
    exact((PerftCase){start, 0, 1, .net = net});
    exact((PerftCase){start, 1, 20, .net = net});
    exact((PerftCase){start, 3, 8902, .net = net});
    exact((PerftCase){start, 4, 197281, .net = net});
    exact((PerftCase){start, 5, 4865609, .net = net});
    exact((PerftCase){start, 6, 119060324, .net = net});
    exact((PerftCase){kiwi, 4, 4085603, .net = net});
    exact((PerftCase){kiwi, 5, 193690690, .net = net});
    exact((PerftCase){promotions, 6, 71179139, .net = net});
    exact((PerftCase){"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 4, 0, .net = net});
    exact((PerftCase){start, 5, 4865609, .net = net, .hash_bytes = UINT64_MAX});
    exact((PerftCase){start, 6, 119060324, .net = {.ranks = 1}});
    exact((PerftCase){start, 6, 119060324, .net = net, .private_tables = true});
    exact((PerftCase){start, 7, 3195901860, .net = {.ranks = 5, .seed = 2, .delay = 500e-6}});
}

/* Units of five to seven plies: of the positions down to the leaf parents a rank sends those that its table does not know. */
static void deep_units_are_expanded_by_the_table(void **state) {
    for (unsigned seed = 0; seed < (whole_tests() ? 2 : 1); seed++) {
        SimulatedNetworkOptions net = {.ranks = 3, .seed = seed, .delay = 100e-6};
        DistributedPerftStats t = exact((PerftCase){start, 7, 3195901860, .net = net, .target_units = 100});
        assert_in_range(t.sibling_sets_sent, 15000, 16700); /* by the table 16,166, otherwise 17,232 */
        assert_int_equal(t.messages.corrupt_messages, 0);
        exact((PerftCase){start, 7, 3195901860, .net = net, .target_units = 1});
        net.damaged = 20000, net.lost = 20000, net.duplicated = 10000, net.step = slow; /* of some hundred messages */
        t = exact((PerftCase){kiwi, 6, 8031647685, .net = net, .target_units = 1});
        assert_true(t.messages.corrupt_messages > 0);
    }
}

/* Threads that count for the first one: the same, whatever happens, and to an end in the middle of their work. */
static void threads_count_for_a_rank(void **state) {
    const SimulatedNetworkOptions net = {.ranks = 2, .seed = 11, .delay = 50e-6};
    PerftCase c = {start, 6, 119060324, .net = net, .threads = 3};
    exact(c);
    c.net.ranks = 1, exact(c);
    c.net = (SimulatedNetworkOptions){
        .ranks = 3, .seed = 12, .delay = 100e-6, .damaged = 30000, .duplicated = 50000, .lost = 30000};
    exact(c);
    c.net = net, c.net.ranks = 3, c.net.step = slow, c.dies = 1, c.after = 800, exact(c);
    c = (PerftCase){start, 5, 4865609, .net = net, .threads = 4, .hash_bytes = UINT64_MAX};
    exact(c);
    c = (PerftCase){kiwi, 5, 193690690, .net = net, .threads = 4, .private_tables = true};
    exact(c);
    PerftRun run;
    PerftJob job;
    c = (PerftCase){start, 8, 84998978956, .net = net, .threads = 4};
    c.net.step = slow, c.stop_after = 100, c.dies = NO_RANK_DIES;
    begin(&run, &c, &job);
    take_turns(&run, &c);
    assert_int_equal(run.last[0], DISTRIBUTED_PERFT_DONE);
    assert_false(run.state[0].complete);
    end(&run, &c);
}

/* Sharing saves: ranks that work together count hardly more than one, those that do not count more. */
static void sharing_saves_work(void **state) {
    const SimulatedNetworkOptions net = {.ranks = 4, .seed = 3, .delay = 20e-6};
    PerftCase c = {start, 7, 3195901860, .net = {.ranks = 1}, .hash_bytes = 1 << 27};
    const DistributedPerftStats one = exact(c);
    c.net = net;
    const DistributedPerftStats four = exact(c);
    c.private_tables = true;
    const DistributedPerftStats alone = exact(c);
    const uint64_t base = one.probes - one.hits;
    print_message("%ju unknown positions on one rank, %ju on four, %ju on four that do not share\n", (uintmax_t)base,
                  (uintmax_t)(four.probes - four.hits), (uintmax_t)(alone.probes - alone.hits));
    assert_true(four.probes - four.hits < base + base / 20);
    assert_true(alone.probes - alone.hits > base + base / 10);
    assert_true(four.sibling_sets_served > 0 && four.sibling_sets_served == four.sibling_sets_sent);
}

#include "test_distributed_perft_list.h"
