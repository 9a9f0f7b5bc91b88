/* SPDX-License-Identifier: MIT */
/* Work stealing: every unit is handed out once and only once, whoever is quick or slow. */

#include "unit.h"

#include "base/threads.h"
#include "perft/work_queue.h"

enum { WORKERS = 8, UNITS = 200000 };

typedef struct {
    WorkRange range[WORKERS];
    atomic_uchar taken[UNITS];
    unsigned took[WORKERS];
} Work;

static void take_all(void *context, unsigned worker) {
    Work *w = context;
    int64_t unit;
    while ((unit = work_ranges_pop(w->range, WORKERS, worker)) >= 0) {
        atomic_fetch_add(&w->taken[unit], 1);
        w->took[worker]++;
    }
}

static Work *new_work(void) {
    Work *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    assert_non_null(w);
    *w = (Work){0};
    return w;
}

static void each_unit_once(void **state) {
    Work *w = new_work();
    TabiaError error;
    for (int round = 0; round < 20; round++) {
        work_ranges_divide(w->range, WORKERS, UNITS);
        for (int u = 0; u < UNITS; u++) atomic_store(&w->taken[u], 0);
        assert_true(tabia_threads_run(WORKERS, take_all, w, &error));
        for (int u = 0; u < UNITS; u++) assert_int_equal(atomic_load(&w->taken[u]), 1);
    }
    free(w);
}

/* A worker alone goes through its own range in order, then through what it steals from all the others. */
static void one_worker_gets_everything(void **state) {
    Work *w = new_work();
    work_ranges_divide(w->range, WORKERS, 1000);
    for (int64_t u = 250; u < 375; u++) assert_int_equal(work_ranges_pop(w->range, WORKERS, 2), u);
    take_all(w, 2);
    assert_int_equal(w->took[2], 1000 - 125);
    assert_int_equal(work_ranges_pop(w->range, WORKERS, 5), -1);
    free(w);
}

/* Who has nothing left takes the second half of the longest range, wherever that lies. */
static void the_longest_range_is_robbed(void **state) {
    Work *w = new_work();
    for (unsigned i = 0; i < WORKERS; i++) work_range_set(w->range + i, 0, 0);
    work_range_set(w->range + 3, 900, 910);
    work_range_set(w->range + 6, 0, 100);
    assert_int_equal(work_ranges_pop(w->range, WORKERS, 1), 50);
    assert_int_equal(work_ranges_pop(w->range, WORKERS, 6), 0);
    assert_int_equal(work_ranges_pop(w->range, WORKERS, 3), 900);
    free(w);
}

static void fewer_units_than_workers(void **state) {
    Work *w = new_work();
    work_ranges_divide(w->range, WORKERS, 3);
    take_all(w, 0);
    assert_int_equal(w->took[0], 3);
    work_ranges_divide(w->range, WORKERS, 0);
    assert_int_equal(work_ranges_pop(w->range, WORKERS, 0), -1);
    free(w);
}

#include "test_work_queue_list.h"
