/* SPDX-License-Identifier: MIT */
#include "audit_sheet.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum { TEXT_MAX = 64 };

bool sheet_add(Sheet *s, const Cell *row) {
    assert(s->columns > 0 && s->rows <= s->room);
    if (s->rows == s->room) {
        const unsigned room = s->room ? 2 * s->room : 16;
        Cell *more = realloc(s->cell, room * s->columns * sizeof *more);
        if (!more) return false;
        s->cell = more, s->room = room;
    }
    memcpy(s->cell + s->rows++ * s->columns, row, s->columns * sizeof *row);
    return true;
}

const Cell *sheet_cell(const Sheet *s, unsigned row, unsigned column) {
    assert(row < s->rows && column < s->columns);
    return &s->cell[row * s->columns + column];
}

void sheet_free(Sheet *s) {
    free(s->cell);
    s->cell = NULL;
    s->rows = s->room = 0;
}

/* ---- as text ---- */

static void bytes_text(uint64_t bytes, char out[TEXT_MAX]) {
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    unsigned u = 0;
    while (u < 4 && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, u++;
    snprintf(out, TEXT_MAX, "%" PRIu64 " %s", bytes, unit[u]);
}

static void cell_text(const Cell *c, CellKind kind, char out[TEXT_MAX]) {
    if (kind >= CELL_SHARE && !isfinite(c->real)) {
        memcpy(out, "-", sizeof "-");
        return;
    }
    switch (kind) {
    case CELL_TEXT:
        snprintf(out, TEXT_MAX, "%s", c->text);
        return;
    case CELL_NUMBER:
        snprintf(out, TEXT_MAX, "%" PRIu64, c->number);
        return;
    case CELL_BYTES:
        bytes_text(c->number, out);
        return;
    case CELL_SHARE:
        snprintf(out, TEXT_MAX, "%.2f %%", 100 * c->real);
        return;
    case CELL_RATE:
        snprintf(out, TEXT_MAX, c->real == 0 ? "0" : "%.3e", c->real);
        return;
    case CELL_RATIO:
        snprintf(out, TEXT_MAX, "%.3f", c->real);
        return;
    }
}

static int column_width(const Sheet *s, unsigned column) {
    char text[TEXT_MAX];
    size_t width = strlen(s->column[column].head);
    for (unsigned r = 0; r < s->rows; r++) {
        cell_text(sheet_cell(s, r, column), s->column[column].kind, text);
        if (strlen(text) > width) width = strlen(text);
    }
    return (int)width;
}

/* Texts to the left, numbers to the right; no blanks at a line's end. */
static void print_one(const Sheet *s, unsigned column, const char *text, FILE *out) {
    const int width = column_width(s, column);
    if (column) fputs("   ", out);
    if (s->column[column].kind != CELL_TEXT)
        fprintf(out, "%*s", width, text);
    else if (column + 1 < s->columns)
        fprintf(out, "%-*s", width, text);
    else
        fputs(text, out);
}

void sheet_print(const Sheet *s, FILE *out) {
    char text[TEXT_MAX];
    fprintf(out, "%s: %s\n", s->name, s->title);
    for (unsigned c = 0; c < s->columns; c++) print_one(s, c, s->column[c].head, out);
    fputc('\n', out);
    for (unsigned r = 0; r < s->rows; r++) {
        for (unsigned c = 0; c < s->columns; c++) {
            cell_text(sheet_cell(s, r, c), s->column[c].kind, text);
            print_one(s, c, text, out);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

/* ---- as JSON ---- */

void sheet_json(const Sheet *s, Json *j) {
    tabia_json_array(j, s->name);
    for (unsigned r = 0; r < s->rows; r++) {
        tabia_json_object(j, NULL);
        for (unsigned c = 0; c < s->columns; c++) {
            const Cell *cell = sheet_cell(s, r, c);
            if (s->column[c].kind == CELL_TEXT)
                tabia_json_text(j, s->column[c].json, cell->text);
            else if (s->column[c].kind <= CELL_BYTES)
                tabia_json_count(j, s->column[c].json, cell->number);
            else
                tabia_json_real(j, s->column[c].json, cell->real);
        }
        tabia_json_close(j);
    }
    tabia_json_close(j);
}

/* ---- as a plot ---- */

static double plot_value(const Sheet *s, unsigned row, int column) {
    const Cell *c = sheet_cell(s, row, (unsigned)column);
    if (s->column[column].kind < CELL_SHARE) return (double)c->number;
    return s->column[column].kind == CELL_SHARE ? 100 * c->real : c->real;
}

/* Moves the last of n points to where its x belongs. */
static void sort_in(double *x, double *y, unsigned n) {
    assert(n > 0);
    for (unsigned i = n - 1; i && x[i - 1] > x[i]; i--) {
        const double x_before = x[i - 1], y_before = y[i - 1];
        x[i - 1] = x[i], y[i - 1] = y[i];
        x[i] = x_before, y[i] = y_before;
    }
}

/* The points of one line from left to right, into x and y; how many. */
static unsigned points(const Sheet *s, const char *series, int y_column, double *x, double *y) {
    const SheetPlot *p = s->plot;
    unsigned n = 0;
    for (unsigned r = 0; r < s->rows; r++) {
        if (series && strcmp(sheet_cell(s, r, (unsigned)p->series)->text, series)) continue;
        x[n] = plot_value(s, r, p->x), y[n] = plot_value(s, r, y_column);
        if (isfinite(y[n]) && (!p->y_log || y[n] > 0) && (!p->x_log || x[n] > 0)) sort_in(x, y, ++n);
    }
    return n;
}

enum { LINES_MAX = 8 };

/* Room for the lines of one plot: each has s->rows points at most. */
typedef struct {
    PlotLine line[LINES_MAX];
    double *at;
} SheetRows;

static void add_line(const Sheet *s, SheetRows *lines, unsigned *n, const char *series, int y_column,
                     const char *name) {
    if (*n == LINES_MAX) return;
    double *x = lines->at + 2 * *n * s->rows, *y = x + s->rows;
    const unsigned count = points(s, series, y_column, x, y);
    if (count) lines->line[(*n)++] = (PlotLine){.name = name, .n = count, .x = x, .y = y};
}

static bool make_plot(const Sheet *s, Plot *plot, SheetRows *lines) {
    const SheetPlot *p = s->plot;
    unsigned n = 0;
    lines->at = malloc(2 * LINES_MAX * (s->rows + 1) * sizeof *lines->at);
    if (!lines->at) return false;
    if (p->series < 0) add_line(s, lines, &n, NULL, p->y, s->column[p->y].head);
    for (unsigned r = 0; p->series >= 0 && r < s->rows; r++) {
        const char *series = sheet_cell(s, r, (unsigned)p->series)->text;
        unsigned before = 0;
        while (strcmp(sheet_cell(s, before, (unsigned)p->series)->text, series)) before++;
        if (before == r) add_line(s, lines, &n, series, p->y, series);
    }
    const char *of = p->series >= 0 ? sheet_cell(s, 0, (unsigned)p->series)->text : NULL;
    EACH (column, p->also) add_line(s, lines, &n, of, (int)column, s->column[column].head);
    const char *x_label = s->column[p->x].kind == CELL_BYTES ? "bytes of the table" : s->column[p->x].head;
    *plot = (Plot){.title = s->title,
                   .x_label = x_label,
                   .y_label = p->y_label,
                   .style = p->stacked ? PLOT_AREAS : PLOT_CURVES,
                   .x_log = p->x_log,
                   .y_log = p->y_log,
                   .x_bytes = s->column[p->x].kind == CELL_BYTES,
                   .line = lines->line,
                   .lines = n};
    return true;
}

bool sheets_plot(const Sheet *s, unsigned n, const char *path, TabiaError *error) {
    Plot *plot = calloc(n + 1, sizeof *plot);
    SheetRows *lines = calloc(n + 1, sizeof *lines);
    unsigned made = 0;
    bool good = plot && lines;
    for (unsigned i = 0; good && i < n; i++)
        if (s[i].plot && s[i].rows) good = make_plot(&s[i], &plot[made], &lines[made]), made += good;
    if (!good)
        tabia_fail(error, "not enough memory for the plots");
    else
        good = made ? plot_write(plot, made, path, error) : tabia_fail(error, "--plot: nothing that could be drawn");
    for (unsigned i = 0; lines && i < made; i++) free(lines[i].at);
    free(plot);
    free(lines);
    return good;
}
