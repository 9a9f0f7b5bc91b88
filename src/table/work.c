/* SPDX-License-Identifier: MIT */
#include "table/work.h"

#include "base/error.h"
#include "base/threads.h"
#include "base/time.h"

static const double ASK_EVERY = 0.02; /* seconds */

void tabia_work_begin(WorkRun *work, const TabiaWatch *watch, uint64_t bytes_done, uint64_t bytes_all) {
    *work = (WorkRun){.bytes_all = bytes_all, .watch = watch, .lock = PTHREAD_MUTEX_INITIALIZER, .failed = UINT64_MAX};
    atomic_init(&work->bytes_done, bytes_done);
}

int tabia_work_ask(WorkRun *work, TabiaError *error) {
    if (!work->watch) return 0;
    uint64_t done = atomic_load_explicit(&work->bytes_done, memory_order_relaxed);
    if (done > work->bytes_all) done = work->bytes_all; /* what lies at the border of two pieces is read twice */
    work->asked = tabia_clock_wall();
    if (!work->watch->stop(work->watch->context, done, work->bytes_all)) return 0;
    return tabia_error_set(error, TABIA_ERROR_STOPPED, "stopped because it was asked for");
}

/* The code is what tells the others to leave. The mutex orders the rest. */
void tabia_work_fail(WorkRun *work, uint64_t piece, int code, const TabiaError *error) {
    assert(code && piece < work->pieces);
    pthread_mutex_lock(&work->lock);
    if (piece < work->failed) {
        work->failed = piece;
        work->error = *error;
        atomic_store_explicit(&work->code, code, memory_order_relaxed);
    }
    pthread_mutex_unlock(&work->lock);
}

bool tabia_work_tick(WorkRun *work, unsigned worker, uint64_t bytes) {
    atomic_fetch_add_explicit(&work->bytes_done, bytes, memory_order_relaxed);
    TabiaError error;
    if (worker == 0 && work->watch && tabia_clock_wall() - work->asked >= ASK_EVERY && tabia_work_ask(work, &error))
        tabia_work_fail(work, 0, TABIA_ERROR_STOPPED, &error);
    return atomic_load_explicit(&work->code, memory_order_relaxed) == 0;
}

/* A piece that is taken is done to its end or to its own failure, so that the least failure is always found. */
static void take_pieces(void *context, unsigned worker) {
    WorkRun *work = context;
    while (atomic_load_explicit(&work->code, memory_order_relaxed) == 0) {
        const uint64_t piece = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (piece >= work->pieces) return;
        work->piece(work, piece, worker);
    }
}

int tabia_work_run(WorkRun *work, unsigned threads, TabiaError *error) {
    assert(work->piece && work->pieces > 0);
    if (threads > work->pieces) threads = (unsigned)work->pieces;
    if (threads < 2 || !tabia_threads_run(threads, take_pieces, work, NULL)) take_pieces(work, 0);
    const int code = atomic_load_explicit(&work->code, memory_order_relaxed);
    if (code) tabia_error_set(error, code, "%s", work->error.text);
    return code;
}
