/* SPDX-License-Identifier: MIT */
#include "calibration_work.h"

#include <stdatomic.h>

#include "base/time.h"
#include "perft/frontier.h"
#include "perft/kernel.h"

enum {
    PLY = 4,
    UNITS = 5000,
    DEPTH = 4,
    SLICE_POSITIONS = 4500, /* as between the polls of a rank in start 8: 0.6 ms on the EPYC of docs/cluster.md */
    SLICES_MAX = 16         /* for each message: then the calibration takes some seconds */
};

typedef struct {
    const PerftKernel *kernel;
    KernelContext context;
    Zobrist zobrist;
    atomic_bool stop;
    Frontier frontier;
    TabiaTable *table;
    size_t next;       /* unit to be counted */
    uint64_t key_salt; /* of this pass over the units, so that counts of earlier passes are misses */
} CountingWork;

static void count_unit(CountingWork *w) {
    Key key = w->frontier.units.key[w->next];
    key[0] ^= w->key_salt;
    w->kernel->count(&w->context, &w->frontier.units.position[w->next], key, DEPTH);
    if (++w->next < w->frontier.units.n) return;
    w->next = 0;
    w->key_salt += 0x9e3779b97f4a7c15;
}

/* Counts SLICE_POSITIONS positions. Where games end soon, there may be nothing to count. */
static void count_slice(void *context) {
    CountingWork *w = context;
    const uint64_t before = w->context.probes - w->context.hits;
    if (!w->frontier.units.n) return;
    for (unsigned i = 0; i < UNITS && w->context.probes - w->context.hits - before < SLICE_POSITIONS; i++)
        count_unit(w);
}

static bool create_work(CountingWork *w, const CalibrationWork *work, TabiaError *error) {
    static const FrontierLimits limits = {.max_ply = PLY, .enough = UNITS, .most = SIZE_MAX, .merge = true};
    const TabiaOptions options = {.type = TABIA_COUNTS, .bytes = work->table_bytes, .touch = TABIA_TOUCH_LATER};
    w->kernel = perft_kernel_at(0);
    zobrist_init(&w->zobrist, 1);
    if (!frontier_make(&w->frontier, work->root, &w->zobrist, limits, error)) return false;
    if (tabia_table_create(&w->table, &options, error) != TABIA_OK) return false;
    w->context = (KernelContext){.zobrist = &w->zobrist, .table = w->table, .stop = &w->stop};
    return true;
}

static void destroy_work(CountingWork *w) {
    tabia_table_destroy(w->table);
    frontier_free(&w->frontier);
}

static unsigned slices(double positions) {
    const double n = positions / SLICE_POSITIONS + 0.5;
    return n < 1 ? 1 : n < SLICES_MAX ? (unsigned)n : SLICES_MAX;
}

bool calibrate_while_counting(TabiaTransport *t, const CalibrationWork *work, Calibration *result, TabiaError *error) {
    CountingWork counting = {0};
    const CalibrationOptions options = {.clock = tabia_clock_cpu,
                                        .work = count_slice,
                                        .context = &counting,
                                        .slices_per_message = slices(work->positions_per_message),
                                        .burst = work->ranks_per_processor};
    const bool good = create_work(&counting, work, error) && tabia_calibrate(t, options, result, error);
    destroy_work(&counting);
    return good;
}

bool model_costs_calibrate(ModelCosts *costs, const Calibration *c, TabiaError *error) {
    enum { APPLY_BYTES = 64 << 20 };
    costs->message = c->message, costs->entry = c->entry;
    costs->latency = c->latency, costs->empty_poll = c->empty_poll;
    if (costs->poll_interval < c->poll_interval) costs->poll_interval = c->poll_interval;
    return model_costs_measure_apply(costs, APPLY_BYTES, error);
}
