/* SPDX-License-Identifier: MIT */
/* The cost model against what can be said by hand. */
#include "lab/cluster_model/model.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "unit.h"

enum { SECOND_NS = 1000000000 };
static const uint32_t rank_0 = 0, last_rank = UINT32_MAX;

static void assert_near(double a, double b) {
    if (fabs(a - b) > 1e-9 * fabs(b) + 1e-12) fail_msg("%.12g is not %.12g", a, b);
}

/* A network that costs nothing. */
static ModelCosts free_costs(void) {
    return (ModelCosts){.batch_keys = 160, .batch_sets = 27, .units_in_flight = 1, .chunk = 1, .batching_delay = 1e9};
}

static ModelResult run(const Trace *t, ModelCosts c, unsigned ranks, unsigned repeats) {
    ModelResult row;
    TabiaError error = {0};
    if (!model_run(t, &c, ranks, repeats, &row, &error)) fail_msg("%s", error.text);
    return row;
}

static void add_unit(Trace *t, uint64_t work_ns) {
    trace_add(t, TRACE_UNIT, 0, 0, 0);
    trace_add(t, TRACE_WORK, 0, 0, work_ns);
}

/* Units with asks all over, for what holds of any trace. */
static Trace random_trace(unsigned units) {
    Trace t = {0};
    uint64_t seed = 7;
    for (unsigned i = 0; i < units; i++) {
        trace_add(&t, TRACE_UNIT, 0, 0, random_below(&seed, 1000));
        for (unsigned k = 0; k < 300; k++) trace_add(&t, TRACE_PROBE, 3, (uint32_t)random_next(&seed), 100);
        trace_add(&t, TRACE_WAIT, 0, 0, 0);
        for (unsigned k = 0; k < 200; k++) trace_add(&t, TRACE_STORE, 3, (uint32_t)random_next(&seed), 90000);
        trace_add(&t, TRACE_WORK, 0, 0, random_below(&seed, 10000000));
    }
    return t;
}

static void one_rank_costs_nothing(void **state) {
    (void)state;
    Trace t = random_trace(20);
    const ModelResult r = run(&t, model_costs_default(), 1, 1);
    assert_true(r.overhead == 0);
    assert_near(r.efficiency, 1);
    assert_near(r.cpu.work, trace_sums(&t).work);
    assert_near(r.wall, r.cpu.work);
    assert_int_equal(r.traffic.messages, 0);
    trace_free(&t);
}

/* 100 asks of the other rank, then a need: ten messages of ten, ten answers. */
static void probes_cost_what_the_formula_says(void **state) {
    (void)state;
    Trace t = {0};
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    for (unsigned i = 0; i < 100; i++) trace_add(&t, TRACE_PROBE, 3, last_rank - i, 1000);
    trace_add(&t, TRACE_WAIT, 0, 0, 0);
    trace_add(&t, TRACE_WORK, 0, 0, 1000000);
    ModelCosts c = free_costs();
    c.message = 2, c.entry = 0.1, c.apply = 0.03, c.batch_keys = 10;
    const ModelResult r = run(&t, c, 2, 1);
    assert_int_equal(r.traffic.messages, 20);
    assert_int_equal(r.traffic.entries, 200);
    assert_near(r.cpu.work, 1.1e-3);
    assert_near(r.cpu.requesting, (20 * 1.0 + 200 * 0.05) * 1e-6);
    assert_near(r.cpu.serving, (20 * 1.0 + 200 * 0.05 + 100 * 0.03) * 1e-6);
    assert_near(r.overhead, (r.cpu.requesting + r.cpu.serving) / r.cpu.work);
    trace_free(&t);
}

static void add_siblings(Trace *t, unsigned part, uint16_t owner, uint64_t work_ns) {
    trace_add_siblings(t, part, 2, &owner, work_ns);
}

/* The part of a position that its rank owns: more moves than any other has. */
static void add_own(Trace *t, uint16_t owner) {
    trace_add_siblings(t, 0, 20, &owner, 1000);
}

/* Three positions, most of each our own: the first goes to rank 1 as one, the second to ranks 2 and 3, the third to
   rank 2 as well. A fourth is given to rank 3 whole, and not sent. */
static void sibling_sets_are_sent_once_to_each_owner(void **state) {
    (void)state;
    Trace t = {.partitions = 2, .partition = {{1, 100, 0, 0}, {4, 100, 0, 0}}};
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    add_own(&t, 0);
    add_siblings(&t, 1, 1, 1000);
    add_siblings(&t, 2, 1, 1000);
    add_own(&t, 0);
    add_siblings(&t, 1, 2, 3000);
    add_siblings(&t, 2, 3, 1000);
    add_own(&t, 0);
    add_siblings(&t, 1, 2, 1000);
    add_own(&t, 3);
    trace_add(&t, TRACE_WAIT, 0, 0, 0);
    ModelCosts c = free_costs();
    c.message = 2, c.entry = 0.3, c.siblings = 0.5, c.apply = 100;
    const ModelResult r = run(&t, c, 4, 1);
    assert_int_equal(r.traffic.messages, 6); /* to three owners and back */
    assert_int_equal(r.traffic.entries, 8);
    const double bytes = 3 * (2 * 24 + 2 * 8) + 4 * (72 + 3 + 8) + 10 * 2; /* heads; positions and sums; moves */
    assert_near(r.cpu.requesting, (6 * 1.0 + bytes / 24 * 0.15) * 1e-6);
    assert_near(r.cpu.serving, (6 * 1.0 + bytes / 24 * 0.15 + 4 * 0.5) * 1e-6);
    assert_near(r.cpu.unpacking, 4 * 0.5e-6);
    assert_near(r.cpu.work, 11e-6);
    assert_near(r.imbalance, 4 / (11.0 / 4));
    c.batch_sets = 1;
    assert_int_equal(run(&t, c, 4, 1).traffic.messages, 8);
    /* Where it is not known who the owner is, nothing can be said. */
    ModelResult none;
    TabiaError error = {0};
    assert_false(model_run(&t, &c, 3, 1, &none, &error));
    assert_non_null(strstr(error.text, "3 ranks"));
    trace_free(&t);
}

/* Four units, each of which asks for the same eight keys, which were new to the first one. Of what was known then,
   ranks ask of each other what so many of them asked when it was recorded; all, where that is not known; and nothing,
   where each rank has as much work as was recorded. */
static void a_rank_knows_what_it_has_requested(void **state) {
    (void)state;
    enum { KEYS = 8 };
    Trace t = {.partitions = 3, .partition = {{1, 100, 0, 0}, {2, 100, 13, 9}, {4, 100, 15, 9}}};
    for (unsigned unit = 0; unit < 4; unit++) {
        trace_add(&t, TRACE_UNIT, 0, 0, 1000);
        for (unsigned i = 0; i < KEYS; i++) {
            trace_add(&t, TRACE_PROBE, 3, last_rank - i, 0);
            if (unit) trace_mark_hit(&t);
        }
        trace_add(&t, TRACE_WAIT, 0, 0, 0);
    }
    assert_int_equal(trace_sums(&t).hits, 3 * KEYS);
    /* Of 24 keys that were known, 12 have the other of two ranks as their owner, and 9 were asked of it; 18 have other
       ranks of four. */
    const ModelResult two = run(&t, free_costs(), 2, 1), four = run(&t, free_costs(), 4, 1);
    assert_int_equal(two.traffic.remote_probes, KEYS + 18);
    assert_int_equal(two.traffic.remote_hits, 18);
    assert_int_equal(four.traffic.remote_probes, KEYS + 12);
    assert_int_equal(four.traffic.remote_hits, 12);
    const ModelResult unknown = run(&t, free_costs(), 3, 1);
    assert_int_equal(unknown.traffic.remote_probes, 4 * KEYS);
    assert_int_equal(unknown.traffic.remote_hits, 3 * KEYS);
    const ModelResult all = run(&t, free_costs(), 4, 4);
    assert_int_equal(all.traffic.remote_probes, 4 * KEYS);
    assert_int_equal(all.traffic.remote_hits, 0);
    trace_free(&t);
}

/* What the messages of two ranks hold, by the layout in cluster/message.h and distributed/perft/wire.h. */
static void bytes_are_those_of_the_messages(void **state) {
    (void)state;
    Trace t = {.partitions = 2, .partition = {{1, 100, 0, 0}, {2, 90, 40, 5}}};
    trace_add(&t, TRACE_UNIT, 80, 0, 0);
    for (unsigned i = 0; i < 70; i++) {
        trace_add(&t, TRACE_PROBE, 3, last_rank - i, 0);
        if (i % 7 == 0) trace_mark_hit(&t);
    }
    trace_add(&t, TRACE_WAIT, 0, 0, 0);
    add_own(&t, 0);
    add_siblings(&t, 1, 1, 0);
    add_siblings(&t, 2, 1, 0);
    trace_add(&t, TRACE_WAIT, 0, 0, 0);
    for (unsigned i = 0; i < 5; i++) trace_add(&t, TRACE_STORE, 3, last_rank, 0);
    const ModelResult r = run(&t, free_costs(), 2, 1);
    assert_int_equal(r.traffic.remote_probes, 70);
    assert_int_equal(r.traffic.remote_hits, 10);
    assert_int_equal(r.traffic.sibling_sets, 1);
    assert_int_equal(r.traffic.remote_stores, 5);
    assert_near(r.counted, 90);
    const double asks = 2 * 24 + 70 * 16 + 2 * 8 + 10 * 16, stores = 24 + 5 * 24;
    assert_near(r.traffic.bytes, asks + stores + 2 * (24 + 8) + 72 + 4 * 2 + 3 + 8);
    trace_free(&t);
}

/* Positions of 60 moves each, 195 bytes, of which 31,968 hold 159 and leave room for one of 448 moves; groups that end
   do not send what is not full. */
static void a_message_is_full_by_its_bytes(void **state) {
    (void)state;
    Trace t = {.partitions = 2, .partition = {{1, 100, 0, 0}, {2, 90, 0, 0}}};
    const uint16_t here = 0, there = 1;
    trace_add(&t, TRACE_UNIT, 80, 0, 0);
    for (unsigned i = 0; i < 400; i++) {
        trace_add_siblings(&t, 0, 61, &here, 0);
        trace_add_siblings(&t, 1, 60, &there, 0);
        trace_add(&t, TRACE_WAIT, 0, 0, 0);
    }
    ModelCosts c = free_costs();
    c.batch_sets = 300;
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 2 * 3);
    c.batch_sets = 75;
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 2 * 6);
    trace_free(&t);
}

/* Rank 1 asks for its units one by one: its question, 240 positions in one message, and 240 / 640 of a report. */
static void control_is_counted(void **state) {
    (void)state;
    Trace t = {0};
    for (unsigned i = 0; i < 2; i++) {
        trace_add(&t, TRACE_UNIT, 240, 0, 0);
        trace_add(&t, TRACE_WORK, 0, 0, SECOND_NS);
    }
    ModelCosts c = free_costs();
    c.message = 8;
    const ModelResult r = run(&t, c, 2, 1);
    assert_int_equal(r.traffic.requests, 1);
    assert_near(r.traffic.control, 1 + 1 + 240.0 / 640);
    assert_near(r.cpu.scheduling, 8e-6 * r.traffic.control);
    assert_true(r.cpu.service == 0);
    trace_free(&t);
}

/* One owner gets everything: no number of ranks is faster than it; and with two owners a tenth is counted again. */
static void the_busiest_owner_limits_the_time(void **state) {
    (void)state;
    Trace t = {.partitions = 2, .partition = {{1, 100, 0, 0}, {2, 110, 0, 0}}};
    for (unsigned i = 0; i < 8; i++) {
        trace_add(&t, TRACE_UNIT, 0, 0, 0);
        add_siblings(&t, 0, 1, SECOND_NS);
    }
    ModelResult r = run(&t, free_costs(), 2, 1);
    assert_near(r.imbalance, 2);
    assert_near(r.cpu.recounted, 0.8);
    assert_near(r.overhead, 0.1);
    assert_near(r.wall, 8.8);
    r = run(&t, free_costs(), 1, 1);
    assert_near(r.wall, 8);
    assert_true(r.cpu.recounted == 0);
    trace_free(&t);
}

/* Its own positions a rank asks for free; of 2 ranks the upper half of the hashes belongs to the other. */
static void own_positions_are_free(void **state) {
    (void)state;
    Trace t = {0};
    ModelCosts c = model_costs_default();
    c.empty_poll = c.service = 0;
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    for (unsigned i = 0; i < 64; i++) {
        trace_add(&t, TRACE_PROBE, 3, rank_0, 1000);
        trace_add(&t, TRACE_STORE, 3, 0x7fffffff, 1000);
    }
    assert_true(run(&t, c, 2, 1).overhead == 0);
    trace_add(&t, TRACE_STORE, 3, 0x80000000, 1000);
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 1);
    trace_free(&t);
}

/* Stores a millisecond apart: each alone if messages linger for less, ten in each message of ten if for long. */
static void messages_wait_for_the_batching_delay(void **state) {
    (void)state;
    Trace t = {0};
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    for (unsigned i = 0; i < 100; i++) trace_add(&t, TRACE_STORE, 3, last_rank, 1000000);
    ModelCosts c = free_costs();
    c.batch_keys = 10, c.batching_delay = 500;
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 100);
    c.batching_delay = 2500; /* three at a time */
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 34);
    c.batching_delay = 1e6;
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 10);
    c.batch_keys = 1000;
    assert_int_equal(run(&t, c, 2, 1).traffic.messages, 1);
    trace_free(&t);
}

/* One unit in hand waits for the network and the polls; with two, one is worked on meanwhile. */
static void answers_are_waited_for(void **state) {
    (void)state;
    Trace t = {0};
    for (unsigned i = 0; i < 4; i++) {
        trace_add(&t, TRACE_UNIT, 0, 0, 0);
        trace_add(&t, TRACE_PROBE, 3, last_rank - i, SECOND_NS / 10);
        trace_add(&t, TRACE_WAIT, 0, 0, 0);
        trace_add(&t, TRACE_WORK, 0, 0, SECOND_NS);
    }
    ModelCosts c = free_costs();
    c.latency = 1e5, c.poll_interval = 2e5; /* 0.1 and 0.2 s: an answer takes 2 * 0.1 + 0.1 + 0.1 */
    /* Both ranks do two units of 1.5 s; those of rank 1 come 0.2 s after it asks for them. */
    assert_near(run(&t, c, 2, 1).wall, 2 * (0.2 + 1.5));
    /* Both at once: the second one's asks are made, and its answers come, while the first one waits and works. */
    c.units_in_flight = 2;
    assert_near(run(&t, c, 2, 1).wall, 0.2 + 0.1 + 0.4 + 2);
    c.latency = c.poll_interval = 0;
    assert_near(run(&t, c, 2, 1).wall, 2.2);
    trace_free(&t);
}

static void the_tail_is_that_of_the_largest_unit(void **state) {
    (void)state;
    Trace t = {0};
    for (unsigned i = 0; i < 3; i++) add_unit(&t, SECOND_NS);
    add_unit(&t, 3ull * SECOND_NS);
    const ModelResult two = run(&t, free_costs(), 2, 1), three = run(&t, free_costs(), 3, 1);
    assert_near(two.wall, 3);
    assert_near(two.efficiency, 1);
    assert_near(two.tail, 0);
    assert_near(three.wall, 3);
    assert_near(three.efficiency, 6.0 / 9);
    assert_near(three.tail, 3);
    trace_free(&t);
}

/* Ten thousand units of nothing, one at a time: the coordinator's time is all there is. */
static void the_coordinator_can_be_the_limit(void **state) {
    (void)state;
    Trace t = {0};
    for (unsigned i = 0; i < 10000; i++) add_unit(&t, 1);
    ModelCosts c = free_costs();
    c.service = 100;
    const ModelResult one = run(&t, c, 8, 1);
    assert_near(one.cpu.scheduling, 1);
    assert_near(one.cpu.service, 1);
    assert_true(one.wall >= 0.99);
    c.chunk = 16;
    const ModelResult sixteen = run(&t, c, 8, 1);
    assert_true(sixteen.cpu.scheduling < one.cpu.scheduling / 8);
    trace_free(&t);
}

static void polls_cost_processor_time(void **state) {
    (void)state;
    Trace t = {0};
    add_unit(&t, SECOND_NS);
    ModelCosts c = free_costs();
    c.poll_interval = 20, c.empty_poll = 0.5;
    assert_near(run(&t, c, 2, 2).overhead, 0.025);
    trace_free(&t);
}

/* With as much work a rank, all units are done on all ranks, and every rank's time is accounted for. */
static void time_is_accounted_for(void **state) {
    (void)state;
    Trace t = random_trace(50);
    for (unsigned ranks = 2; ranks <= 256; ranks *= 4) {
        const ModelResult r = run(&t, model_costs_default(), ranks, ranks);
        assert_int_equal(r.units, 50 * ranks);
        assert_near(r.cpu.work, trace_sums(&t).work * ranks);
        const double all = r.cpu.work + r.cpu.recounted + r.cpu.requesting + r.cpu.serving + r.cpu.polling +
                           r.cpu.scheduling + r.waiting + r.tail;
        assert_true(fabs(all / (ranks * r.wall) - 1) < 1e-3);
        assert_true(r.efficiency <= 1 / (1 + r.overhead) + 1e-3);
    }
    trace_free(&t);
}

/* More owners, emptier messages: the overhead rises, and with the share that is remote alone it would stop rising. */
static void overhead_rises_with_ranks(void **state) {
    (void)state;
    Trace t = random_trace(20);
    double before = 0;
    for (unsigned ranks = 2; ranks <= 1024; ranks *= 2) {
        const ModelResult r = run(&t, model_costs_default(), ranks, 1);
        const double owners = ranks / (ranks - 1.0); /* were all remote */
        assert_true(r.overhead > before);
        before = r.overhead;
        assert_true(r.cpu.requesting * owners > 20 * 500 * model_costs_default().entry / 2 * 1e-6);
    }
    trace_free(&t);
}

static void repeats_itself(void **state) {
    (void)state;
    Trace t = random_trace(30);
    const ModelResult a = run(&t, model_costs_default(), 64, 64), b = run(&t, model_costs_default(), 64, 64);
    assert_memory_equal(&a, &b, sizeof a);
    trace_free(&t);
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
        "batch_keys=0", "units_in_flight=9", "chunk=0.5", "empty_poll=nan", ",",          "latency=5,batch_keys"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const ModelCosts before = c;
        if (model_costs_parse(&c, wrong[i], &error)) fail_msg("'%s' was accepted", wrong[i]);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

static void the_sheet_says_simulated(void **state) {
    (void)state;
    Trace t = random_trace(5);
    const ModelResult rows[] = {run(&t, model_costs_default(), 2, 2), run(&t, model_costs_default(), 4, 4)};
    Sheet sheet;
    TabiaError error = {0};
    char text[4096] = "";
    assert_true(model_sheet(rows, 2, &sheet, &error));
    FILE *out = fmemopen(text, sizeof text, "w");
    sheet_print(&sheet, out);
    fclose(out);
    assert_int_equal(strncmp(text, "simulated", 9), 0);
    assert_non_null(strstr(text, "(simulated, not measured)"));
    assert_non_null(strstr(text, "\n    2 "));
    assert_non_null(strstr(text, "\n    4 "));
    sheet_free(&sheet);
    trace_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_costs_nothing),
        cmocka_unit_test(probes_cost_what_the_formula_says),
        cmocka_unit_test(sibling_sets_are_sent_once_to_each_owner),
        cmocka_unit_test(a_rank_knows_what_it_has_requested),
        cmocka_unit_test(bytes_are_those_of_the_messages),
        cmocka_unit_test(a_message_is_full_by_its_bytes),
        cmocka_unit_test(control_is_counted),
        cmocka_unit_test(the_busiest_owner_limits_the_time),
        cmocka_unit_test(own_positions_are_free),
        cmocka_unit_test(messages_wait_for_the_batching_delay),
        cmocka_unit_test(answers_are_waited_for),
        cmocka_unit_test(the_tail_is_that_of_the_largest_unit),
        cmocka_unit_test(the_coordinator_can_be_the_limit),
        cmocka_unit_test(polls_cost_processor_time),
        cmocka_unit_test(time_is_accounted_for),
        cmocka_unit_test(overhead_rises_with_ranks),
        cmocka_unit_test(repeats_itself),
        cmocka_unit_test(costs_are_read),
        cmocka_unit_test(the_sheet_says_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
