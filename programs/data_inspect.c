/* SPDX-License-Identifier: MIT */
/* tabia data info and verify: what a file is, and whether it is what it claims to be. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "commands.h"
#include "data/check.h"
#include "data_forms.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "options.h"

/* ---- info ---- */

static const char info_help[] =
    "usage: tabia data info FILE... [--from FORMAT] [--json]\n"
    "\n"
    "Says what a file is: its format, its size, how many records it has where that follows from the size, its\n"
    "first record, what the format holds and what it loses, and whether there are checksums beside it.\n"
    "Reads the beginning only; tabia data verify reads all.\n"
    "\n"
    "Example\n"
    "  tabia data info games.viri\n";

typedef struct {
    const char *path;
    const DataFormat *format;
    uint64_t bytes;
    DataRead first;
    DataRecord record;
    Fault fault;
    bool has_sums;
} Info;

static bool look(Info *info, const char *path, const DataFormat *from, Fault *fault) {
    char sums[DATA_PATH_MAX];
    DataReader *r = data_reader_open(path, from, fault);
    if (!r) return false;
    *info = (Info){.path = path, .format = data_reader_format(r), .bytes = data_reader_size(r)};
    info->first = data_read(r, &info->record, &info->fault);
    info->has_sums = data_sums_path(path, sums, NULL) && !access(sums, R_OK);
    data_reader_close(r);
    return true;
}

/* The record's move in UCI; "0000" if it is not known. */
static const char *move_text(const DataRecord *r, char out[UCI_MAX]) {
    strcpy(out, "0000");
    if (r->move) move_to_uci(&r->position, r->move, false, out);
    return out;
}

static void print_fields(const char *head, DataFields fields) {
    printf("  %s", head);
    const char *comma = "";
    for (unsigned i = 0; i < DATA_FIELDS_N; i++)
        if (fields >> i & 1) printf("%s%s", comma, data_field_words(i)), comma = ", ";
    puts(*comma ? "" : "nothing");
}

static void print_info(const Info *i) {
    char fen[FEN_MAX], move[UCI_MAX];
    printf("%s: %s\n  %s\n  %ju bytes", i->path, i->format->name, i->format->about, (uintmax_t)i->bytes);
    if (i->format->record_bytes) printf(", %ju records", (uintmax_t)(i->bytes / i->format->record_bytes));
    if (i->format->record_bytes && i->bytes % i->format->record_bytes)
        printf(" and %ju bytes more", (uintmax_t)(i->bytes % i->format->record_bytes));
    puts(i->has_sums ? ", checksums beside it" : "");
    if (i->first == DATA_GOOD) {
        fen_write(&i->record.position, FEN_STANDARD, fen);
        printf("  first: %s; move %s, score %d, result %d, ply %u\n", fen, move_text(&i->record, move), i->record.score,
               i->record.result, i->record.ply);
    } else {
        printf("  first: %s\n", i->first == DATA_AT_END ? "there is no record" : i->fault.text);
    }
    print_fields("holds: ", i->format->holds);
    print_fields("loses: ", data_lost(i->format, NULL));
    printf("  limits: %s\n", i->format->limits);
}

static void info_json(Json *j, const Info *i) {
    char fen[FEN_MAX], move[UCI_MAX];
    tabia_json_object(j, NULL);
    tabia_json_text(j, "file", i->path);
    tabia_json_text(j, "format", i->format->name);
    tabia_json_count(j, "bytes", i->bytes);
    if (i->format->record_bytes) tabia_json_count(j, "records", i->bytes / i->format->record_bytes);
    tabia_json_boolean(j, "checksums", i->has_sums);
    tabia_json_array(j, "holds");
    for (unsigned k = 0; k < DATA_FIELDS_N; k++)
        if (i->format->holds >> k & 1) tabia_json_text(j, NULL, data_field_words(k));
    tabia_json_close(j);
    tabia_json_text(j, "limits", i->format->limits);
    if (i->first == DATA_GOOD) {
        fen_write(&i->record.position, FEN_STANDARD, fen);
        tabia_json_object(j, "first");
        tabia_json_text(j, "fen", fen);
        tabia_json_text(j, "move", move_text(&i->record, move));
        tabia_json_integer(j, "score", i->record.score);
        tabia_json_integer(j, "result", i->record.result);
        tabia_json_count(j, "ply", i->record.ply);
        tabia_json_close(j);
    }
    if (i->first == DATA_BAD || i->first == DATA_BROKEN) tabia_json_text(j, "fault", i->fault.text);
    tabia_json_close(j);
}

int data_info(int argc, char **argv) {
    DataLine line;
    Fault fault;
    Info info;
    Json j;
    if (!data_line_read(&line, argc, argv, "data info", TAKES_json, &fault))
        return complain(line.command, &fault, EXIT_USAGE);
    if (line.help) return fputs(info_help, stdout), EXIT_GOOD;
    int status = EXIT_GOOD;
    tabia_json_begin(&j, stdout);
    if (line.json) tabia_json_array(&j, NULL);
    for (unsigned i = 0; i < line.files; i++) {
        const bool seen = look(&info, line.file[i], line.from, &fault);
        if (tabia_stop_requested()) return EXIT_STOPPED;
        if (!seen)
            status = complain(line.command, &fault, EXIT_USAGE);
        else if (line.json)
            info_json(&j, &info);
        else
            print_info(&info);
    }
    if (!line.json) return status;
    tabia_json_close(&j);
    return tabia_json_end(&j, &fault) ? status : complain(line.command, &fault, EXIT_OUTSIDE);
}

/* ---- verify ---- */

static const char verify_help[] =
    "usage: tabia data verify FILE... [options]\n"
    "\n"
    "Reads every record, validates its position, looks for its move among the legal ones, follows games from\n"
    "record to record, and compares the checksums beside the file if there are any. Each fault is a line:\n"
    "\n"
    "  games.bin: record 17, byte 640: position, board: both kings stand on e4\n"
    "\n"
    "Kinds of faults\n"
    "  bytes   no valid position, an illegal move, a number out of its range, a truncated tail\n"
    "  clock   a halfmove clock that no game can have\n"
    "  score   beyond the limit (32002 in bin, binpack and plain marks records to be skipped: counted)\n"
    "  game    a record that continues a game with another result, ply or clock\n"
    "  end     mate or stalemate with another result\n"
    "  sums    blocks without their checksum\n"
    "\n"
    "  --faults N       shows at most N for each file; default 20, all are counted\n"
    "  --score-limit N  the greatest score without its sign; default 32000\n"
    "  --from FORMAT    default: what content or name says\n"
    "  --json           one JSON document instead of text\n"
    "  --quiet          no progress\n"
    "\n"
    "Ends with status 0 if all is well, 1 if there are faults, 2 if there is no such file or none of a\n"
    "known format, 3 if reading fails.\n"
    "\n"
    "Example\n"
    "  tabia data verify games.viri && echo good\n";

typedef struct {
    DataLine line;
    Json json;
    const char *path;
    uint64_t shown;
} Verify;

static void show_fault(void *context, unsigned kind, const char *text) {
    Verify *v = context;
    if (v->shown++ >= v->line.faults) return;
    if (v->line.json) {
        tabia_json_object(&v->json, NULL);
        tabia_json_text(&v->json, "kind", data_fault_name(kind));
        tabia_json_text(&v->json, "fault", text);
        tabia_json_close(&v->json);
        return;
    }
    tabia_meter_end(&v->line.meter);
    printf("%s: %s\n", v->path, text);
}

static void show_progress(void *context, const DataProgress *progress) {
    data_line_progress(&((Verify *)context)->line, progress);
}

static void print_verdict(const Verify *v, const DataVerdict *d) {
    printf("%s: %s, %ju records, ", v->path, d->format->name, (uintmax_t)d->records);
    if (d->format->holds & DATA_GAMES) printf("%ju games, ", (uintmax_t)d->games);
    printf("%ju bytes: ", (uintmax_t)d->bytes);
    if (!d->faulty) fputs("no fault", stdout);
    const char *comma = "";
    for (unsigned i = 0; i < DATA_FAULTS_N; i++)
        if (d->faults[i]) printf("%s%ju %s", comma, (uintmax_t)d->faults[i], data_fault_name(i)), comma = ", ";
    if (d->faulty) printf(": %ju faults", (uintmax_t)d->faulty);
    if (d->skip_marks) printf("; %ju marked to be skipped", (uintmax_t)d->skip_marks);
    if (d->has_sums) printf("; checksums: %ju blocks%s", (uintmax_t)d->sums.blocks, d->sums.whole ? "" : " are whole");
    puts("");
}

static void verdict_json(Json *j, const DataVerdict *d) {
    tabia_json_text(j, "format", d->format->name);
    tabia_json_count(j, "records", d->records);
    tabia_json_count(j, "games", d->games);
    tabia_json_count(j, "bytes", d->bytes);
    tabia_json_count(j, "skip_marks", d->skip_marks);
    tabia_json_count(j, "faulty", d->faulty);
    tabia_json_object(j, "faults_by_kind");
    for (unsigned i = 0; i < DATA_FAULTS_N; i++) tabia_json_count(j, data_fault_name(i), d->faults[i]);
    tabia_json_close(j);
    if (!d->has_sums) return;
    tabia_json_count(j, "whole_blocks", d->sums.blocks);
    tabia_json_boolean(j, "checksums_right", d->sums.whole);
}

/* One file; its exit status. */
static int verify_file(Verify *v, const char *path) {
    const DataCheck check = {
        .score_most = (int)v->line.score_limit, .visit = show_fault, .progress = show_progress, .context = v};
    DataVerdict verdict;
    Fault fault = {""};
    v->path = path;
    v->shown = 0;
    tabia_meter_begin(&v->line.meter, v->line.quiet ? NULL : stderr, "records");
    if (v->line.json) {
        tabia_json_object(&v->json, NULL);
        tabia_json_text(&v->json, "file", path);
        tabia_json_array(&v->json, "faults");
    }
    const DataOutcome outcome = data_check_file(path, v->line.from, &check, &verdict, &fault);
    tabia_meter_end(&v->line.meter);
    if (v->line.json) {
        tabia_json_close(&v->json);
        if (verdict.format) verdict_json(&v->json, &verdict);
        tabia_json_close(&v->json);
    } else if (outcome == DATA_DONE) {
        print_verdict(v, &verdict);
    }
    if (outcome != DATA_DONE) return data_line_end(&v->line, outcome, &fault);
    return verdict.faulty ? EXIT_DIFFERS : EXIT_GOOD;
}

int data_verify(int argc, char **argv) {
    Verify v = {.shown = 0};
    Fault fault;
    if (!data_line_read(&v.line, argc, argv, "data verify", TAKES_json | TAKES_faults | TAKES_score_limit | TAKES_quiet,
                        &fault))
        return complain(v.line.command, &fault, EXIT_USAGE);
    if (v.line.help) return fputs(verify_help, stdout), EXIT_GOOD;
    int status = EXIT_GOOD;
    tabia_json_begin(&v.json, stdout);
    if (v.line.json) tabia_json_array(&v.json, NULL);
    for (unsigned i = 0; i < v.line.files && status != EXIT_STOPPED; i++) {
        const int one = verify_file(&v, v.line.file[i]);
        if (one > status) status = one;
    }
    if (!v.line.json) return status;
    tabia_json_close(&v.json);
    return tabia_json_end(&v.json, &fault) ? status : complain(v.line.command, &fault, EXIT_OUTSIDE);
}
