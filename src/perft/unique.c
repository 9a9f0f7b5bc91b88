/* SPDX-License-Identifier: MIT */
#include "unique.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
} Level;

typedef struct {
    const UniqueJob *job;
    const Zobrist *zobrist;
    const Level *from;
    bool last; /* only counts are wanted */
    unsigned passes;
    atomic_uint next;           /* pass */
    atomic_ullong walked, kept; /* parents, positions: for whoever watches */
    _Atomic size_t found;       /* positions by the passes that have walked all parents */
    atomic_bool stop;
    pthread_mutex_t lock; /* over all below */
    Level to;
    UniquePly sum;
    TabiaError *error;
    bool failed;
} Step;

static void level_free(Level *level) {
    free(level->position);
    free(level->key);
    free(level->paths);
    *level = (Level){0};
}

enum { LOOK = 1 << 12 }; /* parents or positions between two looks: some milliseconds */

static bool level_reserve(Level *level, size_t more, TabiaError *error) {
    const size_t n = level->n + more + 1;
    Position *position = aligned_alloc(64, n * sizeof *position);
    Key *key = realloc(level->key, n * sizeof *key);
    if (key) level->key = key;
    uint64_t *paths = realloc(level->paths, n * sizeof *paths);
    if (paths) level->paths = paths;
    if (!position || !key || !paths) {
        free(position);
        return tabia_fail(error, "not enough memory for a ply of %zu positions", n);
    }
    for (size_t i = 0; i < level->n && (i % LOOK || !tabia_stop_requested()); i++) position[i] = level->position[i];
    free(level->position);
    level->position = position;
    return true;
}

/* Which pass keeps a key: the upper bits of the half that the set does not index with. */
static unsigned pass_of(Key key, unsigned passes) {
    return (unsigned)((unsigned __int128)key[0] * passes >> 64);
}

/* The children of one parent, as a pass goes through them. */
typedef struct {
    const Step *step;
    unsigned pass;
    size_t parent;
    KeySet *set;
    TabiaError *error;
    bool good;
} Collect;

INLINE void collect_child(Collect *c, Colour us, PieceType type, int from, int to, int flag) {
    const Level *level = c->step->from;
    const Key key =
        key_after(c->step->zobrist, &level->position[c->parent], level->key[c->parent], us, type, from, to, flag);
    if (pass_of(key, c->step->passes) != c->pass) return;
    const uint64_t origin = (uint64_t)c->parent << 16 | move_encode(from, to, flag);
    if (!key_set_add(c->set, key, level->paths[c->parent], origin, c->error)) c->good = false;
}
INLINE void collect_white(void *context, PieceType type, int from, int to, int flag) {
    collect_child(context, WHITE, type, from, to, flag);
}
INLINE void collect_black(void *context, PieceType type, int from, int to, int flag) {
    collect_child(context, BLACK, type, from, to, flag);
}

/* Is the work to end? Lets the caller look, from its own thread only. */
static bool told_to_stop(Step *step, unsigned worker) {
    const UniqueJob *job = step->job;
    const uint64_t walked = atomic_load(&step->walked), walks = (uint64_t)step->from->n * step->passes;
    const bool keeps = walked == walks;
    const UniqueProgress progress = {step->sum.ply, keeps, keeps ? atomic_load(&step->kept) : walked,
                                     keeps ? atomic_load(&step->found) : walks};
    if (tabia_stop_requested() || (worker == 0 && job->watch && job->watch(job->context, &progress)))
        atomic_store(&step->stop, true);
    return atomic_load(&step->stop);
}

static bool collect(Step *step, unsigned worker, unsigned pass, KeySet *set, TabiaError *error) {
    const Level *from = step->from;
    Collect c = {.step = step, .pass = pass, .set = set, .error = error, .good = true};
    for (; c.good && c.parent < from->n; c.parent++) {
        const Position *p = &from->position[c.parent];
        if (c.parent % LOOK == 0) {
            if (told_to_stop(step, worker)) break;
            atomic_fetch_add(&step->walked, from->n - c.parent < LOOK ? from->n - c.parent : LOOK);
        }
        if (p->turn == WHITE)
            generate(p, &(MoveSink){.visit = collect_white, .context = &c}, WHITE, GEN_VISIT);
        else
            generate(p, &(MoveSink){.visit = collect_black, .context = &c}, BLACK, GEN_VISIT);
    }
    return c.good;
}

/* Takes what a pass found into the next ply, or only into the sums. Under the lock. */
static bool keep(Step *step, unsigned worker, const KeySet *set, TabiaError *error) {
    Level *to = &step->to;
    if (!step->last && !level_reserve(to, set->used, error)) return false;
    step->sum.positions += set->used;
    uint64_t kept = 0;
    for (size_t i = 0; i < set->slots; i++) {
        const KeySlot *slot = set->slot + i;
        if (i % LOOK == 0) {
            atomic_fetch_add(&step->kept, kept);
            kept = 0;
            if (told_to_stop(step, worker)) return true;
        }
        if (!slot->paths) continue;
        kept++;
        step->sum.paths += slot->paths;
        if (step->last) continue;
        position_make_move(&to->position[to->n], &step->from->position[slot->origin >> 16], (Move)slot->origin);
        to->children += moves_count(&to->position[to->n]);
        to->key[to->n] = slot->key, to->paths[to->n] = slot->paths;
        to->n++;
    }
    return true;
}

/* While others keep what they found, the caller goes on looking. */
static void lock(Step *step, unsigned worker) {
    struct timespec until;
    do {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
        told_to_stop(step, worker);
    } while (pthread_mutex_timedlock(&step->lock, &until) == ETIMEDOUT);
}

static void work(void *context, unsigned worker) {
    Step *step = context;
    unsigned pass;
    while ((pass = atomic_fetch_add(&step->next, 1)) < step->passes && !atomic_load(&step->stop)) {
        KeySet set = {0};
        TabiaError error;
        bool good = collect(step, worker, pass, &set, &error);
        atomic_fetch_add(&step->found, set.used);
        lock(step, worker);
        good = good && (atomic_load(&step->stop) || keep(step, worker, &set, &error));
        if (!good && !tabia_stop_requested() && !step->failed) *step->error = error, step->failed = true;
        pthread_mutex_unlock(&step->lock);
        key_set_free(&set);
        if (!good) atomic_store(&step->stop, true);
    }
}

/*
 * Passes enough that the sets of all threads together stay below a third of the memory, even if every child were a new
 * position. Only the last ply is large enough to matter: the others are kept whole.
 */
static unsigned passes_for(const Step *step, unsigned threads) {
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    const uint64_t room = memory / 3 / threads / sizeof(KeySlot);
    return step->last ? (unsigned)(step->from->children / room) + 1 : 1;
}

static bool next_ply(Step *step, unsigned threads) {
    const unsigned many = passes_for(step, threads);
    step->passes = (many + threads - 1) / threads * threads;
    pthread_mutex_init(&step->lock, NULL);
    bool good = tabia_threads_run(threads, work, step, step->error) && !step->failed;
    pthread_mutex_destroy(&step->lock);
    return good;
}

static bool first_level(Level *level, const UniqueJob *job, const Zobrist *z, TabiaError *error) {
    *level = (Level){0};
    if (!level_reserve(level, 1, error)) {
        level_free(level);
        return false;
    }
    level->position[0] = job->root;
    level->key[0] = zobrist_key(z, &job->root);
    level->paths[0] = 1;
    level->children = moves_count(&job->root);
    level->n = 1;
    return true;
}

bool unique_run(const UniqueJob *job, TabiaError *error) {
    Zobrist zobrist;
    zobrist_init(&zobrist, job->keys_seed);
    const unsigned threads = job->threads ? job->threads : tabia_threads_usable();
    Level level;
    if (!first_level(&level, job, &zobrist, error)) return false;
    UniquePly root = {.positions = 1, .paths = 1};
    bool good = true, go = !job->each || !job->each(job->context, &root);
    for (int ply = 1; good && go && ply <= job->depth; ply++) {
        Step step = {
            .job = job, .zobrist = &zobrist, .from = &level, .last = ply == job->depth, .sum.ply = ply, .error = error};
        good = next_ply(&step, threads);
        go = good && !atomic_load(&step.stop) && !(job->each && job->each(job->context, &step.sum));
        level_free(&level);
        level = step.to;
    }
    level_free(&level);
    return good;
}
