/* SPDX-License-Identifier: MIT */
/* A rank's threads count each item once, and right. */
#include "unit.h"

#include <sched.h>
#include <stdatomic.h>

#include "distributed/perft/pacing.h"
#include "distributed/perft/worker_pool.h"
#include "notation/fen.h"
#include "rules/movegen.h"

enum { ROUNDS = 200 };

typedef struct {
    WorkerPool *pool;
    Zobrist zobrist;
    TabiaTable *table;
    atomic_bool stop;
    Position position;
    Key key;
} PoolFixture;

static void begin(PoolFixture *w, unsigned threads) {
    TabiaError error;
    zobrist_init(&w->zobrist, 1);
    atomic_init(&w->stop, false);
    assert_true(fen_parse(&w->position, fen_start, &error));
    w->key = zobrist_key(&w->zobrist, &w->position);
    assert_int_equal(
        tabia_table_create(&w->table, &(TabiaOptions){.bytes = 1 << 20, .type = TABIA_COUNTS, .identity = 1}, NULL),
        TABIA_OK);
    const KernelContext context = {.zobrist = &w->zobrist, .table = w->table, .stop = &w->stop};
    w->pool = worker_pool_create(threads, &context, perft_kernel_at(0), &error);
    assert_non_null(w->pool);
}

static void end(PoolFixture *w) {
    worker_pool_destroy(w->pool);
    tabia_table_destroy(w->table);
}

/* By turns the start position whole, four plies, and below its first moves, three more. */
static void submit(PoolFixture *w, uint64_t number) {
    Move list[MOVES_MAX];
    WorkItem *item = worker_pool_acquire(w->pool);
    const unsigned n = moves_list(&w->position, list);
    item->unit = number, item->position = w->position, item->key = w->key;
    item->depth = number % 2 ? 3 : 4;
    item->moves = number % 2 ? 1 + (unsigned)(number / 2) % n : 0;
    memcpy(item->move, list, item->moves * sizeof *list);
    perft_kernel_at(0)->keys(&w->zobrist, &item->position, item->key, item->move, item->moves, item->child);
    worker_pool_submit(w->pool, item);
}

static uint64_t expected(PoolFixture *w, uint64_t number) {
    Move list[MOVES_MAX];
    KernelContext walk = {.stop = &w->stop};
    const unsigned n = moves_list(&w->position, list);
    uint64_t sum = 0;
    if (number % 2 == 0) return 197281;
    for (unsigned i = 0; i < 1 + (unsigned)(number / 2) % n; i++) {
        Position child;
        position_make_move(&child, &w->position, list[i]);
        sum += (uint64_t)perft_kernel_at(0)->count(&walk, &child, w->key, 3);
    }
    return sum;
}

/* Submits ROUNDS items and collects them, each once; the first thread helps, or only waits. */
static void all_come_back(PoolFixture *w, bool helps) {
    bool came[ROUNDS] = {false};
    for (unsigned submitted = 0, collected = 0; collected < ROUNDS;) {
        while (submitted < ROUNDS && worker_pool_has_room(w->pool, 1)) submit(w, submitted++);
        if (!helps || !worker_pool_help(w->pool)) sched_yield();
        for (WorkItem *item; (item = worker_pool_collect(w->pool)); collected++) {
            assert_false(came[item->unit]);
            came[item->unit] = true;
            assert_int_equal((uint64_t)item->sum, expected(w, item->unit));
            assert_true(item->probes >= item->hits && item->probes > 0);
            worker_pool_recycle(w->pool, item);
        }
    }
}

static void others_count_without_the_first(void **state) {
    PoolFixture w;
    for (unsigned threads = 2; threads <= 5; threads++) {
        begin(&w, threads);
        all_come_back(&w, false);
        end(&w);
    }
}

static void the_first_counts_too(void **state) {
    PoolFixture w;
    for (unsigned threads = 1; threads <= 4; threads++) {
        begin(&w, threads);
        all_come_back(&w, true);
        assert_false(worker_pool_help(w.pool));
        end(&w);
    }
}

/* The end comes while items wait and are counted. */
static void ends_with_work_left(void **state) {
    PoolFixture w;
    for (unsigned round = 0; round < ROUNDS; round++) {
        begin(&w, 1 + round % 4);
        for (unsigned i = 0; worker_pool_has_room(w.pool, 1); i++) submit(&w, i);
        atomic_store(&w.stop, true);
        end(&w);
    }
}

/* ---- pacing ---- */

/* How a rank rests while it has nothing to do, and how much work it does between two polls. No clock is looked at. */

static void yields_first_then_sleeps_longer_and_longer(void **state) {
    Backoff b = {0};
    for (unsigned i = 0; i < 3; i++) assert_int_equal(backoff_next(&b, true), BACKOFF_YIELD);
    for (long sleep = 120000; sleep <= 960000; sleep *= 2) assert_int_equal(backoff_next(&b, true), sleep);
    for (unsigned i = 0; i < 100; i++) assert_int_equal(backoff_next(&b, true), 960000);
}

static void a_busy_step_halves_the_wait(void **state) {
    Backoff b = {0};
    for (unsigned i = 0; i < 8; i++) backoff_next(&b, true);
    assert_int_equal(backoff_next(&b, false), BACKOFF_NONE);
    assert_int_equal(backoff_next(&b, true), 240000); /* the fifth idle step again */
    for (unsigned i = 0; i < 8; i++) assert_int_equal(backoff_next(&b, false), BACKOFF_NONE);
    assert_int_equal(backoff_next(&b, true), BACKOFF_YIELD);
}

static void fast_steps_do_more_pieces_and_slow_ones_half(void **state) {
    Pacing p = {0};
    double now = 0;
    assert_int_equal(pacing_next(&p, now), 1);
    for (unsigned pieces = 2; pieces <= 16; pieces++) assert_int_equal(pacing_next(&p, now += 100e-6), pieces);
    assert_int_equal(pacing_next(&p, now += 100e-6), 16);
    const unsigned halves[] = {8, 4, 2, 1, 1};
    for (unsigned i = 0; i < 5; i++) assert_int_equal(pacing_next(&p, now += 300e-6), halves[i]);
}

#include "test_worker_pool_list.h"
