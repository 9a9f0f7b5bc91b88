/* SPDX-License-Identifier: MIT */
/* The cost model against what can be said by hand, and its counts against a perft. */
#include "lab/cluster_model/model.h"

#include <math.h>

#include "unit.h"

static void assert_near(double a, double b) {
    if (fabs(a - b) > 1e-9 * fabs(b) + 1e-12) fail_msg("%.12g is not %.12g", a, b);
}

/* A network that costs nothing. */
static ModelCosts free_costs(void) {
    return (ModelCosts){.batch_sets = 400, .groups_in_flight = 1, .chunk = 1};
}

/* A second of work, in which nothing leaves a rank. */
static ModelCounts counts_of(unsigned ranks) {
    return (ModelCounts){.ranks = ranks,
                         .units = 100 * 80, /* in a hundred groups */
                         .counted = 1000,
                         .busiest = (1000 + ranks - 1) / ranks,
                         .work = 1};
}

static ModelResult forecast(const ModelCounts *many, ModelCosts c) {
    const ModelCounts one = counts_of(1);
    return model_forecast(&one, many, &c);
}

static void one_rank_costs_nothing(void **state) {
    const ModelCounts one = counts_of(1);
    const ModelResult r = forecast(&one, model_costs_default());
    assert_true(r.overhead == 0 && r.efficiency == 1 && r.imbalance == 1 && r.wall == 1 && r.messages == 0);
}

/* Sets of 60 moves, 195 bytes, of which 31,968 hold 159 and leave room for one of 448 moves. */
static void batches_are_full_by_their_bytes_or_their_sets(void **state) {
    ModelCounts n = counts_of(2);
    n.sets = 159 * 100, n.moves = n.sets * 60;
    ModelCosts c = free_costs();
    c.message = 2;
    assert_int_equal(forecast(&n, c).messages, 2 * 101);
    c.batch_sets = 75;
    assert_int_equal(forecast(&n, c).messages, 2 * (15900 / 75 + 1));
    n.sets = 4, n.moves = 10;
    c.batch_sets = 1, c.entry = 0.3, c.siblings = 0.5;
    const ModelResult r = forecast(&n, c);
    const double batches = 4.5, bytes = batches * 2 * (24 + 16) + 4 * (72 + 3 + 8) + 10 * 2;
    assert_near(r.requesting, (batches * 2 + bytes / 24 * 0.15) * 1e-6);
    assert_near(r.serving, (batches * 2 + bytes / 24 * 0.15 + 4 * 0.5) * 1e-6);
}

static void what_is_counted_twice_is_owners_work(void **state) {
    ModelCounts n = counts_of(2);
    n.counted = 1100, n.busiest = 825;
    const ModelResult r = forecast(&n, free_costs());
    assert_near(r.recounted, 0.1);
    assert_near(r.overhead, 0.1);
    assert_near(r.imbalance, 1.5);
    assert_near(r.wall, 1.1 * 1.5);
    assert_string_equal(r.limit, "owner");
}

/* Three groups of 80 units a request of one rank of two: its question, the units in one message, and 240 / 640 of a report. */
static void scheduling_is_counted(void **state) {
    ModelCounts n = counts_of(2);
    n.units = 240;
    ModelCosts c = free_costs();
    c.message = 8, c.service = 4, c.chunk = 3;
    assert_near(forecast(&n, c).scheduling, 0.5 * (4 + 8 * (1 + 1 + 240.0 / 640)) * 1e-6);
}

static void polls_cost_processor_time(void **state) {
    const ModelCounts n = counts_of(2);
    ModelCosts c = free_costs();
    c.poll_interval = 20, c.empty_poll = 0.5;
    assert_near(forecast(&n, c).overhead, 0.025);
}

static void the_longest_of_four_is_the_time(void **state) {
    ModelCounts n = counts_of(4);
    assert_string_equal(forecast(&n, free_costs()).limit, "processors");
    n.busiest = 1000; /* one owner gets everything */
    const ModelResult owner = forecast(&n, free_costs());
    assert_string_equal(owner.limit, "owner");
    assert_near(owner.wall, 4);
    assert_near(owner.efficiency, 0.25);

    n = counts_of(4);
    ModelCosts c = free_costs();
    c.latency = 1e4, c.groups_in_flight = 1; /* a hundred waits of two times 10 ms */
    ModelResult r = forecast(&n, c);
    assert_string_equal(r.limit, "answers");
    assert_near(r.wall, 1 + 100 * 0.02);
    c.groups_in_flight = 2;
    assert_near(forecast(&n, c).wall, (1 + 100 * 0.02) / 2);
    c.groups_in_flight = 4;
    assert_near(forecast(&n, c).wall, 1);

    c = free_costs();
    c.service = 2e4; /* 400 requests of four ranks, 20 ms each */
    r = forecast(&n, c);
    assert_string_equal(r.limit, "coordinator");
    assert_near(r.wall, 8);
    c.chunk = 100;
    assert_string_equal(forecast(&n, c).limit, "processors");
}

static void costs_are_read(void **state) {
    ModelCosts c = model_costs_default();
    TabiaError error = {0};
    assert_true(model_costs_parse(&c, "latency=500,batch_sets=64,empty_poll=0", &error));
    assert_true(c.latency == 500 && c.batch_sets == 64 && c.empty_poll == 0 &&
                c.message == model_costs_default().message);
    const char *const wrong[] = {
        "latency",      "latency=",           "latency=x", "latency=-1",     "latency=5;", "delay=5",
        "batch_sets=0", "groups_in_flight=0", "chunk=0.5", "empty_poll=nan", ",",          "latency=5,batch_sets"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const ModelCosts before = c;
        if (model_costs_parse(&c, wrong[i], &error)) fail_msg("'%s' was accepted", wrong[i]);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

/* ---- counting ---- */

static ModelCounts count(const ModelJob *job, unsigned ranks) {
    ModelCounts n;
    TabiaError error = {0};
    if (!model_count(job, ranks, &n, &error)) fail_msg("%u ranks: %s", ranks, error.text);
    return n;
}

static void owners_count_a_true_perft(void **state) {
    enum { LEAF_PARENTS = 5362, MOVES = 197281 /* perft 4 */ };
    const ModelJob job = {.depth = 7, .hash_bytes = 64 << 20};
    const ModelCounts one = count(&job, 1);
    assert_int_equal(one.leaves, 3195901860);
    assert_int_equal(one.units, LEAF_PARENTS);
    assert_true(one.sets == 0 && one.moves == 0 && one.busiest == one.counted && one.counted > 0 && one.work > 0);
    const unsigned ranks[] = {2, 64};
    for (unsigned i = 0; i < 2; i++) {
        const ModelCounts many = count(&job, ranks[i]);
        assert_int_equal(many.leaves, one.leaves);
        /* The largest set of each leaf parent stays, so at most half of the moves leave on two ranks. */
        assert_true(many.sets > LEAF_PARENTS / 2 && many.moves >= many.sets && many.moves < MOVES);
        assert_true(i || (many.sets <= LEAF_PARENTS && many.moves <= MOVES / 2));
        /* What is counted again is little: that is what owners are chosen for. */
        const double times = (double)many.counted / (double)one.counted;
        assert_true(times > 0.98 && times < 1.3);
        assert_true(many.busiest * ranks[i] >= many.counted && many.busiest < many.counted);
    }
    const ModelJob small = {.depth = 7, .hash_bytes = 64 << 10};
    const ModelCounts forgetful = count(&small, 1);
    assert_true(forgetful.leaves == one.leaves && forgetful.counted > one.counted);
}

/* Two plies above the leaves none is probed: each position counts as unknown. */
static void short_perfts_are_counted(void **state) {
    const ModelJob job = {.depth = 5, .hash_bytes = 1 << 20};
    const ModelCounts n = count(&job, 2);
    assert_int_equal(n.leaves, 4865609);
    assert_int_equal(n.units, 400);
    assert_int_equal(n.counted, 8902);
}

static void what_cannot_be_counted_is_refused(void **state) {
    const ModelJob jobs[] = {{.depth = 5, .fen = "8/8", .hash_bytes = 1 << 20}, {.depth = 12, .hash_bytes = 1 << 20}};
    const char *const words[] = {"FEN field 1", "depth 12 has more than 1000000 positions 4 plies above the leaves"};
    for (unsigned i = 0; i < 2; i++) {
        ModelCounts none;
        TabiaError error = {0};
        assert_false(model_count(&jobs[i], 2, &none, &error));
        if (!strstr(error.text, words[i])) fail_msg("'%s' does not say '%s'", error.text, words[i]);
    }
}

#include "test_simulate_list.h"
