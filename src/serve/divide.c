/* SPDX-License-Identifier: MIT */
#include "serve/divide.h"

#include "base/memory.h"
#include "perft/run.h"
#include "serve/answer.h"
#include "serve/served_game.h"
#include "serve/task.h"

struct DivideTask {
    uint64_t hash_bytes;
    unsigned threads;
    double sent_at; /* seconds of the count */
    PerftJob job;
    Task task;
    ServedGame game;
};

static void write_moves(Json *j, const PerftState *s) {
    tabia_json_array(j, "moves");
    for (unsigned r = 0; r < s->frontier.roots; r++) {
        tabia_json_object(j, NULL);
        answer_move(j, &s->job->root, s->frontier.root_move[r]);
        tabia_json_count(j, "count", s->divide[r]);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

static void send_counts(Stream *stream, const PerftState *s, const char *event) {
    Answer a;
    if (!answer_begin(&a, event)) return;
    Json *j = &a.json;
    tabia_json_integer(j, "depth", s->job->depth);
    tabia_json_real(j, "part", s->complete ? 1 : s->work_total ? (double)s->work_done / (double)s->work_total : 0);
    tabia_json_real(j, "seconds", s->wall);
    tabia_json_count(j, "nodes", s->nodes);
    tabia_json_count(j, "units", s->frontier.units.n);
    tabia_json_count(j, "units_done", s->units_done);
    write_moves(j, s);
    answer_send(&a, stream);
}

static bool watch(void *divide, const PerftState *s) {
    DivideTask *d = divide;
    if (s->wall - d->sent_at >= 0.2) send_counts(d->task.stream, s, "counts"), d->sent_at = s->wall;
    return task_is_over(&d->task);
}

static void count(void *divide, Stream *stream) {
    DivideTask *d = divide;
    PerftState state;
    TabiaError error;
    if (!perft_run(&d->job, &state, &error))
        answer_send_error(stream, &error);
    else if (state.complete)
        send_counts(stream, &state, "done");
    perft_state_free(&state);
}

DivideTask *divide_task_create(uint64_t hash_bytes, unsigned threads) {
    DivideTask *d = tabia_aligned_get(_Alignof(DivideTask), sizeof *d); /* positions are cache lines */
    if (d) *d = (DivideTask){.hash_bytes = hash_bytes, .threads = threads};
    return d;
}

void divide_task_destroy(DivideTask *d) {
    if (!d) return;
    task_end(&d->task);
    tabia_aligned_free(d);
}

void divide_task_answer(void *divide, HttpRequest *request) {
    DivideTask *d = divide;
    TabiaError error;
    uint64_t depth;
    task_end(&d->task);
    bool good = http_number(request, "depth", 1, DIVIDE_DEPTH_MAX, 1, &depth) ||
                tabia_fail(&error, "depth: a number from 1 to %d", DIVIDE_DEPTH_MAX);
    good = good && served_game_read(&d->game, request, &error);
    if (!good) return answer_error(request, &error);
    d->sent_at = 0;
    d->job = (PerftJob){.root = d->game.end,
                        .depth = (int)depth,
                        .threads = d->threads,
                        .hash_bytes = d->hash_bytes,
                        .watch = watch,
                        .context = d};
    task_start(&d->task, request, HTTP_EVENTS, count, d);
}
