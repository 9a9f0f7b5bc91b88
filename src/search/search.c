/* SPDX-License-Identifier: MIT */
/* The lifecycle of a search: tables, threads, root position, start and stop. */
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "iterate.h"
#include "margins.h"
#include "time_management.h"
#include "worker.h"

const char *smp_mode_name(SmpMode mode) {
    static const char *const names[SMP_MODES] = {[SMP_LAZY] = "lazy", [SMP_SPLIT] = "split"};
    assert(mode < SMP_MODES);
    return names[mode];
}

/* ---- tables ---- */

/* If the caller's watch ends the touching, there is a table all the same, which is touched page by page. */
static bool make_table(TabiaTable **made, TabiaOptions options, TabiaError *error) {
    const TabiaWatch usual = {.stop = tabia_stop_watch};
    if (!options.watch) options.watch = &usual;
    int code = tabia_table_create(made, &options, error);
    if (code == TABIA_ERROR_STOPPED && !tabia_stop_requested())
        options.touch = TABIA_TOUCH_LATER, code = tabia_table_create(made, &options, error);
    return code == TABIA_OK;
}

/* Copies the name. A name that a table has is short enough. */
static void copy_table_name(Search *s, const char *name) {
    snprintf(s->table_name, sizeof s->table_name, "%s", name ? name : "");
    s->settings.table_name = name ? s->table_name : NULL;
}

/* The table of entries may belong to the caller. */
static void release_table(Search *s) {
    if (s->table != s->settings.table) tabia_table_destroy(s->table);
}

static bool make_tables(Search *s, const SearchSettings *settings, TabiaError *error) {
    const TabiaOptions entries = {.bytes = settings->hash_bytes,
                                  .replacement = settings->replacement,
                                  .identity = search_table_identity(settings->evaluation, settings->network),
                                  .name = settings->table_name,
                                  .watch = settings->watch};
    TabiaTable *table = settings->table;
    if (!table && !make_table(&table, entries, error)) return false;
    release_table(s);
    s->table = table;
    s->settings.table = settings->table;
    return true;
}

/* ---- workers ---- */

static void free_worker(Worker *w) {
    if (w) free(w->histories);
    tabia_aligned_free(w);
}

static Worker *make_worker(Search *s, unsigned number) {
    Worker *w = tabia_aligned_get(64, (sizeof *w + 63) / 64 * 64);
    if (!w) return NULL;
    memset(w, 0, sizeof *w);
    w->search = s, w->number = number;
    w->histories = calloc(1, sizeof *w->histories);
    if (!w->histories) return tabia_aligned_free(w), NULL;
    evaluator_init(&w->evaluator, s->settings.evaluation);
    evaluator_choose(&w->evaluator, s->settings.evaluation, s->settings.network);
    return w;
}

static bool make_workers(Search *s, unsigned n, TabiaError *error) {
    assert(n > 0);
    while (s->workers > n) free_worker(s->worker[--s->workers]);
    Worker **more = realloc(s->worker, n * sizeof(Worker *));
    if (!more) return tabia_fail(error, "no memory for %u threads", n);
    s->worker = more;
    while (s->workers < n) {
        Worker *w = make_worker(s, s->workers);
        if (!w) return tabia_fail(error, "no memory for thread %u of %u", s->workers + 1, n);
        s->worker[s->workers++] = w;
    }
    return true;
}

/* ---- lifecycle ---- */

static void fill_reductions(Search *s) {
    for (int depth = 1; depth < 64; depth++)
        for (int tried = 1; tried < 64; tried++)
            s->reduction[depth][tried] =
                (int)(PLY * (LMR_BASE / 1000.0 + log(depth) * log(tried) / (LMR_DIVISOR / 1000.0)));
}

Search *search_create(const SearchSettings *settings, TabiaError *error) {
    Search *s = tabia_aligned_get(64, (sizeof *s + 63) / 64 * 64);
    if (!s) return tabia_fail(error, "no memory to begin with"), NULL;
    memset(s, 0, sizeof *s);
    zobrist_init(&s->zobrist, SEARCH_IDENTITY);
    upcoming_init(&s->upcoming, &s->zobrist);
    fill_reductions(s);
    s->settings.evaluation = settings->evaluation, s->settings.network = settings->network; /* used by make_workers */
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!make_tables(s, settings, error) || !make_workers(s, settings->threads, error)) {
        search_destroy(s);
        return NULL;
    }
    s->settings = *settings;
    copy_table_name(s, settings->table_name);
    atomic_store(&s->stop, true);
    return s;
}

void search_destroy(Search *s) {
    if (!s) return;
    search_stop(s);
    search_wait(s);
    while (s->workers) free_worker(s->worker[--s->workers]);
    free(s->worker);
    release_table(s);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    tabia_aligned_free(s);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_evaluation(const SearchSettings *a, const SearchSettings *b) {
    return a->evaluation == b->evaluation && a->network == b->network;
}

static void clear_histories(Search *s) {
    for (unsigned i = 0; i < s->workers; i++) memset(s->worker[i]->histories, 0, sizeof *s->worker[i]->histories);
}

/* The tables are made anew by then. */
static void set_evaluation(Search *s, EvaluationType type, const Network *network) {
    s->settings.evaluation = type, s->settings.network = network;
    for (unsigned i = 0; i < s->workers; i++) evaluator_choose(&s->worker[i]->evaluator, type, network);
    clear_histories(s);
}

bool search_configure(Search *s, const SearchSettings *settings, TabiaError *error) {
    const SearchSettings *old = &s->settings;
    if (settings->hash_bytes != old->hash_bytes || settings->table != old->table ||
        settings->replacement != old->replacement || !same_text(settings->table_name, old->table_name) ||
        !same_evaluation(settings, old)) {
        if (!make_tables(s, settings, error)) return false;
        s->settings.hash_bytes = settings->hash_bytes;
        s->settings.replacement = settings->replacement;
        copy_table_name(s, settings->table_name);
    }
    if (settings->path_key != old->path_key) tabia_table_clear(s->table); /* its path keys have another form */
    s->settings.path_key = settings->path_key;
    if (!same_evaluation(settings, old)) set_evaluation(s, settings->evaluation, settings->network);
    s->settings.smp_mode = settings->smp_mode;
    if (!make_workers(s, settings->threads, error)) return false;
    s->settings.threads = settings->threads;
    return true;
}

void search_clear(Search *s) {
    if (!s->settings.table) tabia_table_clear(s->table);
    clear_histories(s);
}

/* A move of the game, from the root so far. */
static void play_to_root(Search *s, Key *key, Move m) {
    const Position before = s->root;
    assert(game_is_legal(&before, m));
    *key = game_key_after(&s->zobrist, &before, *key, m);
    game_make_move(&s->root, &before, m);
    assert(key_same(*key, zobrist_key(&s->zobrist, &s->root)));
    game_path_add(&s->path, s->root_visit, &s->root);
    s->root_visit = visit_after_move(&s->zobrist, &s->root_visit, &before, &s->root, *key);
}

void search_set_position(Search *s, const Position *start, const Move *moves, unsigned n) {
    Key key = zobrist_key(&s->zobrist, start);
    s->start = s->root = *start;
    game_path_clear(&s->path);
    s->root_visit = visit_first(&s->zobrist, start, key);
    for (unsigned i = 0; i < n; i++) play_to_root(s, &key, moves[i]);
}

/* ---- a search ---- */

/* Every thread starts at the root, with the game's keys and moves. */
static void init_worker(Worker *w) {
    Search *s = w->search;
    for (int i = 0; i < STACK_FRAMES; i++) {
        StackFrame *f = &w->frames[i];
        f->continuation = &w->histories->no_continuation;
        f->move = f->excluded = 0;
        f->evaluation = f->raw_evaluation = SCORE_NONE;
        f->pv_length = 0;
    }
    memset(w->histories->no_continuation, 0, sizeof w->histories->no_continuation);
    StackFrame *root = stack_frame(w, 0);
    root->position = s->root;
    corrections_lookup(&root->corrections, w->histories, &root->position);
    root->key = zobrist_key(&s->zobrist, &s->root);
    root->in_check = game_in_check(&s->root);
    root->path_key = game_path_key(s->settings.path_key, &s->root);
    root->visit = s->root_visit;
    game_path_begin_search(&w->path, &s->path, &s->root_visit);
    atomic_store(&w->nodes, 0);
    atomic_store(&w->current_iteration, 0);
    w->iteration = w->completed_depth = w->null_ply = 0;
    w->interrupted = false;
    w->pv_index = 0;
    w->split = NULL, w->cuts_seen = atomic_load(&s->cuts);
    atomic_store(&w->split_points, 0);
}

static bool is_search_move(const SearchLimits *l, Move m) {
    for (unsigned i = 0; i < l->search_moves_n; i++)
        if (l->search_moves[i] == m) return true;
    return l->search_moves_n == 0;
}

static void list_root_moves(Worker *w) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(&w->search->root, list);
    w->root_n = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!is_search_move(&w->search->limits, list[i])) continue;
        assert(w->root_n < MOVES_MAX && game_is_legal(&w->search->root, list[i]));
        RootMove *r = &w->root[w->root_n++];
        *r = (RootMove){.move = list[i], .score = -SCORE_INFINITE, .previous_score = -SCORE_INFINITE, .pv_length = 1};
        r->pv[0] = list[i];
    }
}

static void *worker_main(void *worker) {
    iterate(worker);
    return NULL;
}

/* An infinite or pondering search that has ended waits for stop or ponderhit. Then it is stopped. */
static void wait_for_release(Search *s) {
    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->stop) && (s->limits.infinite || atomic_load(&s->pondering)))
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    atomic_store(&s->stop, true);
}

/* No legal move: mate or stalemate. */
static void report_no_legal_move(Search *s) {
    const SearchReport report = {.score = score_without_move(&s->root, 0), .bound = TABIA_BOUND_EXACT, .number = 1};
    if (s->listener.report) s->listener.report(s->listener.context, &report);
    wait_for_release(s);
    if (s->settings.peers)
        s->settings.peers->finish(s->settings.peers->context, s, s->hard_time != 0, &(SearchOutcome){0});
    if (s->listener.best) s->listener.best(s->listener.context, 0, 0);
}

static void *controller_main(void *search) {
    Search *s = search;
    if (s->listener.instead && s->listener.instead(s->listener.context, &s->limits)) {
        wait_for_release(s);
        s->listener.best(s->listener.context, 0, 0);
        return NULL;
    }
    if (!s->worker[0]->root_n) {
        report_no_legal_move(s);
        return NULL;
    }
    unsigned started = 1;
    for (; started < s->workers; started++)
        if (pthread_create(&s->worker[started]->thread, NULL, worker_main, s->worker[started])) break;
    iterate(s->worker[0]);
    wait_for_release(s);
    for (unsigned i = 1; i < started; i++) pthread_join(s->worker[i]->thread, NULL);
    result_announce(s);
    return NULL;
}

static void prepare_search(Search *s, const SearchLimits *limits, const SearchListener *listener) {
    search_wait(s);
    assert(s->workers > 0 && limits->search_moves_n <= MOVES_MAX);
    s->limits = *limits;
    if (!s->limits.multi_pv) s->limits.multi_pv = 1;
    s->listener = *listener;
    atomic_store(&s->stop, false);
    atomic_store(&s->pondering, limits->ponder);
    atomic_store(&s->completed_depth, 0);
    time_management_start(s);
    tabia_table_new_generation(s->table);
    for (unsigned i = 0; i < s->workers; i++) {
        init_worker(s->worker[i]);
        list_root_moves(s->worker[i]);
    }
}

void search_start(Search *s, const SearchLimits *limits, const SearchListener *listener) {
    prepare_search(s, limits, listener);
    s->running = pthread_create(&s->controller, NULL, controller_main, s) == 0;
    if (!s->running) controller_main(s); /* no thread available: the caller waits */
}

void search_run(Search *s, const SearchLimits *limits) {
    prepare_search(s, limits, &(SearchListener){0});
    controller_main(s);
}

static void set_flag(Search *s, atomic_bool *flag, bool value) {
    pthread_mutex_lock(&s->lock);
    atomic_store(flag, value);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void search_stop(Search *s) {
    set_flag(s, &s->stop, true);
}

void search_ponderhit(Search *s, const SearchLimits *times) {
    if (times) time_management_set(s, times);
    set_flag(s, &s->pondering, false);
}

void search_wait(Search *s) {
    if (!s->running) return;
    pthread_join(s->controller, NULL);
    s->running = false;
}

bool search_is_pondering(const Search *s) {
    return s->running && !atomic_load(&s->stop) && atomic_load(&s->pondering);
}

bool search_has_limit(const Search *s) {
    const SearchLimits *l = &s->limits;
    return !l->infinite && (s->hard_time || l->depth || l->mate || l->nodes || l->soft_nodes);
}
bool search_is_unbounded(const Search *s) {
    return s->running && (atomic_load(&s->pondering) || !search_has_limit(s));
}

bool search_is_stopping(const Search *s) {
    return atomic_load(&s->stop);
}

void search_end_within(Search *s, int64_t milliseconds) {
    time_management_set(s, &(SearchLimits){.move_time = milliseconds});
}

uint64_t search_nodes_here(const Search *s) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->workers; i++) sum += atomic_load_explicit(&s->worker[i]->nodes, memory_order_relaxed);
    return sum;
}

uint64_t search_nodes(const Search *s) {
    const SearchPeers *peers = s->settings.peers;
    return search_nodes_here(s) + (UNLIKELY(peers != NULL) ? peers->nodes(peers->context) : 0);
}

const Position *search_root(const Search *s) {
    return &s->root;
}
TabiaTable *search_table(Search *s) {
    return s->table;
}
const Zobrist *search_zobrist(const Search *s) {
    return &s->zobrist;
}
