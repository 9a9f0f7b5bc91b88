/* SPDX-License-Identifier: MIT */
#include "unique.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory_limit.h"
#include "base/stop.h"
#include "base/threads.h"
#include "key_set.h"
#include "rules/movegen.h"

/* The positions of one ply, in any order. */
typedef struct {
    Position *position;
    Key *key;
    uint64_t *paths;
    size_t n;
    uint64_t children; /* moves of all of them */
} PlyPositions;

typedef struct {
    const UniqueJob *job;
    const Zobrist *zobrist;
    const PlyPositions *from;
    bool last; /* only counts are wanted */
    unsigned passes;
    atomic_uint next;               /* pass */
    atomic_ullong walked, appended; /* parents, positions: for whoever watches */
    _Atomic size_t found;           /* positions by the passes that have walked all parents */
    atomic_bool stop;
    pthread_mutex_t lock; /* over all below */
    PlyPositions to;
    UniquePly sum;
    TabiaError *error;
    bool failed;
} PlyBuild;

static void ply_positions_free(PlyPositions *positions) {
    free(positions->position);
    free(positions->key);
    free(positions->paths);
    *positions = (PlyPositions){0};
}

enum { CHECK_INTERVAL = 1 << 12 }; /* parents or positions between two checks for a stop: some milliseconds */

static bool ply_positions_reserve(PlyPositions *positions, size_t more, TabiaError *error) {
    const size_t n = positions->n + more + 1;
    Position *position = aligned_alloc(64, n * sizeof *position);
    Key *key = realloc(positions->key, n * sizeof *key);
    if (key) positions->key = key;
    uint64_t *paths = realloc(positions->paths, n * sizeof *paths);
    if (paths) positions->paths = paths;
    if (!position || !key || !paths) {
        free(position);
        return tabia_fail(error, "not enough memory for a ply of %zu positions", n);
    }
    for (size_t i = 0; i < positions->n && (i % CHECK_INTERVAL || !tabia_stop_requested()); i++)
        position[i] = positions->position[i];
    free(positions->position);
    positions->position = position;
    return true;
}

/* Which pass keeps a key: the upper bits of the half that the set does not index with. */
static unsigned pass_of(Key key, unsigned passes) {
    return (unsigned)((unsigned __int128)key[0] * passes >> 64);
}

/* The children of one parent, as a pass goes through them. */
typedef struct {
    const PlyBuild *build;
    unsigned pass;
    size_t parent;
    KeySet *set;
    TabiaError *error;
    bool good;
} ChildVisit;

INLINE void visit_child(ChildVisit *c, Colour us, UnpackedMove m) {
    const PlyPositions *positions = c->build->from;
    const Key key = key_after(c->build->zobrist, &positions->position[c->parent], positions->key[c->parent], us, m);
    if (pass_of(key, c->build->passes) != c->pass) return;
    const uint64_t origin = (uint64_t)c->parent << 16 | move_pack(m);
    if (!key_set_add(c->set, key, positions->paths[c->parent], origin, c->error)) c->good = false;
}
INLINE void visit_white(void *context, UnpackedMove m) {
    visit_child(context, WHITE, m);
}
INLINE void visit_black(void *context, UnpackedMove m) {
    visit_child(context, BLACK, m);
}

/* Is the work to end? Calls the watch callback, from the calling thread only. */
static bool check_stop(PlyBuild *build, unsigned worker) {
    const UniqueJob *job = build->job;
    const uint64_t walked = atomic_load(&build->walked), walks = (uint64_t)build->from->n * build->passes;
    const bool is_appending = walked == walks;
    const UniqueProgress progress = {build->sum.ply, is_appending,
                                     is_appending ? atomic_load(&build->appended) : walked,
                                     is_appending ? atomic_load(&build->found) : walks};
    if (tabia_stop_requested() || (worker == 0 && job->watch && job->watch(job->context, &progress)))
        atomic_store(&build->stop, true);
    return atomic_load(&build->stop);
}

static bool expand_parents(PlyBuild *build, unsigned worker, unsigned pass, KeySet *set, TabiaError *error) {
    const PlyPositions *from = build->from;
    ChildVisit c = {.build = build, .pass = pass, .set = set, .error = error, .good = true};
    for (; c.good && c.parent < from->n; c.parent++) {
        const Position *p = &from->position[c.parent];
        if (c.parent % CHECK_INTERVAL == 0) {
            if (check_stop(build, worker)) break;
            atomic_fetch_add(&build->walked, from->n - c.parent < CHECK_INTERVAL ? from->n - c.parent : CHECK_INTERVAL);
        }
        if (p->turn == WHITE)
            generate(p, &(MoveSink){.visit = visit_white, .context = &c}, WHITE, GEN_VISIT);
        else
            generate(p, &(MoveSink){.visit = visit_black, .context = &c}, BLACK, GEN_VISIT);
    }
    return c.good;
}

/* Appends what a pass found to the next ply, or adds it to the sums only. Under the lock. */
static bool append_pass(PlyBuild *build, unsigned worker, const KeySet *set, TabiaError *error) {
    PlyPositions *to = &build->to;
    if (!build->last && !ply_positions_reserve(to, set->used, error)) return false;
    build->sum.positions += set->used;
    uint64_t appended = 0;
    for (size_t i = 0; i < set->slots; i++) {
        const KeySlot *slot = set->slot + i;
        if (i % CHECK_INTERVAL == 0) {
            atomic_fetch_add(&build->appended, appended);
            appended = 0;
            if (check_stop(build, worker)) return true;
        }
        if (!slot->paths) continue;
        appended++;
        build->sum.paths += slot->paths;
        if (build->last) continue;
        assert((slot->origin >> 16) < build->from->n);
        position_make_move(&to->position[to->n], &build->from->position[slot->origin >> 16], (Move)slot->origin);
        to->children += moves_count(&to->position[to->n]);
        to->key[to->n] = slot->key, to->paths[to->n] = slot->paths;
        to->n++;
    }
    return true;
}

/* While others append what they found, the calling thread goes on calling watch. */
static void lock(PlyBuild *build, unsigned worker) {
    struct timespec until;
    do {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
        check_stop(build, worker);
    } while (pthread_mutex_timedlock(&build->lock, &until) == ETIMEDOUT);
}

static void work(void *context, unsigned worker) {
    PlyBuild *build = context;
    unsigned pass;
    while ((pass = atomic_fetch_add(&build->next, 1)) < build->passes && !atomic_load(&build->stop)) {
        KeySet set = {0};
        TabiaError error;
        bool good = expand_parents(build, worker, pass, &set, &error);
        atomic_fetch_add(&build->found, set.used);
        lock(build, worker);
        good = good && (atomic_load(&build->stop) || append_pass(build, worker, &set, &error));
        if (!good && !tabia_stop_requested() && !build->failed) *build->error = error, build->failed = true;
        pthread_mutex_unlock(&build->lock);
        key_set_free(&set);
        if (!good) atomic_store(&build->stop, true);
    }
}

/*
 * Passes enough that the sets of all threads together stay below a third of the memory that is to be had, even if every child were a new
 * position. Only the last ply is large enough to matter: the others are kept whole.
 */
static unsigned choose_passes(const PlyBuild *build, unsigned threads) {
    enum { LEAST = 1 << 16 }; /* with less than these fails, not one pass after another */
    if (!build->last) return 1;
    const MemoryLimit there = tabia_memory_limit("");
    const uint64_t all = tabia_memory_of_process(""), now = there.bytes - there.swap;
    const uint64_t room = (all < now ? all : now) / 3 / threads / sizeof(KeySlot);
    return (unsigned)(build->from->children / (room > LEAST ? room : LEAST)) + 1;
}

static bool build_ply(PlyBuild *build, unsigned threads) {
    const unsigned many = choose_passes(build, threads);
    build->passes = (many + threads - 1) / threads * threads;
    assert(build->passes >= many);
    pthread_mutex_init(&build->lock, NULL);
    bool good = tabia_threads_run(threads, work, build, build->error) && !build->failed;
    pthread_mutex_destroy(&build->lock);
    return good;
}

static bool root_ply(PlyPositions *positions, const UniqueJob *job, const Zobrist *z, TabiaError *error) {
    *positions = (PlyPositions){0};
    if (!ply_positions_reserve(positions, 1, error)) {
        ply_positions_free(positions);
        return false;
    }
    positions->position[0] = job->root;
    positions->key[0] = zobrist_key(z, &job->root);
    positions->paths[0] = 1;
    positions->children = moves_count(&job->root);
    positions->n = 1;
    return true;
}

bool unique_run(const UniqueJob *job, TabiaError *error) {
    Zobrist zobrist;
    zobrist_init(&zobrist, job->keys_seed);
    const unsigned threads = job->threads ? job->threads : tabia_threads_usable();
    PlyPositions positions;
    if (!root_ply(&positions, job, &zobrist, error)) return false;
    UniquePly root = {.positions = 1, .paths = 1};
    bool good = true, go = !job->each || !job->each(job->context, &root);
    for (int ply = 1; good && go && ply <= job->depth; ply++) {
        PlyBuild build = {.job = job,
                          .zobrist = &zobrist,
                          .from = &positions,
                          .last = ply == job->depth,
                          .sum.ply = ply,
                          .error = error};
        good = build_ply(&build, threads);
        go = good && !atomic_load(&build.stop) && !(job->each && job->each(job->context, &build.sum));
        ply_positions_free(&positions);
        positions = build.to;
    }
    ply_positions_free(&positions);
    return good;
}
