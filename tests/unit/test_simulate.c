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
    return (ModelCosts){.batch_keys = 640, .batch_sets = 400, .units_in_flight = 1, .chunk = 1};
}

/* A second of work, in which nothing leaves a rank. */
static ModelCounts counts_of(unsigned ranks) {
    return (ModelCounts){.ranks = ranks,
                         .units = 100,
                         .groups = 100,
                         .waits = 1,
                         .counted = 1000,
                         .busiest = (1000 + ranks - 1) / ranks,
                         .work = 1,
                         .owner_work = 0.5};
}

static ModelResult forecast(const ModelCounts *many, ModelCosts c) {
    const ModelCounts one = counts_of(1);
    return model_forecast(&one, many, &c);
}

static void one_rank_costs_nothing(void **state) {
    (void)state;
    const ModelCounts one = counts_of(1);
    const ModelResult r = forecast(&one, model_costs_default());
    assert_true(r.overhead == 0 && r.efficiency == 1 && r.imbalance == 1 && r.wall == 1 && r.messages == 0);
}

/* Ten messages of ten keys, ten answers, and the stores of what was counted. */
static void keys_cost_what_the_formula_says(void **state) {
    (void)state;
    ModelCounts n = counts_of(2);
    n.keys = 100, n.key_messages = 10;
    ModelCosts c = free_costs();
    c.message = 2, c.entry = 0.1, c.apply = 0.03;
    const ModelResult r = forecast(&n, c);
    assert_int_equal(r.messages, 30);
    assert_int_equal(r.entries, 300);
    assert_near(r.requesting, (30 * 1.0 + 300 * 0.05) * 1e-6);
    assert_near(r.serving, (30 * 1.0 + 300 * 0.05 + 200 * 0.03) * 1e-6);
}

/* Sets of 60 moves, 195 bytes, of which 31,968 hold 159 and leave room for one of 448 moves. */
static void batches_are_full_by_their_bytes_or_their_sets(void **state) {
    (void)state;
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
    const double batches = 4.5, bytes = batches * 2 * (24 + 8) + 4 * (72 + 3 + 8) + 10 * 2;
    assert_near(r.requesting, (batches * 2 + bytes / 24 * 0.15) * 1e-6);
    assert_near(r.serving, (batches * 2 + bytes / 24 * 0.15 + 4 * 0.5) * 1e-6);
}

static void what_is_counted_twice_is_owners_work(void **state) {
    (void)state;
    ModelCounts n = counts_of(2);
    n.counted = 1100, n.busiest = 825;
    const ModelResult r = forecast(&n, free_costs());
    assert_near(r.recounted, 0.05);
    assert_near(r.overhead, 0.05);
    assert_near(r.imbalance, 1.5);
    assert_near(r.wall, 1.05);
    assert_string_equal(r.limit, "processors");
}

/* 240 units a request of one rank of two: its question, the units in one message, and 240 / 640 of a report. */
static void scheduling_is_counted(void **state) {
    (void)state;
    ModelCounts n = counts_of(2);
    n.units = 240, n.groups = 1;
    ModelCosts c = free_costs();
    c.message = 8, c.service = 4;
    assert_near(forecast(&n, c).scheduling, 0.5 * (4 + 8 * (1 + 1 + 240.0 / 640)) * 1e-6);
}

static void polls_cost_processor_time(void **state) {
    (void)state;
    const ModelCounts n = counts_of(2);
    ModelCosts c = free_costs();
    c.poll_interval = 20, c.empty_poll = 0.5;
    assert_near(forecast(&n, c).overhead, 0.025);
}

static void the_longest_of_four_is_the_time(void **state) {
    (void)state;
    ModelCounts n = counts_of(4);
    assert_string_equal(forecast(&n, free_costs()).limit, "processors");
    n.busiest = 1000; /* one owner gets everything */
    const ModelResult owner = forecast(&n, free_costs());
    assert_string_equal(owner.limit, "owner");
    assert_near(owner.wall, 0.5 * 4);
    assert_near(owner.efficiency, 0.5);

    n = counts_of(4);
    ModelCosts c = free_costs();
    c.latency = 1e4, c.units_in_flight = 1; /* a hundred waits of two times 10 ms */
    ModelResult r = forecast(&n, c);
    assert_string_equal(r.limit, "answers");
    assert_near(r.wall, 1 + 100 * 0.02);
    c.units_in_flight = 2;
    assert_near(forecast(&n, c).wall, (1 + 100 * 0.02) / 2);
    c.units_in_flight = 4;
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
    (void)state;
    ModelCosts c = model_costs_default();
    TabiaError error = {0};
    assert_true(model_costs_parse(&c, "latency=500,batch_keys=64,empty_poll=0", &error));
    assert_true(c.latency == 500 && c.batch_keys == 64 && c.empty_poll == 0 &&
                c.message == model_costs_default().message);
    const char *const wrong[] = {
        "latency",      "latency=",          "latency=x", "latency=-1",     "latency=5;", "delay=5",
        "batch_keys=0", "units_in_flight=0", "chunk=0.5", "empty_poll=nan", ",",          "latency=5,batch_keys"};
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

/* Units one ply below the start, two plies of positions below: 400, and 8,902 of which 5,362 differ. */
static void owners_count_a_true_perft(void **state) {
    (void)state;
    enum { LEAF_PARENTS = 5362, MISSES = 400 + LEAF_PARENTS, MOVES = 197281 /* perft 4 */ };
    const ModelJob job = {.depth = 7, .hash_bytes = 64 << 20, .units = 20, .batch_keys = 640};
    const ModelCounts one = count(&job, 1);
    assert_int_equal(one.leaves, 3195901860);
    assert_int_equal(one.units, 20);
    assert_int_equal(one.groups, 20);
    assert_int_equal(one.waits, 3);
    assert_true(one.keys == 0 && one.sets == 0 && one.busiest == one.counted && one.counted > 0);
    assert_true(one.owner_work > 0 && one.owner_work <= one.work);
    const unsigned ranks[] = {2, 64};
    for (unsigned i = 0; i < 2; i++) {
        const ModelCounts many = count(&job, ranks[i]);
        assert_int_equal(many.leaves, one.leaves);
        /* Misses are requested as often as another rank is the owner. */
        const double remote = MISSES * (1 - 1.0 / ranks[i]);
        assert_true((double)many.keys > 0.95 * remote && (double)many.keys < 1.05 * remote);
        assert_true(many.key_messages >= 20 && many.key_messages <= many.keys);
        /* The largest set of each leaf parent stays, so at most half of the moves leave on two ranks. */
        assert_true(many.sets > LEAF_PARENTS / 2 && many.moves >= many.sets && many.moves < MOVES);
        assert_true(i || (many.sets <= LEAF_PARENTS && many.moves <= MOVES / 2));
        /* What is counted again is little: that is what owners are chosen for. */
        const double times = (double)many.counted / (double)one.counted;
        assert_true(times > 0.98 && times < 1.3);
        assert_true(many.busiest * ranks[i] >= many.counted && many.busiest < many.counted);
    }
}

/* Small tables forget what is summed up later: it is counted again, and the count is right. */
static void what_was_replaced_is_counted_again(void **state) {
    (void)state;
    ModelJob job = {.depth = 6, .hash_bytes = 64 << 10, .units = 20, .batch_keys = 8};
    const ModelCounts small = count(&job, 4);
    assert_int_equal(small.leaves, 119060324);
    job.hash_bytes = 64 << 20, job.batch_keys = 640;
    const ModelCounts large = count(&job, 4);
    assert_true(small.counted > large.counted);
    assert_true(small.key_messages > large.key_messages);
}

/* Where leaf parents are the units themselves, they are expanded in groups; two plies above the leaves none is probed. */
static void short_perfts_are_counted(void **state) {
    (void)state;
    const ModelJob job = {.depth = 5, .hash_bytes = 1 << 20, .batch_keys = 640};
    const ModelCounts n = count(&job, 2);
    assert_int_equal(n.leaves, 4865609);
    assert_int_equal(n.units, 400);
    assert_int_equal(n.groups, 5);
    assert_int_equal(n.counted, 8902);
    const ModelJob bad = {.depth = 5, .fen = "8/8", .hash_bytes = 1 << 20, .batch_keys = 640};
    ModelCounts none;
    TabiaError error = {0};
    assert_false(model_count(&bad, 2, &none, &error));
    assert_true(error.text[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_costs_nothing),
        cmocka_unit_test(keys_cost_what_the_formula_says),
        cmocka_unit_test(batches_are_full_by_their_bytes_or_their_sets),
        cmocka_unit_test(what_is_counted_twice_is_owners_work),
        cmocka_unit_test(scheduling_is_counted),
        cmocka_unit_test(polls_cost_processor_time),
        cmocka_unit_test(the_longest_of_four_is_the_time),
        cmocka_unit_test(costs_are_read),
        cmocka_unit_test(owners_count_a_true_perft),
        cmocka_unit_test(what_was_replaced_is_counted_again),
        cmocka_unit_test(short_perfts_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
