/* SPDX-License-Identifier: MIT */
/* What messages cost while ranks count: the work that lies between them is that of a perft of the start position. */
#include <stdatomic.h>

#include "base/clock.h"
#include "fen.h"
#include "mpi_commands.h"
#include "perft/frontier.h"
#include "perft/path.h"

enum { PLY = 4, DEPTH = 4, UNITS_A_PIECE = 25 /* half a millisecond, as between the calls of a rank in start 8 */ };

typedef struct {
    const PerftPath *path;
    CountContext context;
    Zobrist zobrist;
    atomic_bool stop;
    Frontier frontier;
    TabiaTable *table;
    size_t next; /* unit to be counted */
} Work;

static void count_some(void *context) {
    Work *w = context;
    for (unsigned i = 0; i < UNITS_A_PIECE; i++, w->next = (w->next + 1) % w->frontier.units)
        w->path->count(&w->context, &w->frontier.position[w->next], w->frontier.key[w->next], DEPTH);
}

static bool begin(Work *w, uint64_t table_bytes, Fault *fault) {
    static const FrontierLimits limits = {.max_ply = PLY, .enough = SIZE_MAX, .most = SIZE_MAX, .merge = true};
    const TabiaOptions options = {.face = TABIA_COUNTS, .bytes = table_bytes, .touch = TABIA_TOUCH_LATER};
    TabiaReason why;
    Position start;
    w->path = perft_path_at(0);
    zobrist_init(&w->zobrist, 1);
    if (!fen_parse(&start, fen_start, fault) || !frontier_make(&w->frontier, &start, &w->zobrist, limits, fault))
        return false;
    if (tabia_table_create(&w->table, &options, &why) != TABIA_OK) return tabia_fault(fault, "%s", why.text);
    w->context = (CountContext){.zobrist = &w->zobrist, .table = w->table, .stop = &w->stop};
    return true;
}

static void end(Work *w) {
    tabia_table_destroy(w->table);
    frontier_free(&w->frontier);
}

bool mpi_calibrate(TabiaTransport *t, uint64_t table_bytes, Calibration *result, Fault *fault) {
    Work work = {0};
    const CalibrateBy by = {
        .clock = tabia_clock_cpu, .work = count_some, .context = &work, .at_once = mpi_ranks_a_processor()};
    const bool good = begin(&work, table_bytes, fault) && tabia_calibrate(t, by, result, fault);
    end(&work);
    return good;
}
