/* SPDX-License-Identifier: MIT */
/* tabia unique DEPTH: how many different positions stand after each ply. */
#include "perft/unique.h"
#include "json_document.h"

#include <stdio.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/time.h"
#include "commands.h"
#include "notation/protocol.h"
#include "options.h"
#include "program.h"
#include "rules/ply_position.h"

typedef struct {
    UniqueJob job;
    const char *fen, *moves;
    bool json, quiet, stopped;
    Json writer;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
    int ply;        /* that was counted last */
    int walked;     /* for which parents are walked, */
    uint64_t known; /* and of these what a ledger held */
} UniqueCommand;

static bool print_ply(void *context, const UniquePly *ply) {
    UniqueCommand *u = context;
    tabia_progress_end(&u->progress);
    u->ply = ply->ply;
    if (u->json) {
        tabia_json_object(&u->writer, NULL);
        tabia_json_integer(&u->writer, "ply", ply->ply);
        tabia_json_count(&u->writer, "unique", ply->positions);
        if (u->job.all_definitions) {
            tabia_json_count(&u->writer, "unique_pseudo_legal_ep", ply->ready);
            tabia_json_count(&u->writer, "unique_any_ep", ply->any);
        }
        tabia_json_count(&u->writer, "paths", ply->paths);
        tabia_json_close(&u->writer);
    } else {
        char paths[U128_TEXT_MAX];
        tabia_u128_text(ply->paths, paths);
        printf("ply %d: %ju unique positions, %s paths\n", ply->ply, (uintmax_t)ply->positions, paths);
        if (u->job.all_definitions)
            printf("       %ju with pseudo-legal en passant, %ju with any\n", (uintmax_t)ply->ready,
                   (uintmax_t)ply->any);
        fflush(stdout);
    }
    return u->stopped = tabia_stop_requested();
}

static bool watch(void *context, const UniqueProgress *p) {
    UniqueCommand *u = context;
    char more[40];
    if (u->walked != p->ply) u->walked = p->ply, u->known = p->done;
    const double done = (double)(p->done - u->known), all = (double)(p->all - u->known);
    snprintf(more, sizeof more, "walked for ply %d", p->ply);
    tabia_progress_update(&u->progress, done, all > 0 ? done / all : -1, more);
    return u->stopped = tabia_stop_requested();
}

static bool read_memory(void *to, const char *text, TabiaError *error) {
    return option_memory("--memory", text, 1 << 26, to, error);
}

static bool read_command_line(int argc, char **argv, UniqueCommand *u, TabiaError *error) {
    const OptionRow rows[] = {text_option(protocol_words.position_name, &u->fen),
                              text_option("moves", &u->moves),
                              unsigned_option("threads", &u->job.threads, 1, 4096),
                              uint64_option("keys", &u->job.keys_seed, 0, UINT64_MAX),
                              flag_option("json", &u->json),
                              flag_option("quiet", &u->quiet),
                              progress_option(&u->every),
                              text_option("work-dir", &u->job.work_dir),
                              reader_option("memory", read_memory, &u->job.memory),
                              EP_DEFINITIONS > 1 ? flag_option("en-passant", &u->job.all_definitions) : (OptionRow){0},
                              {0}};
    if (!option_rows(argc, argv, "unique", rows, error)) return false;
    uint64_t depth;
    if (optind + 1 != argc)
        return tabia_fail(error, "one DEPTH is needed; for example: %s unique 6", program_texts.name);
    if (!option_number("DEPTH", argv[optind], 0, 20, &depth, error)) return false;
    u->job.depth = (int)depth;
    return option_position(u->fen, u->moves, &u->job.root, error);
}

int command_unique(int argc, char **argv) {
    UniqueCommand u = {.job = {.keys_seed = 1, .each = print_ply, .watch = watch}};
    TabiaError error;
    u.job.context = &u;
    if (!read_command_line(argc, argv, &u, &error)) return report_error("unique", &error, EXIT_USAGE);
    tabia_stop_install(true);
    option_progress_begin(&u.progress, u.quiet, u.every, "positions");
    if (u.json) {
        json_document(&u.writer, "unique");
        tabia_json_array(&u.writer, "plies");
    }
    bool good = unique_run(&u.job, &error);
    tabia_progress_end(&u.progress);
    if (u.json) {
        tabia_json_close(&u.writer);
        tabia_json_boolean(&u.writer, "complete", good && !u.stopped && u.ply == u.job.depth);
        good = tabia_json_end(&u.writer, &error) && good;
    }
    if (!good) return report_error("unique", &error, EXIT_OUTSIDE);
    if (!u.stopped && u.ply == u.job.depth) return EXIT_GOOD;
    char what[60];
    snprintf(what, sizeof what, "ply %d was the last that was counted whole", u.ply);
    return report_stopped("unique", what);
}
