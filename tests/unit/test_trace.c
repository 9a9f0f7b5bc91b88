/* SPDX-License-Identifier: MIT */
/* Traces: what is written is read back, whatever is damaged is refused, and a recorded perft is a true one. */
#include "lab/cluster_model/trace.h"

#include <stdio.h>
#include <unistd.h>

#include "notation/fen.h"
#include "perft/frontier.h"
#include "rules/movegen.h"
#include "unit.h"

static Trace small_trace(void) {
    static const uint16_t owners[2] = {1, 3};
    Trace t = {.text = "a small one", .partitions = 3, .partition = {{1, 100, 0, 0}, {2, 110, 9, 4}, {4, 120, 12, 7}}};
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    trace_add(&t, TRACE_PROBE, 3, 0xdeadbeef, 100);
    trace_add(&t, TRACE_WAIT, 0, 0, 50);
    trace_add(&t, TRACE_STORE, 3, 0xdeadbeef, 90000);
    trace_add(&t, TRACE_WORK, 0, 0, 7);
    trace_add_siblings(&t, 0, 20, owners, 5000);
    return t;
}

static void write_bytes(const char *path, const void *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void sums_are_sums(void **state) {
    (void)state;
    Trace t = small_trace();
    trace_add(&t, TRACE_WORK, 0, 0, 10ull * 1000 * 1000 * 1000);
    const TraceSums s = trace_sums(&t);
    assert_int_equal(s.of_type[TRACE_PROBE], 1);
    assert_int_equal(s.of_type[TRACE_UNIT], 1);
    assert_true(s.of_type[TRACE_WORK] > 2); /* ten seconds do not fit one event */
    assert_true(s.work > 10.0000951 && s.work < 10.0000952);
    trace_free(&t);
}

/* Nothing is rounded away: a third of many small pieces is a third of all. */
static void scales_all_work(void **state) {
    (void)state;
    Trace t = {0};
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    for (unsigned i = 0; i < 30000; i++) trace_add(&t, TRACE_WORK, 0, 0, 1);
    trace_add(&t, TRACE_WORK, 0, 0, 3000000);
    trace_scale(&t, 1.0 / 3);
    const double work = trace_sums(&t).work;
    assert_true(work > 1.00999e-3 && work < 1.01001e-3);
    trace_scale(&t, 6);
    assert_true(trace_sums(&t).work > 6.0599e-3 && trace_sums(&t).work < 6.0601e-3);
    trace_free(&t);
}

static void reads_what_it_wrote(void **state) {
    (void)state;
    char path[64];
    TabiaError error = {0};
    close(temporary_file(path));
    Trace t = small_trace(), back;
    t.source = (TraceSource){7, 4, 1 << 20, 20, "a fen"};
    assert_true(trace_write(&t, path, &error));
    if (!trace_read(&back, path, &error)) fail_msg("%s", error.text);
    assert_int_equal(back.events, t.events);
    assert_memory_equal(back.event, t.event, t.events * sizeof *t.event);
    assert_int_equal(back.sibling_sets, 1);
    assert_memory_equal(back.set_owner, t.set_owner, 2 * sizeof *t.set_owner);
    assert_memory_equal(back.partition, t.partition, sizeof t.partition);
    assert_string_equal(back.text, t.text);
    assert_memory_equal(&back.source, &t.source, sizeof t.source);
    trace_free(&back);
    trace_free(&t);
    unlink(path);
}

/* Every byte of the file counts, and every length but the right one is refused. */
static void refuses_damage(void **state) {
    (void)state;
    char path[64];
    uint8_t bytes[4096];
    TabiaError error = {0};
    close(temporary_file(path));
    Trace t = small_trace(), back;
    assert_true(trace_write(&t, path, &error));
    FILE *file = fopen(path, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n > 300 && n < sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 0x10;
        write_bytes(path, bytes, n);
        if (trace_read(&back, path, &error)) fail_msg("byte %zu of %zu damaged, and nobody saw it", i, n);
        assert_true(error.text[0]);
        bytes[i] ^= 0x10;
    }
    for (size_t length = 0; length < n; length += 5) {
        write_bytes(path, bytes, length);
        assert_false(trace_read(&back, path, &error));
    }
    write_bytes(path, bytes, n + 1);
    assert_false(trace_read(&back, path, &error));
    write_bytes(path, bytes, n);
    assert_true(trace_read(&back, path, &error));
    trace_free(&back);
    trace_free(&t);
    unlink(path);
}

static void refuses_nonsense(void **state) {
    (void)state;
    char path[64];
    TabiaError error = {0};
    close(temporary_file(path));
    const TraceEvent wrong[] = {{.type = TRACE_TYPES},
                                {.type = TRACE_WAIT, .owner = 1},
                                {.type = TRACE_PROBE, .reserved = 1},
                                {.type = TRACE_STORE, .detail = 1}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Trace t = small_trace(), back;
        t.event[2] = wrong[i];
        assert_true(trace_write(&t, path, &error));
        assert_false(trace_read(&back, path, &error));
        assert_non_null(strstr(error.text, "event 3 of 6"));
        trace_free(&t);
    }
    Trace t = small_trace(), back;
    t.set_owner[1] = 4; /* of four owners */
    assert_true(trace_write(&t, path, &error));
    assert_false(trace_read(&back, path, &error));
    trace_free(&t);
    Trace none = {0};
    assert_false(trace_write(&none, path, &error));
    assert_false(trace_read(&none, "/nowhere/at/all", &error));
    unlink(path);
}

/* Of all different positions three plies from the start. */
static uint64_t moves_three_plies_ahead(void) {
    Position root;
    Frontier f;
    TabiaError error = {0};
    Zobrist *zobrist = aligned_alloc(64, (sizeof *zobrist + 63) / 64 * 64);
    uint64_t moves = 0;
    zobrist_init(zobrist, 1);
    assert_true(fen_parse(&root, fen_start, &error));
    assert_true(frontier_make(&f, &root, zobrist, (FrontierLimits){3, 1000000, 1000000, true}, &error));
    assert_int_equal(f.units.n, 5362);
    for (size_t u = 0; u < f.units.n; u++) moves += moves_count(&f.units.position[u]);
    frontier_free(&f);
    free(zobrist);
    return moves;
}

static void records_a_true_perft(void **state) {
    (void)state;
    const unsigned owners[] = {2, 64};
    const TraceOptions job = {.depth = 7,
                              .leaf_parent_depth = 4,
                              .target_units = 20,
                              .hash_bytes = 64 << 20,
                              .owners = owners,
                              .partitions = 2};
    Trace t;
    uint64_t leaves;
    TabiaError error = {0};
    if (!trace_record(&t, &job, &leaves, &error)) fail_msg("%s", error.text);
    assert_int_equal(leaves, 3195901860);
    const TraceSums s = trace_sums(&t);
    assert_int_equal(s.of_type[TRACE_UNIT], 20);
    assert_int_equal(s.of_type[TRACE_WAIT], 20 * 3);
    /* 20 positions below each unit, all different, then 8,902 of the floor, of which 5,362 differ. */
    assert_int_equal(s.of_type[TRACE_PROBE], 400 + 8902);
    assert_int_equal(s.of_type[TRACE_STORE], 400 + 5362);
    /* Each position has some parts, by the owners of its children, the first one with number 0. */
    uint64_t positions = 0;
    for (uint64_t i = 0; i < t.events; i++) positions += t.event[i].type == TRACE_SIBLINGS && t.event[i].depth == 0;
    assert_int_equal(positions, 5362);
    /* The parts of a position have all its moves; what was known is the rest of what was asked for. */
    uint64_t moves = 0, known = 0;
    for (uint64_t i = 0; i < t.events; i++) {
        if (t.event[i].type == TRACE_SIBLINGS) moves += t.event[i].detail;
        if (t.event[i].type == TRACE_PROBE) known += t.event[i].detail;
    }
    assert_int_equal(moves, moves_three_plies_ahead());
    assert_int_equal(known, 8902 - 5362);
    assert_int_equal(t.source.depth, 7);
    assert_int_equal(t.source.target_units, 20);
    assert_true(t.slowdown > 0);
    assert_true(s.of_type[TRACE_SIBLINGS] > 2 * 5362 && s.of_type[TRACE_SIBLINGS] < 40 * 5362);
    assert_int_equal(t.partitions, 3);
    assert_true(t.partition[0].owners == 1 && t.partition[1].owners == 2 && t.partition[2].owners == 64);
    assert_true(t.partition[0].remote_probes == 0 && t.partition[0].remote_hits == 0);
    for (unsigned i = 1; i < 3; i++) {
        /* What is new the ranks ask of each other as often as another is the owner; what is not, at most as often. */
        const double remote = 1 - 1.0 / (double)t.partition[i].owners, new = (400 + 5362) * remote;
        const double asked_new = (double)(t.partition[i].remote_probes - t.partition[i].remote_hits);
        assert_true(asked_new > 0.95 * new &&asked_new < 1.05 * new);
        assert_true(t.partition[i].remote_hits > 0 &&
                    (double)t.partition[i].remote_hits < 1.05 * (double)known * remote);
        /* What is counted again is little: that is what owners are chosen for. (Small tables that forget a little less
           than one large one may make it less than nothing.) */
        const double times = (double)t.partition[i].counted / (double)t.partition[0].counted;
        assert_true(times > 0.98 && times < 1.3);
    }
    bool used[64] = {false};
    for (uint64_t i = 0; i < t.sibling_sets; i++) used[t.set_owner[2 * i + 1]] = true;
    unsigned homes_used = 0;
    for (unsigned i = 0; i < 64; i++) homes_used += used[i];
    assert_true(homes_used > 32);
    trace_free(&t);
}

static void refuses_jobs_that_make_no_sense(void **state) {
    (void)state;
    const unsigned falling[] = {4, 2}, one[] = {1};
    const TraceOptions jobs[] = {{.depth = 4, .leaf_parent_depth = 3},
                                 {.depth = 6, .leaf_parent_depth = 2},
                                 {.depth = 6, .leaf_parent_depth = 5},
                                 {.depth = 13, .leaf_parent_depth = 3},
                                 {.depth = 6, .leaf_parent_depth = 3, .fen = "nonsense"},
                                 {.depth = 6, .leaf_parent_depth = 3, .owners = falling, .partitions = 2},
                                 {.depth = 6, .leaf_parent_depth = 3, .owners = one, .partitions = 1}};
    for (unsigned i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        Trace t;
        uint64_t leaves;
        TabiaError error = {0};
        assert_false(trace_record(&t, &jobs[i], &leaves, &error));
        assert_true(error.text[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_sums),
        cmocka_unit_test(scales_all_work),
        cmocka_unit_test(reads_what_it_wrote),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(records_a_true_perft),
        cmocka_unit_test(refuses_jobs_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
