/* SPDX-License-Identifier: MIT */
/*
 * A conversation on two threads: this one hears, another does what was said, line by line.
 *
 *     stream --> hear --> [ lines not yet done ] --> do: engine_line
 *                  |                                       ^
 *                  +---- a stop is told at once -----------+
 *
 * So that a stop is heard even where a line before it waits for the end of a search: its effect comes forward, the line
 * itself keeps its place. Nothing else overtakes: a quit, or the end of the input, comes when what was asked for before
 * is done. A quit ends a search that was begun by `go`; the end of the input ends it only if it has no limit, so that
 * lines out of a pipe are answered whole.
 */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "engine_state.h"

enum { LINES_WAITING = 1024 };

typedef struct {
    Engine *engine;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *line[LINES_WAITING]; /* a ring; NULL: the end of the input */
    unsigned first, n;
} Lines;

static bool begins_with(const char *line, const char *word) {
    Words w = {.at = line};
    return words_next(&w) && words_is(&w, word);
}

static void append_line(Lines *l, char *line) {
    pthread_mutex_lock(&l->lock);
    while (l->n == LINES_WAITING) pthread_cond_wait(&l->changed, &l->lock);
    l->line[(l->first + l->n++) % LINES_WAITING] = line;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static char *take_line(Lines *l) {
    pthread_mutex_lock(&l->lock);
    while (!l->n) pthread_cond_wait(&l->changed, &l->lock);
    char *line = l->line[l->first];
    l->first = (l->first + 1) % LINES_WAITING, l->n--;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return line;
}

/* Who waits says so before it looks for stops, and a stop is counted before it looks for who waits: one sees the other.
   A search that begins in between was asked for before the stop, and is stopped by it as well. */
static void hear_stop(Engine *e) {
    atomic_fetch_add(&e->stops_heard, 1);
    if (atomic_load(&e->waiting)) search_stop(e->search);
    engine_stop_aside(e);
}

static void *do_lines(void *context) {
    Lines *l = context;
    bool more = true;
    while (more) {
        char *line = take_line(l);
        if (!line) return engine_finish(l->engine), NULL;
        if (begins_with(line, "stop")) atomic_fetch_sub(&l->engine->stops_heard, 1);
        more = engine_line(l->engine, line);
        free(line);
    }
    return NULL;
}

/* True: that was the last. Without memory for a line the conversation ends. */
static bool hear(Lines *l, FILE *in) {
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, in) < 0) {
        free(line);
        line = NULL;
    }
    const bool last = !line || begins_with(line, "quit"); /* before the other thread has the line */
    if (line && begins_with(line, "stop")) hear_stop(l->engine);
    append_line(l, line);
    return last;
}

void engine_converse(Engine *e, FILE *in) {
    pthread_t doer;
    Lines *l = calloc(1, sizeof *l);
    if (!l) return;
    l->engine = e;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    if (pthread_create(&doer, NULL, do_lines, l) == 0) {
        tabia_threads_wake_early(); /* a stop is heard while threads search on every processor */
        while (!hear(l, in)) {
        }
        pthread_join(doer, NULL);
    }
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}
