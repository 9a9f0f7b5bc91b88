/* SPDX-License-Identifier: MIT */
/* Work that runs on several threads at once and ends together. Nothing here outlives the call. */
#pragma once
#include "base/error.h"

/* Processors this process may run on (its affinity mask, which taskset and containers narrow): at least 1. */
unsigned tabia_threads_usable(void);

/* Calls body(context, worker) once for every worker 0 .. n-1, each on a thread of its own, and returns when all have
   returned. Worker 0 is the calling thread, so n = 1 starts none. All or nothing: if the system refuses a thread, no
   body is called at all, and false is returned with an error. What the caller wrote before is visible to every body,
   what the bodies wrote is visible to the caller after. n = 0 is an error. */
bool tabia_threads_run(unsigned n, void (*body)(void *context, unsigned worker), void *context, TabiaError *error);

/*
 * Asks the system to let the calling thread run at once when it wakes, even where every processor is busy: for a thread
 * that sleeps until a message comes and then works for microseconds. It asks for a short slice, which since Linux 6.12
 * means an early turn (Peter Zijlstra's scheduler by earliest eligible virtual deadline; sched(7)); no thread gets
 * more or less time. Where the system knows no such thing, or the thread is scheduled in a way of its own already,
 * nothing happens.
 */
void tabia_threads_wake_early(void);
