/* SPDX-License-Identifier: MIT */
#include "unique.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/memory_limit.h"
#include "base/stop.h"
#include "base/threads.h"
#include "kernel.h"
#include "position_set.h"
#include "rules/movegen.h"

enum { CHECK_INTERVAL = 1 << 12 }; /* parents between two checks for a stop: some milliseconds */

typedef struct {
    const UniqueJob *job;
    Zobrist zobrist;
    int ply; /* that is counted */
    PositionSet parents;
    uint64_t *paths; /* [capacity]: to each parent */
    size_t capacity;
    TabiaError *error;

    /* The last ply. */
    unsigned passes;
    atomic_uint next;                   /* pass */
    _Atomic uint64_t walked, positions; /* parents walked by all passes; different children so far */
    atomic_bool stop, failed;
} UniqueRun;

/* Is the work to end? Calls the watch callback, from the calling thread only. */
static bool check_stop(UniqueRun *run, unsigned worker, uint64_t done) {
    const UniqueProgress progress = {run->ply, done, (uint64_t)run->parents.n * run->passes};
    if (tabia_stop_requested() || (worker == 0 && run->job->watch && run->job->watch(run->job->context, &progress)))
        atomic_store(&run->stop, true);
    return atomic_load(&run->stop);
}

/* ---- a ply that is kept: its positions, and the paths to each ---- */

static bool reserve_paths(UniqueRun *run, const PositionSet *children, uint64_t **paths, size_t *capacity) {
    if (*capacity >= children->capacity) return true;
    uint64_t *larger = realloc(*paths, children->capacity * sizeof *larger);
    if (!larger) return tabia_fail(run->error, "not enough memory for a ply of %zu positions", children->capacity);
    memset(larger + *capacity, 0, (children->capacity - *capacity) * sizeof *larger);
    *paths = larger, *capacity = children->capacity;
    return true;
}

static bool make_ply(UniqueRun *run) {
    PositionSet children = {0};
    uint64_t *paths = NULL;
    size_t capacity = 0;
    bool good = true;
    for (size_t i = 0; good && i < run->parents.n; i++) {
        ChildNumbers numbers = {0};
        if (i % CHECK_INTERVAL == 0 && check_stop(run, 0, i)) break;
        good = position_set_expand(&children, &run->parents.position[i], run->parents.key[i], &run->zobrist, &numbers,
                                   run->error) &&
               reserve_paths(run, &children, &paths, &capacity);
        for (unsigned c = 0; good && c < numbers.n; c++) paths[numbers.number[c]] += run->paths[i];
    }
    position_set_complete(&children);
    position_set_free(&run->parents);
    free(run->paths);
    run->parents = children, run->paths = paths, run->capacity = capacity;
    return good;
}

/* ---- the last ply: a set of keys for each pass ---- */

/* An open hash table; a slot of zeros is empty. */
typedef struct {
    Memory memory;
    Key *slot;
    size_t slots, used; /* slots: a power of two */
} KeySet;

/* Zobrist keys are sums of few numbers, and those of related positions lie in clumps that linear probing turns into long
   runs; a multiplication scatters them (unique 6: 21 s of CPU without it, 3 s with it). */
static Key *find_slot(Key *slot, size_t slots, Key key) {
    size_t at = (key[1] * 0x9e3779b97f4a7c15ull >> 20) & (slots - 1);
    while ((slot[at][0] | slot[at][1]) && !key_same(slot[at], key)) at = (at + 1) & (slots - 1);
    return slot + at;
}

static bool grow(KeySet *set, TabiaError *error) {
    const size_t slots = set->slots ? 2 * set->slots : 16384;
    Memory memory;
    if (!tabia_memory_get(&memory, (MemoryRequest){.bytes = slots * sizeof(Key)}, error)) return false;
    for (size_t i = 0; i < set->slots && !tabia_stop_requested(); i++)
        if (set->slot[i][0] | set->slot[i][1]) *find_slot(memory.at, slots, set->slot[i]) = set->slot[i];
    tabia_memory_free(&set->memory);
    set->memory = memory, set->slot = memory.at, set->slots = slots;
    return true;
}

static bool add_key(KeySet *set, Key key, TabiaError *error) {
    if (4 * set->used >= 3 * set->slots && !grow(set, error)) return false;
    Key *slot = find_slot(set->slot, set->slots, key);
    set->used += !((*slot)[0] | (*slot)[1]);
    *slot = key;
    return true;
}

/* Which pass keeps a key: the upper bits of the half that the set does not index with. */
static unsigned pass_of(Key key, unsigned passes) {
    return (unsigned)((unsigned __int128)key[0] * passes >> 64);
}

static bool walk_parents(UniqueRun *run, unsigned worker, unsigned pass, KeySet *set, TabiaError *error) {
    const PerftKernel *kernel = perft_kernel_at(0);
    const PositionSet *parents = &run->parents;
    Move move[MOVES_MAX];
    Key key[MOVES_MAX];
    for (size_t i = 0; i < parents->n; i++) {
        if (i % CHECK_INTERVAL == 0) {
            if (check_stop(run, worker, atomic_load(&run->walked))) return true;
            const size_t left = parents->n - i;
            atomic_fetch_add(&run->walked, left < CHECK_INTERVAL ? left : CHECK_INTERVAL);
        }
        const unsigned n = moves_list(&parents->position[i], move);
        kernel->keys(&run->zobrist, &parents->position[i], parents->key[i], move, n, key);
        for (unsigned c = 0; c < n; c++)
            if (pass_of(key[c], run->passes) == pass && !add_key(set, key[c], error)) return false;
    }
    return true;
}

static void work(void *context, unsigned worker) {
    UniqueRun *run = context;
    unsigned pass;
    while ((pass = atomic_fetch_add(&run->next, 1)) < run->passes && !atomic_load(&run->stop)) {
        KeySet set = {0};
        TabiaError error;
        const bool good = walk_parents(run, worker, pass, &set, &error);
        atomic_fetch_add(&run->positions, set.used);
        tabia_memory_free(&set.memory);
        if (good) continue;
        if (!atomic_exchange(&run->failed, true)) *run->error = error;
        atomic_store(&run->stop, true);
    }
}

/* Passes enough that the sets of all threads together stay below a third of the memory that is to be had, even if every
   child were a new position. */
static unsigned choose_passes(uint64_t children, unsigned threads) {
    enum { ROOM_MIN = 1 << 16 }; /* with less than these fails, not one pass after another */
    const MemoryLimit there = tabia_memory_limit("");
    const uint64_t all = tabia_memory_of_process(""), now = there.bytes - there.swap;
    const uint64_t room = (all < now ? all : now) / 3 / threads / sizeof(Key);
    const unsigned many = (unsigned)(children / (room > ROOM_MIN ? room : ROOM_MIN)) + 1;
    return (many + threads - 1) / threads * threads;
}

static bool count_last_ply(UniqueRun *run, UniquePly *sum) {
    const unsigned threads = run->job->threads ? run->job->threads : tabia_threads_usable();
    uint64_t children = 0;
    for (size_t i = 0; i < run->parents.n; i++) {
        const unsigned n = moves_count(&run->parents.position[i]);
        children += n, sum->paths += (U128)run->paths[i] * n;
    }
    run->passes = choose_passes(children, threads);
    if (!tabia_threads_run(threads, work, run, run->error) || atomic_load(&run->failed)) return false;
    sum->positions = atomic_load(&run->positions);
    return true;
}

/* ---- all ---- */

static bool begin_at_root(UniqueRun *run) {
    const Key key = zobrist_key(&run->zobrist, &run->job->root);
    size_t number;
    bool is_new;
    if (!position_set_add(&run->parents, key, &number, &is_new, run->error) ||
        !reserve_paths(run, &run->parents, &run->paths, &run->capacity))
        return false;
    run->parents.position[0] = run->job->root, run->paths[0] = 1;
    return true;
}

/* Counts the next ply. */
static bool count_ply(UniqueRun *run, UniquePly *sum) {
    *sum = (UniquePly){.ply = ++run->ply};
    if (run->ply == run->job->depth) return count_last_ply(run, sum);
    if (!make_ply(run)) return false;
    sum->positions = run->parents.n;
    for (size_t i = 0; i < run->parents.n; i++) sum->paths += run->paths[i];
    return true;
}

bool unique_run(const UniqueJob *job, TabiaError *error) {
    UniqueRun run = {.job = job, .passes = 1, .error = error};
    UniquePly sum = {.positions = 1, .paths = 1};
    zobrist_init(&run.zobrist, job->keys_seed);
    bool good = begin_at_root(&run), go = good && !(job->each && job->each(job->context, &sum));
    while (good && go && run.ply < job->depth) {
        good = count_ply(&run, &sum);
        go = good && !atomic_load(&run.stop) && !(job->each && job->each(job->context, &sum));
    }
    position_set_free(&run.parents);
    free(run.paths);
    return good;
}
