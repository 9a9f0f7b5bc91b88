/* SPDX-License-Identifier: MIT */
/* tabia-lab path-keys: the cost of each path key form, and its number of correct results. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "lab.h"
#include "lab/search/path_keys.h"

typedef struct {
    PathKeyRequest request;
    const char *path;
    uint64_t selected_forms; /* forms, a bit each */
    bool json, wants_help;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
    unsigned form_index, forms;
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
    if (!option_rows(argc, argv, rows, &p->wants_help, error)) return false;
    if (p->wants_help) return true;
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
    snprintf(form, sizeof form, "form %u of %u", p->form_index + 1, p->forms);
    tabia_progress_update(&p->progress, (uint64_t)p->form_index * all + done,
                          (p->form_index + (double)done / all) / p->forms, form);
    return tabia_stop_requested();
}

/* ---- what it found ---- */

static void print_header(const PathKeysCommand *p) {
    if (p->request.nodes)
        printf("%u positions, %" PRIu64 " nodes for an answer; right cold / warm of asked\n", p->request.cases->n,
               p->request.nodes);
    else
        printf("%u positions, depth %d for an answer; right cold / warm of asked\n", p->request.cases->n,
               p->request.answer_depth);
    printf("%-12s %12s %6s %16s %16s %16s %12s\n", "PathKey", "nodes", "ratio", "draws", "wins", "moves",
           "false mates");
}

static void print_row(unsigned form, const PathKeyResult *f, uint64_t nodes_of_off) {
    printf("%-12s %12" PRIu64 " ", path_key_name((PathKeyForm)form), f->nodes);
    if (nodes_of_off)
        printf("%6.3f", (double)f->nodes / (double)nodes_of_off);
    else
        printf("%6s", "");
    for (unsigned o = 0; o < OUTCOMES; o++) {
        char text[40] = "-";
        if (f->total[o])
            snprintf(text, sizeof text, "%u / %u of %u", f->correct_cold[o], f->correct_warm[o], f->total[o]);
        printf(" %16s", text);
    }
    printf(" %8u / %u\n", f->false_mates_cold, f->false_mates_warm);
    fflush(stdout);
}

static void json_row(Json *j, unsigned form, const PathKeyResult *f) {
    static const char *const outcomes[OUTCOMES] = {"draws", "wins", "moves"};
    tabia_json_object(j, NULL);
    tabia_json_text(j, "form", path_key_name((PathKeyForm)form));
    tabia_json_count(j, "nodes", f->nodes);
    for (unsigned o = 0; o < OUTCOMES; o++) {
        tabia_json_object(j, outcomes[o]);
        tabia_json_integer(j, "total", f->total[o]);
        tabia_json_integer(j, "correct_cold", f->correct_cold[o]);
        tabia_json_integer(j, "correct_warm", f->correct_warm[o]);
        tabia_json_close(j);
    }
    tabia_json_integer(j, "false_mates_cold", f->false_mates_cold);
    tabia_json_integer(j, "false_mates_warm", f->false_mates_warm);
    tabia_json_close(j);
}

static void json_header(const PathKeysCommand *p, Json *j) {
    json_document(j, "path-keys");
    tabia_json_text(j, "positions", p->path);
    tabia_json_count(j, "nodes", p->request.nodes);
    tabia_json_integer(j, "answer_depth", p->request.nodes ? 0 : p->request.answer_depth);
    tabia_json_integer(j, "depth", p->request.depth);
    tabia_json_count(j, "hash_bytes", p->request.hash_bytes);
    tabia_json_array(j, "forms");
}

static int measure_forms(PathKeysCommand *p, TabiaError *error) {
    Json j;
    bool stopped = false, good = true;
    uint64_t nodes_of_off = 0;
    if (p->json) json_header(p, &j);
    if (!p->json) print_header(p);
    for (unsigned form = 0; form < PATH_KEY_FORMS && good && !stopped; form++) {
        PathKeyResult results;
        if (!(p->selected_forms >> form & 1)) continue;
        good = path_key_measure(&p->request, (PathKeyForm)form, &results, &stopped, error);
        tabia_progress_end(&p->progress);
        p->form_index++;
        if (!good || stopped) break;
        if (form == PATH_KEY_OFF) nodes_of_off = results.nodes;
        if (p->json)
            json_row(&j, form, &results);
        else
            print_row(form, &results, nodes_of_off);
    }
    if (p->json) {
        TabiaError cleanup_fault;
        tabia_json_close(&j);
        tabia_json_boolean(&j, "complete", good && !stopped);
        tabia_json_close(&j);
        if (!tabia_json_end(&j, good ? error : &cleanup_fault)) good = false;
    } else if (stopped) {
        puts("stopped: what is missing above was not measured");
    }
    return !good ? EXIT_OUTSIDE : stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int lab_path_keys(int argc, char **argv) {
    PathKeyCases cases;
    TabiaError error;
    PathKeysCommand p = {
        .request = {.nodes = 30000, .depth = 9, .hash_bytes = 16 << 20, .cases = &cases, .on_progress = on_progress}};
    p.request.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return report_error("path-keys", &error, EXIT_USAGE);
    if (p.wants_help) return fputs(lab_texts.path_keys_help, stdout), EXIT_GOOD;
    tabia_stop_install(true);
    if (p.path ? !path_key_cases_read(&cases, p.path, &error) : !path_key_cases_built_in(&cases, &error))
        return tabia_stop_requested() ? EXIT_STOPPED
                                      : report_error("path-keys", &error, p.path ? EXIT_USAGE : EXIT_OUTSIDE);
    option_progress_begin(&p.progress, false, p.every, "positions");
    const int status = measure_forms(&p, &error);
    path_key_cases_free(&cases);
    return status == EXIT_OUTSIDE ? report_error("path-keys", &error, status) : status;
}
