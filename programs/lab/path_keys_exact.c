/* SPDX-License-Identifier: MIT */
/* tabia-lab path-keys-exact: path keys against the exact results of solved endings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "lab.h"
#include "lab/search/path_key_exact.h"

enum {
    ENDING_NAME_MAX = 8,
    ENDING_NAMES_MAX = 32,
};

typedef struct {
    char text[ENDING_NAMES_MAX][ENDING_NAME_MAX];
    const char *name[ENDING_NAMES_MAX];
    unsigned n;
} EndingNames;

typedef struct {
    PathKeyExactRequest request;
    PathKeyForm form[PATH_KEY_FORMS];
    PathKeyExactResult result[PATH_KEY_FORMS];
    uint64_t selected_forms;
    EndingNames endings;
    bool json;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} ExactCommand;

/* ---- the command line ---- */

static bool read_endings(void *names, const char *list, TabiaError *error) {
    EndingNames *e = names;
    e->n = 0;
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        if (e->n == ENDING_NAMES_MAX) return tabia_fail(error, "--endings: at most %d", ENDING_NAMES_MAX);
        if (length >= ENDING_NAME_MAX) return tabia_fail(error, "--endings: '%.*s' is too long", (int)length, at);
        snprintf(e->text[e->n], ENDING_NAME_MAX, "%.*s", (int)length, at);
        e->name[e->n] = e->text[e->n];
        e->n++;
        at += length;
        if (!*at) return true;
    }
}

static void list_forms(ExactCommand *p) {
    unsigned n = 0;
    for (unsigned f = 0; f < PATH_KEY_FORMS; f++)
        if (!p->selected_forms || p->selected_forms >> f & 1) p->form[n++] = (PathKeyForm)f;
    p->request.forms = p->form, p->request.forms_n = n;
}

static bool read_command_line(int argc, char **argv, ExactCommand *p, TabiaError *error) {
    int depth = 0;
    uint64_t nodes = 0;
    PathKeyExactRequest *r = &p->request;
    const OptionRow rows[] = {reader_option("form", lab_read_forms, &p->selected_forms),
                              unsigned_option("games", &r->games, 1, 1000000),
                              uint64_option("nodes", &nodes, 1, UINT64_MAX / 2),
                              int_option("depth", &depth, 1, PLY_MAX - 1),
                              reader_option("endings", read_endings, &p->endings),
                              unsigned_option("threads", &r->threads, 1, 1024),
                              uint64_option("seed", &r->seed, 0, UINT64_MAX),
                              search_hash_option("hash", &r->hash_bytes),
                              flag_option("json", &p->json),
                              progress_option(&p->every),
                              {0}};
    if (!option_rows(argc, argv, "path-keys-exact", rows, error)) return false;
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (depth && nodes) return tabia_fail(error, "--nodes or --depth, not both: one bounds an answer");
    if (!p->endings.n) read_endings(&p->endings, "KQK,KRK,KPK,KBNK,KBBK,KQKR,KRKB,KRKN,KQKP", error);
    if (nodes) r->nodes = nodes;
    if (depth) r->depth = depth, r->nodes = 0;
    list_forms(p);
    r->names = p->endings.name, r->names_n = p->endings.n;
    return true;
}

/* ---- while it runs ---- */

static void show_solved(void *context, unsigned solved, double fraction) {
    tabia_progress_update(context, solved, fraction, NULL);
}

static bool on_progress(void *context, PathKeyExactWork work, uint64_t done, uint64_t all) {
    tabia_progress_update(context, done, (double)done / (double)all, work == PATH_KEY_EXACT_CHOOSES ? "chosen" : NULL);
    return tabia_stop_requested();
}

/* ---- what it found ---- */

static uint64_t sum(const uint64_t counts[3]) {
    return counts[0] + counts[1] + counts[2];
}

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100 * (double)part / (double)whole : 0;
}

static double wrong_percent(const PathKeyExactResult *f, int expected) {
    const int i = expected + 1;
    return percent(f->wrong[ZONE_BELOW][i] + f->wrong[ZONE_EDGE][i], f->asked[ZONE_BELOW][i] + f->asked[ZONE_EDGE][i]);
}

static void print_row(const ExactCommand *p, unsigned i) {
    const PathKeyExactResult *f = &p->result[i];
    const uint64_t asked = sum(f->asked[ZONE_BELOW]) + sum(f->asked[ZONE_EDGE]);
    printf("%-16s %6.2f %6.2f %6.2f %6.2f %6.2f %6" PRIu64 " %6" PRIu64 " %7.3f %9.3f %7.3f\n",
           path_key_name(p->form[i]), wrong_percent(f, 1), wrong_percent(f, 0), wrong_percent(f, -1),
           percent(sum(f->wrong[ZONE_BELOW]) + sum(f->wrong[ZONE_EDGE]), asked),
           percent(sum(f->wrong[ZONE_EDGE]), sum(f->asked[ZONE_EDGE])), f->better, f->worse,
           percent(f->half_points, 2 * asked), percent(f->playout_half_points, (uint64_t)2 * p->request.games),
           (double)f->nodes / (double)p->result[0].nodes);
}

static void print_results(const ExactCommand *p) {
    const PathKeyExactResult *f = &p->result[0];
    printf("%" PRIu64 " questions, %" PRIu64 " at the edge: %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost\n\n",
           sum(f->asked[ZONE_BELOW]) + sum(f->asked[ZONE_EDGE]), sum(f->asked[ZONE_EDGE]),
           f->asked[ZONE_BELOW][2] + f->asked[ZONE_EDGE][2], f->asked[ZONE_BELOW][1] + f->asked[ZONE_EDGE][1],
           f->asked[ZONE_BELOW][0] + f->asked[ZONE_EDGE][0]);
    printf("%-16s %6s %6s %6s %6s %6s %6s %6s %7s %9s %7s\n", "PathKey", "wins", "draws", "losses", "all", "edge",
           "better", "worse", "moves", "play-outs", "nodes");
    for (unsigned i = 0; i < p->request.forms_n; i++) print_row(p, i);
}

static void json_zone(Json *j, const char *name, const uint64_t asked[3], const uint64_t wrong[3]) {
    static const char *const results[] = {"losses", "draws", "wins"};
    tabia_json_object(j, name);
    for (int i = 2; i >= 0; i--) {
        tabia_json_object(j, results[i]);
        tabia_json_count(j, "asked", asked[i]);
        tabia_json_count(j, "wrong", wrong[i]);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

static void json_row(const ExactCommand *p, Json *j, unsigned i) {
    const PathKeyExactResult *f = &p->result[i];
    tabia_json_object(j, NULL);
    tabia_json_text(j, "form", path_key_name(p->form[i]));
    json_zone(j, "clock_below_80", f->asked[ZONE_BELOW], f->wrong[ZONE_BELOW]);
    json_zone(j, "clock_from_80", f->asked[ZONE_EDGE], f->wrong[ZONE_EDGE]);
    tabia_json_count(j, "cold_asked", f->asked_cold);
    tabia_json_count(j, "cold_wrong", f->wrong_cold);
    tabia_json_count(j, "better_than_first", f->better);
    tabia_json_count(j, "worse_than_first", f->worse);
    tabia_json_real(j, "points_lost", (double)f->half_points / 2);
    tabia_json_real(j, "playout_points_lost", (double)f->playout_half_points / 2);
    tabia_json_count(j, "playout_moves", f->playout_moves);
    tabia_json_count(j, "nodes", f->nodes);
    tabia_json_close(j);
}

static bool print_json(const ExactCommand *p, bool complete, TabiaError *error) {
    Json j;
    json_document(&j, "path-keys-exact");
    tabia_json_count(&j, "nodes", p->request.nodes);
    tabia_json_integer(&j, "depth", p->request.nodes ? 0 : p->request.depth);
    tabia_json_integer(&j, "games", p->request.games);
    tabia_json_count(&j, "seed", p->request.seed);
    tabia_json_count(&j, "hash_bytes", p->request.hash_bytes);
    tabia_json_array(&j, "endings");
    for (unsigned i = 0; i < p->endings.n; i++) tabia_json_text(&j, NULL, p->endings.name[i]);
    tabia_json_close(&j);
    tabia_json_array(&j, "forms");
    for (unsigned i = 0; complete && i < p->request.forms_n; i++) json_row(p, &j, i);
    tabia_json_close(&j);
    tabia_json_boolean(&j, "complete", complete);
    return tabia_json_end(&j, error);
}

static int measure(ExactCommand *p, TabiaError *error) {
    bool stopped = false;
    option_progress_begin(&p->progress, false, p->every, "games");
    p->request.on_progress = on_progress, p->request.context = &p->progress;
    const bool good = path_key_exact(&p->request, p->result, &stopped, error);
    tabia_progress_end(&p->progress);
    if (!good) return EXIT_OUTSIDE;
    if (p->json && !print_json(p, !stopped, error)) return EXIT_OUTSIDE;
    if (!p->json && stopped) puts("stopped: nothing was measured to the end");
    if (!p->json && !stopped) print_results(p);
    return stopped ? EXIT_STOPPED : EXIT_GOOD;
}

static int solve_and_measure(ExactCommand *p) {
    TabiaError error;
    Progress line;
    option_progress_begin(&line, false, p->every, "endings solved");
    EndgameTables *endings = endgame_tables_create(p->endings.name, p->endings.n, show_solved, &line, &error);
    tabia_progress_end(&line);
    if (!endings) return tabia_stop_requested() ? EXIT_STOPPED : report_error("path-keys-exact", &error, EXIT_USAGE);
    p->request.endings = endings;
    const int status = measure(p, &error);
    endgame_tables_free(endings);
    return status == EXIT_OUTSIDE ? report_error("path-keys-exact", &error, status) : status;
}

int lab_path_keys_exact(int argc, char **argv) {
    TabiaError error;
    ExactCommand *p = calloc(1, sizeof *p);
    if (!p) return tabia_fail(&error, "no memory to begin with"), report_error("path-keys-exact", &error, EXIT_OUTSIDE);
    p->request = (PathKeyExactRequest){.nodes = 1000, .games = 2000, .threads = 1, .seed = 1, .hash_bytes = 16 << 20};
    int status = EXIT_GOOD;
    if (!read_command_line(argc, argv, p, &error))
        status = report_error("path-keys-exact", &error, EXIT_USAGE);
    else
        tabia_stop_install(true), status = solve_and_measure(p);
    free(p);
    return status;
}
