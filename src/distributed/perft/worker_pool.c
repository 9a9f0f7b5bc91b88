/* SPDX-License-Identifier: MIT */
#include "worker_pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Items submitted and not collected: alone, two for each step of work of a pass (worker.c); among other threads, enough
   that none waits while the first one counts an item itself. */
enum { ITEMS_ALONE = 32, ITEMS_PER_THREAD = 4 };

struct WorkerPool {
    KernelContext context; /* each thread begins with a copy */
    const PerftKernel *kernel;
    unsigned started; /* threads besides the first */
    pthread_t *thread;
    WorkItem *item, *free; /* all; those that are free */
    unsigned free_items;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t more;
    WorkItem *waiting, **waiting_end, *done;
    unsigned sleeping;
    bool is_over;
};

static Siblings siblings_of(const WorkItem *item) {
    return (Siblings){&item->position, item->move, item->child, item->moves, item->depth};
}

/* Prefetches the table's buckets of an item's children. The first thread of a rank of one thread does so one item
   ahead, and not more, because a core can have only so many reads of memory under way; other threads do so just before
   they count, as in perft/count.h. */
static void prefetch_item(const WorkerPool *pool, const WorkItem *item) {
    const Siblings siblings = siblings_of(item);
    if (item->moves) pool->kernel->prefetch(&pool->context, &siblings);
}

static void count_item(const PerftKernel *kernel, KernelContext *context, WorkItem *item) {
    const Siblings siblings = siblings_of(item);
    context->probes = context->hits = context->leaves_counted = 0;
    item->sum = item->moves ? kernel->children(context, &siblings)
                            : kernel->count(context, &item->position, item->key, item->depth);
    item->probes = context->probes, item->hits = context->hits;
    item->leaves_counted = context->leaves_counted;
    assert(item->hits <= item->probes);
}

/* A rank of one thread needs no lock. */
static void lock(WorkerPool *pool) {
    if (pool->started) pthread_mutex_lock(&pool->lock);
}
static void unlock(WorkerPool *pool) {
    if (pool->started) pthread_mutex_unlock(&pool->lock);
}

/* Under the lock. */
static WorkItem *pop_waiting(WorkerPool *pool) {
    WorkItem *item = pool->waiting;
    if (!item) return NULL;
    pool->waiting = item->next;
    if (!item->next) pool->waiting_end = &pool->waiting;
    return item;
}

/* Under the lock. */
static void push_done(WorkerPool *pool, WorkItem *item) {
    item->next = pool->done;
    pool->done = item;
}

static void *count_items(void *argument) {
    WorkerPool *pool = argument;
    KernelContext context = pool->context;
    pthread_mutex_lock(&pool->lock);
    while (!pool->is_over) {
        WorkItem *item = pop_waiting(pool);
        if (!item) {
            pool->sleeping++;
            pthread_cond_wait(&pool->more, &pool->lock);
            pool->sleeping--;
            continue;
        }
        pthread_mutex_unlock(&pool->lock);
        prefetch_item(pool, item);
        count_item(pool->kernel, &context, item);
        pthread_mutex_lock(&pool->lock);
        push_done(pool, item);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* ---- creation ---- */

static bool start_threads(WorkerPool *pool, unsigned threads, TabiaError *error) {
    for (; pool->started < threads - 1; pool->started++) {
        const int refused = pthread_create(&pool->thread[pool->started], NULL, count_items, pool);
        if (refused) return tabia_fail(error, "thread %u of a rank: %s", pool->started + 2, strerror(refused));
    }
    return true;
}

WorkerPool *worker_pool_create(unsigned threads, const KernelContext *context, const PerftKernel *kernel,
                               TabiaError *error) {
    const unsigned items = threads == 1 ? ITEMS_ALONE : threads * ITEMS_PER_THREAD;
    assert(threads > 0);
    WorkerPool *pool = malloc(sizeof *pool);
    if (!pool) return tabia_fail(error, "not enough memory for %u threads", threads), NULL;
    *pool = (WorkerPool){.context = *context, .kernel = kernel, .waiting_end = &pool->waiting};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->more, NULL);
    pool->thread = calloc(threads, sizeof *pool->thread);
    pool->item = aligned_alloc(64, (items * sizeof *pool->item + 63) / 64 * 64);
    const bool good = (pool->thread && pool->item) || tabia_fail(error, "not enough memory for %u threads", threads);
    for (unsigned i = 0; good && i < items; i++) worker_pool_recycle(pool, pool->item + i);
    if (good && start_threads(pool, threads, error)) return pool;
    worker_pool_destroy(pool);
    return NULL;
}

void worker_pool_destroy(WorkerPool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->is_over = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++) pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->more);
    pthread_mutex_destroy(&pool->lock);
    free(pool->thread);
    free(pool->item);
    free(pool);
}

/* ---- the first thread ---- */

bool worker_pool_has_room(const WorkerPool *pool, unsigned items) {
    return pool->free_items >= items;
}

WorkItem *worker_pool_acquire(WorkerPool *pool) {
    WorkItem *item = pool->free;
    assert(item && pool->free_items > 0);
    pool->free = item->next;
    pool->free_items--;
    return item;
}

void worker_pool_recycle(WorkerPool *pool, WorkItem *item) {
    item->next = pool->free;
    pool->free = item;
    pool->free_items++;
}

void worker_pool_submit(WorkerPool *pool, WorkItem *item) {
    assert(item->moves <= MOVES_MAX);
    item->next = NULL;
    lock(pool);
    if (!pool->started && !pool->waiting) prefetch_item(pool, item); /* no other item is counted before it */
    *pool->waiting_end = item;
    pool->waiting_end = &item->next;
    if (pool->sleeping) pthread_cond_signal(&pool->more);
    unlock(pool);
}

bool worker_pool_help(WorkerPool *pool) {
    lock(pool);
    WorkItem *item = pop_waiting(pool);
    const WorkItem *prefetched = pool->started ? item : pool->waiting;
    unlock(pool);
    if (!item) return false;
    if (prefetched) prefetch_item(pool, prefetched);
    KernelContext context = pool->context;
    count_item(pool->kernel, &context, item);
    lock(pool);
    push_done(pool, item);
    unlock(pool);
    return true;
}

WorkItem *worker_pool_collect(WorkerPool *pool) {
    lock(pool);
    WorkItem *item = pool->done;
    if (item) pool->done = item->next;
    unlock(pool);
    return item;
}
