/* SPDX-License-Identifier: MIT */
/* The lifecycle of an engine, and its bench. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "base/time.h"
#include "engine_state.h"
#include "notation/fen.h"
#include "protocol/engine_protocol.h"

static bool quits(void *engine, uint64_t bytes_done, uint64_t bytes_all) {
    return atomic_load(&((Engine *)engine)->quits) || tabia_stop_watch(NULL, bytes_done, bytes_all);
}

Engine *engine_create(FILE *out, const EngineHooks *hooks, TabiaError *error) {
    Engine *e = tabia_aligned_get(64, (sizeof *e + 63) / 64 * 64);
    if (!e) return tabia_fail(error, "no memory to begin with"), NULL;
    memset(e, 0, sizeof *e);
    e->out = out, e->hooks = hooks, e->watch = (TabiaWatch){quits, e};
    pthread_mutex_init(&e->lock, NULL);
    pthread_mutex_init(&e->auxiliary_lock, NULL);
    pthread_mutex_init(&e->wait_lock, NULL);
    engine_default_options(&e->options);
    if (hooks) e->options.network = hooks->network;
    const SearchSettings settings = engine_search_settings(e);
    e->search = search_create(&settings, error);
    if (!e->search) {
        engine_destroy(e);
        return NULL;
    }
    fen_parse(&e->start, fen_start, NULL);
    search_set_position(e->search, &e->start, NULL, 0);
    return e;
}

void engine_destroy(Engine *e) {
    if (!e) return;
    search_destroy(e->search);
    mate_destroy(e->mates);
    tabia_aligned_free(e->network);
    free(e->moves);
    if (e->log) fclose(e->log);
    pthread_mutex_destroy(&e->lock);
    pthread_mutex_destroy(&e->auxiliary_lock);
    pthread_mutex_destroy(&e->wait_lock);
    tabia_aligned_free(e);
}

void engine_stop(Engine *e) {
    search_stop(e->search);
}

void engine_wait(Engine *e) {
    if (!search_is_unbounded(e->search)) search_wait(e->search);
}

/* ---- waiting for a search ---- */

enum { AFTER_INPUT_MS = 1000 };

/* Requires wait_lock, without which the search might be another one by now. */
static void serve_wait(Engine *e) {
    if (!atomic_load(&e->waiting) || search_is_stopping(e->search)) return;
    if (e->input_ended && !e->ends) search_end_within(e->search, AFTER_INPUT_MS);
    for (; e->ready_pending; e->ready_pending--, e->ready_answered++) engine_print(e, "readyok\n");
}

void engine_wait_for_search(Engine *e) {
    pthread_mutex_lock(&e->wait_lock);
    atomic_store(&e->waiting, true);
    if (search_is_unbounded(e->search) || atomic_load(&e->pending_stops)) search_stop(e->search);
    serve_wait(e);
    pthread_mutex_unlock(&e->wait_lock);
    search_wait(e->search);
    pthread_mutex_lock(&e->wait_lock);
    atomic_store(&e->waiting, false);
    pthread_mutex_unlock(&e->wait_lock);
}

void engine_end_input(Engine *e) {
    pthread_mutex_lock(&e->wait_lock);
    e->input_ended = true;
    serve_wait(e);
    pthread_mutex_unlock(&e->wait_lock);
}

void engine_receive_ready(Engine *e) {
    pthread_mutex_lock(&e->wait_lock);
    e->ready_pending++;
    serve_wait(e);
    pthread_mutex_unlock(&e->wait_lock);
}

bool engine_ready_is_answered(Engine *e) {
    pthread_mutex_lock(&e->wait_lock);
    const bool answered = e->ready_answered;
    if (answered)
        e->ready_answered--;
    else
        e->ready_pending--;
    pthread_mutex_unlock(&e->wait_lock);
    return answered;
}

/* ---- auxiliary search ---- */

static void set_auxiliary(Engine *e, Search *s) {
    pthread_mutex_lock(&e->auxiliary_lock);
    assert(!s || !e->auxiliary);
    e->auxiliary = s;
    pthread_mutex_unlock(&e->auxiliary_lock);
}

Search *engine_create_auxiliary(Engine *e, const Network *network) {
    EngineOptions defaults;
    TabiaError error;
    engine_default_options(&defaults);
    defaults.network = network;
    const SearchSettings settings = engine_settings_from_options(&defaults);
    Search *s = search_create(&settings, &error);
    if (!s) engine_print(e, "info string %s\n", error.text);
    set_auxiliary(e, s);
    return s;
}

void engine_destroy_auxiliary(Engine *e) {
    Search *s = e->auxiliary;
    set_auxiliary(e, NULL);
    search_destroy(s);
}

void engine_stop_auxiliary(Engine *e) {
    pthread_mutex_lock(&e->auxiliary_lock);
    if (e->auxiliary) search_stop(e->auxiliary);
    pthread_mutex_unlock(&e->auxiliary_lock);
}

/* ---- bench ---- */

/* The search starts before pending stops are tested: a stop that arrives later stops it directly (loop.c). */
static uint64_t bench_position(Engine *e, Search *s, const Position *p, int depth) {
    const SearchListener silent = {0};
    const SearchLimits limits = {.depth = depth};
    search_set_position(s, p, NULL, 0);
    search_start(s, &limits, &silent);
    if (engine_stop_pending(e)) search_stop(s); /* a signal is tested by the search */
    search_wait(s);
    return search_nodes(s);
}

/* The number of positions that were searched completely. */
static unsigned bench_all(Engine *e, Search *s, int depth, uint64_t *nodes) {
    unsigned i = 0;
    *nodes = 0;
    for (; engine_protocol_bench_positions[i]; i++) {
        Position p;
        if (!fen_parse(&p, engine_protocol_bench_positions[i], NULL)) break;
        *nodes += bench_position(e, s, &p, depth);
        if (engine_stop_pending(e) || tabia_stop_requested()) break;
    }
    return i;
}

bool engine_bench(Engine *e, int depth) {
    Search *s = engine_create_auxiliary(e, e->options.network);
    if (!s) return false;
    uint64_t nodes;
    const double start = tabia_clock_wall();
    const unsigned done = bench_all(e, s, depth ? depth : PROTOCOL_BENCH_DEPTH, &nodes);
    const double seconds = tabia_clock_wall() - start;
    engine_destroy_auxiliary(e);
    if (engine_protocol_bench_positions[done])
        engine_print(e, "info string bench: stopped in position %u\n", done + 1);
    else
        engine_print(e, "%.3f seconds\n%" PRIu64 " nodes\n%.0f nps\n", seconds, nodes, (double)nodes / seconds);
    return true;
}
