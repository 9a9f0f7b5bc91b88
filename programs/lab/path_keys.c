/* SPDX-License-Identifier: MIT */
/* tabia-lab path-keys: the cost of each path key form, and its number of correct results. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/stop.h"
#include "base/text.h"
#include "lab.h"
#include "lab/search/path_keys.h"

typedef struct {
    const char *form;
    double ratio; /* of the nodes to those of off */
    PathKeyResult result;
} FormRow;

typedef struct {
    PathKeyRequest request;
    const char *path;
    uint64_t selected_forms; /* forms, a bit each */
    bool json;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
    FormRow row[PATH_KEY_FORMS];
    unsigned rows, forms; /* measured; selected */
} PathKeysCommand;

/* ---- the command line ---- */

bool lab_read_forms(void *set, const char *list, TabiaError *error) {
    const char *known[PATH_KEY_FORMS];
    char all[160] = "";
    for (unsigned f = 0; f < PATH_KEY_FORMS; f++) {
        known[f] = path_key_name((PathKeyForm)f);
        tabia_text_append(all, sizeof all, "%s%s", f ? ", " : "", known[f]);
    }
    const OptionNames names = {"--form", known, PATH_KEY_FORMS, all};
    return option_names(&names, list, set, error);
}

static bool read_command_line(int argc, char **argv, PathKeysCommand *p, TabiaError *error) {
    int answer_depth = 0;
    uint64_t nodes = 0;
    const OptionRow rows[] = {text_option("positions", &p->path),
                              reader_option("form", lab_read_forms, &p->selected_forms),
                              uint64_option("nodes", &nodes, 1, UINT64_MAX / 2),
                              int_option("answer-depth", &answer_depth, 1, PLY_MAX - 1),
                              int_option("depth", &p->request.depth, 1, PLY_MAX - 1),
                              search_hash_option("hash", &p->request.hash_bytes),
                              flag_option("json", &p->json),
                              progress_option(&p->every),
                              {0}};
    if (!option_rows(argc, argv, "path-keys", rows, error)) return false;
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (answer_depth && nodes) return tabia_fail(error, "--nodes or --answer-depth, not both: one bounds an answer");
    if (nodes) p->request.nodes = nodes;
    if (answer_depth) p->request.answer_depth = answer_depth, p->request.nodes = 0;
    if (!p->selected_forms) p->selected_forms = ((uint64_t)1 << PATH_KEY_FORMS) - 1;
    for (unsigned f = 0; f < PATH_KEY_FORMS; f++) p->forms += p->selected_forms >> f & 1;
    return true;
}

/* ---- while it runs ---- */

static bool on_progress(void *context, unsigned done, unsigned all) {
    PathKeysCommand *p = context;
    char form[40];
    snprintf(form, sizeof form, "form %u of %u", p->rows + 1, p->forms);
    tabia_progress_update(&p->progress, (uint64_t)p->rows * all + done, (p->rows + (double)done / all) / p->forms,
                          form);
    return tabia_stop_requested();
}

static bool measure_forms(PathKeysCommand *p, bool *stopped, TabiaError *error) {
    for (unsigned f = 0; f < PATH_KEY_FORMS; f++) {
        FormRow *row = &p->row[p->rows];
        if (!(p->selected_forms >> f & 1)) continue;
        if (!path_key_measure(&p->request, (PathKeyForm)f, &row->result, stopped, error)) return false;
        if (*stopped) return true;
        row->form = path_key_name((PathKeyForm)f);
        const bool has_off = p->selected_forms & 1 << PATH_KEY_OFF;
        row->ratio = has_off ? (double)row->result.nodes / (double)p->row[0].result.nodes : NAN;
        p->rows++;
    }
    return true;
}

/* ---- what it found ---- */

static const ReportColumn columns[] = {
    {"form", "PathKey", REPORT_TEXT, 0, offsetof(FormRow, form)},
    {"nodes", "nodes", REPORT_COUNT, 0, offsetof(FormRow, result.nodes)},
    {NULL, "ratio", REPORT_REAL, 3, offsetof(FormRow, ratio)},
    {"draws", "draws", REPORT_UNSIGNED, 0, offsetof(FormRow, result.total[OUTCOME_DRAW])},
    {"draws_cold", "cold", REPORT_UNSIGNED, 0, offsetof(FormRow, result.correct_cold[OUTCOME_DRAW])},
    {"draws_warm", "warm", REPORT_UNSIGNED, 0, offsetof(FormRow, result.correct_warm[OUTCOME_DRAW])},
    {"wins", "wins", REPORT_UNSIGNED, 0, offsetof(FormRow, result.total[OUTCOME_WIN])},
    {"wins_cold", "cold", REPORT_UNSIGNED, 0, offsetof(FormRow, result.correct_cold[OUTCOME_WIN])},
    {"wins_warm", "warm", REPORT_UNSIGNED, 0, offsetof(FormRow, result.correct_warm[OUTCOME_WIN])},
    {"moves", "moves", REPORT_UNSIGNED, 0, offsetof(FormRow, result.total[OUTCOME_MOVE])},
    {"moves_cold", "cold", REPORT_UNSIGNED, 0, offsetof(FormRow, result.correct_cold[OUTCOME_MOVE])},
    {"moves_warm", "warm", REPORT_UNSIGNED, 0, offsetof(FormRow, result.correct_warm[OUTCOME_MOVE])},
    {"false_mates_cold", "false mates, cold", REPORT_UNSIGNED, 0, offsetof(FormRow, result.false_mates_cold)},
    {"false_mates_warm", "warm", REPORT_UNSIGNED, 0, offsetof(FormRow, result.false_mates_warm)},
};

static void print_text(const PathKeysCommand *p, const Report *report, bool stopped) {
    const PathKeyRequest *r = &p->request;
    printf("%u positions, %s %" PRIu64 " for an answer\n", r->cases->n, r->nodes ? "nodes" : "depth",
           r->nodes ? r->nodes : (uint64_t)r->answer_depth);
    tabia_report_print(report, stdout);
    if (stopped) puts("stopped: what is missing above was not measured");
}

static bool print_json(const PathKeysCommand *p, const Report *report, bool stopped, TabiaError *error) {
    Json j;
    json_document(&j, "path-keys");
    tabia_json_text(&j, "positions", p->path);
    tabia_json_count(&j, "nodes", p->request.nodes);
    tabia_json_integer(&j, "answer_depth", p->request.nodes ? 0 : p->request.answer_depth);
    tabia_json_integer(&j, "depth", p->request.depth);
    tabia_json_count(&j, "hash_bytes", p->request.hash_bytes);
    tabia_report_json(report, &j, "forms");
    tabia_json_boolean(&j, "complete", !stopped);
    return tabia_json_end(&j, error);
}

static int measure(PathKeysCommand *p, TabiaError *error) {
    bool stopped = false;
    option_progress_begin(&p->progress, false, p->every, "positions");
    const bool good = measure_forms(p, &stopped, error);
    tabia_progress_end(&p->progress);
    if (!good) return EXIT_OUTSIDE;
    const Report report = {columns, sizeof columns / sizeof *columns, p->rows, sizeof *p->row, p->row};
    if (!p->json) print_text(p, &report, stopped);
    if (p->json && !print_json(p, &report, stopped, error)) return EXIT_OUTSIDE;
    return stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int lab_path_keys(int argc, char **argv) {
    PathKeyCases cases;
    TabiaError error;
    PathKeysCommand p = {
        .request = {.nodes = 30000, .depth = 9, .hash_bytes = 16 << 20, .cases = &cases, .on_progress = on_progress}};
    p.request.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return report_error("path-keys", &error, EXIT_USAGE);
    tabia_stop_install(true);
    if (p.path ? !path_key_cases_read(&cases, p.path, &error) : !path_key_cases_built_in(&cases, &error))
        return tabia_stop_requested() ? EXIT_STOPPED
                                      : report_error("path-keys", &error, p.path ? EXIT_USAGE : EXIT_OUTSIDE);
    const int status = measure(&p, &error);
    path_key_cases_free(&cases);
    return status == EXIT_OUTSIDE ? report_error("path-keys", &error, status) : status;
}
