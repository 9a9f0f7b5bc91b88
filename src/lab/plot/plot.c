/* SPDX-License-Identifier: MIT */
/*
 * An axis maps values to pixels. Its ends are round: multiples of 1, 2 or 5 times a power of ten on a linear axis,
 * powers of ten (or 1, 2 and 5 times one, where there are few) on a logarithmic one.
 */
#include "plot.h"

#include "base/atomic_file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Told apart by people who see no red or no green, too (Masataka Okabe and Kei Ito, 2008); beyond eight, dashes. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#8c6d1f"};
enum { COLOURS = sizeof colours / sizeof *colours, TICKS_MAX = 24 };

typedef struct {
    bool log;
    double from, to;       /* values at the ends */
    double from_px, to_px; /* and where they lie */
    double tick[TICKS_MAX];
    unsigned ticks;
} Axis;

/* ---- texts ---- */

/* Characters that XML keeps for itself are escaped; control characters, which it forbids, become blanks. */
static void put_text(FILE *out, const char *text) {
    for (const char *c = text ? text : ""; *c; c++) switch (*c) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
        }
}

static void put_label(FILE *out, double x, double y, const char *attributes, const char *text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
    put_text(out, text);
    fputs("</text>\n", out);
}

/* ---- axes ---- */

static bool usable(const Plot *plot, const PlotLine *line, unsigned i) {
    const double x = line->x[i], y = line->y[i];
    return isfinite(x) && isfinite(y) && (!plot->x_log || x > 0) && (!plot->y_log || y > 0);
}

/* Least and greatest value; 0 and 1 where there is none. */
static void find_range(const Plot *plot, bool vertical, double *least, double *most) {
    *least = INFINITY, *most = -INFINITY;
    for (unsigned l = 0; l < plot->lines; l++)
        for (unsigned i = 0; i < plot->line[l].n; i++) {
            if (!usable(plot, &plot->line[l], i)) continue;
            const double v = vertical ? plot->line[l].y[i] : plot->line[l].x[i];
            *least = fmin(*least, v), *most = fmax(*most, v);
        }
    if (*least > *most) *least = plot->x_log || plot->y_log ? 1 : 0, *most = 10;
}

/* 1, 2 or 5 times a power of ten, not below `least_step`. */
static double round_step(double least_step) {
    const double power = pow(10, floor(log10(least_step)));
    const double head = least_step / power;
    return power * (head <= 1.0001 ? 1 : head <= 2.0001 ? 2 : head <= 5.0001 ? 5 : 10);
}

static void make_linear(Axis *a, double least, double most) {
    enum { INTERVALS = 6 };
    if (most == least) most = least + (least == 0 ? 1 : fabs(least) / 2);
    const double step = round_step((most - least) / INTERVALS);
    a->from = floor(least / step + 1e-9) * step;
    a->to = ceil(most / step - 1e-9) * step;
    for (unsigned i = 0; i < TICKS_MAX && a->from + i * step < a->to + step / 2; i++)
        a->tick[a->ticks++] = fabs(a->from + i * step) < step / 1e6 ? 0 : a->from + i * step;
}

static void make_log(Axis *a, double least, double most) {
    const int first = (int)floor(log10(least) + 1e-9), last = (int)ceil(log10(most) - 1e-9);
    const int decades = last > first ? last - first : 1;
    a->from = pow(10, first), a->to = pow(10, first + decades);
    const int stride = decades / 10 + 1;
    for (int d = 0; d <= decades; d += stride) {
        if (a->ticks < TICKS_MAX) a->tick[a->ticks++] = pow(10, first + d);
        for (int m = 2; decades <= 3 && d < decades && m <= 5 && a->ticks < TICKS_MAX; m += 3)
            a->tick[a->ticks++] = m * pow(10, first + d);
    }
}

static Axis make_axis(const Plot *plot, bool vertical, double from_px, double to_px) {
    Axis a = {.log = vertical ? plot->y_log : plot->x_log, .from_px = from_px, .to_px = to_px};
    double least, most;
    find_range(plot, vertical, &least, &most);
    if (vertical && !a.log && least > 0) least = 0;
    if (a.log)
        make_log(&a, least, most);
    else
        make_linear(&a, least, most);
    return a;
}

static double place(const Axis *a, double v) {
    const double part = a->log ? log10(v / a->from) / log10(a->to / a->from) : (v - a->from) / (a->to - a->from);
    return a->from_px + part * (a->to_px - a->from_px);
}

static void put_axes(FILE *out, const Axis *x, const Axis *y) {
    char number[32];
    fputs("<g stroke=\"#ddd\">\n", out);
    for (unsigned i = 0; i < x->ticks; i++)
        fprintf(out, "<path d=\"M%.1f %dV%d\"/>\n", place(x, x->tick[i]), PLOT_TOP, PLOT_BOTTOM);
    for (unsigned i = 0; i < y->ticks; i++)
        fprintf(out, "<path d=\"M%d %.1fH%d\"/>\n", PLOT_LEFT, place(y, y->tick[i]), PLOT_RIGHT);
    fprintf(out, "</g>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333\"/>\n",
            PLOT_LEFT, PLOT_TOP, PLOT_RIGHT - PLOT_LEFT, PLOT_BOTTOM - PLOT_TOP);
    for (unsigned i = 0; i < x->ticks; i++) {
        snprintf(number, sizeof number, "%.6g", x->tick[i]);
        put_label(out, place(x, x->tick[i]), PLOT_BOTTOM + 18, " text-anchor=\"middle\"", number);
    }
    for (unsigned i = 0; i < y->ticks; i++) {
        snprintf(number, sizeof number, "%.6g", y->tick[i]);
        put_label(out, PLOT_LEFT - 8, place(y, y->tick[i]) + 4, " text-anchor=\"end\"", number);
    }
}

/* ---- lines ---- */

static void put_line(FILE *out, const Plot *plot, unsigned number, const Axis *x, const Axis *y) {
    const PlotLine *line = &plot->line[number];
    const char *colour = colours[number % COLOURS];
    const char *dashes = number / COLOURS % 2 ? " stroke-dasharray=\"6 4\"" : "";
    const double legend_y = PLOT_TOP + 10 + 18.0 * number;
    fprintf(out, "<g stroke=\"%s\" fill=\"none\" stroke-width=\"2\"%s>\n<polyline points=\"", colour, dashes);
    for (unsigned i = 0; i < line->n; i++)
        if (usable(plot, line, i)) fprintf(out, "%.1f,%.1f ", place(x, line->x[i]), place(y, line->y[i]));
    fprintf(out, "\"/>\n<path d=\"M%d %.1fh24\"/>\n</g>\n<g fill=\"%s\">\n", PLOT_RIGHT + 14, legend_y, colour);
    for (unsigned i = 0; i < line->n; i++)
        if (usable(plot, line, i))
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", place(x, line->x[i]), place(y, line->y[i]));
    fputs("</g>\n", out);
    put_label(out, PLOT_RIGHT + 44, legend_y + 4, "", line->name);
}

static void put_plot(FILE *out, const Plot *plot, unsigned number) {
    const Axis x = make_axis(plot, false, PLOT_LEFT, PLOT_RIGHT), y = make_axis(plot, true, PLOT_BOTTOM, PLOT_TOP);
    char turned[64];
    const double middle = (PLOT_TOP + PLOT_BOTTOM) / 2.0;
    snprintf(turned, sizeof turned, " text-anchor=\"middle\" transform=\"rotate(-90 20 %.1f)\"", middle);
    fprintf(out, "<g transform=\"translate(0 %u)\">\n", number * PLOT_HEIGHT);
    put_label(out, PLOT_LEFT, PLOT_TOP - 18, " font-size=\"16\" font-weight=\"bold\"", plot->title);
    put_axes(out, &x, &y);
    put_label(out, (PLOT_LEFT + PLOT_RIGHT) / 2.0, PLOT_BOTTOM + 40, " text-anchor=\"middle\"", plot->x_label);
    put_label(out, 20, middle, turned, plot->y_label);
    for (unsigned i = 0; i < plot->lines; i++) put_line(out, plot, i, &x, &y);
    fputs("</g>\n", out);
}

/* ---- the file ---- */

static void put_all(FILE *out, const Plot *plot, unsigned plots) {
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            PLOT_WIDTH, plots * PLOT_HEIGHT, PLOT_WIDTH, plots * PLOT_HEIGHT);
    for (unsigned i = 0; i < plots; i++) put_plot(out, &plot[i], i);
    fputs("</svg>\n", out);
}

/* Beside the file, under a name of its own, until it is whole. */
bool plot_write(const Plot *plot, unsigned plots, const char *path, TabiaError *error) {
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    if (!out) return false;
    put_all(out, plot, plots);
    return tabia_atomic_file_commit(&file, true, error);
}
