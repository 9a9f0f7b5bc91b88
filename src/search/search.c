/* SPDX-License-Identifier: MIT */
/* A search's life: its tables and threads, its root, starting, stopping, and the choice of the move. */
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "margins.h"
#include "worker.h"

/* ---- tables ---- */

static bool make_table(TabiaTable **made, const TabiaOptions *options, TabiaError *error) {
    return tabia_table_create(made, options, error) == TABIA_OK;
}

/* A copy: the caller may write another name to the same place. One that a table has is short enough. */
static void keep_name(Search *s, const char *name) {
    snprintf(s->table_name, sizeof s->table_name, "%s", name ? name : "");
    s->settings.table_name = name ? s->table_name : NULL;
}

/* The table of entries may be the caller's. */
static void let_table_go(Search *s) {
    if (s->table != s->settings.table) tabia_table_destroy(s->table);
}

static bool make_tables(Search *s, const SearchSettings *settings, TabiaError *error) {
    const TabiaOptions entries = {.bytes = settings->hash_bytes,
                                  .integrity = settings->integrity,
                                  .locks = settings->locks,
                                  .identity = search_table_identity(),
                                  .name = settings->table_name};
    const TabiaOptions pawns = {.bytes = settings->pawn_bytes,
                                .type = TABIA_RECORDS,
                                .record_words = PAWN_WORDS,
                                .integrity = settings->integrity,
                                .locks = settings->locks};
    TabiaTable *pawn_table = NULL, *table = settings->table;
    if (!make_table(&pawn_table, &pawns, error)) return false;
    if (!table && !make_table(&table, &entries, error)) return tabia_table_destroy(pawn_table), false;
    let_table_go(s);
    tabia_table_destroy(s->pawns);
    s->table = table, s->pawns = pawn_table;
    s->settings.table = settings->table;
    for (unsigned i = 0; i < s->workers; i++) s->worker[i]->evaluator.pawns = pawn_table;
    return true;
}

/* ---- workers ---- */

static void free_worker(Worker *w) {
    if (w) free(w->histories);
    free(w);
}

static Worker *make_worker(Search *s, unsigned number) {
    Worker *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    if (!w) return NULL;
    memset(w, 0, sizeof *w);
    w->search = s, w->number = number;
    w->histories = calloc(1, sizeof *w->histories);
    if (!w->histories) return free(w), NULL;
    evaluator_init(&w->evaluator, s->pawns, s->settings.evaluation);
    return w;
}

static bool make_workers(Search *s, unsigned n, TabiaError *error) {
    while (s->workers > n) free_worker(s->worker[--s->workers]);
    Worker **more = realloc(s->worker, n * sizeof *more);
    if (!more) return tabia_fail(error, "no memory for %u threads", n);
    s->worker = more;
    while (s->workers < n) {
        Worker *w = make_worker(s, s->workers);
        if (!w) return tabia_fail(error, "no memory for thread %u of %u", s->workers + 1, n);
        s->worker[s->workers++] = w;
    }
    return true;
}

static bool make_deferral(Search *s, Scheme scheme, TabiaError *error) {
    if (scheme == SCHEME_LAZY) {
        free(s->deferral);
        s->deferral = NULL;
    } else if (!s->deferral) {
        s->deferral = aligned_alloc(64, sizeof *s->deferral); /* no slot on two cache lines */
        if (!s->deferral) return tabia_fail(error, "no memory for the marks of deferred moves");
        memset(s->deferral, 0, sizeof *s->deferral);
    }
    return true;
}

/* ---- life ---- */

static void fill_reductions(Search *s) {
    for (int depth = 1; depth < 64; depth++)
        for (int tried = 1; tried < 64; tried++)
            s->reduction[depth][tried] =
                (int)(PLY * (LMR_BASE / 1000.0 + log(depth) * log(tried) / (LMR_DIVISOR / 1000.0)));
}

Search *search_create(const SearchSettings *settings, TabiaError *error) {
    Search *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    if (!s) return tabia_fail(error, "no memory to begin with"), NULL;
    memset(s, 0, sizeof *s);
    zobrist_init(&s->zobrist, SEARCH_IDENTITY);
    upcoming_init(&s->upcoming, &s->zobrist);
    fill_reductions(s);
    s->settings.evaluation = settings->evaluation; /* which workers are made by */
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!make_tables(s, settings, error) || !make_workers(s, settings->threads, error) ||
        !make_deferral(s, settings->scheme, error)) {
        search_destroy(s);
        return NULL;
    }
    s->settings = *settings;
    keep_name(s, settings->table_name);
    return s;
}

void search_destroy(Search *s) {
    if (!s) return;
    search_stop(s);
    search_wait(s);
    while (s->workers) free_worker(s->worker[--s->workers]);
    free(s->worker);
    free(s->deferral);
    let_table_go(s);
    tabia_table_destroy(s->pawns);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What another evaluation has taught does not hold. */
static void set_evaluation(Search *s, EvaluationKind kind) {
    if (kind == s->settings.evaluation) return;
    s->settings.evaluation = kind;
    for (unsigned i = 0; i < s->workers; i++) s->worker[i]->evaluator.kind = kind;
    search_clear(s);
}

bool search_configure(Search *s, const SearchSettings *settings, TabiaError *error) {
    const SearchSettings *old = &s->settings;
    if (settings->hash_bytes != old->hash_bytes || settings->pawn_bytes != old->pawn_bytes ||
        settings->integrity != old->integrity || settings->locks != old->locks || settings->table != old->table ||
        !same_text(settings->table_name, old->table_name)) {
        if (!make_tables(s, settings, error)) return false;
        s->settings.hash_bytes = settings->hash_bytes, s->settings.pawn_bytes = settings->pawn_bytes;
        s->settings.integrity = settings->integrity, s->settings.locks = settings->locks;
        keep_name(s, settings->table_name);
    }
    if (settings->history_key != old->history_key) tabia_table_clear(s->table); /* its paths mean something else */
    s->settings.history_key = settings->history_key;
    set_evaluation(s, settings->evaluation);
    if (!make_deferral(s, settings->scheme, error)) return false;
    s->settings.scheme = settings->scheme;
    if (!make_workers(s, settings->threads, error)) return false;
    s->settings.threads = settings->threads;
    return true;
}

void search_clear(Search *s) {
    if (!s->settings.table) tabia_table_clear(s->table);
    tabia_table_clear(s->pawns);
    for (unsigned i = 0; i < s->workers; i++) memset(s->worker[i]->histories, 0, sizeof *s->worker[i]->histories);
}

/* Only positions since the last irreversible move can come again. */
void search_set_position(Search *s, const Position *start, const Move *moves, unsigned n) {
    Position p = *start;
    Key key = zobrist_key(&s->zobrist, &p);
    s->start = *start;
    s->past_n = 0;
    s->root_path = history_root(s->settings.history_key, game_clock(start));
    memset(s->last_moves, 0, sizeof s->last_moves);
    for (unsigned i = 0; i < n; i++) {
        const Position before = p;
        if (s->past_n == PAST_MOST) memmove(s->past, s->past + 2, (s->past_n -= 2) * sizeof *s->past);
        s->past[s->past_n++] = key[1];
        key = game_key_after(&s->zobrist, &before, key, moves[i]);
        game_play(&p, &before, moves[i]);
        if (game_clock(&p) == 0) s->past_n = 0;
        memmove(s->last_moves, s->last_moves + 1, (HISTORY_LAST_MOST - 1) * sizeof *s->last_moves);
        s->last_moves[HISTORY_LAST_MOST - 1] = moves[i];
        s->root_path =
            history_path(s->settings.history_key, s->root_path, &s->last_moves[HISTORY_LAST_MOST - 1], game_clock(&p));
    }
    s->root = p;
}

/* ---- a search ---- */

/* Every thread begins at the root, with the game behind it. */
static void set_up_worker(Worker *w) {
    Search *s = w->search;
    for (int i = 0; i < FRAMES_BEFORE + PLY_MAX + 4; i++) {
        Frame *f = &w->frames[i];
        f->continuation = &w->histories->nothing;
        f->move = f->excluded = f->killer[0] = f->killer[1] = 0;
        f->evaluation = f->raw_evaluation = SCORE_NONE;
        f->line_n = 0;
    }
    memset(w->histories->nothing, 0, sizeof w->histories->nothing);
    Frame *root = worker_frame(w, 0);
    root->at = s->root;
    correction_find(&root->corrections, w->histories, &root->at);
    root->key = zobrist_key(&s->zobrist, &s->root);
    root->checked = game_in_check(&s->root);
    root->path = s->root_path;
    memcpy(w->past, s->past, s->past_n * sizeof *w->past);
    memcpy(w->game_move, s->last_moves, sizeof s->last_moves);
    w->past_n = s->past_n;
    atomic_store(&w->nodes, 0);
    atomic_store(&w->begun, 0);
    w->iteration = w->finished_depth = w->null_ply = 0;
    w->interrupted = false;
    w->line_number = 0;
}

static bool asked_for(const SearchLimits *l, Move m) {
    for (unsigned i = 0; i < l->search_moves_n; i++)
        if (l->search_moves[i] == m) return true;
    return l->search_moves_n == 0;
}

static void list_root(Worker *w) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(&w->search->root, list);
    w->root_n = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!asked_for(&w->search->limits, list[i])) continue;
        RootMove *r = &w->root[w->root_n++];
        *r = (RootMove){.move = list[i], .score = -SCORE_INFINITE, .previous_score = -SCORE_INFINITE, .line_n = 1};
        r->line[0] = list[i];
    }
}

static void *work(void *worker) {
    iterate(worker);
    return NULL;
}

/* An infinite or pondering search that has nothing left to do waits to be told. */
static void wait_for_word(Search *s) {
    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->stop) && (s->limits.infinite || atomic_load(&s->pondering)))
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* No legal move: mate or stalemate. */
static void report_end_of_game(Search *s) {
    const SearchReport report = {.score = game_in_check(&s->root) ? score_mated(0) : SCORE_DRAW, .number = 1};
    if (s->listener.report) s->listener.report(s->listener.context, &report);
    wait_for_word(s);
    if (s->settings.peers)
        s->settings.peers->conclude(s->settings.peers->context, s, s->hard_time != 0, &(SearchOutcome){0});
    if (s->listener.best) s->listener.best(s->listener.context, 0, 0);
}

static void *control(void *search) {
    Search *s = search;
    if (!s->worker[0]->root_n) {
        report_end_of_game(s);
        return NULL;
    }
    unsigned started = 1;
    for (; started < s->workers; started++)
        if (pthread_create(&s->worker[started]->thread, NULL, work, s->worker[started])) break;
    iterate(s->worker[0]);
    wait_for_word(s);
    atomic_store(&s->stop, true);
    for (unsigned i = 1; i < started; i++) pthread_join(s->worker[i]->thread, NULL);
    answer_say(s);
    return NULL;
}

static void prepare(Search *s, const SearchLimits *limits, const SearchListener *listener) {
    search_wait(s);
    s->limits = *limits;
    if (!s->limits.multi_pv) s->limits.multi_pv = 1;
    s->listener = *listener;
    atomic_store(&s->stop, false);
    atomic_store(&s->pondering, limits->ponder);
    atomic_store(&s->deepest, 0);
    limits_begin(s);
    tabia_table_new_generation(s->table);
    for (unsigned i = 0; i < s->workers; i++) {
        set_up_worker(s->worker[i]);
        list_root(s->worker[i]);
    }
}

void search_start(Search *s, const SearchLimits *limits, const SearchListener *listener) {
    prepare(s, limits, listener);
    s->running = pthread_create(&s->controller, NULL, control, s) == 0;
    if (!s->running) control(s); /* no thread to be had: the caller waits */
}

void search_run(Search *s, const SearchLimits *limits) {
    prepare(s, limits, &(SearchListener){0});
    control(s);
}

static void say(Search *s, atomic_bool *flag, bool value) {
    pthread_mutex_lock(&s->lock);
    atomic_store(flag, value);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void search_stop(Search *s) {
    say(s, &s->stop, true);
}

void search_ponderhit(Search *s) {
    say(s, &s->pondering, false);
}

void search_wait(Search *s) {
    if (!s->running) return;
    pthread_join(s->controller, NULL);
    s->running = false;
}

bool search_is_unbounded(const Search *s) {
    return s->running && (s->limits.infinite || atomic_load(&s->pondering));
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
