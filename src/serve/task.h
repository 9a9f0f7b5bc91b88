/* SPDX-License-Identifier: MIT */
/*
 * Work that takes longer than a request may: one at a time, on a thread of its own, which writes to a stream. Another one
 * ends it and takes its place. All functions belong to the server's thread, but for task_is_over.
 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "serve/http.h"

typedef struct {
    pthread_t thread;
    bool started;
    atomic_bool stop;
    Stream *stream; /* of the work; its thread's */
    void (*work)(void *context, Stream *stream);
    void *context;
} Task;

/* Asks the work to end, and waits for that. */
void task_end(Task *t);
/* Begins work, whose words go to that request's stream; none runs. `work` asks task_is_over often. Where it cannot begin, that is
   replied. */
void task_start(Task *t, HttpRequest *request, const char *type, void (*work)(void *context, Stream *stream),
                void *context);
/* Is the work to end? From its thread. */
bool task_is_over(Task *t);
