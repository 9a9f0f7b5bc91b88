/* SPDX-License-Identifier: MIT */
#include "allocate.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/threads.h"
#include "named.h"

int tabia_allocate_addresses(TabiaTable *t, MemoryWhole of, TabiaError *error) {
    if (t->options.name) return tabia_named_open(t, error);
    const MemoryWish wish = {.bytes = t->buckets * t->bucket_bytes,
                             .small_pages = t->options.pages == TABIA_PAGES_SMALL,
                             .interleave = t->options.numa_interleave,
                             .of = of};
    if (!tabia_memory_get(&t->memory, wish, error)) return TABIA_ERROR_MEMORY;
    t->base = t->memory.at;
    return 0;
}

/* Parts are handed out one by one, so that a thread that the system holds up does not hold up the whole. */
typedef struct {
    const TabiaTable *whole;
    unsigned parts;
    atomic_uint next;
    atomic_bool failed;
} TouchJob;

static void touch(void *context, unsigned worker) {
    TouchJob *c = context;
    const TabiaTable *t = c->whole;
    (void)worker;
    for (;;) {
        const unsigned part = atomic_fetch_add_explicit(&c->next, 1, memory_order_relaxed);
        if (part >= c->parts) return;
        const bool good = t->memory.at ? tabia_memory_touch(&t->memory, part, c->parts)
                                       : tabia_memory_touch(&t->share[part]->memory, 0, 1);
        if (!good) atomic_store_explicit(&c->failed, true, memory_order_relaxed);
    }
}

/* Private shares are parts, each in the hands of one thread. One memory has parts of some MiB, or of a page. */
static unsigned parts_of(const TabiaTable *t) {
    const uint64_t least = 32 << 20;
    if (!t->memory.at) return t->options.shares;
    const uint64_t bytes = t->memory.page_bytes > least ? t->memory.page_bytes : least;
    return 1 + (unsigned)(t->memory.bytes / bytes);
}

int tabia_allocate(TabiaTable *t, TabiaError *error) {
    if (t->options.touch == TABIA_TOUCH_LATER && !t->named) return 0;
    TouchJob c = {.whole = t, .parts = parts_of(t)};
    const unsigned threads = t->options.threads < c.parts ? t->options.threads : c.parts;
    if (!tabia_threads_run(threads, touch, &c, NULL)) touch(&c, 0); /* no thread to be had: then this one alone */
    if (!atomic_load_explicit(&c.failed, memory_order_relaxed)) return 0;
    return tabia_error_set(error, TABIA_ERROR_MEMORY, "%.1f MiB of memory were asked for, and %s ran out on the way",
                           (double)(t->buckets * t->bucket_bytes) / (1 << 20), t->named ? "/dev/shm" : "the system");
}
