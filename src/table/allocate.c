/* SPDX-License-Identifier: MIT */
#include "allocate.h"

#include "base/error.h"
#include "named.h"
#include "work.h"

int tabia_allocate_addresses(TabiaTable *t, uint64_t returned, TabiaError *error) {
    if (t->options.name) return tabia_named_open(t, error);
    const MemoryRequest request = {
        .bytes = table_bytes(t), .small_pages = t->options.pages == TABIA_PAGES_SMALL, .returned = returned};
    if (!tabia_memory_get(&t->memory, request, error)) return TABIA_ERROR_MEMORY;
    t->base = t->memory.at;
    return 0;
}

/* Parts are handed out one by one, so that a thread that the system holds up does not hold up the whole. */
typedef struct {
    WorkRun work; /* first: a piece is given only this */
    const TabiaTable *whole;
} TouchWork;

static void touch_part(WorkRun *work, uint64_t part, unsigned worker) {
    const TabiaTable *t = ((TouchWork *)work)->whole;
    if (tabia_memory_touch(&t->memory, (unsigned)part, (unsigned)work->pieces)) {
        tabia_work_tick(work, worker, table_bytes(t) / work->pieces);
        return;
    }
    TabiaError error;
    tabia_error_set(&error, TABIA_ERROR_MEMORY, "%.1f MiB of memory were asked for, and %s ran out on the way",
                    (double)table_bytes(t) / (1 << 20), t->named ? "/dev/shm" : "the system");
    tabia_work_fail(work, part, TABIA_ERROR_MEMORY, &error);
}

/* Of some MiB, or of a page. */
static unsigned parts_of(const TabiaTable *t) {
    const uint64_t min = 32 << 20;
    const uint64_t bytes = t->memory.page_bytes > min ? t->memory.page_bytes : min;
    return 1 + (unsigned)(t->memory.bytes / bytes);
}

int tabia_allocate(TabiaTable *t, const TabiaWatch *watch, TabiaError *error) {
    if (t->options.touch == TABIA_TOUCH_LATER && !t->named) return 0;
    TouchWork touch = {.whole = t};
    tabia_work_begin(&touch.work, watch, 0, table_bytes(t));
    touch.work.pieces = parts_of(t), touch.work.piece = touch_part;
    const int code = tabia_work_ask(&touch.work, error);
    return code ? code : tabia_work_run(&touch.work, t->options.threads, error);
}
