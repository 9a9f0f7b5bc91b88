/* SPDX-License-Identifier: MIT */
#include "serve/analysis.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "search/search.h"
#include "search/wdl.h"
#include "serve/answer.h"
#include "serve/served_game.h"

enum { ANALYSIS_LINES_MAX = 10, ANALYSIS_PV_MAX = 40 };

struct Analysis {
    uint64_t hash_bytes;
    unsigned threads;
    Search *search;      /* NULL before the first */
    Stream *stream;      /* of the search that runs, or NULL */
    ServedGame game;     /* that it searches */
    atomic_bool stopped; /* it was ended from outside, before its limit */
};

/* ---- events, from the search's thread ---- */

static void write_score(Json *j, int score) {
    const ScoreChances c = score_chances(score);
    if (score_is_mate(score))
        tabia_json_integer(j, "mate", score > 0 ? SCORE_MATE - score : -(SCORE_MATE + score));
    else
        tabia_json_integer(j, "score", score);
    tabia_json_array(j, "chances");
    tabia_json_integer(j, NULL, c.win);
    tabia_json_integer(j, NULL, c.draw);
    tabia_json_integer(j, NULL, c.loss);
    tabia_json_close(j);
}

/* As far as its moves are legal: entries of other threads are not trusted. */
static void write_pv(Json *j, const Position *root, const SearchReport *r) {
    Position p = *root;
    tabia_json_array(j, "moves");
    for (unsigned i = 0; i < r->pv_length && i < ANALYSIS_PV_MAX && game_is_legal(&p, r->pv[i]); i++) {
        tabia_json_object(j, NULL);
        answer_move(j, &p, r->pv[i]);
        tabia_json_close(j);
        position_make_move(&p, &p, r->pv[i]);
    }
    tabia_json_close(j);
}

static void send_line(void *analysis, const SearchReport *r) {
    static const char *const bounds[] = {
        [TABIA_BOUND_EXACT] = "exact", [TABIA_BOUND_LOWER] = "lower", [TABIA_BOUND_UPPER] = "upper"};
    const Analysis *a = analysis;
    Answer event;
    if (!answer_begin(&event, "line")) return;
    Json *j = &event.json;
    tabia_json_count(j, "number", r->number);
    tabia_json_integer(j, "depth", r->depth);
    tabia_json_integer(j, "selective_depth", r->selective_depth);
    tabia_json_text(j, "bound", bounds[r->bound]);
    write_score(j, r->score);
    tabia_json_count(j, "nodes", r->nodes);
    tabia_json_integer(j, "milliseconds", r->milliseconds);
    tabia_json_count(j, "hashfull", r->hashfull);
    write_pv(j, &a->game.end, r);
    answer_send(&event, a->stream);
}

static void send_done(void *analysis, Move best, Move ponder) {
    Analysis *a = analysis;
    const char *done =
        atomic_load(&a->stopped) ? "event: done\ndata: {\"stopped\":true}\n\n" : "event: done\ndata: {}\n\n";
    (void)best, (void)ponder;
    stream_write(a->stream, done, strlen(done));
    stream_end(a->stream);
}

/* ---- the server's thread ---- */

static void stop(Analysis *a) {
    if (!a->stream) return;
    atomic_store(&a->stopped, true);
    search_stop(a->search);
    search_wait(a->search);
    stream_release(a->stream);
    a->stream = NULL;
}

Analysis *analysis_create(uint64_t hash_bytes, unsigned threads) {
    Analysis *a = tabia_aligned_get(_Alignof(Analysis), sizeof *a); /* positions are cache lines */
    if (a) *a = (Analysis){.hash_bytes = hash_bytes, .threads = threads};
    return a;
}

void analysis_destroy(Analysis *a) {
    if (!a) return;
    stop(a);
    search_destroy(a->search);
    tabia_aligned_free(a);
}

void analysis_look_after(Analysis *a) {
    if (a->stream && stream_is_abandoned(a->stream)) stop(a);
}

static bool make_search(Analysis *a, TabiaError *error) {
    const SearchSettings settings = {.hash_bytes = a->hash_bytes, .threads = a->threads, .path_key = PATH_KEY_DEFAULT};
    if (!a->search) a->search = search_create(&settings, error);
    return a->search != NULL;
}

static void send_ready(const Analysis *a) {
    Answer event;
    if (!answer_begin(&event, "ready")) return;
    tabia_json_count(&event.json, "threads", a->threads);
    tabia_json_count(&event.json, "hash_bytes", a->hash_bytes);
    answer_send(&event, a->stream);
}

/* nodes: 0: until it is ended. */
static void start(Analysis *a, unsigned lines, uint64_t nodes) {
    const SearchListener listener = {.context = a, .report = send_line, .best = send_done};
    const SearchLimits limits = {.infinite = !nodes, .nodes = nodes, .multi_pv = lines};
    atomic_store(&a->stopped, false);
    send_ready(a);
    search_set_position(a->search, &a->game.start, a->game.moves, a->game.n);
    search_start(a->search, &limits, &listener);
}

void analysis_answer(void *analysis, HttpRequest *request) {
    Analysis *a = analysis;
    TabiaError error;
    uint64_t lines, nodes;
    stop(a);
    bool good = http_number(request, "lines", 1, ANALYSIS_LINES_MAX, 1, &lines) ||
                tabia_fail(&error, "lines: a number from 1 to %d", ANALYSIS_LINES_MAX);
    good = good &&
           (http_number(request, "nodes", 1, UINT64_MAX, 0, &nodes) || tabia_fail(&error, "nodes: a number from 1 on"));
    good = good && served_game_read(&a->game, request, &error) && make_search(a, &error);
    if (!good) return answer_error(request, &error);
    a->stream = http_stream(request, HTTP_EVENTS);
    if (a->stream) start(a, (unsigned)lines, nodes);
}

void analysis_answer_state(void *analysis, HttpRequest *request) {
    const Analysis *a = analysis;
    Answer state;
    if (!answer_begin_reply(&state, request)) return;
    tabia_json_boolean(&state.json, "analysing", a->stream != NULL);
    answer_reply(&state, request);
}
