/* SPDX-License-Identifier: MIT */
#include "serve/records.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "data/cursor.h"
#include "data/filter.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "serve/answer.h"
#include "serve/served_filter.h"
#include "serve/statistics.h"
#include "serve/task.h"

enum { RECORDS_AT_ONCE_MAX = 400, RECORDS_STRIDE = 1 << 16 };

/* What is read, one request at a time. */
typedef struct {
    unsigned file;
    uint64_t from, count;
    bool next_game, next_kept;
    FilterRules rules;
} RecordsRange;

struct Records {
    const char *const *names;
    unsigned n;
    DataCursor *cursors; /* of the files, the task's */
    RecordsRange range;
    Task task;
};

Records *records_create(const char *const *names, unsigned n) {
    Records *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (Records){.names = names, .n = n, .cursors = calloc(n + 1, sizeof *r->cursors)};
    if (!r->cursors) return free(r), NULL;
    for (unsigned i = 0; i < n; i++) r->cursors[i].path = names[i];
    return r;
}

void records_destroy(Records *r) {
    if (!r) return;
    task_end(&r->task);
    for (unsigned i = 0; i < r->n; i++) data_cursor_close(&r->cursors[i]);
    free(r->cursors);
    free(r);
}

/* ---- which files ---- */

void records_answer_files(void *records, HttpRequest *request) {
    const Records *r = records;
    Answer a;
    if (!answer_begin_reply(&a, request)) return;
    tabia_json_array(&a.json, "files");
    for (unsigned i = 0; i < r->n; i++) {
        const char *slash = strrchr(r->names[i], '/');
        tabia_json_text(&a.json, NULL, slash ? slash + 1 : r->names[i]);
    }
    tabia_json_close(&a.json);
    answer_reply(&a, request);
}

/* False: there is no such file, and that was replied. */
static bool read_file_number(const Records *r, HttpRequest *request, unsigned *file) {
    TabiaError error;
    uint64_t n;
    const bool good = r->n && http_number(request, "file", 0, r->n - 1, 0, &n);
    if (good) return *file = (unsigned)n, true;
    tabia_fail(&error, "no such file was named on the command line");
    answer_error(request, &error);
    return false;
}

/* ---- records ---- */

static void write_record(Json *j, uint64_t number, const DataRecord *r, const FilterRules *rules) {
    const char *removed = filter_removes(rules, r);
    char fen[FEN_MAX], move[UCI_MAX], san[SAN_MAX];
    fen_write(&r->position, FEN_STANDARD, fen);
    tabia_json_object(j, NULL);
    tabia_json_count(j, "number", number);
    tabia_json_text(j, "fen", fen);
    if (r->move) {
        move_to_uci(&r->position, r->move, false, move);
        move_to_san(&r->position, r->move, san);
        tabia_json_text(j, "move", move);
        tabia_json_text(j, "san", san);
    }
    if (!r->skip) tabia_json_integer(j, "score", r->score);
    tabia_json_integer(j, "result", r->result);
    tabia_json_integer(j, "ply", r->ply);
    tabia_json_boolean(j, "starts_game", r->starts_game);
    if (removed) tabia_json_text(j, "removed", removed);
    tabia_json_close(j);
}

/* Reads up to record n - 1 in strides, so that the work can be ended. False: it was. */
static bool come_near(Records *r, DataCursor *c, uint64_t n) {
    DataRecord record;
    DataReadStatus status = DATA_READ_OK;
    for (;;) {
        const uint64_t at = c->reader ? data_reader_record_count(c->reader) : 0;
        if (task_is_over(&r->task)) return false;
        if (at >= n || n - at <= RECORDS_STRIDE || status == DATA_READ_END || status == DATA_READ_ERROR) return true;
        status = data_cursor_read(c, at + RECORDS_STRIDE, &record, NULL);
    }
}

static bool is_wanted(const RecordsRange *range, const DataRecord *record) {
    return (!range->next_game || record->starts_game) && (!range->next_kept || !filter_removes(&range->rules, record));
}

/* Finds the first record that starts a game, or that the filter keeps. */
static void find_wanted(Records *r, DataCursor *c, uint64_t *n) {
    DataRecord record;
    for (;; ++*n) {
        const DataReadStatus status = data_cursor_read(c, *n, &record, NULL);
        if (status == DATA_READ_OK ? is_wanted(&r->range, &record) : status != DATA_READ_BAD_RECORD) return;
        if (task_is_over(&r->task)) return;
    }
}

/* Records are written from number n on; a bad one ends them, with a word. */
static void write_records(Records *r, DataCursor *c, Json *j, uint64_t n) {
    DataReadStatus status = DATA_READ_OK;
    TabiaError error;
    tabia_json_array(j, "records");
    for (uint64_t i = 0; i < r->range.count && status == DATA_READ_OK; i++) {
        DataRecord record;
        status = data_cursor_read(c, n + i, &record, &error);
        if (status == DATA_READ_OK) write_record(j, n + i, &record, &r->range.rules);
    }
    tabia_json_close(j);
    const DataFormat *format = c->reader ? data_reader_format(c->reader) : NULL;
    if (status == DATA_READ_OK && !served_filter_fits(&r->range.rules, format, &error)) status = DATA_READ_BAD_RECORD;
    if (status == DATA_READ_END) tabia_json_count(j, "all", data_reader_record_count(c->reader));
    if (status == DATA_READ_BAD_RECORD || status == DATA_READ_ERROR) tabia_json_text(j, "fault", error.text);
    if (c->reader) tabia_json_text(j, "format", format ? format->name : "");
}

static void send_records(void *records, Stream *stream) {
    Records *r = records;
    DataCursor *c = &r->cursors[r->range.file];
    uint64_t n = r->range.from;
    Answer a;
    if (!come_near(r, c, n) || !answer_begin(&a, NULL)) return;
    if (r->range.next_game || r->range.next_kept) find_wanted(r, c, &n);
    write_records(r, c, &a.json, n);
    answer_send(&a, stream);
}

void records_answer_records(void *records, HttpRequest *request) {
    Records *r = records;
    TabiaError error;
    RecordsRange range = {.next_game = http_argument(request, "next_game") != NULL,
                          .next_kept = http_argument(request, "next_kept") != NULL};
    if (!read_file_number(r, request, &range.file)) return;
    const bool good = http_number(request, "from", 1, UINT64_MAX / 2, 1, &range.from) &&
                      http_number(request, "count", 1, RECORDS_AT_ONCE_MAX, 100, &range.count);
    if (!good) {
        tabia_fail(&error, "from: a number from 1; count: a number from 1 to %d", RECORDS_AT_ONCE_MAX);
        return answer_error(request, &error);
    }
    if (!served_filter_read(&range.rules, request, &error)) return answer_error(request, &error);
    task_end(&r->task);
    r->range = range;
    task_start(&r->task, request, HTTP_JSON, send_records, r);
}

/* ---- statistics ---- */

static bool is_over(void *records) {
    Records *r = records;
    return task_is_over(&r->task);
}

static void send_statistics(void *records, Stream *stream) {
    Records *r = records;
    statistics_send(r->names[r->range.file], &r->range.rules, stream, is_over, r);
}

void records_answer_statistics(void *records, HttpRequest *request) {
    Records *r = records;
    TabiaError error;
    RecordsRange range = {0};
    if (!read_file_number(r, request, &range.file)) return;
    if (!served_filter_read(&range.rules, request, &error)) return answer_error(request, &error);
    task_end(&r->task);
    r->range = range;
    task_start(&r->task, request, HTTP_EVENTS, send_statistics, r);
}
