/* SPDX-License-Identifier: MIT */
/* tabia data stats: how what is in data files is distributed, as text or JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "data/stats.h"
#include "data_commands.h"
#include "json_document.h"
#include "options.h"

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ---- text ---- */

/* Rows of more than one bin where there are many. */
static void print_histogram(const DataStats *s, unsigned number) {
    enum { ROWS = 21, WIDTH = 50 };
    const DataHistogramShape *shape = data_histogram_shape(number);
    const DataHistogram *h = &s->histogram[number];
    const int step = (shape->bins + ROWS - 1) / ROWS;
    uint64_t row[ROWS] = {0}, max = 1;
    printf("\n%s, %s: mean %.4g, deviation %.4g, from %jd to %jd\n", shape->title, shape->description,
           data_histogram_mean(h), data_histogram_deviation(h), (intmax_t)h->min, (intmax_t)h->max);
    for (int i = 0; i < shape->bins; i++) row[i / step] += h->bin[i];
    for (int i = 0; i < ROWS; i++) max = row[i] > max ? row[i] : max;
    for (int i = 0; i < ROWS && i * step < shape->bins; i++) {
        char bar[WIDTH + 1] = "";
        memset(bar, '#', (size_t)((double)row[i] / (double)max * WIDTH + 0.5));
        printf("%7d %6.2f %% %s\n", shape->min + i * step * shape->width, percent(row[i], h->count), bar);
    }
}

/* Each cell's share of all in the table: squares as a board, others in a row. */
static void print_table(const DataStats *s, unsigned number) {
    const DataTableShape *shape = data_table_shape(number);
    char name[GAME_CELL_NAME_MAX];
    uint64_t all = 0;
    for (unsigned i = 0; i < shape->cells; i++) all += s->table[number].cell[i];
    if (!all) return;
    printf("\n%s, percent\n", shape->title);
    for (unsigned row = shape->cells / shape->columns; row-- > 0;) {
        for (unsigned i = 0; i < shape->columns; i++) {
            const unsigned cell = row * shape->columns + i;
            game_cell_name(number, cell, name);
            printf("  %s %5.2f", name, percent(s->table[number].cell[cell], all));
        }
        puts("");
    }
}

static void print_results(const char *of, const uint64_t result[3], uint64_t all) {
    printf("%s wins %.2f %%, draws %.2f %%, loses %.2f %%\n", of, percent(result[2], all), percent(result[1], all),
           percent(result[0], all));
}

static void print_text(const DataStats *s) {
    const uint64_t counted = s->records - s->skipped;
    printf("%ju records", (uintmax_t)s->records);
    if (s->with_move) printf(", %ju games (runs of records that follow each other)", (uintmax_t)s->games);
    if (s->skipped)
        printf("; %ju marked to be skipped, which count in the length of games only", (uintmax_t)s->skipped);
    puts("");
    print_results("the side to move", s->result, counted);
    print_results("white", s->white_result, counted);
    for (unsigned i = 0; i < GAME_PROPERTIES_N; i++) {
        const DataProperty *property = data_property(i);
        printf("%s%s %.2f %%", i ? ", " : "", property->words,
               percent(s->property[i], property->of_move ? s->with_move : counted));
    }
    puts("");
    for (unsigned i = 0; i < DATA_HISTOGRAMS_N; i++)
        if (i != DATA_HISTOGRAM_length || s->with_move) print_histogram(s, i);
    for (unsigned i = 0; i < GAME_TABLES_N; i++) print_table(s, i);
}

/* ---- JSON ---- */

static void histogram_json(Json *j, const DataStats *s, unsigned number) {
    const DataHistogramShape *shape = data_histogram_shape(number);
    const DataHistogram *h = &s->histogram[number];
    tabia_json_object(j, shape->name);
    tabia_json_real(j, "mean", data_histogram_mean(h));
    tabia_json_real(j, "deviation", data_histogram_deviation(h));
    tabia_json_integer(j, "min", h->min);
    tabia_json_integer(j, "max", h->max);
    tabia_json_integer(j, "first_bin", shape->min);
    tabia_json_integer(j, "bin_width", shape->width);
    tabia_json_array(j, "bins");
    for (int i = 0; i < shape->bins; i++) tabia_json_count(j, NULL, h->bin[i]);
    tabia_json_close(j);
    tabia_json_close(j);
}

static void table_json(Json *j, const DataStats *s, unsigned number) {
    const DataTableShape *shape = data_table_shape(number);
    char name[GAME_CELL_NAME_MAX];
    tabia_json_object(j, shape->name);
    for (unsigned i = 0; i < shape->cells; i++) {
        game_cell_name(number, i, name);
        tabia_json_count(j, name, s->table[number].cell[i]);
    }
    tabia_json_close(j);
}

static void results_json(Json *j, const char *key, const uint64_t result[3]) {
    tabia_json_object(j, key);
    tabia_json_count(j, "lost", result[0]);
    tabia_json_count(j, "drawn", result[1]);
    tabia_json_count(j, "won", result[2]);
    tabia_json_close(j);
}

static bool print_json(const DataStats *s, const DataSource *source, TabiaError *error) {
    Json j;
    json_document(&j, "data stats");
    tabia_json_count(&j, "records", s->records);
    tabia_json_count(&j, "skipped", s->skipped);
    tabia_json_count(&j, "bad", source->position.bad);
    tabia_json_count(&j, "games", s->games);
    results_json(&j, "side_to_move", s->result);
    results_json(&j, "white", s->white_result);
    tabia_json_count(&j, "with_move", s->with_move);
    for (unsigned i = 0; i < GAME_PROPERTIES_N; i++) tabia_json_count(&j, data_property(i)->name, s->property[i]);
    for (unsigned i = 0; i < DATA_HISTOGRAMS_N; i++) histogram_json(&j, s, i);
    for (unsigned i = 0; i < GAME_TABLES_N; i++) table_json(&j, s, i);
    tabia_json_array(&j, "half_points_by_score_bin");
    for (int i = 0; i < data_histogram_shape(DATA_HISTOGRAM_score)->bins; i++)
        tabia_json_count(&j, NULL, s->half_points[i]);
    return tabia_json_end(&j, error);
}

int data_stats_command(int argc, char **argv) {
    DataCommandLine line;
    TabiaError error;
    DataRecord r;
    const DataCommand command = {"data stats", ACCEPTS_JSON | ACCEPTS_SKIP_BAD | ACCEPTS_QUIET, NULL};
    if (!data_line_parse(&line, argc, argv, &command, &error)) return report_error(line.command, &error, EXIT_USAGE);
    DataStats *s = calloc(1, sizeof *s);
    if (!s) return tabia_fail(&error, "no memory"), report_error(line.command, &error, EXIT_OUTSIDE);
    DataSource source = data_line_source(&line);
    while (data_source_next(&source, &r, &error)) data_stats_add(s, &r);
    data_stats_end(s);
    data_source_close(&source);
    DataOutcome outcome = source.outcome;
    tabia_progress_end(&line.progress);
    const bool counted = outcome == DATA_DONE || outcome == DATA_STOPPED;
    if (counted && line.report.json && !print_json(s, &source, &error)) outcome = DATA_SYSTEM_ERROR;
    if (counted && !line.report.json) print_text(s), data_report_bad(&source);
    free(s);
    return data_line_finish(&line, outcome, &error);
}
