/* SPDX-License-Identifier: MIT */
/* Predicted figures beside measured ones; and the timed transport. */
#include "lab/cluster_model/forecast.h"

#include "cluster/timed_transport.h"
#include "unit.h"

/* A row and a run that fit: 2 s of work, 10 % more of it on ranks. By the clock go 8 words and 2.2 * 20 reports. */
static ModelResult row_of(void) {
    return (ModelResult){.ranks = 2,
                         .wall = 1.1,
                         .overhead = 0.1,
                         .counted = 1e5,
                         .cpu = {.requesting = 0.05,
                                 .serving = 0.07,
                                 .unpacking = 0.03,
                                 .scheduling = 0.014,
                                 .service = 0.004}, /* what is measured takes its place */
                         .traffic = {.messages = 848, .control = 100, .bytes = 1e6 - 52 * 60, .sibling_sets = 5000}};
}
static ForecastRun run_of(void) {
    return (ForecastRun){.has_processors = true,
                         .alone_cpu = 2,
                         .alone_wall = 4,
                         .ratio_cpu = 1.1,
                         .ratio_wall = 0.55,
                         .ratio_cpu_min = 1,
                         .ratio_cpu_max = 1.2,
                         .scheduling = 0.002,
                         .calls = 0.101,
                         .counted = 100000,
                         .sibling_sets = 5000,
                         .messages = 1000,
                         .bytes = 1000000};
}

static const ForecastFigure *find(const Forecast *f, const char *json) {
    for (unsigned i = 0; i < f->figures; i++)
        if (strcmp(f->figure[i].json, json) == 0) return &f->figure[i];
    return NULL;
}

static void assert_near(double a, double b) {
    if (a < b - 1e-9 || a > b + 1e-9) fail_msg("%.12g is not %.12g", a, b);
}

static void what_fits_holds(void **state) {
    (void)state;
    const ModelResult row = row_of();
    const ForecastRun run = run_of();
    const Forecast f = forecast_make(&row, &run);
    assert_true(forecast_holds(&f));
    for (unsigned i = 0; i < f.figures; i++) assert_near(forecast_ratio(&f.figure[i]), 1);
    assert_near(find(&f, "cpu_seconds")->predicted, 2.2);
    /* Alone a second of work took two by the clock: others were at it. */
    assert_near(find(&f, "wall_seconds")->predicted, 2.2);
    assert_near(f.overhead_measured, 0.1);
    assert_null(find(&f, "remote_probes")); /* there are none */
}

/* One figure after the other, 19 % off and 21 % off. */
static void each_figure_is_judged(void **state) {
    (void)state;
    const ModelResult row = row_of();
    for (unsigned i = 0; i < 7; i++)
        for (unsigned far = 0; far < 2; far++) {
            ForecastRun run = run_of();
            const double by = 1 / (far ? 1.21 : 1.19);
            double *const reals[] = {&run.calls, &run.ratio_cpu, &run.ratio_wall};
            double *const numbers[] = {&run.counted, &run.sibling_sets, &run.messages, &run.bytes};
            if (i < 3) *reals[i] *= by;
            if (i >= 3) *numbers[i - 3] *= by;
            const Forecast f = forecast_make(&row, &run);
            if (forecast_holds(&f) == (far != 0)) fail_msg("figure %u, %s", i, far ? "far" : "near");
        }
}

static void elapsed_time_is_not_judged_where_ranks_share_processors(void **state) {
    (void)state;
    const ModelResult row = row_of();
    ForecastRun run = run_of();
    run.ratio_wall = 2;
    Forecast f = forecast_make(&row, &run);
    assert_false(forecast_holds(&f));
    run.has_processors = false;
    f = forecast_make(&row, &run);
    assert_true(forecast_holds(&f));
}

static void remote_hits_are_not_judged(void **state) {
    (void)state;
    ModelResult row = row_of();
    ForecastRun run = run_of();
    row.traffic.remote_probes = 1000, row.traffic.remote_hits = 100, run.remote_probes = 1100, run.remote_hits = 200;
    const Forecast f = forecast_make(&row, &run);
    assert_true(forecast_holds(&f));
    assert_non_null(find(&f, "remote_hits")->exempt);
    assert_null(find(&f, "remote_probes")->exempt);
}

static void a_figure_predicted_as_zero_is_far(void **state) {
    (void)state;
    const ModelResult row = row_of();
    ForecastRun run = run_of();
    run.remote_probes = 1;
    Forecast f = forecast_make(&row, &run);
    assert_non_null(find(&f, "remote_probes"));
    assert_false(forecast_holds(&f));
}

static void it_is_printed(void **state) {
    (void)state;
    const ModelResult row = row_of();
    ForecastRun run = run_of();
    char text[4096] = "";
    run.messages = 500;
    const Forecast f = forecast_make(&row, &run);
    FILE *out = fmemopen(text, sizeof text, "w");
    forecast_print(&f, out);
    fclose(out);
    assert_non_null(strstr(text, "2.000  beyond 20 %"));
    assert_non_null(strstr(text, "predicted       measured   ratio"));
    assert_non_null(strstr(text, "overhead: 10.00 % of the work predicted; measured 10.00 %"));
}

/* ---- the timed transport ---- */

/* A transport on a clock of its own: a send takes 1 us, a poll 2 us, with a message 5 us. */
typedef struct {
    TabiaTransport base; /* first */
    double clock;
    unsigned waiting;
    bool full;
} SlowTransport;

static bool slow_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    SlowTransport *s = (SlowTransport *)t;
    (void)to, (void)bytes, (void)n;
    s->clock += 1e-6;
    return !s->full;
}
static unsigned slow_poll(TabiaTransport *t, TransportReceive *take, void *context) {
    SlowTransport *s = (SlowTransport *)t;
    s->clock += 2e-6;
    if (!s->waiting) return 0;
    s->waiting--, s->clock += 3e-6;
    take(context, 1, "x", 1);
    return 1;
}
static bool slow_is_empty(TabiaTransport *t) {
    return t->ranks == 2;
}
static double slow_now(TabiaTransport *t) {
    return ((SlowTransport *)t)->clock;
}
static void never_close(TabiaTransport *t, bool orderly) {
    (void)t, (void)orderly;
    fail_msg("the transport is not the timed transport's to close");
}
static SlowTransport new_slow(void) {
    return (SlowTransport){{0, 2, slow_send, slow_poll, slow_is_empty, slow_now, never_close}, 0, 0, false};
}

/* What is done with a message takes 4 us, and sends one. */
static void answer(void *context, unsigned from, const void *bytes, size_t n) {
    TimedTransport *m = context;
    (void)bytes, (void)n;
    ((SlowTransport *)m->inner)->clock += 4e-6;
    assert_true(m->base.send(&m->base, from, "y", 1));
}

static void calls_that_move_a_message_are_timed(void **state) {
    (void)state;
    SlowTransport slow = new_slow();
    TimedTransport m = tabia_timed_transport(&slow.base, NULL);
    assert_int_equal(m.base.ranks, 2);
    assert_true(m.base.send(&m.base, 1, "x", 1));
    assert_near(m.busy_seconds * 1e6, 1);
    assert_int_equal(m.base.poll(&m.base, answer, &m), 0); /* a poll that finds nothing */
    slow.full = true;
    assert_false(m.base.send(&m.base, 1, "x", 1)); /* no room */
    slow.full = false;
    assert_near(m.busy_seconds * 1e6, 1);
    slow.waiting = 1;
    assert_int_equal(m.base.poll(&m.base, answer, &m), 1);
    assert_near(m.busy_seconds * 1e6, 1 + 5 + 4 + 1); /* the answer's send once */
    assert_near(m.base.now(&m.base), slow.clock);
    assert_true(m.base.is_empty(&m.base));
    m.base.close(&m.base, true);
}

/* A clock of which each reading costs 3 us, and that stands still otherwise: nothing is left of what it measures. */
static double clock_of_3_us(void) {
    static _Thread_local double now;
    return now += 3e-6;
}

static void the_cost_of_clock_readings_is_subtracted(void **state) {
    (void)state;
    SlowTransport slow = new_slow();
    TimedTransport m = tabia_timed_transport(&slow.base, clock_of_3_us);
    assert_near(m.clock_cost * 1e6, 3);
    assert_true(m.base.send(&m.base, 1, "x", 1));
    assert_int_equal(m.calls, 1);
    assert_near(m.busy_seconds, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_holds),
        cmocka_unit_test(each_figure_is_judged),
        cmocka_unit_test(elapsed_time_is_not_judged_where_ranks_share_processors),
        cmocka_unit_test(remote_hits_are_not_judged),
        cmocka_unit_test(a_figure_predicted_as_zero_is_far),
        cmocka_unit_test(it_is_printed),
        cmocka_unit_test(calls_that_move_a_message_are_timed),
        cmocka_unit_test(the_cost_of_clock_readings_is_subtracted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
