/* SPDX-License-Identifier: MIT */
/* The lifecycle of an engine, and its bench. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/time.h"
#include "engine_state.h"
#include "notation/fen.h"

Engine *engine_create(FILE *out, const EngineHooks *hooks, TabiaError *error) {
    Engine *e = aligned_alloc(64, (sizeof *e + 63) / 64 * 64);
    if (!e) return tabia_fail(error, "no memory to begin with"), NULL;
    memset(e, 0, sizeof *e);
    e->out = out, e->hooks = hooks;
    pthread_mutex_init(&e->lock, NULL);
    pthread_mutex_init(&e->auxiliary_lock, NULL);
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
    free(e->network);
    if (e->log) fclose(e->log);
    pthread_mutex_destroy(&e->lock);
    pthread_mutex_destroy(&e->auxiliary_lock);
    free(e);
}

/* With hooks the table is distributed: each process clears its part. */
void engine_clear(Engine *e) {
    search_clear(e->search);
    if (e->hooks) tabia_table_clear(search_table(e->search));
}

void engine_stop(Engine *e) {
    search_stop(e->search);
}

void engine_wait(Engine *e) {
    if (!search_is_unbounded(e->search)) search_wait(e->search);
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

/* Openings, middlegames, endgames, mates, Chess960; positions of our own. */
static const char *const bench_positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NBBN2/1P3PPP/R2Q1RK1 b - - 3 13",
    "2r2rk1/pp1bqppp/4pn2/3p4/3P4/1P1QPN2/PB3PPP/2R2RK1 w - - 4 17",
    "r4rk1/1pp1q1pp/p2b1p2/3Pp3/4P1b1/2N1BN2/PP2QPPP/R4RK1 w - - 0 15",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 1 38",
    "8/8/1p2k1p1/3p1p1p/1P1P1P1P/2K3P1/8/8 w - - 0 45",
    "4r1k1/5ppp/p1Q5/1p6/8/1P3P2/P4q1P/3R3K w - - 2 31",
    "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K3 w - - 0 1",
    "1k6/1b3p2/pp2p1p1/4P2p/3N1P2/P3K1PP/1P6/8 w - - 0 33",
    "6k1/3R1p1p/6p1/p1p5/P1P1r3/7P/6P1/6K1 b - - 0 36",
};

enum { BENCH_POSITIONS = sizeof bench_positions / sizeof *bench_positions };

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
    *nodes = 0;
    for (unsigned i = 0; i < BENCH_POSITIONS; i++) {
        Position p;
        if (!fen_parse(&p, bench_positions[i], NULL)) return i;
        *nodes += bench_position(e, s, &p, depth);
        if (engine_stop_pending(e) || tabia_stop_requested()) return i;
    }
    return BENCH_POSITIONS;
}

bool engine_bench(Engine *e, int depth) {
    Search *s = engine_create_auxiliary(e, e->options.network);
    if (!s) return false;
    uint64_t nodes;
    const double start = tabia_clock_wall();
    const unsigned done = bench_all(e, s, depth ? depth : 12, &nodes);
    const double seconds = tabia_clock_wall() - start;
    engine_destroy_auxiliary(e);
    if (done < BENCH_POSITIONS)
        engine_print(e, "info string bench: stopped in position %u of %d\n", done + 1, BENCH_POSITIONS);
    else
        engine_print(e, "%.3f seconds\n%" PRIu64 " nodes\n%.0f nps\n", seconds, nodes, (double)nodes / seconds);
    return true;
}
