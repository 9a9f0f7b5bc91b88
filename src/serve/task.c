/* SPDX-License-Identifier: MIT */
#include "serve/task.h"

#include <assert.h>
#include <string.h>

#include "serve/answer.h"

void task_end(Task *t) {
    if (!t->started) return;
    atomic_store(&t->stop, true);
    pthread_join(t->thread, NULL);
    t->started = false;
}

static void *run(void *task) {
    Task *t = task;
    t->work(t->context, t->stream);
    stream_release(t->stream);
    return NULL;
}

void task_start(Task *t, HttpRequest *request, const char *type, void (*work)(void *context, Stream *stream),
                void *context) {
    assert(!t->started);
    atomic_store(&t->stop, false);
    t->work = work, t->context = context;
    t->stream = http_stream(request, type);
    if (!t->stream) return;
    const int code = pthread_create(&t->thread, NULL, run, t);
    t->started = code == 0;
    if (t->started) return;
    TabiaError error;
    tabia_fail(&error, "no thread for it: %s", strerror(code));
    answer_send_error(t->stream, &error);
    stream_release(t->stream);
}

bool task_is_over(Task *t) {
    return atomic_load(&t->stop) || stream_is_abandoned(t->stream);
}
