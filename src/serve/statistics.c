/* SPDX-License-Identifier: MIT */
#include "serve/statistics.h"

#include <stdlib.h>

#include "base/time.h"
#include "data/filter.h"
#include "data/recognize.h"
#include "data/stats.h"
#include "serve/answer.h"
#include "serve/served_filter.h"

enum { STATISTICS_STRIDE = 1 << 12 };

/* What is read, and what is not counted. */
typedef struct {
    DataReader *reader;
    const FilterRules *rules;
    DataStats *stats;
    uint64_t bad, removed;
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
        if (status == DATA_READ_END || status == DATA_READ_ERROR) return false;
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

static void read_all(Reading *r, Stream *stream, bool (*is_over)(void *context), void *context) {
    TabiaError error = {.code = 0};
    double sent = tabia_clock_wall();
    while (read_some(r, &error)) {
        if (is_over(context)) return;
        if (tabia_clock_wall() - sent < 0.2) continue;
        sent = tabia_clock_wall();
        send_part(r->reader, r->stats, stream);
    }
    data_stats_end(r->stats);
    if (served_filter_fits(r->rules, data_reader_format(r->reader), &error))
        send_all(r, stream);
    else
        answer_send_error(stream, &error);
}

void statistics_send(const char *file_name, const FilterRules *rules, Stream *stream, bool (*is_over)(void *context),
                     void *context) {
    TabiaError error;
    Reading r = {
        .reader = data_reader_open(file_name, NULL, &error), .rules = rules, .stats = calloc(1, sizeof *r.stats)};
    if (r.reader && r.stats)
        read_all(&r, stream, is_over, context);
    else if (!r.reader)
        answer_send_error(stream, &error);
    free(r.stats);
    data_reader_close(r.reader);
}
