/* SPDX-License-Identifier: MIT */
/*
 * What protection and locks cost where it matters: whole perfts that live on the table. A probe is one part of the work
 * there, so ratios are nearer to 1 than in `modes`. Every count is compared with the known one. The table is made anew
 * for each run, and where it happens to lie differs from run to run; `none: again` shows what that comes to.
 *
 * A rate is of the threads' processor time where each has a processor, so that other programs count little; waiting for
 * a lock is processor time too.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/threads.h"
#include "bench_inside.h"
#include "notation/fen.h"
#include "perft/run.h"

/* What is counted; the shallower depth is for --quick. */
static const struct {
    const char *name, *fen;
    int depth, quick_depth;
    uint64_t count, quick_count;
} work[] = {
    {"the start position", fen_start, 8, 7, 84998978956, 3195901860},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 6, 5, 8031647685, 193690690},
};

typedef struct {
    PerftJob job;
    U128 expected;
    Bench *bench;
    unsigned mode_of[BENCH_ROWS_MAX];
    BenchTable *table;
    unsigned hits; /* in 1,000 probes, of the last run */
} Perfts;

static bool watch(void *context, const PerftState *state) {
    (void)state;
    return bench_stopped(context);
}

static bool check_count(Perfts *p, const PerftState *state, const char *name, TabiaError *error) {
    char got[U128_TEXT_MAX], expected[U128_TEXT_MAX];
    if (state->nodes == p->expected) return true;
    tabia_u128_text(state->nodes, got), tabia_u128_text(p->expected, expected);
    return tabia_fail(error, "perft with %s counted %s positions instead of %s", name, got, expected);
}

static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    Perfts *p = context;
    PerftState state = {0};
    const unsigned m = p->mode_of[row];
    assert(row < p->table->rows && m < BENCH_MODES);
    p->job.threads = p->table->row[row].threads;
    p->job.table = (TabiaOptions){.integrity = bench_mode[m].integrity, .locks = bench_mode[m].locks};
    bool good = perft_run(&p->job, &state, b->error);
    if (good && state.complete) {
        good = check_count(p, &state, bench_mode[m].name, b->error);
        const bool own = p->job.threads <= tabia_threads_usable();
        *figure = (double)state.nodes / (own ? state.cpu / p->job.threads : state.wall) / 1e6;
        p->hits = state.probes ? (unsigned)(state.hits * 1000 / state.probes) : 0;
    }
    perft_state_free(&state);
    return good;
}

/* A processor without atomic 16-byte accesses has no mode wide. */
static bool has_mode(TabiaIntegrity integrity) {
    const TabiaOptions options = {.bytes = 64 * 64, .integrity = integrity};
    TabiaTable *table;
    const bool there = !tabia_table_create(&table, &options, NULL);
    tabia_table_destroy(table);
    return there;
}

static void make_rows(Bench *b, Perfts *p, BenchTable *t) {
    for (unsigned s = 0; s < b->job->steps; s++) {
        int none = -1;
        for (unsigned m = 0; m < BENCH_MODES; m++) {
            if (!has_mode(bench_mode[m].integrity)) continue;
            const unsigned row = bench_row(t, b->job->threads[s], none, "%s", bench_mode[m].name);
            if (m == 0) none = (int)row;
            p->mode_of[row] = m;
        }
    }
}

static bool count_position(Bench *b, unsigned w) {
    const int depth = b->job->quick ? work[w].quick_depth : work[w].depth;
    Perfts p = {.job = {.depth = depth, .keys_seed = 1, .watch = watch, .context = b},
                .expected = b->job->quick ? work[w].quick_count : work[w].count,
                .bench = b};
    char size[BENCH_SIZE_TEXT];
    p.job.hash_bytes = bench_affordable(b->job->bytes, 1);
    if (!fen_parse(&p.job.root, work[w].fen, b->error)) return false;
    p.table = bench_table(b, BENCH_perft, "M nodes/s", "Perft %d of %s, table of at most %s", depth, work[w].name,
                          bench_size_text(p.job.hash_bytes, size));
    if (!p.table) return false;
    make_rows(b, &p, p.table);
    bench_note(p.table, "each count was the known one, %" PRIu64, (uint64_t)p.expected);
    const bool good = bench_measure(b, p.table, false, measure, &p);
    free(p.table);
    return good;
}

bool bench_perft(Bench *b) {
    bool good = true;
    for (unsigned w = 0; w < sizeof work / sizeof *work && good && !b->stopped; w++) good = count_position(b, w);
    return good;
}
