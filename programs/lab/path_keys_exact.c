/* SPDX-License-Identifier: MIT */
/* tabia-lab path-keys-exact: path keys against the exact results of solved endings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/report.h"
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
    unsigned judged; /* games */
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

static bool read_forms(void *set, const char *list, TabiaError *error) {
    const char *known[PATH_KEY_FORMS];
    for (unsigned f = 0; f < PATH_KEY_FORMS; f++) known[f] = path_key_name((PathKeyForm)f);
    const OptionNames names = {"--form", known, PATH_KEY_FORMS, "off, fifty-count"};
    return option_names(&names, list, set, error);
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
    const OptionRow rows[] = {reader_option("form", read_forms, &p->selected_forms),
                              unsigned_option("games", &r->games, 1, 1000000),
                              unsigned_option("play-outs", &r->playouts, 0, 1000000),
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

/* Of a hundred questions, or of a hundred play-outs. */
typedef struct {
    double per_cent;
    PairedDifference more; /* than the first form */
} Measured;

typedef struct {
    const char *form;
    uint64_t questions, wrong, better, worse, nodes;
    double wins, draws, losses, p;
    Measured measured[EXACT_MEASURES];
} ExactRow;

#define MEASURED(name, head, i)                                                                                        \
    {name, head, REPORT_REAL, 3, offsetof(ExactRow, measured[i].per_cent)},                                            \
        {name "_more", "more", REPORT_REAL, 3, offsetof(ExactRow, measured[i].more.mean)},                             \
        {name "_low", "low", REPORT_REAL, 3, offsetof(ExactRow, measured[i].more.low)}, {                              \
        name "_high", "high", REPORT_REAL, 3, offsetof(ExactRow, measured[i].more.high)                                \
    }

static const ReportColumn columns[] = {
    {"form", "PathKey", REPORT_TEXT, 0, offsetof(ExactRow, form)},
    {"questions", "questions", REPORT_COUNT, 0, offsetof(ExactRow, questions)},
    {"wins_wrong", "wins", REPORT_REAL, 2, offsetof(ExactRow, wins)},
    {"draws_wrong", "draws", REPORT_REAL, 2, offsetof(ExactRow, draws)},
    {"losses_wrong", "losses", REPORT_REAL, 2, offsetof(ExactRow, losses)},
    {"better", "better", REPORT_COUNT, 0, offsetof(ExactRow, better)},
    {"worse", "worse", REPORT_COUNT, 0, offsetof(ExactRow, worse)},
    {"sign_test", "p", REPORT_REAL, 3, offsetof(ExactRow, p)},
    MEASURED("wrong", "all", EXACT_WRONG),
    MEASURED("moves", "moves", EXACT_MOVES),
    MEASURED("playouts", "play-outs", EXACT_PLAYOUT),
    {"nodes", "nodes", REPORT_COUNT, 0, offsetof(ExactRow, nodes)},
};

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100 * (double)part / (double)whole : 0;
}

static Measured scaled(const PathKeyExactResult *f, ExactMeasure m, unsigned games) {
    const double unit = m == EXACT_WRONG ? 1 : 0.5, in_game = m == EXACT_PLAYOUT ? 1 : QUESTIONS_A_GAME - 1;
    const double factor = 100 * unit / in_game;
    const PairedDifference *d = &f->against[m];
    return (Measured){factor * (double)f->total[m] / games, {factor * d->mean, factor * d->low, factor * d->high}};
}

static ExactRow row_of(const ExactCommand *p, unsigned i) {
    const PathKeyExactResult *f = &p->result[i];
    const unsigned playouts = p->request.playouts < p->judged ? p->request.playouts : p->judged;
    ExactRow row = {.form = path_key_name(p->form[i]),
                    .questions = f->asked[0] + f->asked[1] + f->asked[2],
                    .wins = percent(f->wrong[2], f->asked[2]),
                    .draws = percent(f->wrong[1], f->asked[1]),
                    .losses = percent(f->wrong[0], f->asked[0]),
                    .better = f->better,
                    .worse = f->worse,
                    .p = sign_test(f->better, f->worse),
                    .nodes = f->nodes};
    for (unsigned m = 0; m < EXACT_MEASURES; m++)
        row.measured[m] = scaled(f, m, m == EXACT_PLAYOUT ? playouts : p->judged);
    return row;
}

static bool print_text(const Report *report, const ExactCommand *p) {
    printf("%u games, %" PRIu64 " %s an answer\n\n", p->judged,
           p->request.nodes ? p->request.nodes : (uint64_t)p->request.depth, p->request.nodes ? "nodes" : "plies");
    tabia_report_print(report, stdout);
    return true;
}

static bool print_json(const Report *report, const ExactCommand *p, TabiaError *error) {
    Json j;
    json_document(&j, "path-keys-exact");
    tabia_json_count(&j, "nodes", p->request.nodes);
    tabia_json_integer(&j, "depth", p->request.nodes ? 0 : p->request.depth);
    tabia_json_integer(&j, "games", p->judged);
    tabia_json_integer(&j, "playouts", p->request.playouts);
    tabia_json_count(&j, "seed", p->request.seed);
    tabia_json_count(&j, "hash_bytes", p->request.hash_bytes);
    tabia_json_array(&j, "endings");
    for (unsigned i = 0; i < p->endings.n; i++) tabia_json_text(&j, NULL, p->endings.name[i]);
    tabia_json_close(&j);
    tabia_report_json(report, &j, "forms");
    tabia_json_boolean(&j, "complete", p->judged == p->request.games);
    return tabia_json_end(&j, error);
}

static int measure(ExactCommand *p, TabiaError *error) {
    option_progress_begin(&p->progress, false, p->every, "games");
    p->request.on_progress = on_progress, p->request.context = &p->progress;
    const bool good = path_key_exact(&p->request, p->result, &p->judged, error);
    tabia_progress_end(&p->progress);
    if (!good) return EXIT_OUTSIDE;
    ExactRow rows[PATH_KEY_FORMS];
    const unsigned n = p->judged ? p->request.forms_n : 0;
    for (unsigned i = 0; i < n; i++) rows[i] = row_of(p, i);
    const Report report = {columns, sizeof columns / sizeof *columns, n, sizeof *rows, rows};
    if (!(p->json ? print_json(&report, p, error) : print_text(&report, p))) return EXIT_OUTSIDE;
    return p->judged == p->request.games ? EXIT_GOOD
                                         : report_stopped("path-keys-exact", "the games that were complete are judged");
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
    p->request = (PathKeyExactRequest){
        .nodes = 1000, .games = 2000, .playouts = 1000000, .threads = 1, .seed = 1, .hash_bytes = 16 << 20};
    int status = EXIT_GOOD;
    if (!read_command_line(argc, argv, p, &error))
        status = report_error("path-keys-exact", &error, EXIT_USAGE);
    else
        tabia_stop_install(true), status = solve_and_measure(p);
    free(p);
    return status;
}
