/* SPDX-License-Identifier: MIT */
/* Traces: what is written is read back, whatever is damaged is refused, and a recorded perft is a true one. */
#include "lab/trace.h"

#include <stdio.h>
#include <unistd.h>

#include "unit.h"

static Trace small_trace(void) {
    Trace t = {.text = "a small one"};
    trace_add(&t, TRACE_UNIT, 0, 0, 0);
    trace_add(&t, TRACE_ASK, 3, 0xdeadbeef, 100);
    trace_add(&t, TRACE_NEED, 0, 0, 50);
    trace_add(&t, TRACE_STORE, 3, 0xdeadbeef, 90000);
    trace_add(&t, TRACE_WORK, 0, 0, 7);
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
    assert_int_equal(s.of_kind[TRACE_ASK], 1);
    assert_int_equal(s.of_kind[TRACE_UNIT], 1);
    assert_true(s.of_kind[TRACE_WORK] > 2); /* ten seconds do not fit one event */
    assert_true(s.work > 10.0000901 && s.work < 10.0000902);
    trace_free(&t);
}

static void reads_what_it_wrote(void **state) {
    (void)state;
    char path[64];
    Fault fault = {""};
    close(temporary_file(path));
    Trace t = small_trace(), back;
    assert_true(trace_write(&t, path, &fault));
    if (!trace_read(&back, path, &fault)) fail_msg("%s", fault.text);
    assert_int_equal(back.events, t.events);
    assert_memory_equal(back.event, t.event, t.events * sizeof *t.event);
    assert_string_equal(back.text, t.text);
    trace_free(&back);
    trace_free(&t);
    unlink(path);
}

/* Every byte of the file counts, and every length but the right one is refused. */
static void refuses_damage(void **state) {
    (void)state;
    char path[64];
    uint8_t bytes[4096];
    Fault fault = {""};
    close(temporary_file(path));
    Trace t = small_trace(), back;
    assert_true(trace_write(&t, path, &fault));
    FILE *file = fopen(path, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n > 300 && n < sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 0x10;
        write_bytes(path, bytes, n);
        if (trace_read(&back, path, &fault)) fail_msg("byte %zu of %zu damaged, and nobody saw it", i, n);
        assert_true(fault.text[0]);
        bytes[i] ^= 0x10;
    }
    for (size_t length = 0; length < n; length += 5) {
        write_bytes(path, bytes, length);
        assert_false(trace_read(&back, path, &fault));
    }
    write_bytes(path, bytes, n + 1);
    assert_false(trace_read(&back, path, &fault));
    write_bytes(path, bytes, n);
    assert_true(trace_read(&back, path, &fault));
    trace_free(&back);
    trace_free(&t);
    unlink(path);
}

static void refuses_nonsense(void **state) {
    (void)state;
    char path[64];
    Fault fault = {""};
    close(temporary_file(path));
    const TraceEvent wrong[] = {
        {.kind = TRACE_KINDS}, {.kind = TRACE_NEED, .owner = 1}, {.kind = TRACE_ASK, .zero = {1}}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Trace t = small_trace(), back;
        t.event[2] = wrong[i];
        assert_true(trace_write(&t, path, &fault));
        assert_false(trace_read(&back, path, &fault));
        assert_non_null(strstr(fault.text, "event 3 of 5"));
        trace_free(&t);
    }
    Trace none = {0};
    assert_false(trace_write(&none, path, &fault));
    assert_false(trace_read(&none, "/nowhere/at/all", &fault));
    unlink(path);
}

static void records_a_true_perft(void **state) {
    (void)state;
    const TraceJob job = {.depth = 5, .ask_depth = 2, .units = 20, .hash_bytes = 8 << 20};
    Trace t;
    uint64_t leaves;
    Fault fault = {""};
    if (!trace_make(&t, &job, &leaves, &fault)) fail_msg("%s", fault.text);
    assert_int_equal(leaves, 4865609);
    const TraceSums s = trace_sums(&t);
    assert_int_equal(s.of_kind[TRACE_UNIT], 20);
    assert_int_equal(s.of_kind[TRACE_NEED], 20);
    /* Below 20 units, all 8,902 paths of 3 plies, none of which meet below the same unit; 5,362 positions. */
    assert_int_equal(s.of_kind[TRACE_ASK], 8902);
    assert_int_equal(s.of_kind[TRACE_STORE], 5362);
    trace_free(&t);
}

static void refuses_jobs_that_make_no_sense(void **state) {
    (void)state;
    const TraceJob jobs[] = {{.depth = 3, .ask_depth = 2},
                             {.depth = 5, .ask_depth = 1},
                             {.depth = 5, .ask_depth = 4},
                             {.depth = 13, .ask_depth = 3},
                             {.depth = 5, .ask_depth = 2, .fen = "nonsense"}};
    for (unsigned i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        Trace t;
        uint64_t leaves;
        Fault fault = {""};
        assert_false(trace_make(&t, &jobs[i], &leaves, &fault));
        assert_true(fault.text[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_sums),        cmocka_unit_test(reads_what_it_wrote),
        cmocka_unit_test(refuses_damage),       cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(records_a_true_perft), cmocka_unit_test(refuses_jobs_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
