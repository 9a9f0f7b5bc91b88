/* SPDX-License-Identifier: MIT */
/*
 * What protection and locks cost a real search: the engine's, with the transposition table in each mode. This is where it
 * was first noticed: with a spinlock around each probe of its pawn table Crafty fell from 20 to 5 million nodes a second
 * on many processors (Robert Hyatt). A search does more between its probes than a perft does, and two processors wait
 * less for each other than many.
 */
#include <stdlib.h>

#include "base/threads.h"
#include "base/time.h"
#include "bench_inside.h"
#include "notation/fen.h"
#include "search/search.h"

static const char *const positions[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 1 38",
};
enum { POSITIONS = sizeof positions / sizeof *positions };

typedef struct {
    Search *search[BENCH_MODES];
    unsigned mode_of[BENCH_ROWS_MAX];
    BenchTable *table;
} Searches;

/* Nodes a second of the threads' processor time, over both positions, from an empty table. */
static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    Searches *all = context;
    Search *s = all->search[all->mode_of[row]];
    const unsigned threads = all->table->row[row].threads;
    const SearchListener silent = {0};
    const SearchLimits limits = {.move_time = b->job->quick ? 60 : 600};
    const unsigned m = all->mode_of[row];
    assert(s && m < BENCH_MODES);
    const SearchSettings settings = {.hash_bytes = 256 << 20,
                                     .threads = threads,

                                     .integrity = bench_mode[m].integrity,
                                     .locks = bench_mode[m].locks};
    if (!search_configure(s, &settings, b->error)) return false;
    search_clear(s);
    uint64_t nodes = 0;
    const double cpu = tabia_clock_cpu(), wall = tabia_clock_wall();
    for (unsigned i = 0; i < POSITIONS && !bench_stopped(b); i++) {
        Position p;
        if (!fen_parse(&p, positions[i], b->error)) return false;
        search_set_position(s, &p, NULL, 0);
        search_start(s, &limits, &silent);
        search_wait(s);
        nodes += search_nodes(s);
    }
    const double own = (tabia_clock_cpu() - cpu) / threads, outside = tabia_clock_wall() - wall;
    *figure = (double)nodes / (threads <= tabia_threads_usable() ? own : outside) / 1e6;
    return true;
}

static bool make_searches(Bench *b, Searches *all) {
    for (unsigned m = 0; m < BENCH_MODES && !bench_stopped(b); m++) {
        const SearchSettings settings = {
            .hash_bytes = 256 << 20, .threads = 1, .integrity = bench_mode[m].integrity, .locks = bench_mode[m].locks};
        all->search[m] = search_create(&settings, b->error);
        if (!all->search[m] && bench_mode[m].integrity != TABIA_WIDE)
            return false; /* wide: not every processor has it */
    }
    return true;
}

static void make_rows(Bench *b, Searches *all) {
    for (unsigned s = 0; s < b->job->steps; s++) {
        int none = -1;
        for (unsigned m = 0; m < BENCH_MODES; m++) {
            if (!all->search[m]) continue;
            const unsigned row = bench_row(all->table, b->job->threads[s], none, "%s", bench_mode[m].name);
            if (m == 0) none = (int)row;
            all->mode_of[row] = m;
        }
    }
}

bool bench_search(Bench *b) {
    Searches all = {0};
    all.table = bench_table(b, BENCH_search, "M nodes/s", "The engine's search, table of 256 MiB");
    bool good = all.table && make_searches(b, &all);
    if (good) {
        make_rows(b, &all);
        good = bench_measure(b, all.table, false, measure, &all);
    }
    for (unsigned m = 0; m < BENCH_MODES; m++) search_destroy(all.search[m]);
    free(all.table);
    return good;
}
