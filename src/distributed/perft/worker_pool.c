/* SPDX-License-Identifier: MIT */
#include "worker_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Errands laid out and not collected: alone, two for each piece of work that is done at a time (ranks.c); among others,
   enough that nobody waits while the first thread counts one itself. */
enum { ERRANDS_ALONE = 32, ERRANDS_A_THREAD = 4 };

static Siblings children_of(const WorkItem *e) {
    return (Siblings){&e->position, e->move, e->child, e->moves, e->depth};
}

/* What it will ask of the table is brought into the caches: one before it is counted where the first thread is alone,
   for more at a time than a core can ask its memory for hold it up; by others just before, as in perft/count.h. */
static void expect_errand(const WorkerPool *c, const WorkItem *e) {
    const Siblings children = children_of(e);
    if (e->moves) c->kernel->expect(&c->context, &children);
}

static void run_errand(const PerftKernel *kernel, CountContext *context, WorkItem *e) {
    const Siblings children = children_of(e);
    context->probes = context->hits = 0;
    e->sum = e->moves ? kernel->children(context, &children) : kernel->count(context, &e->position, e->key, e->depth);
    e->probes = context->probes, e->hits = context->hits;
}

/* Alone there is nobody to lock out. */
static void lock(WorkerPool *c) {
    if (c->started) pthread_mutex_lock(&c->lock);
}
static void unlock(WorkerPool *c) {
    if (c->started) pthread_mutex_unlock(&c->lock);
}

/* Under the lock. */
static WorkItem *take(WorkerPool *c) {
    WorkItem *e = c->waiting;
    if (!e) return NULL;
    c->waiting = e->next;
    if (!e->next) c->last = &c->waiting;
    return e;
}

static void put_back(WorkerPool *c, WorkItem *e) {
    e->next = c->counted;
    c->counted = e;
}

static void *work(void *argument) {
    WorkerPool *c = argument;
    CountContext context = c->context;
    pthread_mutex_lock(&c->lock);
    while (!c->over) {
        WorkItem *e = take(c);
        if (!e) {
            c->asleep++;
            pthread_cond_wait(&c->more, &c->lock);
            c->asleep--;
            continue;
        }
        pthread_mutex_unlock(&c->lock);
        expect_errand(c, e);
        run_errand(c->kernel, &context, e);
        pthread_mutex_lock(&c->lock);
        put_back(c, e);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- life ---- */

bool worker_pool_init(WorkerPool *c, unsigned threads, const CountContext *context, const PerftKernel *kernel,
                      Fault *fault) {
    const unsigned errands = threads == 1 ? ERRANDS_ALONE : threads * ERRANDS_A_THREAD;
    *c = (WorkerPool){.context = *context, .kernel = kernel, .threads = threads};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    c->last = &c->waiting;
    c->thread = calloc(threads, sizeof *c->thread);
    c->errand = aligned_alloc(64, errands * sizeof *c->errand);
    if (!c->thread || !c->errand) return tabia_fault(fault, "not enough memory for %u threads", threads);
    for (unsigned i = 0; i < errands; i++) worker_pool_recycle(c, c->errand + i);
    for (; c->started < threads - 1; c->started++) {
        const int refused = pthread_create(&c->thread[c->started], NULL, work, c);
        if (refused) return tabia_fault(fault, "thread %u of a rank: %s", c->started + 2, strerror(refused));
    }
    return true;
}

void worker_pool_release(WorkerPool *c) {
    if (!c->threads) return;
    pthread_mutex_lock(&c->lock);
    c->over = true;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->started; i++) pthread_join(c->thread[i], NULL);
    pthread_cond_destroy(&c->more);
    pthread_mutex_destroy(&c->lock);
    free(c->thread);
    free(c->errand);
}

/* ---- the first thread ---- */

bool worker_pool_has_room(const WorkerPool *c, unsigned errands) {
    return c->blanks >= errands;
}

WorkItem *worker_pool_acquire(WorkerPool *c) {
    WorkItem *e = c->blank;
    assert(e);
    c->blank = e->next;
    c->blanks--;
    return e;
}

void worker_pool_recycle(WorkerPool *c, WorkItem *e) {
    e->next = c->blank;
    c->blank = e;
    c->blanks++;
}

void worker_pool_submit(WorkerPool *c, WorkItem *e) {
    e->next = NULL;
    lock(c);
    if (!c->started && !c->waiting) expect_errand(c, e); /* no other is counted before it */
    *c->last = e;
    c->last = &e->next;
    if (c->asleep) pthread_cond_signal(&c->more);
    unlock(c);
}

bool worker_pool_help(WorkerPool *c) {
    lock(c);
    WorkItem *e = take(c);
    const WorkItem *expected = c->started ? e : c->waiting;
    unlock(c);
    if (!e) return false;
    if (expected) expect_errand(c, expected);
    CountContext context = c->context;
    run_errand(c->kernel, &context, e);
    lock(c);
    put_back(c, e);
    unlock(c);
    return true;
}

WorkItem *worker_pool_collect(WorkerPool *c) {
    lock(c);
    WorkItem *e = c->counted;
    if (e) c->counted = e->next;
    unlock(c);
    return e;
}
