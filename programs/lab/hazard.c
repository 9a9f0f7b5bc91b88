/* SPDX-License-Identifier: MIT */
/* tabia-lab hazard: measures the points, and prints them as a table or as JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "../commands.h"
#include "../json_document.h"
#include "../program.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "games_options.h"
#include "lab.h"
#include "lab/table/hazard_grid.h"

static const char help_head[] =
    " hazard [options]\n"
    "\n"
    "Measures how often false hits stop a generator of training data for good: falls for a million games by\n"
    "signature bits, depth, size of the table and score limit, and with each cure alone and all together; with\n"
    "95 % intervals, and what the entries of the table predict. Minutes on two cores. The options are those of\n"
    "all points, but for what a series varies. Ctrl-C ends it with the points that are complete.\n"
    "\n";
static const char help_own[] =
    "  --threads N          runs measured at once; default: one for each core\n"
    "  --series LIST        of bits, depth, size, limit, cures; default all\n"
    "  --seeds N            runs of each point, from --seed on; default 10\n"
    "  --run-nodes N        of each run; up to eight times as many where signatures have 12 bits and more; default\n"
    "                       12000000\n";

typedef struct {
    GamesOptions games;
    uint64_t series; /* a bit for each of HAZARD_SERIES; 0: all */
    unsigned seeds;
} HazardCommand;

typedef struct {
    Progress progress;
    const HazardGrid *grid;
} HazardDisplay;

enum { POINT_NAME_MAX = 48 };

/* "12 bits", "depth 3", "64 KiB", "limit 800", "strict". */
static void point_name(const HazardPoint *p, char out[POINT_NAME_MAX]) {
    const DatagenSettings *s = &p->settings;
    switch (p->series) {
    case HAZARD_SERIES_BITS:
        snprintf(out, POINT_NAME_MAX, "%ju bits", (uintmax_t)s->table.signature_bits);
        break;
    case HAZARD_SERIES_DEPTH:
        snprintf(out, POINT_NAME_MAX, "depth %ju", (uintmax_t)s->search.depth);
        break;
    case HAZARD_SERIES_SIZE:
        snprintf(out, POINT_NAME_MAX, "%ju KiB", (uintmax_t)s->table.hash_bytes >> 10);
        break;
    case HAZARD_SERIES_LIMIT:
        snprintf(out, POINT_NAME_MAX, "limit %ju", (uintmax_t)s->adjudication.eval_limit);
        break;
    default:
        snprintf(out, POINT_NAME_MAX, "cure: %s", p->cure.name);
    }
}

static bool show_and_poll(void *context, double done, const HazardPoint *point) {
    HazardDisplay *d = context;
    double seconds;
    if (tabia_progress_is_due(&d->progress, &seconds)) {
        char left[SHORT_TEXT_MAX], name[POINT_NAME_MAX];
        tabia_duration_text(done > 0 ? seconds * (1 - done) / done : -1, left);
        point_name(point, name);
        tabia_progress_show(&d->progress, "%.1f %%, %s left, point %td of %u: %s", 100 * done, left,
                            point - d->grid->point + 1, d->grid->points, name);
    }
    return tabia_stop_requested();
}

static double per_million(double events, uint64_t games) {
    return games ? 1e6 * events / (double)games : 0;
}

static double predicted(const HazardPoint *p) {
    return hazard_predicted(&p->counts, &p->cure, (unsigned)p->settings.table.signature_bits);
}

/* ---- text ---- */

static void print_head(const HazardCommand *o) {
    const DatagenSettings *s = &o->games.settings;
    printf(
        "Games from the start position in one table that is never cleared; unless a line says otherwise, %ju "
        "signature\n"
        "bits, depth %ju, %ju KiB, ended by a score of %ju; %u seeds. Cures: %d players by turns.\n\n"
        "                      games  incidents  predicted      falls  seeds fallen  falls a million games (95 %%)\n",
        (uintmax_t)s->table.signature_bits, (uintmax_t)s->search.depth, (uintmax_t)s->table.hash_bytes >> 10,
        (uintmax_t)s->adjudication.eval_limit, o->seeds, HAZARD_CURE_PLAYERS);
}

static void print_point(const HazardPoint *p) {
    const HazardCounts *c = &p->counts;
    char name[POINT_NAME_MAX];
    double low, high;
    point_name(p, name);
    hazard_interval(c->falls, 1, &low, &high);
    printf("%-18s %8ju %10ju %10.2f %10ju %10u/%-3u %8.1f (%.1f to %.1f)\n", name, (uintmax_t)c->games,
           (uintmax_t)c->incidents, predicted(p), (uintmax_t)c->falls, p->seeds_fallen, p->seeds,
           per_million((double)c->falls, c->games), per_million(low, c->games), per_million(high, c->games));
}

static void print_all(const HazardGrid *grid, const HazardCommand *o) {
    print_head(o);
    for (unsigned i = 0; i < grid->points; i++)
        if (grid->point[i].seeds) print_point(&grid->point[i]);
    printf(
        "\nincident: games ended by their score before the first random move, %d in succession are a fall; predicted:\n"
        "incidents, by the entries of lost positions in the buckets of the opening, times 2^-bits\n",
        HAZARD_FALL_GAMES);
}

/* ---- JSON ---- */

/* An event for a million games, with its interval. */
static void put_rate(Json *j, const char *name, uint64_t events, double dispersion, uint64_t games) {
    double low, high;
    hazard_interval(events, dispersion, &low, &high);
    tabia_json_object(j, name);
    tabia_json_real(j, "median", per_million((double)events, games));
    tabia_json_real(j, "low", per_million(low, games));
    tabia_json_real(j, "high", per_million(high, games));
    tabia_json_close(j);
}

static void put_point(Json *j, const HazardPoint *p) {
    const HazardCounts *c = &p->counts;
    char name[POINT_NAME_MAX];
    point_name(p, name);
    tabia_json_object(j, NULL);
    tabia_json_text(j, "series", hazard_series_names[p->series]);
    tabia_json_text(j, "name", name);
    tabia_json_count(j, "signature_bits", p->settings.table.signature_bits);
    tabia_json_count(j, "depth", p->settings.search.depth);
    tabia_json_count(j, "bytes", p->settings.table.hash_bytes);
    tabia_json_count(j, "eval_limit", p->settings.adjudication.eval_limit);
    tabia_json_text(j, "cure", p->cure.name);
    tabia_json_count(j, "players", p->players);
    tabia_json_count(j, "seeds", p->seeds);
    tabia_json_count(j, "seeds_fallen", p->seeds_fallen);
    tabia_json_count(j, "games", c->games);
    tabia_json_count(j, "nodes", c->nodes);
    tabia_json_count(j, "positions", c->positions);
    tabia_json_count(j, "false_hits", c->false_hits);
    tabia_json_count(j, "candidates", c->candidates);
    tabia_json_count(j, "incidents", c->incidents);
    tabia_json_count(j, "falls", c->falls);
    tabia_json_real(j, "predicted_incidents", predicted(p));
    tabia_json_real(j, "incident_dispersion", hazard_dispersion(p));
    put_rate(j, "incidents_per_million_games", c->incidents, hazard_dispersion(p), c->games);
    put_rate(j, "falls_per_million_games", c->falls, 1, c->games);
    tabia_json_real(j, "predicted_per_million_games", per_million(predicted(p), c->games));
    tabia_json_close(j);
}

static bool print_json(const HazardGrid *grid, bool complete, TabiaError *error) {
    Json j;
    json_document(&j, "hazard");
    tabia_json_boolean(&j, "complete", complete);
    tabia_json_count(&j, "blocked_games_of_a_fall", HAZARD_FALL_GAMES);
    tabia_json_array(&j, "points");
    for (unsigned i = 0; i < grid->points; i++)
        if (grid->point[i].seeds) put_point(&j, &grid->point[i]);
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

/* ---- the command ---- */

static int measure(const HazardCommand *o, HazardGrid *grid) {
    HazardDisplay display = {.grid = grid};
    const HazardGridJob job = {
        .threads = o->games.threads, .seeds = o->seeds, .watch = show_and_poll, .context = &display};
    TabiaError error;
    hazard_grid_make(grid, &o->games.settings, o->series ? o->series : ~(uint64_t)0, o->games.run_nodes);
    tabia_stop_install(true);
    option_progress_begin(&display.progress, o->games.quiet, o->games.progress, NULL);
    const bool good = hazard_grid_run(grid, &job, &error);
    tabia_progress_end(&display.progress);
    if (!good) return report_error("hazard", &error, EXIT_OUTSIDE);
    const bool stopped = tabia_stop_requested();
    if (!o->games.json) print_all(grid, o);
    if (o->games.json && !print_json(grid, !stopped, &error)) return report_error("hazard", &error, EXIT_OUTSIDE);
    return stopped ? report_stopped("hazard", "the runs that were complete are printed") : EXIT_GOOD;
}

static bool read_series(void *to, const char *list, TabiaError *error) {
    const OptionNames names = {"--series", hazard_series_names, HAZARD_SERIES, "bits, depth, size, limit, cures"};
    return option_names(&names, list, to, error);
}

int lab_hazard(int argc, char **argv) {
    HazardCommand o = {.games = {.run_nodes = 12000000}, .seeds = 10};
    const OptionRow more[GAMES_OPTIONS_MORE] = {reader_option("series", read_series, &o.series),
                                                unsigned_option("seeds", &o.seeds, 1, HAZARD_SEEDS_MAX)};
    TabiaError error;
    hazard_defaults(&o.games.settings);
    const GamesOptions defaults = o.games;
    if (!games_options_read(argc, argv, &o.games, more, &error)) return report_error("hazard", &error, EXIT_USAGE);
    if (o.games.wants_help) {
        printf("usage: %s", program_texts.name);
        games_options_help(help_head, &defaults, help_own);
        return EXIT_GOOD;
    }
    HazardGrid *grid = calloc(1, sizeof *grid);
    if (!grid) return tabia_fail(&error, "no memory for the points"), report_error("hazard", &error, EXIT_OUTSIDE);
    const int status = measure(&o, grid);
    free(grid);
    return status;
}
