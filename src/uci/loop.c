/* SPDX-License-Identifier: MIT */
/*
 * The UCI loop on two threads: this one reads lines, another executes them in order.
 *
 *     stream --> read --> [ line queue ] --> execute: engine_execute
 *                  |                                    ^
 *                  +----- a stop takes effect at once --+
 *
 * So that a stop is received even where a line before it waits for the end of a search: its effect comes forward, the
 * line keeps its place. So does that of quit, which ends every search, count and bench of a line before it, and leaves
 * the memory of a table untouched that such a line makes. isready is answered at once where a line waits for a search.
 * Nothing else overtakes. At the end of the input a search runs to its limit, so that lines from a pipe are executed
 * completely, but for one that may never reach it (go.c): a client that has died leaves none behind.
 */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "engine_state.h"
#include "protocol/engine_protocol.h"

/* A longer line is no command: the longest, a position with all moves of a long game, has some tens of KiB. */
enum { LINE_QUEUE_SIZE = 1024, LINE_MAX_BYTES = 1 << 20 };

typedef struct {
    Engine *engine;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *line[LINE_QUEUE_SIZE]; /* a ring buffer; NULL: the end of the input */
    unsigned first, n;
} LineQueue;

static bool first_token_is(const char *line, const char *token) {
    Tokenizer w = {.cursor = line};
    return tokenizer_next(&w) && tokenizer_is(&w, token);
}

static bool is_stop(const char *line) {
    return first_token_is(line, "stop") || first_token_is(line, PROTOCOL_GAME_OVER);
}

static void push_line(LineQueue *l, char *line) {
    pthread_mutex_lock(&l->lock);
    while (l->n == LINE_QUEUE_SIZE) pthread_cond_wait(&l->changed, &l->lock);
    l->line[(l->first + l->n++) % LINE_QUEUE_SIZE] = line;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

static char *pop_line(LineQueue *l) {
    pthread_mutex_lock(&l->lock);
    while (!l->n) pthread_cond_wait(&l->changed, &l->lock);
    assert(l->first < LINE_QUEUE_SIZE && l->n <= LINE_QUEUE_SIZE);
    char *line = l->line[l->first];
    l->first = (l->first + 1) % LINE_QUEUE_SIZE, l->n--;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    return line;
}

/*
 * The executing thread sets `waiting` before it reads pending_stops, and this one counts the stop before it reads
 * `waiting` (both sequentially consistent): at least one of them sees the other. A search that starts in between was
 * requested before the stop, and is stopped by it as well.
 */
static void receive_stop(Engine *e) {
    atomic_fetch_add(&e->pending_stops, 1);
    if (atomic_load(&e->waiting)) search_stop(e->search);
    engine_stop_auxiliary(e);
}

static void count_executed_stop(Engine *e) {
    const unsigned before = atomic_fetch_sub(&e->pending_stops, 1);
    assert(before > 0);
    (void)before;
}

static void *execute_lines(void *context) {
    LineQueue *l = context;
    bool more = true;
    while (more) {
        char *line = pop_line(l);
        if (!line) return engine_wait_for_search(l->engine), NULL;
        if (is_stop(line)) count_executed_stop(l->engine);
        if (!first_token_is(line, "isready") || !engine_ready_is_answered(l->engine))
            more = engine_execute(l->engine, line);
        free(line);
    }
    return NULL;
}

/* Reads over the rest of a line. */
static void skip_line(FILE *in) {
    int c;
    do c = getc(in);
    while (c != EOF && c != '\n');
}

/* Doubles the room of a line. False: it is as long as a line may be, or there is no memory. */
static bool grow_line(char **line, size_t *room) {
    const size_t twice = *room ? 2 * *room : 256;
    char *more = twice <= LINE_MAX_BYTES ? realloc(*line, twice) : NULL;
    if (!more) return false;
    *line = more, *room = twice;
    return true;
}

/* The next line, with its line end if it has one, to be freed by the caller; NULL at the end of the stream. A line that
   is too long is skipped, and the client is informed: it would be another command without its end. */
static char *next_line(Engine *e, FILE *in) {
    char *line = NULL;
    size_t room = 0, n = 0;
    for (int c; (c = getc(in)) != EOF;) {
        if (n + 1 >= room && !grow_line(&line, &room)) {
            engine_print(e, "info string a line of more than %zu bytes is left out\n", n);
            if (c != '\n') skip_line(in);
            n = 0;
            continue;
        }
        line[n++] = (char)(c ? c : ' '); /* a NUL would hide the rest of the line */
        if (c == '\n') break;
    }
    if (n >= 3 && !memcmp(line, "\xef\xbb\xbf", 3))
        memset(line, ' ', 3); /* a byte order mark, as PowerShell sends it */
    if (n) return line[n] = '\0', line;
    free(line);
    return NULL;
}

/* True: that was the last line. */
static bool read_stream_line(LineQueue *l, FILE *in) {
    char *line = next_line(l->engine, in);
    const bool quits = line && first_token_is(line, "quit"); /* before the other thread owns the line */
    const bool last = !line || quits;
    if (quits) atomic_store(&l->engine->quits, true);
    if (quits || (line && is_stop(line))) receive_stop(l->engine);
    if (line && first_token_is(line, "isready")) engine_receive_ready(l->engine);
    if (!line) engine_end_input(l->engine);
    push_line(l, line);
    return last;
}

void engine_loop(Engine *e, FILE *in) {
    pthread_t executor;
    LineQueue *l = calloc(1, sizeof *l);
    if (!l) return;
    l->engine = e;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    if (pthread_create(&executor, NULL, execute_lines, l) == 0) {
        tabia_threads_wake_early(); /* a stop is received while threads search on every processor */
        while (!read_stream_line(l, in)) {
        }
        pthread_join(executor, NULL);
    }
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}
