/* SPDX-License-Identifier: MIT */
#include "bench_report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/threads.h"
#include "plot/plot.h"

/* ---- machine ---- */

void bench_machine(BenchMachine *m) {
    *m = (BenchMachine){.processors = tabia_threads_usable()};
    m->memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    tabia_processor_name(m->processor);
}

/* ---- text ---- */

/* Four digits, whatever the size. */
static const char *figure_text(double x, char out[24]) {
    const int decimals = !isfinite(x) || x >= 1000 ? 0 : x >= 100 ? 1 : x >= 10 ? 2 : x >= 1 ? 3 : 5;
    snprintf(out, 24, "%.*f", decimals, x);
    return out;
}

static void print_row(FILE *out, const BenchTable *t, unsigned row, int name_width) {
    char median[24], least[24], most[24];
    const BenchRow *r = &t->row[row];
    const BenchSpread figure = bench_figure(t, row), ratio = bench_ratio(t, row);
    fprintf(out, "  %-*s", name_width, r->name);
    if (r->threads)
        fprintf(out, "  %7u", r->threads);
    else
        fprintf(out, "  %7s", "");
    fprintf(out, "  %10s  %10s %10s", figure_text(figure.median, median), figure_text(figure.least, least),
            figure_text(figure.most, most));
    if (isfinite(ratio.median)) fprintf(out, "  %9.4f  %7.4f %7.4f", ratio.median, ratio.least, ratio.most);
    fputc('\n', out);
}

void bench_print(FILE *out, const BenchTable *t) {
    int width = 10;
    bool ratios = false;
    for (unsigned i = 0; i < t->rows; i++) {
        const int length = (int)strlen(t->row[i].name);
        if (length > width) width = length;
        ratios |= t->row[i].against >= 0;
    }
    fprintf(out, "%s: %s (%s; median, least and most of %u round%s)\n", bench_name(t->experiment), t->title, t->unit,
            t->rounds, t->rounds == 1 ? "" : "s");
    fprintf(out, "  %-*s  %7s  %10s  %10s %10s", width, "", "threads", t->unit, "least", "most");
    if (ratios) fprintf(out, "  %9s  %7s %7s", "times", "least", "most");
    fputc('\n', out);
    for (unsigned i = 0; i < t->rows; i++) {
        print_row(out, t, i, width);
        const bool group_ends = i + 1 < t->rows && t->row[i + 1].threads != t->row[i].threads;
        if (group_ends && t->row[i].threads) fputc('\n', out);
    }
    if (ratios)
        fprintf(out, "  times: of the nearest row above that has none, unless said otherwise; round by round\n");
    for (unsigned i = 0; i < t->notes; i++) fprintf(out, "  %s\n", t->note[i]);
    fputc('\n', out);
}

/* ---- JSON ---- */

static void json_spread(Json *json, const char *key, BenchSpread s) {
    tabia_json_object(json, key);
    tabia_json_real(json, "median", s.median);
    tabia_json_real(json, "least", s.least);
    tabia_json_real(json, "most", s.most);
    tabia_json_close(json);
}

static void json_row(Json *json, const BenchTable *t, unsigned row) {
    const BenchRow *r = &t->row[row];
    tabia_json_object(json, NULL);
    tabia_json_text(json, "name", r->name);
    if (r->threads) tabia_json_integer(json, "threads", r->threads);
    json_spread(json, "figure", bench_figure(t, row));
    if (r->against >= 0) {
        tabia_json_text(json, "against", t->row[r->against].name);
        json_spread(json, "ratio", bench_ratio(t, row));
    }
    tabia_json_array(json, "samples");
    for (unsigned i = 0; i < t->rounds; i++) tabia_json_real(json, NULL, r->sample[i]);
    tabia_json_close(json);
    tabia_json_close(json);
}

void bench_json(Json *json, const BenchTable *t) {
    tabia_json_object(json, NULL);
    tabia_json_text(json, "experiment", bench_name(t->experiment));
    tabia_json_text(json, "title", t->title);
    tabia_json_text(json, "unit", t->unit);
    tabia_json_integer(json, "rounds", t->rounds);
    tabia_json_array(json, "rows");
    for (unsigned i = 0; i < t->rows; i++) json_row(json, t, i);
    tabia_json_close(json);
    tabia_json_array(json, "notes");
    for (unsigned i = 0; i < t->notes; i++) tabia_json_text(json, NULL, t->note[i]);
    tabia_json_close(json);
    tabia_json_close(json);
}

/* ---- plots ---- */

struct BenchPlots {
    unsigned n;
    BenchTable **table;
};

BenchPlots *bench_plots_new(void) {
    return calloc(1, sizeof(BenchPlots));
}

void bench_plots_free(BenchPlots *plots) {
    for (unsigned i = 0; plots && i < plots->n; i++) free(plots->table[i]);
    if (plots) free(plots->table);
    free(plots);
}

bool bench_plots_add(BenchPlots *plots, const BenchTable *t) {
    bool threads = false;
    for (unsigned i = 0; i < t->rows; i++) threads |= t->row[i].threads > 0;
    if (!threads || !t->rounds) return true;
    BenchTable **more = realloc(plots->table, (plots->n + 1) * sizeof(BenchTable *));
    if (!more) return false;
    plots->table = more;
    if (!(more[plots->n] = malloc(sizeof *t))) return false;
    *more[plots->n++] = *t;
    return true;
}

/* A contender's name is its row's up to the comma: what follows may differ with the number of threads. */
static size_t stem(const BenchRow *r) {
    return strcspn(r->name, ",");
}

static bool same_contender(const BenchRow *a, const BenchRow *b) {
    return stem(a) == stem(b) && !strncmp(a->name, b->name, stem(a));
}

/* One plot and the room for its lines. */
typedef struct {
    Plot plot;
    PlotLine line[BENCH_ROWS_MAX];
    char name[BENCH_ROWS_MAX][sizeof((BenchRow *)0)->name], y_label[160];
    double x[BENCH_ROWS_MAX], y[BENCH_ROWS_MAX], low[BENCH_ROWS_MAX], high[BENCH_ROWS_MAX];
} Page;

/* The points of the contender that row `first` is the first of. */
static void add_line(Page *page, const BenchTable *t, unsigned first, unsigned *points) {
    assert(page->plot.lines < BENCH_ROWS_MAX && first < t->rows);
    PlotLine *line = &page->line[page->plot.lines];
    snprintf(page->name[page->plot.lines], sizeof *page->name, "%.*s", (int)stem(&t->row[first]), t->row[first].name);
    *line = (PlotLine){.name = page->name[page->plot.lines],
                       .x = page->x + *points,
                       .y = page->y + *points,
                       .low = page->low + *points,
                       .high = page->high + *points};
    for (unsigned i = first; i < t->rows; i++) {
        if (!t->row[i].threads || !same_contender(&t->row[i], &t->row[first])) continue;
        page->x[*points] = t->row[i].threads;
        const BenchSpread figure = bench_figure(t, i);
        page->y[*points] = figure.median, page->low[*points] = figure.least, page->high[*points] = figure.most;
        ++*points, line->n++;
    }
    page->plot.lines++;
}

/* Bars where there is one number of threads, otherwise curves over it. */
static PlotStyle style_of(const Page *page) {
    for (unsigned i = 0; i < page->plot.lines; i++)
        if (page->line[i].n != 1 || page->line[i].x[0] != page->line[0].x[0]) return PLOT_CURVES;
    return PLOT_BARS;
}

static void make_page(Page *page, const BenchTable *t) {
    unsigned points = 0;
    snprintf(page->y_label, sizeof page->y_label, "%s, median of %u rounds, least and most", t->unit, t->rounds);
    page->plot = (Plot){.title = t->title, .x_label = "threads", .y_label = page->y_label, .line = page->line};
    for (unsigned i = 0; i < t->rows; i++) {
        bool seen = !t->row[i].threads;
        for (unsigned j = 0; j < i && !seen; j++) seen = t->row[j].threads && same_contender(&t->row[j], &t->row[i]);
        if (!seen) add_line(page, t, i, &points);
    }
    page->plot.style = style_of(page);
}

bool bench_plots_write(const BenchPlots *plots, const char *path, TabiaError *error) {
    if (!plots->n) return tabia_fail(error, "%s: nothing was measured that could be drawn over threads", path);
    assert(plots->table);
    Page *page = calloc(plots->n, sizeof *page);
    Plot *plot = calloc(plots->n, sizeof *plot);
    bool good = (page && plot) || tabia_fail(error, "no memory for %u plots", plots->n);
    for (unsigned i = 0; i < plots->n && good; i++) {
        make_page(&page[i], plots->table[i]);
        plot[i] = page[i].plot;
    }
    good = good && plot_write(plot, plots->n, path, error);
    free(page);
    free(plot);
    return good;
}
