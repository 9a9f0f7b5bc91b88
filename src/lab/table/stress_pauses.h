/* SPDX-License-Identifier: MIT */
/*
 * A pause_at() for the library's text: some of the time nothing, else up to so many pause instructions, and now and
 * then the processor is given away, so that a writer stands amid its store while the others go on.
 *
 * Include it before any header of src/table, once, in a source file. The hook takes no context, so a thread's pauses
 * are thread-local: set by pauses_set before the thread's first store.
 */
#pragma once
#include <sched.h>

#include "base/random.h"

#define TABIA_PAUSES
#include "table/table_internal.h"

typedef struct {
    uint64_t seed;
    unsigned max;
} Pauses;

static _Thread_local Pauses pauses;

static inline void cpu_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static inline void pauses_set(uint64_t seed, unsigned max) {
    pauses = (Pauses){seed, max};
}

static void pause_at(PausePoint point) {
    (void)point;
    if (!pauses.max) return;
    const uint64_t r = random_next(&pauses.seed);
    if (r % 127 == 0) sched_yield();
    for (unsigned n = r & 0x30000 ? (unsigned)((r >> 32) * (pauses.max + 1) >> 32) : 0; n; n--) cpu_pause();
}
