/* SPDX-License-Identifier: MIT */
/* tabia gensfen --demonstrate-collisions: runs the cases one after another; a table, JSON, a plot. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/status.h"
#include "base/stop.h"
#include "commands.h"
#include "gensfen_forms.h"
#include "lab/collisions.h"
#include "lab/plot.h"
#include "options.h"

typedef struct {
    Status status;
    unsigned number;
} View;

static bool watch(void *context, double done) {
    View *v = context;
    if (tabia_status_due(&v->status, NULL))
        tabia_status_show(&v->status, "%u/%d: %s, %.0f %%", v->number + 1, COLLISION_CASES,
                          collision_cases[v->number].name, 100 * done);
    return tabia_stop_requested();
}

static void print_table(const CollisionResult *r, const CollisionJob *job) {
    printf("positions to be written a second of processor time; depth %u, games end at a score of %u; narrow: %u bits\n"
           "of signature; %ju KiB in all, %u threads\n\n%8s",
           job->depth, job->eval_limit, job->narrow_bits, (uintmax_t)job->hash_bytes >> 10, job->threads, "seconds");
    for (unsigned c = 0; c < COLLISION_CASES; c++) printf("  %28s", collision_cases[c].name);
    for (unsigned i = 0; i < COLLISION_SLICES; i++) {
        printf("\n%8.1f", r[0].at[i]);
        for (unsigned c = 0; c < COLLISION_CASES; c++) printf("  %28.0f", r[c].rate[i]);
    }
    printf("\n%8s", "left");
    for (unsigned c = 0; c < COLLISION_CASES; c++) printf("  %26.0f %%", 100 * r[c].share_left);
    printf("\n%8s", "empty");
    for (unsigned c = 0; c < COLLISION_CASES; c++)
        printf("  %26.0f %%", r[c].games ? 100.0 * (double)r[c].empty / (double)r[c].games : 0.0);
    puts("\n\nleft: the rate of the last quarter over that of the first tenth; empty: games without a position");
}

static bool print_json(const CollisionResult *r, const CollisionJob *job, Fault *fault) {
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_count(&j, "threads", job->threads);
    tabia_json_array(&j, "cases");
    for (unsigned c = 0; c < COLLISION_CASES; c++, r++) {
        tabia_json_object(&j, NULL);
        tabia_json_text(&j, "name", collision_cases[c].name);
        tabia_json_count(&j, "positions", r->positions);
        tabia_json_count(&j, "games", r->games);
        tabia_json_count(&j, "empty_games", r->empty);
        tabia_json_real(&j, "rate_left", r->share_left);
        tabia_json_array(&j, "slices");
        for (unsigned i = 0; i < COLLISION_SLICES; i++) {
            tabia_json_object(&j, NULL);
            tabia_json_real(&j, "seconds", r->at[i]);
            tabia_json_real(&j, "positions_per_second", r->rate[i]);
            tabia_json_real(&j, "plies_per_game", r->plies[i]);
            tabia_json_close(&j);
        }
        tabia_json_close(&j);
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, fault);
}

static bool draw(const CollisionResult *r, const char *path, Fault *fault) {
    PlotLine line[COLLISION_CASES];
    for (unsigned c = 0; c < COLLISION_CASES; c++)
        line[c] = (PlotLine){collision_cases[c].name, COLLISION_SLICES, r[c].at, r[c].rate};
    const Plot plot = {.title = "Generating from one start at a fixed depth, with an evaluation limit",
                       .x_label = "processor time of each thread in seconds",
                       .y_label = "positions a second of processor time",
                       .line = line,
                       .lines = COLLISION_CASES};
    return plot_write(&plot, 1, path, fault);
}

int gensfen_demonstrate(const GensfenOptions *o) {
    CollisionResult result[COLLISION_CASES];
    View view = {0};
    const CollisionJob job = {.threads = o->job.threads,
                              .depth = o->settings.depth ? (unsigned)o->settings.depth : 3,
                              .eval_limit = (unsigned)o->settings.eval_limit,
                              .narrow_bits = o->settings.signature_bits ? (unsigned)o->settings.signature_bits : 16,
                              .hash_bytes = o->settings.hash_bytes,
                              .seconds = (double)o->seconds,
                              .seed = o->settings.seed,
                              .watch = watch,
                              .context = &view};
    Fault fault;
    tabia_stop_install();
    tabia_status_begin(&view.status, o->quiet ? NULL : stderr);
    for (; view.number < COLLISION_CASES; view.number++) {
        const bool good = collisions_run(&collision_cases[view.number], &job, &result[view.number], &fault);
        tabia_status_end(&view.status);
        if (!good) return complain("gensfen", &fault, EXIT_OUTSIDE);
        if (tabia_stop_requested()) return EXIT_STOPPED;
    }
    if (!o->json) print_table(result, &job);
    if (o->json && !print_json(result, &job, &fault)) return complain("gensfen", &fault, EXIT_OUTSIDE);
    if (o->plot && !draw(result, o->plot, &fault)) return complain("gensfen", &fault, EXIT_OUTSIDE);
    return EXIT_GOOD;
}
