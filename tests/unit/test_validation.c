/* SPDX-License-Identifier: MIT */
/* Validation of the cost model: the barrier of the ranks, over a simulated network, and the figures of the rounds. */
#include "lab/cluster_model/validation.h"

#include "cluster/transport_simulated.h"
#include "lab/cluster_model/rank_barrier.h"
#include "unit.h"

enum { RANKS = 4 };

typedef struct {
    SimulatedNetwork *network;
    RankBarrier barrier[RANKS];
    bool passed[RANKS];
} BarrierRanks;

static void begin(BarrierRanks *b, uint64_t number) {
    TabiaError error = {0};
    for (unsigned r = 0; r < RANKS; r++) {
        const double figure[BARRIER_FIGURES] = {r + 1, 10 * (r + 1), 0, 0.5};
        b->passed[r] = false;
        assert_true(rank_barrier_begin(&b->barrier[r], simulated_network_rank(b->network, r), number, figure, &error));
    }
}

/* Steps all ranks but one until those have passed, or for so many rounds. */
static unsigned step_all(BarrierRanks *b, unsigned without, unsigned rounds) {
    unsigned passed = 0;
    for (unsigned i = 0; i < rounds && passed < RANKS; i++)
        for (unsigned r = 0; r < RANKS; r++)
            if (r != without && !b->passed[r] && (b->passed[r] = rank_barrier_step(&b->barrier[r]))) passed++;
    return passed;
}

static void end(BarrierRanks *b, double sum[BARRIER_FIGURES]) {
    for (unsigned r = RANKS; r--;) rank_barrier_end(&b->barrier[r], sum);
}

/* Nobody passes before the last one has arrived; rank 0 has the sums. */
static void a_barrier_waits_for_all_ranks(void **state) {
    (void)state;
    const SimulatedNetworkOptions options = {
        .ranks = RANKS, .seed = 3, .step = 1e-4, .delay = 2e-2, .duplicated = 300000, .capacity = 4000};
    BarrierRanks b = {.network = simulated_network_create(options, NULL)};
    assert_non_null(b.network);
    for (uint64_t number = 0; number < 20; number++) {
        double sum[BARRIER_FIGURES];
        begin(&b, number);
        assert_int_equal(step_all(&b, number % RANKS, 1000), 0);
        assert_int_equal(step_all(&b, RANKS, 100000), RANKS);
        end(&b, sum);
        assert_true(sum[0] == 10 && sum[1] == 100 && sum[2] == 0 && sum[3] == 2);
    }
    simulated_network_destroy(b.network);
}

/* An arrival that nobody received is sent again; messages of the barrier before, and of others, count for nothing. */
static void arrivals_are_repeated_and_others_ignored(void **state) {
    (void)state;
    const SimulatedNetworkOptions options = {.ranks = RANKS, .seed = 4, .step = 1e-3};
    BarrierRanks b = {.network = simulated_network_create(options, NULL)};
    double sum[BARRIER_FIGURES];
    const BarrierMessage old = {.magic = 0x6d656574, .number = 6, .figure = {1000}};
    assert_non_null(b.network);
    for (unsigned r = 1; r < RANKS; r++) {
        TabiaTransport *t = simulated_network_rank(b.network, r);
        assert_true(t->send(t, 0, &old, sizeof old) && t->send(t, 0, "a stray one", 11));
    }
    begin(&b, 7);
    assert_int_equal(step_all(&b, RANKS, 100000), RANKS);
    end(&b, sum);
    assert_true(sum[0] == 10);
    simulated_network_destroy(b.network);
}

static void assert_near(double a, double b) {
    if (a < b - 1e-9 || a > b + 1e-9) fail_msg("%.12g is not %.12g", a, b);
}

/* Medians of figures; of times the median of ratios, which is not the ratio of medians. */
static void rounds_are_summarised_by_medians(void **state) {
    (void)state;
    const ValidationRound round[] = {
        {.alone_cpu = 1, .alone_wall = 2, .cpu = 1.5, .wall = 1, .calls = 0.3, .counted = 10, .messages = 7},
        {.alone_cpu = 2, .alone_wall = 4, .cpu = 2.2, .wall = 1, .calls = 0.1, .counted = 12, .messages = 9},
        {.alone_cpu = 4, .alone_wall = 4, .cpu = 4.8, .wall = 3, .calls = 0.2, .counted = 30, .messages = 8}};
    const ForecastRun run = validation_summarise(round, 3, true);
    assert_true(run.has_processors);
    assert_near(run.alone_cpu, 2);
    assert_near(run.alone_wall, 4);
    assert_near(run.ratio_cpu, 1.2);
    assert_near(run.ratio_cpu_min, 1.1);
    assert_near(run.ratio_cpu_max, 1.5);
    assert_near(run.ratio_wall, 0.5);
    assert_near(run.calls, 0.2);
    assert_near(run.counted, 12);
    assert_near(run.messages, 8);
    /* Of an even number the mean of the middle two. */
    assert_near(validation_summarise(round, 2, false).counted, 11);
    assert_near(validation_summarise(round, 1, false).ratio_cpu, 1.5);
}

static void only_traces_that_can_be_repeated_are_checked(void **state) {
    (void)state;
    Trace t = {.source = {.depth = 6, .leaf_parent_depth = 4, .fen = "8/8/8/8/8/4k3/8/4K2R w - - 0 1"}};
    TabiaError error = {0};
    assert_true(validation_check_trace(&t, &error));
    t.source.depth = 5;
    assert_false(validation_check_trace(&t, &error));
    assert_non_null(strstr(error.text, "depth 6 and more"));
    t.source.depth = 7, t.source.leaf_parent_depth = 3;
    assert_false(validation_check_trace(&t, &error));
    t.source.leaf_parent_depth = 4, t.source.fen[0] = 'x';
    assert_false(validation_check_trace(&t, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_waits_for_all_ranks),
        cmocka_unit_test(arrivals_are_repeated_and_others_ignored),
        cmocka_unit_test(rounds_are_summarised_by_medians),
        cmocka_unit_test(only_traces_that_can_be_repeated_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
