/* SPDX-License-Identifier: MIT */
/*
 * A thread that stops at a chosen point within the library's text, and resumes when it is asked to: what others do in
 * between happens there each time the test runs, whatever the scheduler likes.
 *
 *     slow thread      load ... check stored [stops]                        data stored, ends
 *     test             slow_start ...........^  stores, probes, slow_go ....^ probes again
 *
 * Fills in the hook pause_at: include it before any header of src/table, once, in a source file.
 */
#pragma once
#include "unit.h"

#include <pthread.h>
#include <semaphore.h>

#define TABIA_PAUSES
#include "table/table_internal.h"

typedef struct {
    PausePoint point;
    unsigned skip; /* passes the point so many times before it stops there */
    void (*act)(const void *what);
    const void *what;
    bool stopped; /* did it come to the point? */
    sem_t arrived, go;
    pthread_t thread;
} Slow;

static _Thread_local Slow *slow_self; /* NULL: a thread that never stops */

static void pause_at(PausePoint point) {
    Slow *s = slow_self;
    if (!s || s->stopped || s->point != point || s->skip-- > 0) return;
    s->stopped = true;
    sem_post(&s->arrived);
    sem_wait(&s->go);
}

static inline void *slow_run(void *context) {
    Slow *s = context;
    slow_self = s;
    s->act(s->what);
    if (!s->stopped) sem_post(&s->arrived);
    return NULL;
}

/* Begins to act in another thread; returns when that has stopped, or has ended without. */
static inline void slow_start(Slow *s) {
    s->stopped = false;
    assert_int_equal(sem_init(&s->arrived, 0, 0) | sem_init(&s->go, 0, 0), 0);
    assert_int_equal(pthread_create(&s->thread, NULL, slow_run, s), 0);
    while (sem_wait(&s->arrived) != 0) continue;
}

/* Lets it go on to its end. */
static inline void slow_go(Slow *s) {
    sem_post(&s->go);
    pthread_join(s->thread, NULL);
    sem_destroy(&s->arrived);
    sem_destroy(&s->go);
}
