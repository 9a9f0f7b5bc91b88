/* SPDX-License-Identifier: MIT */
/* tabia data info and verify: what a file is, and whether it is what it claims to be. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "commands.h"
#include "data/check.h"
#include "data_commands.h"
#include "json_document.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "options.h"

/* ---- info ---- */

typedef struct {
    const char *path;
    const DataFormat *format, *named_format; /* named: by the extension, if its bytes are of another one */
    uint64_t bytes;
    DataReadStatus status;
    DataRecord record;
    TabiaError error;
    bool has_checksums;
} FileInfo;

static bool inspect_file(FileInfo *info, const char *path, const DataFormat *from, TabiaError *error) {
    char checksums[DATA_PATH_MAX];
    DataReader *r = data_reader_open_unverified(path, from, error);
    if (!r) return false;
    *info = (FileInfo){.path = path,
                       .format = data_reader_format(r),
                       .named_format = data_reader_named_format(r),
                       .bytes = data_reader_size(r)};
    info->status = data_read(r, &info->record, &info->error);
    if (!info->bytes) info->bytes = data_reader_drain(r);
    info->has_checksums = data_checksums_path(path, checksums, NULL) && !access(checksums, R_OK);
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
        if (fields >> i & 1) printf("%s%s", comma, data_field_name(i)), comma = ", ";
    puts(*comma ? "" : "nothing");
}

static void print_info(const FileInfo *i) {
    char fen[FEN_MAX], move[UCI_MAX];
    printf("%s: %s", i->path, i->format->name);
    if (i->named_format) printf(", not %s as its name says (--from %s)", i->named_format->name, i->named_format->name);
    printf("\n  %s\n  %ju bytes", i->format->description, (uintmax_t)i->bytes);
    if (i->format->record_bytes) printf(", %ju records", (uintmax_t)(i->bytes / i->format->record_bytes));
    if (i->format->record_bytes && i->bytes % i->format->record_bytes)
        printf(" and %ju bytes more", (uintmax_t)(i->bytes % i->format->record_bytes));
    puts(i->has_checksums ? ", checksums beside it" : "");
    if (i->status == DATA_READ_OK) {
        fen_write(&i->record.position, FEN_STANDARD, fen);
        printf("  first: %s; move %s, ", fen, move_text(&i->record, move));
        i->record.skip ? printf("no score") : printf("score %d", i->record.score);
        printf(", result %d, ply %u\n", i->record.result, i->record.ply);
    } else {
        printf("  first: %s\n", i->status == DATA_READ_END ? "no record" : i->error.text);
    }
    print_fields("stores: ", i->format->fields);
    print_fields("loses: ", data_lost_fields(i->format, NULL));
    printf("  limits: %s\n", i->format->limits);
}

static void info_json(Json *j, const FileInfo *i) {
    char fen[FEN_MAX], move[UCI_MAX];
    tabia_json_object(j, NULL);
    tabia_json_text(j, "file", i->path);
    tabia_json_text(j, "format", i->format->name);
    if (i->named_format) tabia_json_text(j, "named", i->named_format->name);
    tabia_json_count(j, "bytes", i->bytes);
    if (i->format->record_bytes) tabia_json_count(j, "records", i->bytes / i->format->record_bytes);
    tabia_json_boolean(j, "checksums", i->has_checksums);
    tabia_json_array(j, "fields");
    for (unsigned k = 0; k < DATA_FIELDS_N; k++)
        if (i->format->fields >> k & 1) tabia_json_text(j, NULL, data_field_name(k));
    tabia_json_close(j);
    tabia_json_text(j, "limits", i->format->limits);
    if (i->status == DATA_READ_OK) {
        fen_write(&i->record.position, FEN_STANDARD, fen);
        tabia_json_object(j, "first");
        tabia_json_text(j, "fen", fen);
        tabia_json_text(j, "move", move_text(&i->record, move));
        tabia_json_integer(j, "score", i->record.score);
        tabia_json_integer(j, "result", i->record.result);
        tabia_json_count(j, "ply", i->record.ply);
        tabia_json_close(j);
    }
    if (i->status == DATA_READ_BAD_RECORD || i->status == DATA_READ_ERROR) tabia_json_text(j, "fault", i->error.text);
    tabia_json_close(j);
}

int data_info_command(int argc, char **argv) {
    DataCommandLine line;
    TabiaError error;
    FileInfo info;
    Json j;
    const DataCommand command = {"data info", ACCEPTS_JSON, NULL};
    if (!data_line_parse(&line, argc, argv, &command, &error)) return report_error(line.command, &error, EXIT_USAGE);
    int status = EXIT_GOOD;
    if (line.report.json) {
        json_document(&j, line.command);
        tabia_json_array(&j, "files");
    }
    for (unsigned i = 0; i < line.input.count; i++) {
        const bool seen = inspect_file(&info, line.input.paths[i], line.input.format, &error);
        if (tabia_stop_requested()) {
            if (line.report.json) tabia_json_discard(&j);
            return EXIT_STOPPED;
        }
        if (!seen)
            status = report_error(line.command, &error, EXIT_USAGE);
        else if (line.report.json)
            info_json(&j, &info);
        else
            print_info(&info);
    }
    if (!line.report.json) return status;
    return tabia_json_end(&j, &error) ? status : report_error(line.command, &error, EXIT_OUTSIDE);
}

/* ---- verify ---- */

typedef struct {
    DataCommandLine line;
    Json json;
    const char *path;
    uint64_t shown;
} VerifyState;

static void print_fault(void *context, unsigned kind, const char *text) {
    VerifyState *v = context;
    if (v->shown++ >= v->line.report.faults) return;
    if (v->line.report.json) {
        tabia_json_object(&v->json, NULL);
        tabia_json_text(&v->json, "kind", data_fault_name(kind));
        tabia_json_text(&v->json, "fault", text);
        tabia_json_close(&v->json);
        return;
    }
    tabia_progress_end(&v->line.progress);
    printf("%s: %s\n", v->path, text);
}

static void show_progress(void *context, const DataProgress *progress) {
    data_line_progress(&((VerifyState *)context)->line, progress);
}

/* Those of the kinds, as bits. */
static void print_faults(const DataCheckReport *d, uint64_t kinds, const char *before) {
    for (unsigned i = 0; i < DATA_FAULTS_N; i++)
        if (d->faults[i] && kinds >> i & 1)
            printf("%s%ju %s", before, (uintmax_t)d->faults[i], data_fault_name(i)), before = ", ";
}

static void print_check_report(const VerifyState *v, const DataCheckReport *d) {
    const uint64_t ignored = v->line.report.ignored;
    printf("%s: %s", v->path, d->format->name);
    if (d->named_format) printf(" (not %s as its name says; --from %s)", d->named_format->name, d->named_format->name);
    printf(", %ju records, ", (uintmax_t)d->records);
    if (d->format->fields & DATA_GAME_STARTS) printf("%ju games, ", (uintmax_t)d->games);
    printf("%ju bytes: ", (uintmax_t)d->bytes);
    if (!d->fault_count) fputs("no fault", stdout);
    print_faults(d, ~ignored, "");
    if (d->fault_count) printf(": %ju fault%s", (uintmax_t)d->fault_count, d->fault_count == 1 ? "" : "s");
    print_faults(d, ignored, "; ignored: ");
    if (d->skipped) printf("; %ju marked to be skipped", (uintmax_t)d->skipped);
    if (d->has_checksums)
        printf("; checksums: %ju blocks%s", (uintmax_t)d->checksums.blocks, d->checksums.complete ? "" : " are valid");
    puts("");
}

static void check_report_json(Json *j, const DataCheckReport *d) {
    tabia_json_text(j, "format", d->format->name);
    if (d->named_format) tabia_json_text(j, "named", d->named_format->name);
    tabia_json_count(j, "records", d->records);
    tabia_json_count(j, "games", d->games);
    tabia_json_count(j, "bytes", d->bytes);
    tabia_json_count(j, "skipped", d->skipped);
    tabia_json_boolean(j, "complete", !tabia_stop_requested());
    tabia_json_count(j, "fault_count", d->fault_count);
    tabia_json_count(j, "ignored_count", d->ignored_count);
    tabia_json_object(j, "faults_by_kind");
    for (unsigned i = 0; i < DATA_FAULTS_N; i++) tabia_json_count(j, data_fault_name(i), d->faults[i]);
    tabia_json_close(j);
    if (!d->has_checksums) return;
    tabia_json_count(j, "valid_blocks", d->checksums.blocks);
    tabia_json_boolean(j, "checksums_valid", d->checksums.complete);
}

/* The exit status of one file. */
static int verify_file(VerifyState *v, const char *path) {
    const DataCheckOptions check = {
        .ignored = v->line.report.ignored, .on_fault = print_fault, .on_progress = show_progress, .context = v};
    DataCheckReport report;
    TabiaError error = {0};
    v->path = path;
    v->shown = 0;
    tabia_progress_again(&v->line.progress);
    if (v->line.report.json) {
        tabia_json_object(&v->json, NULL);
        tabia_json_text(&v->json, "file", path);
        tabia_json_array(&v->json, "faults");
    }
    const DataOutcome outcome = data_check_file(path, v->line.input.format, &check, &report, &error);
    tabia_progress_end(&v->line.progress);
    if (v->line.report.json) {
        tabia_json_close(&v->json);
        if (report.format) check_report_json(&v->json, &report);
        tabia_json_close(&v->json);
    } else if (outcome == DATA_DONE) {
        print_check_report(v, &report);
    }
    if (outcome != DATA_DONE) return data_line_finish(&v->line, outcome, &error);
    return report.fault_count ? EXIT_DIFFERS : EXIT_GOOD;
}

int data_verify_command(int argc, char **argv) {
    VerifyState v = {.shown = 0};
    TabiaError error;
    const DataCommand command = {"data verify", ACCEPTS_JSON | ACCEPTS_FAULTS | ACCEPTS_QUIET, NULL};
    if (!data_line_parse(&v.line, argc, argv, &command, &error))
        return report_error(v.line.command, &error, EXIT_USAGE);
    int status = EXIT_GOOD;
    option_progress_begin(&v.line.progress, v.line.report.quiet, v.line.report.progress, "records");
    if (v.line.report.json) {
        json_document(&v.json, v.line.command);
        tabia_json_array(&v.json, "files");
    }
    for (unsigned i = 0; i < v.line.input.count && status != EXIT_STOPPED; i++) {
        const int one = verify_file(&v, v.line.input.paths[i]);
        if (one > status) status = one;
    }
    if (!v.line.report.json) return status;
    return tabia_json_end(&v.json, &error) ? status : report_error(v.line.command, &error, EXIT_OUTSIDE);
}
