/* SPDX-License-Identifier: MIT */
/* What messages cost while ranks count: the work that lies between them is that of a perft. */
#include <stdatomic.h>

#include "base/time.h"
#include "mpi_commands.h"
#include "perft/frontier.h"
#include "perft/kernel.h"

enum {
    PLY = 4,
    UNITS = 5000,
    DEPTH = 4,
    POSITIONS_A_PIECE = 4500, /* as between the looks of a rank in start 8: 0.6 ms on the EPYC of docs/cluster.md */
    APART_MAX = 16            /* then it takes some seconds */
};

typedef struct {
    const PerftKernel *kernel;
    CountContext context;
    Zobrist zobrist;
    atomic_bool stop;
    Frontier frontier;
    TabiaTable *table;
    size_t next;  /* unit to be counted */
    uint64_t lap; /* in the keys, so that what was counted in the lap before is unknown */
} Work;

static void count_unit(Work *w) {
    Key key = w->frontier.key[w->next];
    key[0] ^= w->lap;
    w->kernel->count(&w->context, &w->frontier.position[w->next], key, DEPTH);
    if (++w->next < w->frontier.units) return;
    w->next = 0;
    w->lap += 0x9e3779b97f4a7c15;
}

/* Where games end soon, there may be nothing to count. */
static void count_some(void *context) {
    Work *w = context;
    const uint64_t before = w->context.probes - w->context.hits;
    if (!w->frontier.units) return;
    for (unsigned i = 0; i < UNITS && w->context.probes - w->context.hits - before < POSITIONS_A_PIECE; i++)
        count_unit(w);
}

static bool begin(Work *w, const MpiWork *like, Fault *fault) {
    static const FrontierLimits limits = {.max_ply = PLY, .enough = UNITS, .most = SIZE_MAX, .merge = true};
    const TabiaOptions options = {.face = TABIA_COUNTS, .bytes = like->table_bytes, .touch = TABIA_TOUCH_LATER};
    TabiaReason why;
    w->kernel = perft_kernel_at(0);
    zobrist_init(&w->zobrist, 1);
    if (!frontier_make(&w->frontier, like->root, &w->zobrist, limits, fault)) return false;
    if (tabia_table_create(&w->table, &options, &why) != TABIA_OK) return tabia_fault(fault, "%s", why.text);
    w->context = (CountContext){.zobrist = &w->zobrist, .table = w->table, .stop = &w->stop};
    return true;
}

static void end(Work *w) {
    tabia_table_destroy(w->table);
    frontier_free(&w->frontier);
}

static unsigned pieces(double positions) {
    const double n = positions / POSITIONS_A_PIECE + 0.5;
    return n < 1 ? 1 : n < APART_MAX ? (unsigned)n : APART_MAX;
}

bool mpi_calibrate(TabiaTransport *t, const MpiWork *like, Calibration *result, Fault *fault) {
    Work work = {0};
    const CalibrationOptions by = {.clock = tabia_clock_cpu,
                                   .work = count_some,
                                   .context = &work,
                                   .slices_per_message = pieces(like->positions),
                                   .burst = mpi_ranks_a_processor()};
    const bool good = begin(&work, like, fault) && tabia_calibrate(t, by, result, fault);
    end(&work);
    return good;
}
