/* SPDX-License-Identifier: MIT */
#include "unique.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/memory_limit.h"
#include "base/stop.h"
#include "base/threads.h"
#include "kernel.h"
#include "ledger.h"
#include "notation/fen.h"
#include "ply_store.h"

/* What the ledger has of a ply: its units are numbered ply * UNITS + one of these. */
enum { UNITS = 1024, SLICE_UNIT = 0, POSITIONS_UNIT = 1000, PATHS_UNIT = 1002, PLIES_MAX = 20 };
typedef struct {
    bool known;
    U128 count;
} Unit;

typedef struct {
    const UniqueJob *job;
    const PerftKernel *kernel;
    Zobrist zobrist;
    int ply; /* that is counted */
    PlyStore parents;
    U128 parent_paths;
    double expected; /* children, each once */
    unsigned threads;
    Ledger *ledger;
    Unit *unit; /* [(PLIES_MAX + 1) * UNITS], with a ledger */
    TabiaError *error;

    /* A pass. */
    ChildSet set;
    Memory memory;           /* of the set */
    ChildBuffer *buffers;    /* [threads] */
    _Atomic uint64_t next;   /* block of parents */
    _Atomic uint64_t walked; /* parents */
    atomic_bool stop, full, failed;
} UniqueRun;

/* ---- a pass: all parents are walked, and the set gets its part of their children ---- */

/* Is the work to end? Calls the watch callback, from the calling thread only. */
static bool check_stop(UniqueRun *run, unsigned worker) {
    const uint64_t walked = run->set.first * run->parents.n + run->set.slices * atomic_load(&run->walked);
    const UniqueProgress progress = {run->ply, walked / SLICES, run->parents.n};
    if (tabia_stop_requested() || (worker == 0 && run->job->watch && run->job->watch(run->job->context, &progress)))
        atomic_store(&run->stop, true);
    return atomic_load(&run->stop);
}

static bool walk_block(UniqueRun *run, uint64_t block, MergedPosition *copy, ChildBuffer *buffer, TabiaError *error) {
    size_t n;
    const MergedPosition *parents = ply_store_block(&run->parents, block, copy, &n, error);
    if (!parents) return false;
    run->kernel->add_children(buffer, parents, n);
    atomic_fetch_add(&run->walked, n);
    if (buffer->full) atomic_store(&run->full, true);
    return true;
}

static bool get_buffer(ChildBuffer *b, ChildSet *set) {
    const size_t regions = (size_t)set->slices << set->region_bits;
    void *children = malloc(regions * CHILD_BUFFER_BYTES);
    *b = (ChildBuffer){.set = set,
                       .n = calloc(regions, sizeof *b->n),
                       .key = set->key ? children : NULL,
                       .position = set->key ? NULL : children};
    return children && b->n;
}

static void walk_parents(void *context, unsigned worker) {
    UniqueRun *run = context;
    const uint64_t blocks = (run->parents.n + PLY_BLOCK - 1) / PLY_BLOCK;
    TabiaError error;
    ChildBuffer *buffer = &run->buffers[worker];
    MergedPosition *copy = malloc((PLY_BLOCK + 1) * sizeof *copy); /* and a checksum */
    bool good =
        (get_buffer(buffer, &run->set) && copy) || tabia_fail(&error, "not enough memory for %u threads", run->threads);
    while (good && !check_stop(run, worker) && !atomic_load(&run->full)) {
        const uint64_t block = atomic_fetch_add(&run->next, 1);
        if (block >= blocks) break;
        good = walk_block(run, block, copy, buffer, &error);
    }
    if (good) run->kernel->flush_children(buffer);
    if (buffer->full) atomic_store(&run->full, true);
    free(copy);
    free(buffer->n);
    free(buffer->key);
    free(buffer->position);
    if (good) return;
    if (!atomic_exchange(&run->failed, true)) *run->error = error;
    atomic_store(&run->stop, true);
}

static bool run_pass(UniqueRun *run, bool keeps) {
    const uint64_t regions = (uint64_t)run->set.slices << run->set.region_bits;
    const uint64_t bytes = regions * run->set.region_slots * (keeps ? sizeof *run->set.merged : sizeof *run->set.key);
    if (!tabia_memory_get(&run->memory, (MemoryRequest){.bytes = bytes}, run->error)) return false;
    run->set.region = tabia_aligned_get(64, regions * sizeof *run->set.region);
    if (!run->set.region) return tabia_fail(run->error, "not enough memory for %ju regions", (uintmax_t)regions);
    for (uint64_t r = 0; r < regions; r++) run->set.region[r] = (ChildRegion){.lock = ATOMIC_FLAG_INIT};
    run->set.merged = keeps ? run->memory.at : NULL;
    run->set.key = keeps ? NULL : run->memory.at;
    atomic_store(&run->next, 0), atomic_store(&run->walked, 0), atomic_store(&run->full, false);
    return tabia_threads_run(run->threads, walk_parents, run, run->error) && !atomic_load(&run->failed);
}

/* ---- how large a pass may be ---- */

static uint64_t memory_there(const UniqueRun *run) {
    const MemoryLimit limit = tabia_memory_limit("");
    const uint64_t all = tabia_memory_of_process(""), now = limit.bytes - limit.swap;
    if (run->job->memory) return run->job->memory;
    return (all < now ? all : now) / 2;
}

/* Chooses slots and slices of the next pass, so that three quarters of the slots will be used. */
static bool plan_pass(UniqueRun *run, unsigned first, bool keeps) {
    enum { BYTES_MIN = 1 << 18, REGION_SLOTS_MIN = 1 << 10, REGION_BYTES = 1 << 22 };
    const double bytes = keeps ? sizeof(MergedPosition) : sizeof(uint64_t);
    const double held =
        run->job->work_dir ? 0 : ((double)run->parents.n + (keeps ? run->expected : 0)) * sizeof(MergedPosition);
    const double there = (double)memory_there(run) - held, room = there > BYTES_MIN ? there : BYTES_MIN;
    const double slice = run->expected / SLICES * 4 / 3 * bytes;
    for (run->set.region_bits = 0; slice / (double)(1u << run->set.region_bits) > REGION_BYTES;) run->set.region_bits++;
    const double buffers = (double)((uint64_t)run->threads * CHILD_BUFFER_BYTES << run->set.region_bits),
                 part = room / (slice + buffers);
    run->set.first = first;
    run->set.slices = part < SLICES - first ? (unsigned)part : SLICES - first;
    run->set.region_slots = ((uint64_t)(slice / bytes) >> run->set.region_bits) / 8 * 8;
    if (run->set.region_slots < REGION_SLOTS_MIN) run->set.region_slots = REGION_SLOTS_MIN;
    return run->set.slices ||
           tabia_fail(run->error,
                      "ply %d: a part of %.0f positions needs more than the memory that it may take; --memory allows "
                      "more, and --work-dir needs less",
                      run->ply, run->expected / SLICES);
}

/* ---- what a pass has found ---- */

static bool record(UniqueRun *run, unsigned unit, U128 count) {
    return !run->ledger || ledger_append(run->ledger, (uint64_t)run->ply * UNITS + unit, count, run->error);
}

static const Unit *recorded(const UniqueRun *run, int ply, unsigned unit) {
    static const Unit none;
    return run->ledger ? &run->unit[ply * UNITS + (int)unit] : &none;
}

static void add_to(UniquePly *sum, unsigned definition, uint64_t n) {
    uint64_t *const to[] = {&sum->positions, &sum->ready, &sum->any};
    *to[definition] += n;
}

static bool take_counts(UniqueRun *run, bool keeps, UniquePly *sum) {
    const unsigned regions = 1u << run->set.region_bits;
    for (unsigned s = 0; s < run->set.slices && !keeps; s++)
        for (unsigned d = 0; d < EP_DEFINITIONS; d++) {
            uint64_t n = 0;
            for (unsigned r = 0; r < regions; r++) n += run->set.region[s * regions + r].added[d];
            add_to(sum, d, n);
            if (!record(run, SLICE_UNIT + (run->set.first + s) * EP_DEFINITIONS + d, n)) return false;
        }
    sum->paths = 0;
    for (unsigned w = 0; w < run->threads; w++) sum->paths += run->buffers[w].paths;
    return keeps || record(run, PATHS_UNIT, sum->paths);
}

/* Adds the positions of the set to the ply, in whole blocks but for what is left in the buffer. */
static bool store_set(UniqueRun *run, PlyStore *children, MergedPosition *block, size_t *n) {
    const uint64_t slots = ((uint64_t)run->set.slices << run->set.region_bits) * run->set.region_slots;
    for (uint64_t s = 0; s < slots; s++) {
        if (!run->set.merged[s].paths) continue;
        block[(*n)++] = run->set.merged[s];
        if (*n < PLY_BLOCK) continue;
        if (!ply_store_append(children, block, *n, run->error)) return false;
        *n = 0;
    }
    return true;
}

/* Slices that an earlier run has counted. */
static bool take_recorded(UniqueRun *run, unsigned slice, UniquePly *sum) {
    for (unsigned d = 0; d < EP_DEFINITIONS; d++)
        if (!recorded(run, run->ply, SLICE_UNIT + slice * EP_DEFINITIONS + d)->known) return false;
    for (unsigned d = 0; d < EP_DEFINITIONS; d++)
        add_to(sum, d, (uint64_t)recorded(run, run->ply, SLICE_UNIT + slice * EP_DEFINITIONS + d)->count);
    sum->paths = recorded(run, run->ply, PATHS_UNIT)->count;
    return recorded(run, run->ply, PATHS_UNIT)->known;
}

/* ---- a ply ---- */

/* One pass from a slice on, or the same slices again if the set was too small: *first becomes the next slice. */
static bool pass_from(UniqueRun *run, unsigned *first, PlyStore *children, MergedPosition *block, size_t *left,
                      UniquePly *sum) {
    bool good = plan_pass(run, *first, children != NULL) && run_pass(run, children != NULL);
    if (good && !atomic_load(&run->stop)) {
        if (atomic_load(&run->full)) {
            run->expected *= 1.5;
        } else {
            uint64_t used = 0;
            for (unsigned w = 0; w < run->threads; w++) used += run->buffers[w].used;
            run->expected = (double)used * SLICES / run->set.slices * 1.02;
            good = take_counts(run, children != NULL, sum) && (!children || store_set(run, children, block, left));
            *first += run->set.slices;
        }
    }
    tabia_memory_free(&run->memory);
    tabia_aligned_free(run->set.region);
    run->set.region = NULL;
    return good;
}

/* Counts the children of a ply, and keeps them unless children is NULL. */
static bool count_children(UniqueRun *run, PlyStore *children, UniquePly *sum) {
    MergedPosition *block = children ? malloc(PLY_BLOCK * sizeof *block) : NULL;
    size_t left = 0;
    bool good = block || !children || tabia_fail(run->error, "not enough memory to keep a ply");
    for (unsigned first = 0; good && first < SLICES && !atomic_load(&run->stop);)
        if (!children && take_recorded(run, first, sum))
            first++;
        else
            good = pass_from(run, &first, children, block, &left, sum);
    if (good && children && left) good = ply_store_append(children, block, left, run->error);
    free(block);
    return good;
}

/* The file of a kept ply, or NULL if plies are kept in memory. */
static const char *ply_file(const UniqueRun *run, int ply, char *name, size_t room) {
    if (!run->job->work_dir) return NULL;
    snprintf(name, room, "%s/ply-%d.positions", run->job->work_dir, ply);
    return name;
}

enum { PATH_ROOM = 4096 };

static bool keep_children(UniqueRun *run, UniquePly *sum) {
    char name[PATH_ROOM];
    PlyStore children;
    if (run->parent_paths > UINT64_MAX / MOVES_MAX)
        return tabia_fail(run->error, "ply %d: as many paths as lead there cannot be counted for each position",
                          run->ply);
    bool good = ply_store_begin(&children, ply_file(run, run->ply, name, sizeof name), run->error) &&
                count_children(run, &children, sum);
    if (good && !atomic_load(&run->stop)) {
        sum->positions = children.n;
        good = ply_store_end(&children, run->error) && record(run, POSITIONS_UNIT, children.n) &&
               record(run, PATHS_UNIT, sum->paths);
    }
    if (!good || atomic_load(&run->stop)) {
        ply_store_free(&children, false);
        return good;
    }
    run->expected = (double)children.n * (double)children.n / (double)(run->parents.n ? run->parents.n : 1);
    ply_store_free(&run->parents, true);
    run->parents = children, run->parent_paths = sum->paths;
    return true;
}

/* Of a ply that an earlier run has kept. */
static void recorded_ply(const UniqueRun *run, UniquePly *sum) {
    for (unsigned s = 0; s < SLICES && run->job->all_definitions; s++)
        for (unsigned d = 0; d < EP_DEFINITIONS; d++)
            add_to(sum, d, (uint64_t)recorded(run, run->ply, SLICE_UNIT + s * EP_DEFINITIONS + d)->count);
    sum->positions = (uint64_t)recorded(run, run->ply, POSITIONS_UNIT)->count;
    sum->paths = recorded(run, run->ply, PATHS_UNIT)->count;
}

/* Counts the next ply; the plies up to `kept` are known from the ledger. */
static bool count_ply(UniqueRun *run, int kept, UniquePly *sum) {
    const bool last = ++run->ply == run->job->depth;
    *sum = (UniquePly){.ply = run->ply};
    if (run->ply <= kept) {
        recorded_ply(run, sum);
        return true;
    }
    if ((last || run->job->all_definitions) && !count_children(run, NULL, sum)) return false;
    return last || atomic_load(&run->stop) || keep_children(run, sum);
}

/* ---- all ---- */

static void take_unit(void *context, uint64_t unit, U128 count) {
    UniqueRun *run = context;
    if (unit < (PLIES_MAX + 1) * UNITS && !run->unit[unit].known) run->unit[unit] = (Unit){true, count};
}

static bool open_ledger(UniqueRun *run) {
    char fen[FEN_MAX], name[FEN_MAX + 100], path[PATH_ROOM];
    fen_write(&run->job->root, FEN_SHREDDER, fen);
    snprintf(name, sizeof name, "unique%s with keys %ju of %s", run->job->all_definitions ? " by all definitions" : "",
             (uintmax_t)run->job->keys_seed, fen);
    snprintf(path, sizeof path, "%s/unique.ledger", run->job->work_dir);
    run->unit = calloc((PLIES_MAX + 1) * UNITS, sizeof *run->unit);
    if (!run->unit) return tabia_fail(run->error, "not enough memory for a ledger");
    run->ledger = ledger_open(path, name, take_unit, run, NULL, run->error);
    return run->ledger != NULL;
}

/* The ply to begin with: the last one that an earlier run has kept, or the root. */
static bool begin(UniqueRun *run, int *kept) {
    const MergedPosition root = {position_for_ply(&run->job->root), 1};
    char name[PATH_ROOM];
    *kept = 0;
    if (run->job->work_dir && !open_ledger(run)) return false;
    for (int ply = run->job->depth - 1; ply > 0 && run->ledger; ply--) {
        const Unit *n = recorded(run, ply, POSITIONS_UNIT), *paths = recorded(run, ply, PATHS_UNIT);
        if (!n->known || !paths->known) continue;
        if (!ply_store_open(&run->parents, ply_file(run, ply, name, sizeof name), (uint64_t)n->count, run->error))
            continue;
        run->parent_paths = paths->count, *kept = ply;
        run->expected = (double)n->count * 12;
        return true;
    }
    run->parent_paths = 1, run->expected = MOVES_MAX;
    return ply_store_append(&run->parents, &root, 1, run->error);
}

static bool count_plies(UniqueRun *run, int kept) {
    const UniqueJob *job = run->job;
    UniquePly sum = {.positions = 1, .ready = 1, .any = 1, .paths = 1};
    bool good = true, go = !(job->each && job->each(job->context, &sum));
    while (good && go && run->ply < job->depth) {
        run->set.turn = (Colour)(job->root.turn ^ (run->ply & 1));
        good = count_ply(run, kept, &sum);
        go = good && !atomic_load(&run->stop) && !(job->each && job->each(job->context, &sum));
    }
    return good;
}

bool unique_run(const UniqueJob *job, TabiaError *error) {
    UniqueRun *run = calloc(1, sizeof *run);
    int kept;
    if (!run) return tabia_fail(error, "not enough memory to begin");
    run->job = job, run->error = error, run->kernel = job->kernel ? job->kernel : perft_kernel_at(0);
    run->threads = job->threads ? job->threads : tabia_threads_usable();
    run->buffers = calloc(run->threads, sizeof *run->buffers);
    zobrist_init(&run->zobrist, job->keys_seed);
    run->set = (ChildSet){.zobrist = &run->zobrist,
                          .definitions = job->all_definitions ? EP_LEGAL | EP_READY | EP_ANY : EP_LEGAL};
    ply_store_begin(&run->parents, NULL, NULL);
    bool good = (run->buffers || tabia_fail(error, "not enough memory for %u threads", run->threads)) &&
                begin(run, &kept) && count_plies(run, kept);
    good = (!run->ledger || ledger_close(run->ledger, error)) && good;
    ply_store_free(&run->parents, false);
    free(run->buffers);
    free(run->unit);
    free(run);
    return good;
}
