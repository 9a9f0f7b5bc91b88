/* SPDX-License-Identifier: MIT */
/* The solver: its memory, its threads, and one search after the other until there is no shorter mate. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/time.h"
#include "mate_worker.h"

enum { MATE_SEED = 20261127, LINE_NODES = 20000 };

static bool fail(TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a solver of mates"), false;
}

/* What a thread may take for each of memory and region. Together those of all threads have a quarter of the bytes. */
static size_t thread_bytes(const MateSettings *s) {
    return s->hash_bytes / 8 / s->threads;
}

static uint64_t table_bytes(const MateSettings *s) {
    const size_t max = thread_bytes(s);
    const uint64_t threads = s->threads * (mate_memory_bytes(max) + mate_region_bytes(max));
    return threads < s->hash_bytes / 2 ? s->hash_bytes - threads : s->hash_bytes / 2;
}

static bool create_parts(MateSolver *s, TabiaError *error) {
    const TabiaOptions options = {.bytes = table_bytes(&s->settings),
                                  .type = TABIA_RECORDS,
                                  .record_words = MATE_RECORD_WORDS,
                                  .replacement =
                                      s->settings.key_chooses ? TABIA_REPLACE_ALWAYS : TABIA_REPLACE_DEPTH_AND_AGE,
                                  .identity = zobrist_identity(MATE_SEED)};
    const unsigned n = s->settings.threads;
    if (tabia_table_create(&s->table, &options, error)) return false;
    s->zobrist = malloc(sizeof(Zobrist));
    s->worker = calloc(n, sizeof *s->worker);
    if (!s->zobrist || !s->worker) return fail(error);
    zobrist_init(s->zobrist, MATE_SEED);
    for (unsigned i = 0; i < n; i++) {
        s->worker[i].solver = s;
        s->worker[i].frame = mate_allocate(MATE_PLY_MAX * sizeof(MateFrame));
        s->worker[i].region = mate_region_create(thread_bytes(&s->settings));
        s->worker[i].memory = mate_memory_create(thread_bytes(&s->settings));
        if (!s->worker[i].frame || !s->worker[i].region || !s->worker[i].memory) return fail(error);
    }
    return true;
}

MateSolver *mate_create(const MateSettings *settings, TabiaError *error) {
    assert(settings->threads > 0);
    MateSolver *s = mate_allocate(sizeof *s);
    if (!s) return fail(error), NULL;
    memset(s, 0, sizeof *s);
    s->settings = *settings;
    if (create_parts(s, error)) return s;
    mate_destroy(s);
    return NULL;
}

void mate_destroy(MateSolver *s) {
    if (!s) return;
    for (unsigned i = 0; s->worker && i < s->settings.threads; i++) {
        tabia_aligned_free(s->worker[i].frame), free(s->worker[i].child);
        mate_region_destroy(s->worker[i].region), free(s->worker[i].memory);
    }
    tabia_table_destroy(s->table);
    free(s->zobrist), free(s->worker), free(s->ended), tabia_aligned_free(s);
}

/* ---- a search on all threads ---- */

static void work(void *context, unsigned worker) {
    MateSolver *s = context;
    mate_run(&s->worker[worker], &(MateFrame){.position = s->root, .left = s->left, .by_clock = s->by_clock});
    atomic_store(&s->ends, true);
}

/* The worker that has solved the root, NULL: none has. Nodes are limited to nodes_max (0: by the solver's limits). */
static MateWorker *search_all(MateSolver *s, unsigned left, uint64_t nodes_max, TabiaError *error) {
    atomic_store(&s->ends, false);
    s->left = left, s->nodes_max = nodes_max;
    if (!tabia_threads_run(s->settings.threads, work, s, error)) return atomic_store(&s->has_failed, true), NULL;
    if (atomic_load(&s->has_failed)) return fail(error), NULL;
    for (unsigned i = 0; i < s->settings.threads; i++)
        if (s->worker[i].is_solved) return &s->worker[i];
    return NULL;
}

static uint64_t all_nodes(const MateSolver *s) {
    uint64_t n = 0;
    for (unsigned i = 0; i < s->settings.threads; i++) n += s->worker[i].nodes;
    return n;
}

static MateResult result_of(const MateWorker *w) {
    if (!w) return MATE_UNKNOWN;
    if (!w->frame[0].number[PROOF]) return MATE_FOUND;
    return w->is_cut ? MATE_UNKNOWN : MATE_NONE;
}

/* Looks for shorter mates, with as many nodes again as the first one took. */
static void shorten(MateSolver *s, MateSolution *found, TabiaError *error) {
    const uint64_t budget = 2 * all_nodes(s) + LINE_NODES;
    while (!found->shortest) {
        const MateWorker *w = search_all(s, found->plies - 1, budget, error);
        if (result_of(w) == MATE_FOUND)
            found->plies = w->frame[0].length;
        else if (result_of(w) == MATE_NONE)
            found->shortest = true;
        else
            return;
        found->shortest |= found->plies == 1;
    }
}

/* A mate that is found too late for the 50-move rule: is there one by that rule? */
static void mate_before_draw(MateSolver *s, MateSolution *found, TabiaError *error) {
    const int left = game_plies_to_draw(&s->root);
    if ((int)found->plies <= left) return;
    s->by_clock = true;
    const MateWorker *w = left > 0 ? search_all(s, (unsigned)left + 1, 0, error) : NULL;
    s->by_clock = false;
    found->result = left > 0 ? result_of(w) : MATE_NONE;
    found->plies = found->result == MATE_FOUND ? w->frame[0].length : 0;
    found->shortest = false;
}

/* Does the rule let the line come to its end? */
static bool is_in_time(Position p, const MateSolution *found) {
    for (unsigned i = 0; i < found->moves; i++) {
        if (game_plies_to_draw(&p) <= 0) return false;
        const Position before = p;
        game_make_move(&p, &before, found->line[i]);
    }
    return true;
}

/* Within nodes_max, and the limits or none. */
static bool find_line(MateSolver *s, const MateLimits *limits, uint64_t nodes_max, MateSolution *found) {
    const MateLimits kept = s->limits;
    atomic_store(&s->ends, false);
    s->limits = *limits, s->limits.nodes = 0, s->nodes_max = nodes_max;
    found->moves = 0;
    const bool good = mate_find_line(&s->worker[0], found) && is_in_time(s->root, found);
    s->limits = kept;
    return good;
}

/* What is proven is not lost to a limit: behind it there are nodes for a line whose records the table has. */
static bool write_line(MateSolver *s, MateSolution *found, TabiaError *error) {
    found->line = malloc((found->plies + 2) * sizeof *found->line);
    if (!found->line) return fail(error);
    if (!find_line(s, &s->limits, 2 * all_nodes(s) + LINE_NODES, found) &&
        !find_line(s, &(MateLimits){.root_moves = s->limits.root_moves, .root_moves_n = s->limits.root_moves_n},
                   all_nodes(s) + LINE_NODES, found))
        found->result = MATE_UNKNOWN, found->plies = found->moves = 0;
    return !atomic_load(&s->has_failed) || fail(error);
}

/* The root is proven: is there a shorter mate? Where a limit, or a stop, comes before that one's line, the first is kept. */
static bool finish_proof(MateSolver *s, MateSolution *found, TabiaError *error) {
    MateSolution first = *found;
    const bool shortens = !s->limits.first_found, in_time = (int)first.plies <= game_plies_to_draw(&s->root);
    bool good = !shortens || !in_time || write_line(s, &first, error);
    const bool has_first = first.line && first.result == MATE_FOUND;
    if (good && shortens) shorten(s, found, error);
    if (good) mate_before_draw(s, found, error);
    const bool is_other = found->result == MATE_FOUND && !(has_first && found->plies == first.plies);
    good = good && !atomic_load(&s->has_failed) && (!is_other || write_line(s, found, error));
    if (has_first && (!is_other || found->result != MATE_FOUND)) {
        first.shortest = found->shortest && !is_other;
        free(found->line), *found = first;
    } else {
        free(first.line);
    }
    return good;
}

/* Lists the positions of the game that have occurred as often as they may. False if there is no memory. */
static bool list_ended(MateSolver *s, const MateLimits *l) {
    const size_t room = (l->moves_n + 1) * sizeof(Key);
    Key *const ended = realloc(s->ended, 2 * room), *const key = ended + l->moves_n + 1;
    if (!ended) return false;
    s->ended = ended, s->ended_n = 0;
    if (!l->start) return true;
    Position p = *l->start;
    key[0] = zobrist_key(s->zobrist, &p);
    for (unsigned i = 0; i <= l->moves_n; i++) {
        unsigned before = 0;
        for (unsigned k = i > GAME_PATH_MAX ? i - GAME_PATH_MAX : 0; k < i; k++) before += key_same(key[k], key[i]);
        if (before == GAME_OCCURRENCES_MAX - 2) ended[s->ended_n++] = key[i];
        if (i == l->moves_n) break;
        key[i + 1] = game_key_after(s->zobrist, &p, key[i], l->moves[i]);
        game_make_move(&p, &p, l->moves[i]);
    }
    return true;
}

unsigned mate_hashfull(const MateSolver *s) {
    return tabia_table_hashfull(s->table);
}

static void begin(MateSolver *s, const Position *p, const MateLimits *limits) {
    tabia_table_clear(s->table);
    s->root = *p, s->limits = *limits;
    s->uses_hands = GAME_HAS_HANDS && !s->ended_n && !limits->root_moves_n && !s->settings.plain_table;
    s->began = s->said = tabia_clock_wall();
    atomic_store(&s->nodes, 0);
    for (unsigned i = 0; i < s->settings.threads; i++) {
        MateWorker *w = &s->worker[i];
        w->nodes = w->nodes_said = 0, w->window = w->window_new = w->since = w->since_new = 0;
        w->patience = MATE_PATIENCE;
        mate_region_reset(w->region), mate_memory_reset(w->memory);
    }
}

MateSolution *mate_solve(MateSolver *s, const Position *p, const MateLimits *limits, TabiaError *error) {
    MateSolution *found = calloc(1, sizeof *found);
    if (!found || !list_ended(s, limits)) return free(found), fail(error), NULL;
    begin(s, p, limits);
    const MateWorker *w = search_all(s, limits->plies ? limits->plies + 1 : 0, 0, error);
    found->result = result_of(w);
    found->plies = found->result == MATE_FOUND ? w->frame[0].length : 0;
    found->shortest = found->plies == 1;
    const bool good = !atomic_load(&s->has_failed) && (found->result != MATE_FOUND || finish_proof(s, found, error));
    found->nodes = all_nodes(s);
    found->seconds = tabia_clock_wall() - s->began;
    found->hashfull = mate_hashfull(s);
    if (good) return found;
    mate_solution_destroy(found);
    return NULL;
}

void mate_solution_destroy(MateSolution *s) {
    if (!s) return;
    free(s->line);
    free(s);
}
