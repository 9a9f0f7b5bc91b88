/* SPDX-License-Identifier: MIT */
/* tabia bench --history: what each form of HistoryKey costs, and how many answers it gets right. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "bench_forms.h"
#include "commands.h"
#include "lab/search/history.h"
#include "options.h"

static const char help[] =
    "usage: tabia bench [DEPTH]\n"
    "       tabia bench --history [--positions FILE.epd] [--form NAME] [--nodes N | --answer-depth N]\n"
    "                             [--depth N] [--hash SIZE] [--json]\n"
    "       tabia bench --threads [N] [options]      what more threads are worth; --threads --help tells more\n"
    "\n"
    "The first searches a fixed list of positions (default depth 12) and prints nodes and nodes a second.\n"
    "\n"
    "The second shows for each form of the option HistoryKey\n"
    "\n"
    "  nodes        to a fixed depth, and their ratio to `off`\n"
    "  draws, wins  right answers, cold / warm: with a fresh table, and with one that has just searched the\n"
    "               same position with the clock of the 50-move rule at 0. A draw is right within 50\n"
    "               centipawns; a win from 150 on, or as a mate that the clock allows\n"
    "  moves        right moves (bm, am of the file)\n"
    "  false mates  announced though the position is a draw, or though the clock forbids them\n"
    "\n"
    "`off` keeps one score for all paths. With off, fifty and last-1 to last-8 no score from the table ends a search\n"
    "at a halfmove clock of 90 and more, other than a proven mate.\n"
    "\n"
    "Without a file it asks positions whose answer it works out itself: queen or rook against the bare king,\n"
    "where mate falls on the 100th ply or one ply later, and locked positions that nobody can win.\n"
    "\n"
    "  --positions FILE   instead; operations: expect win, expect draw, draw, bm, am; pv: moves to play first\n"
    "  --form NAME        this form only, or several, parted by commas\n"
    "  --nodes N          for each answer; default 30000\n"
    "  --answer-depth N   search to this depth instead\n"
    "  --depth N          of the count of nodes; default 9\n"
    "  --hash SIZE        default 16M\n"
    "  --json             one JSON document\n"
    "\n"
    "Examples\n"
    "  tabia bench --history                                         less than a minute\n"
    "  tabia bench --history --form off,fifty-count --nodes 1000000  what more nodes see\n";

#define FORM_NAME(name) name,
static const char *const names[] = {HISTORY_KEYS(FORM_NAME)};
#undef FORM_NAME

typedef struct {
    HistoryJob job;
    const char *path;
    uint64_t chosen; /* forms, a bit each */
    bool history, json, wants_help;
    Progress progress;
    unsigned form_at, forms;
} Program;

/* ---- the command line ---- */

static bool read_forms(void *to, const char *list, TabiaError *error) {
    return option_names("--form", list, names, HISTORY_FORMS, to, "off, fifty, fifty-count, last-1 .. last-8, game",
                        error);
}

static bool read_command_line(int argc, char **argv, Program *p, TabiaError *error) {
    int answer_depth = 0;
    uint64_t nodes = 0;
    const OptionRow rows[] = {take_flag("history", &p->history),
                              take_text("positions", &p->path),
                              take_by("form", read_forms, &p->chosen),
                              take_whole("nodes", &nodes, 1, UINT64_MAX / 2),
                              take_int("answer-depth", &answer_depth, 1, PLY_MAX - 1),
                              take_int("depth", &p->job.depth, 1, PLY_MAX - 1),
                              take_search_hash("hash", &p->job.hash_bytes),
                              take_flag("json", &p->json),
                              {0}};
    if (!option_rows(argc, argv, rows, &p->wants_help, error)) return false;
    if (p->wants_help) return true;
    if (!p->history) return tabia_fail(error, "options belong to --history; tabia bench --help tells more");
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (answer_depth && nodes) return tabia_fail(error, "--nodes or --answer-depth, not both: one bounds an answer");
    if (nodes) p->job.nodes = nodes;
    if (answer_depth) p->job.answer_depth = answer_depth, p->job.nodes = 0;
    if (!p->chosen) p->chosen = ((uint64_t)1 << HISTORY_FORMS) - 1;
    for (unsigned f = 0; f < HISTORY_FORMS; f++) p->forms += p->chosen >> f & 1;
    return true;
}

/* ---- while it runs ---- */

static bool watch(void *context, unsigned done, unsigned all) {
    Program *p = context;
    char form[40];
    snprintf(form, sizeof form, "form %u of %u", p->form_at + 1, p->forms);
    tabia_progress_update(&p->progress, (uint64_t)p->form_at * all + done, (p->form_at + (double)done / all) / p->forms,
                          form);
    return tabia_stop_requested();
}

/* ---- what it found ---- */

static void print_head(const Program *p) {
    if (p->job.nodes)
        printf("%u positions, %" PRIu64 " nodes for an answer; right cold / warm of asked\n", p->job.cases->n,
               p->job.nodes);
    else
        printf("%u positions, depth %d for an answer; right cold / warm of asked\n", p->job.cases->n,
               p->job.answer_depth);
    printf("%-12s %12s %6s %16s %16s %16s %12s\n", "HistoryKey", "nodes", "ratio", "draws", "wins", "moves",
           "false mates");
}

static void print_row(unsigned form, const HistoryFigures *f, uint64_t off) {
    printf("%-12s %12" PRIu64 " ", names[form], f->nodes);
    if (off)
        printf("%6.3f", (double)f->nodes / (double)off);
    else
        printf("%6s", "");
    for (unsigned o = 0; o < OUTCOMES; o++) {
        char text[40] = "-";
        if (f->asked[o]) snprintf(text, sizeof text, "%u / %u of %u", f->cold[o], f->warm[o], f->asked[o]);
        printf(" %16s", text);
    }
    printf(" %8u / %u\n", f->false_cold, f->false_warm);
    fflush(stdout);
}

static void json_row(Json *j, unsigned form, const HistoryFigures *f) {
    static const char *const outcomes[OUTCOMES] = {"draws", "wins", "moves"};
    tabia_json_object(j, NULL);
    tabia_json_text(j, "form", names[form]);
    tabia_json_count(j, "nodes", f->nodes);
    for (unsigned o = 0; o < OUTCOMES; o++) {
        tabia_json_object(j, outcomes[o]);
        tabia_json_integer(j, "asked", f->asked[o]);
        tabia_json_integer(j, "right_cold", f->cold[o]);
        tabia_json_integer(j, "right_warm", f->warm[o]);
        tabia_json_close(j);
    }
    tabia_json_integer(j, "false_mates_cold", f->false_cold);
    tabia_json_integer(j, "false_mates_warm", f->false_warm);
    tabia_json_close(j);
}

static void json_head(const Program *p, Json *j) {
    tabia_json_begin(j, stdout);
    tabia_json_object(j, NULL);
    tabia_json_text(j, "positions", p->path);
    tabia_json_count(j, "nodes", p->job.nodes);
    tabia_json_integer(j, "answer_depth", p->job.nodes ? 0 : p->job.answer_depth);
    tabia_json_integer(j, "depth", p->job.depth);
    tabia_json_count(j, "hash_bytes", p->job.hash_bytes);
    tabia_json_array(j, "forms");
}

static int run(Program *p, TabiaError *error) {
    Json j;
    bool stopped = false, good = true;
    uint64_t off = 0;
    if (p->json) json_head(p, &j);
    if (!p->json) print_head(p);
    for (unsigned form = 0; form < HISTORY_FORMS && good && !stopped; form++) {
        HistoryFigures figures;
        if (!(p->chosen >> form & 1)) continue;
        good = history_measure(&p->job, (HistoryKey)form, &figures, &stopped, error);
        tabia_progress_end(&p->progress);
        p->form_at++;
        if (!good || stopped) break;
        if (form == HISTORY_OFF) off = figures.nodes;
        if (p->json)
            json_row(&j, form, &figures);
        else
            print_row(form, &figures, off);
    }
    if (p->json) {
        TabiaError other;
        tabia_json_close(&j);
        tabia_json_boolean(&j, "complete", good && !stopped);
        tabia_json_close(&j);
        if (!tabia_json_end(&j, good ? error : &other)) good = false;
    } else if (stopped) {
        puts("stopped: what is missing above was not measured");
    }
    return !good ? EXIT_OUTSIDE : stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int bench_history(int argc, char **argv) {
    HistoryCases cases;
    TabiaError error;
    Program p = {.job = {.nodes = 30000, .depth = 9, .hash_bytes = 16 << 20, .cases = &cases, .watch = watch}};
    p.job.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return complain("bench", &error, EXIT_USAGE);
    if (p.wants_help) return fputs(help, stdout), EXIT_GOOD;
    tabia_stop_install(true);
    if (p.path ? !history_cases_read(&cases, p.path, &error) : !history_cases_own(&cases, &error))
        return complain("bench", &error, p.path ? EXIT_USAGE : EXIT_OUTSIDE);
    tabia_progress_begin(&p.progress, stderr, "positions");
    const int status = run(&p, &error);
    history_cases_free(&cases);
    return status == EXIT_OUTSIDE ? complain("bench", &error, status) : status;
}
