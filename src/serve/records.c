/* SPDX-License-Identifier: MIT */
#include "serve/records.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "data/cursor.h"
#include "data/filter.h"
#include "data/filter_rules.h"
#include "data/format.h"
#include "data/recognize.h"
#include "data/stats.h"
#include "notation/fen.h"
#include "serve/answer.h"
#include "serve/task.h"

enum { RECORDS_AT_ONCE_MAX = 400, RECORDS_STRIDE = 1 << 16, STATISTICS_STRIDE = 1 << 12 };

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
    return tabia_fail(&error, "no such file was named on the command line"), answer_error(request, &error), false;
}

/* ---- the rules of a filter ---- */

/* The rules of a filter among a request's arguments: those that are certain (data/filter_rules.h). False with an error. */
static bool read_rules(FilterRules *rules, const HttpRequest *request, TabiaError *error) {
    *rules = filter_rules_none();
    for (unsigned i = 0; i < filter_rule_count(); i++) {
        const FilterRule rule = filter_rule(i);
        const char *text = rule.is_certain ? http_argument(request, rule.name) : NULL;
        if (text && !filter_rule_set(rules, i, text, error)) return false;
    }
    return true;
}

/* Can a file of this format (NULL: not known yet) be filtered by them? False with an error. */
static bool rules_fit(const FilterRules *rules, const DataFormat *format, TabiaError *error) {
    if (!format || format->fields & DATA_MOVE || !filter_rules_need_moves(rules)) return true;
    return tabia_fail(error, "a rule asks for moves, and %s stores none", format->name);
}

void records_answer_rules(void *unused, HttpRequest *request) {
    (void)unused;
    Answer a;
    if (!answer_begin_reply(&a, request)) return;
    tabia_json_array(&a.json, "rules");
    for (unsigned i = 0; i < filter_rule_count(); i++) {
        const FilterRule rule = filter_rule(i);
        if (!rule.is_certain) continue;
        tabia_json_object(&a.json, NULL);
        tabia_json_text(&a.json, "name", rule.name);
        tabia_json_text(&a.json, "words", rule.words);
        tabia_json_boolean(&a.json, "is_switch", rule.is_switch);
        tabia_json_close(&a.json);
    }
    tabia_json_close(&a.json);
    answer_reply(&a, request);
}

/* ---- records ---- */

static void write_record(Json *j, uint64_t number, const DataRecord *r, const FilterRules *rules) {
    const char *removed = filter_removes(rules, r);
    char fen[FEN_MAX];
    fen_write(&r->position, FEN_STANDARD, fen);
    tabia_json_object(j, NULL);
    tabia_json_count(j, "number", number);
    tabia_json_text(j, "fen", fen);
    if (r->move) answer_move(j, &r->position, r->move);
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
    if (status == DATA_READ_OK && !rules_fit(&r->range.rules, format, &error)) status = DATA_READ_BAD_RECORD;
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
    if (!read_rules(&range.rules, request, &error)) return answer_error(request, &error);
    task_end(&r->task);
    r->range = range;
    task_start(&r->task, request, HTTP_JSON, send_records, r);
}

/* ---- statistics ---- */

/* What is read, and what is not counted. */
typedef struct {
    DataReader *reader;
    const FilterRules *rules;
    DataStats *stats;
    uint64_t bad, removed;
    bool failed;
    bool starts_game; /* a record that was removed started the game that goes on */
} Reading;

static void write_counts(Json *j, const char *key, const uint64_t *count, unsigned n) {
    tabia_json_array(j, key);
    for (unsigned i = 0; i < n; i++) tabia_json_count(j, NULL, count[i]);
    tabia_json_close(j);
}

static void write_histograms(Json *j, const DataStats *s) {
    tabia_json_array(j, "histograms");
    for (unsigned i = 0; i < DATA_HISTOGRAMS_N; i++) {
        const DataHistogramShape *shape = data_histogram_shape(i);
        const DataHistogram *h = &s->histogram[i];
        tabia_json_object(j, NULL);
        tabia_json_text(j, "title", shape->title);
        tabia_json_text(j, "description", shape->description);
        tabia_json_integer(j, "min", shape->min);
        tabia_json_integer(j, "width", shape->width);
        tabia_json_real(j, "mean", data_histogram_mean(h));
        tabia_json_real(j, "deviation", data_histogram_deviation(h));
        write_counts(j, "bins", h->bin, (unsigned)shape->bins);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

static void write_tables(Json *j, const DataStats *s) {
    tabia_json_array(j, "tables");
    for (unsigned i = 0; i < GAME_TABLES_N; i++) {
        const DataTableShape *shape = data_table_shape(i);
        tabia_json_object(j, NULL);
        tabia_json_text(j, "title", shape->title);
        tabia_json_integer(j, "columns", shape->columns);
        tabia_json_array(j, "names");
        for (unsigned cell = 0; cell < shape->cells; cell++) {
            char name[GAME_CELL_NAME_MAX];
            game_cell_name(i, cell, name);
            tabia_json_text(j, NULL, name);
        }
        tabia_json_close(j);
        write_counts(j, "cells", s->table[i].cell, shape->cells);
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

static void send_part(const DataReader *reader, const DataStats *s, Stream *stream) {
    const uint64_t size = data_reader_size(reader);
    Answer a;
    if (!answer_begin(&a, "part")) return;
    tabia_json_real(&a.json, "part", size ? (double)data_reader_offset(reader) / (double)size : 0);
    tabia_json_count(&a.json, "records", s->records);
    answer_send(&a, stream);
}

static void send_all(const Reading *r, Stream *stream) {
    const DataStats *s = r->stats;
    Answer a;
    if (!answer_begin(&a, "done")) return;
    Json *j = &a.json;
    tabia_json_count(j, "records", s->records);
    tabia_json_count(j, "bad_records", r->bad);
    tabia_json_count(j, "removed", r->removed);
    tabia_json_count(j, "games", s->games);
    write_counts(j, "results", s->result, 3);
    write_counts(j, "white_results", s->white_result, 3);
    write_histograms(j, s);
    write_tables(j, s);
    answer_send(&a, stream);
}

/* Reads some records. False: the input has ended, or is read no further. */
static bool read_some(Reading *r, TabiaError *error) {
    DataRecord record;
    for (unsigned i = 0; i < STATISTICS_STRIDE; i++) {
        const DataReadStatus status = data_read(r->reader, &record, error);
        r->failed = status == DATA_READ_ERROR;
        if (status == DATA_READ_END || r->failed) return false;
        if (status == DATA_READ_BAD_RECORD) {
            r->bad++;
        } else if (filter_removes(r->rules, &record)) {
            r->removed++;
            r->starts_game |= record.starts_game;
        } else {
            record.starts_game |= r->starts_game;
            r->starts_game = false;
            data_stats_add(r->stats, &record);
        }
    }
    return true;
}

/* To the end, or until the page is gone. */
static void read_all(Reading *r, Task *task) {
    TabiaError error = {.code = 0};
    double sent = tabia_clock_wall();
    while (read_some(r, &error)) {
        if (task_is_over(task)) return;
        if (tabia_clock_wall() - sent < 0.2) continue;
        sent = tabia_clock_wall();
        send_part(r->reader, r->stats, task->stream);
    }
    data_stats_end(r->stats);
    if (!r->failed && rules_fit(r->rules, data_reader_format(r->reader), &error))
        send_all(r, task->stream);
    else
        answer_send_error(task->stream, &error);
}

static void send_statistics(void *records, Stream *stream) {
    Records *r = records;
    TabiaError error;
    Reading reading = {.reader = data_reader_open(r->names[r->range.file], NULL, &error),
                       .rules = &r->range.rules,
                       .stats = calloc(1, sizeof *reading.stats)};
    if (reading.reader && reading.stats)
        read_all(&reading, &r->task);
    else if (!reading.reader)
        answer_send_error(stream, &error);
    free(reading.stats);
    data_reader_close(reading.reader);
}

void records_answer_statistics(void *records, HttpRequest *request) {
    Records *r = records;
    TabiaError error;
    RecordsRange range = {0};
    if (!read_file_number(r, request, &range.file)) return;
    if (!read_rules(&range.rules, request, &error)) return answer_error(request, &error);
    task_end(&r->task);
    r->range = range;
    task_start(&r->task, request, HTTP_EVENTS, send_statistics, r);
}
