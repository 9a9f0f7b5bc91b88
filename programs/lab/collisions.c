/* SPDX-License-Identifier: MIT */
/* tabia-lab collisions: runs the cases, and prints tables, verdicts, JSON, a plot. */
#include <stdio.h>
#include <stdlib.h>

#include "../commands.h"
#include "../json_document.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "games_options.h"
#include "lab.h"
#include "lab/table/collisions.h"
#include "plot/plot.h"

static const char help_head[] =
    "usage: tabia-lab collisions [options]\n"
    "\n"
    "Shows what false hits do to a generator of training data: games from the start position in one table that is\n"
    "never cleared, with narrow and with wide signatures, and in partitions with strict generations. Prints the\n"
    "rate over time, and whether it falls or stays as expected; the exit status is 1 if not. No data is written.\n"
    "\n";
static const char help_own[] =
    "  --threads N          default 1: with several the time of a fall is random\n"
    "  --seconds N          processor time of each thread in each of the three runs; default 30\n"
    "  --run-nodes N        a run ends after N nodes instead; it repeats with one thread\n"
    "  --plot FILE.svg      draws the rates (or .png; .gp: the script for gnuplot)\n";

typedef struct {
    GamesOptions games;
    uint64_t seconds;
    const char *plot; /* NULL: none */
} CollisionsCommand;

typedef struct {
    Progress progress;
    unsigned case_index;
} CollisionDisplay;

static bool show_and_poll(void *context, double done) {
    CollisionDisplay *d = context;
    if (tabia_progress_is_due(&d->progress, NULL))
        tabia_progress_show(&d->progress, "%u/%d: %s, %.0f %%", d->case_index + 1, COLLISION_CASES,
                            collision_cases[d->case_index].name, 100 * done);
    return tabia_stop_requested();
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

/* ---- text ---- */

static void print_head(const CollisionsCommand *o) {
    const DatagenSettings *s = &o->games.settings;
    printf("Games from the start position, depth %ju, ended by a score of %ju, %ju random moves from ply %ju to %ju.\n"
           "Tables of %ju KiB in all, never cleared; %u thread%s. Narrow signatures have %ju bits, wide ones %d.\n",
           (uintmax_t)s->search.depth, (uintmax_t)s->adjudication.eval_limit, (uintmax_t)s->opening.random_count,
           (uintmax_t)s->opening.random_min_ply, (uintmax_t)s->opening.random_max_ply,
           (uintmax_t)s->table.hash_bytes >> 10, o->games.threads, o->games.threads == 1 ? "" : "s",
           (uintmax_t)s->table.signature_bits, COLLISION_BITS_MOST);
}

/* Two slices a row. */
static void print_slices(const CollisionResult *r, unsigned threads) {
    double seconds = 0;
    puts("   seconds  positions/s  positions/Mnode    games  ended at once  plies/game  false hits/game");
    for (unsigned i = 0; i < COLLISION_SLICES; i += 2) {
        const CollisionSlice s = collision_sum(r, i, i + 2);
        seconds += s.seconds / threads;
        printf("%10.2f %12.0f %16.0f %8ju %12.1f %% %11.1f %16.1f\n", seconds, collision_rate(s),
               collision_rate_by_nodes(s), (uintmax_t)s.games, 100 * ratio(s.empty, s.games), ratio(s.plies, s.games),
               ratio(s.false_hits, s.games));
    }
}

static void print_verdict(const CollisionCase *c, const CollisionResult *r) {
    printf(
        "left of the rate, last quarter over first tenth: %.1f %% by time, %.1f %% by nodes; the lowest quarter has\n"
        "%.1f %% of the mean, by nodes. It should ",
        100 * r->left, 100 * r->left_by_nodes, 100 * r->least_by_nodes);
    if (c->falls) printf("fall below %.0f %%", 100 * COLLISION_FALL);
    if (!c->falls) printf("stay at %.0f %% of the mean or more", 100 * COLLISION_STAY);
    puts(collision_as_expected(c, r) ? ": so it does" : ": it does NOT");
}

static void print_all(const CollisionResult *r, const CollisionsCommand *o) {
    print_head(o);
    for (unsigned i = 0; i < COLLISION_CASES; i++) {
        printf("\n%s\n", collision_cases[i].name);
        print_slices(&r[i], o->games.threads);
        print_verdict(&collision_cases[i], &r[i]);
    }
    puts("\nseconds: of processor time, each thread; ended at once: games without a position");
}

/* ---- JSON ---- */

static void put_slice(Json *j, const CollisionSlice *s) {
    tabia_json_object(j, NULL);
    tabia_json_real(j, "seconds", s->seconds);
    tabia_json_count(j, "nodes", s->nodes);
    tabia_json_count(j, "positions", s->positions);
    tabia_json_count(j, "games", s->games);
    tabia_json_count(j, "empty_games", s->empty);
    tabia_json_count(j, "plies", s->plies);
    tabia_json_count(j, "false_hits", s->false_hits);
    tabia_json_real(j, "positions_per_second", collision_rate(*s));
    tabia_json_real(j, "positions_per_million_nodes", collision_rate_by_nodes(*s));
    tabia_json_close(j);
}

static bool print_json(const CollisionResult *r, const CollisionsCommand *o, TabiaError *error) {
    Json j;
    json_document(&j, "collisions");
    tabia_json_count(&j, "threads", o->games.threads);
    tabia_json_count(&j, "signature_bits", o->games.settings.table.signature_bits);
    tabia_json_array(&j, "cases");
    for (unsigned c = 0; c < COLLISION_CASES; c++, r++) {
        tabia_json_object(&j, NULL);
        tabia_json_text(&j, "name", collision_cases[c].name);
        tabia_json_real(&j, "left", r->left);
        tabia_json_real(&j, "left_by_nodes", r->left_by_nodes);
        tabia_json_real(&j, "least_by_nodes", r->least_by_nodes);
        tabia_json_boolean(&j, "as_expected", collision_as_expected(&collision_cases[c], r));
        tabia_json_array(&j, "slices");
        for (unsigned i = 0; i < COLLISION_SLICES; i++) put_slice(&j, &r->slice[i]);
        tabia_json_close(&j);
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

/* ---- plot ---- */

/* By time, and by nodes below it. */
static bool draw(const CollisionResult *r, unsigned threads, const char *path, TabiaError *error) {
    double at[COLLISION_CASES][COLLISION_SLICES], rate[2][COLLISION_CASES][COLLISION_SLICES];
    PlotLine line[2][COLLISION_CASES];
    for (unsigned c = 0; c < COLLISION_CASES; c++) {
        double seconds = 0;
        for (unsigned i = 0; i < COLLISION_SLICES; i++) {
            const CollisionSlice *s = &r[c].slice[i];
            at[c][i] = seconds += s->seconds / threads;
            rate[0][c][i] = collision_rate(*s);
            rate[1][c][i] = collision_rate_by_nodes(*s);
        }
        for (unsigned p = 0; p < 2; p++)
            line[p][c] =
                (PlotLine){.name = collision_cases[c].name, .n = COLLISION_SLICES, .x = at[c], .y = rate[p][c]};
    }
    static const char *const y_label[2] = {"positions a second of processor time", "positions a million nodes"};
    Plot plot[2];
    for (unsigned p = 0; p < 2; p++)
        plot[p] = (Plot){.title = "False hits end a generator's games",
                         .x_label = "processor time of each thread in seconds",
                         .y_label = y_label[p],
                         .line = line[p],
                         .lines = COLLISION_CASES};
    return plot_write(plot, 2, path, error);
}

/* ---- the command ---- */

static int measure(const CollisionsCommand *o) {
    CollisionResult result[COLLISION_CASES];
    CollisionDisplay display = {0};
    const CollisionJob job = {.settings = &o->games.settings,
                              .threads = o->games.threads,
                              .seconds = (double)o->seconds,
                              .nodes = o->games.run_nodes,
                              .watch = show_and_poll,
                              .context = &display};
    TabiaError error;
    bool as_expected = true, outside;
    if (o->plot && !plot_is_possible(o->plot, &outside, &error))
        return report_error("collisions", &error, outside ? EXIT_OUTSIDE : EXIT_USAGE);
    tabia_stop_install(true);
    option_progress_begin(&display.progress, o->games.quiet, o->games.progress, NULL);
    for (; display.case_index < COLLISION_CASES; display.case_index++) {
        const CollisionCase *c = &collision_cases[display.case_index];
        const bool good = collisions_run(c, &job, &result[display.case_index], &error);
        tabia_progress_end(&display.progress);
        if (!good) return report_error("collisions", &error, EXIT_OUTSIDE);
        if (tabia_stop_requested()) return report_stopped("collisions", "the experiment has no result");
        as_expected = as_expected && collision_as_expected(c, &result[display.case_index]);
    }
    if (!o->games.json) print_all(result, o);
    if (o->games.json && !print_json(result, o, &error)) return report_error("collisions", &error, EXIT_OUTSIDE);
    if (o->plot && !draw(result, o->games.threads, o->plot, &error))
        return report_error("collisions", &error, EXIT_OUTSIDE);
    return as_expected ? EXIT_GOOD : EXIT_DIFFERS;
}

/* One thread, so that a run repeats: with several threads the time of the fall is random, and a torn slot may undo it.
   Twice as long as the slowest fall that was measured with one thread. */
int lab_collisions(int argc, char **argv) {
    CollisionsCommand o = {.games = {.threads = 1}, .seconds = 30};
    const OptionRow more[GAMES_OPTIONS_MORE] = {uint64_option("seconds", &o.seconds, 1, 1000000),
                                                text_option("plot", &o.plot)};
    TabiaError error;
    collision_defaults(&o.games.settings);
    const GamesOptions defaults = o.games;
    if (!games_options_read(argc, argv, &o.games, more, &error)) return report_error("collisions", &error, EXIT_USAGE);
    if (!o.games.wants_help) return measure(&o);
    games_options_help(help_head, &defaults, help_own);
    return EXIT_GOOD;
}
