/* SPDX-License-Identifier: MIT */
/* tabia-lab table record DEPTH --out FILE: the keys of a real perft, for `tabia-lab table audit` to replay. */
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/atomic_file.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "lab.h"
#include "lab/table/stream.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

static const char help[] =
    "usage: tabia-lab table record DEPTH --out FILE [options]\n"
    "\n"
    "Walks the whole tree of a perft and writes, for each position that perft would ask its table\n"
    "for, the 128-bit key, the depth, the leaves below it and how much of the stream is its subtree.\n"
    "`tabia-lab table audit FILE` replays it against tables of any shape.\n"
    "\n"
    "  --out FILE        where to; it appears when it is whole\n"
    "  --fen FEN         default: the start position\n"
    "  --game \"d4 d5\"    then the perft of the position, and again after each of these moves, each time in\n"
    "                    a new generation of the table: to see what becomes of old entries\n"
    "  --deepen          each time all depths up to DEPTH, as a search that deepens step by step\n"
    "  --floor N         the lowest depth recorded, 2 or more; default: DEPTH - 5, at least 2.\n"
    "                    A record is 32 bytes: a ply less is a file 20 to 40 times as small\n"
    "  --threads N       default: one for each core\n"
    "  --json            one JSON object instead of text\n"
    "  --quiet           no progress\n"
    "  --progress SECONDS\n"
    "                    a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Examples\n"
    "  tabia-lab table record 7 --out start7.stream              5 million records, 162 MB\n"
    "  tabia-lab table record 8 --out start8.stream              the same at depths 8 to 3\n"
    "  tabia-lab table record 5 --deepen --game \"e4 e5 Nf3 Nc6 Bb5\" --out game.stream\n";

enum { GAME_MAX = 500 };

typedef struct {
    StreamJob job;
    const char *out, *fen, *game;
    Move move[GAME_MAX];
    char text[STREAM_TEXT_MAX];
    bool json, quiet, wants_help;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} RecordCommand;

/* The moves of --game, each legal after those before it. */
static bool read_game(RecordCommand *r, TabiaError *error) {
    Position p = r->job.root;
    char word[32];
    int used = 0;
    for (const char *at = r->game; at && sscanf(at, "%31s%n", word, &used) == 1; at += used) {
        if (r->job.plies == GAME_MAX) return tabia_fail(error, "--game: more than %d moves", GAME_MAX);
        const Move m = move_from_text(&p, word, error);
        if (!m) return false;
        r->move[r->job.plies++] = m;
        position_make_move(&p, &p, m);
    }
    r->job.game = r->move;
    return true;
}

static bool read_command_line(int argc, char **argv, RecordCommand *r, TabiaError *error) {
    const OptionRow rows[] = {text_option("out", &r->out),
                              text_option("fen", &r->fen),
                              text_option("game", &r->game),
                              flag_option("deepen", &r->job.deepen),
                              int_option("floor", &r->job.floor, STREAM_FLOOR_LEAST, STREAM_DEPTH_MAX),
                              unsigned_option("threads", &r->job.threads, 1, 4096),
                              flag_option("json", &r->json),
                              flag_option("quiet", &r->quiet),
                              progress_option(&r->every),
                              {0}};
    if (!option_rows(argc, argv, rows, &r->wants_help, error)) return false;
    if (r->wants_help) return true;
    uint64_t depth;
    if (optind + 1 != argc)
        return tabia_fail(error, "one DEPTH is needed; for example: tabia-lab table record 6 --out start6.stream");
    const int floor = r->job.floor ? r->job.floor : STREAM_FLOOR_LEAST;
    if (!option_number("DEPTH", argv[optind], (uint64_t)floor + 1, STREAM_DEPTH_MAX, &depth, error)) return false;
    if (!r->out) return tabia_fail(error, "--out FILE is needed: where should the stream go?");
    r->job.depth = (int)depth;
    if (!r->job.floor) r->job.floor = depth > 7 ? (int)depth - 5 : STREAM_FLOOR_LEAST;
    return option_position(r->fen, NULL, &r->job.root, error) && read_game(r, error);
}

static void show(void *context, uint64_t records, double share) {
    RecordCommand *r = context;
    char amount[SHORT_TEXT_MAX];
    if (!tabia_progress_is_due(&r->progress, NULL)) return;
    tabia_amount_text((double)records, amount);
    tabia_progress_show(&r->progress, "%s records, %.0f %%", amount, 100 * share);
}

static bool print_result(const RecordCommand *r, const Stream *s, TabiaError *error) {
    uint64_t leaves = 0;
    for (uint32_t i = 0; i < s->runs; i++) leaves += s->record[s->run[i].first].leaves;
    if (!r->json) {
        printf("%s\n%ju records, %.1f MB; perfts: %u; depths %d to %u; leaves: %ju\n", s->text, (uintmax_t)s->records,
               (double)s->records * sizeof *s->record / 1e6, s->runs, r->job.depth, s->floor, (uintmax_t)leaves);
        return true;
    }
    Json j;
    json_document(&j, "table record");
    tabia_json_text(&j, "file", r->out);
    tabia_json_text(&j, "of", s->text);
    tabia_json_count(&j, "records", s->records);
    tabia_json_count(&j, "bytes", s->records * sizeof *s->record);
    tabia_json_count(&j, "perfts", s->runs);
    tabia_json_integer(&j, "depth", r->job.depth);
    tabia_json_integer(&j, "floor", s->floor);
    tabia_json_count(&j, "leaves", leaves);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

int table_record(int argc, char **argv) {
    RecordCommand r = {.job = {.keys_seed = 1, .progress = show}};
    TabiaError error;
    Stream s = {0};
    if (!read_command_line(argc, argv, &r, &error)) return report_error("table record", &error, EXIT_USAGE);
    if (r.wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (!tabia_atomic_file_possible(r.out, &error)) return report_error("table record", &error, EXIT_OUTSIDE);
    tabia_stop_install(true);
    option_progress_begin(&r.progress, r.quiet, r.every, NULL);
    char fen[FEN_MAX];
    fen_write(&r.job.root, FEN_STANDARD, fen);
    snprintf(r.text, sizeof r.text, "perft %d of %s%s%s", r.job.depth, fen, r.game ? ", then " : "",
             r.game ? r.game : "");
    r.job.text = r.text, r.job.context = &r;
    bool good = stream_make(&s, &r.job, &error);
    tabia_progress_end(&r.progress);
    good = good && stream_write(&s, r.out, &error) && print_result(&r, &s, &error);
    stream_free(&s);
    if (good) return EXIT_GOOD;
    if (!tabia_stop_requested()) return report_error("table record", &error, EXIT_OUTSIDE);
    return report_stopped("table record", "no stream is written");
}
