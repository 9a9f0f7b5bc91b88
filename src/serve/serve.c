/* SPDX-License-Identifier: MIT */
#include "serve/serve.h"

#include <stdlib.h>
#include <string.h>

#include "perft/ledger_summary.h"
#include "serve/against.h"
#include "serve/analysis.h"
#include "serve/answer.h"
#include "serve/divide.h"
#include "serve/http.h"
#include "serve/page.h"
#include "serve/records.h"
#include "serve/served_game.h"

enum { SERVE_ROUTES = 12 };

struct Serve {
    Http *http;
    AgainstTask *against;
    Analysis *analysis;
    DivideTask *divide;
    Records *records;
    HttpRoute routes[SERVE_ROUTES];
};

static void write_summary(Json *j, const LedgerSummary *s) {
    tabia_json_text(j, "count", s->what);
    tabia_json_integer(j, "depth", s->depth);
    tabia_json_text(j, "position", s->position);
    tabia_json_count(j, "units", s->units);
    tabia_json_count(j, "units_done", s->units_done);
    tabia_json_real(j, "seconds_since", s->facts.seconds);
    tabia_json_boolean(j, "in_use", s->facts.in_use);
}

/* A route's `answer`: how far a long count is; the context is the name of its ledger, or NULL: none was named. */
static void ledger_answer(void *file_name, HttpRequest *request) {
    LedgerSummary s;
    TabiaError error;
    Answer a;
    bool outside;
    if (file_name && !ledger_summary_read(&s, file_name, &outside, &error)) return answer_error(request, &error);
    if (!answer_begin_reply(&a, request)) return;
    if (file_name) write_summary(&a.json, &s);
    answer_reply(&a, request);
}

static bool make_parts(Serve *s, const ServeSettings *settings, TabiaError *error) {
    s->against = against_task_create(&settings->against);
    s->analysis = analysis_create(settings->hash_bytes, settings->threads);
    s->divide = divide_task_create(settings->hash_bytes, settings->threads);
    s->records = records_create(settings->files, settings->files_n);
    const bool good = s->against && s->analysis && s->divide && s->records;
    return good || tabia_fail(error, "not enough memory for a server");
}

static void list_routes(Serve *s, const ServeSettings *settings) {
    const HttpRoute routes[SERVE_ROUTES] = {
        {"against", against_task_answer, s->against},
        {"analysis", analysis_answer, s->analysis},
        {"divide", divide_task_answer, s->divide},
        {"files", records_answer_files, s->records},
        {"ledger", ledger_answer, (void *)(uintptr_t)settings->ledger},
        {"line", served_game_answer, NULL},
        {"opponent", against_task_answer_name, s->against},
        {"records", records_answer_records, s->records},
        {"rules", records_answer_rules, NULL},
        {"state", analysis_answer_state, s->analysis},
        {"statistics", records_answer_statistics, s->records},
        {NULL, NULL, NULL},
    };
    memcpy(s->routes, routes, sizeof routes);
}

Serve *serve_open(const ServeSettings *settings, TabiaError *error) {
    Serve *s = calloc(1, sizeof *s);
    if (!s) return tabia_fail(error, "not enough memory for a server"), NULL;
    if (make_parts(s, settings, error)) {
        list_routes(s, settings);
        s->http = http_open(settings->port, s->routes, page_files, error);
    }
    if (!s->http) return serve_close(s), NULL;
    return s;
}

const char *serve_address(const Serve *s) {
    return http_address(s->http);
}

static void look_after(void *serve) {
    Serve *s = serve;
    analysis_look_after(s->analysis);
}

bool serve_run(Serve *s, TabiaError *error) {
    return http_run(s->http, look_after, s, error);
}

void serve_close(Serve *s) {
    if (!s) return;
    against_task_destroy(s->against);
    analysis_destroy(s->analysis);
    divide_task_destroy(s->divide);
    records_destroy(s->records);
    http_close(s->http);
    free(s);
}
