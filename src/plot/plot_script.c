/* SPDX-License-Identifier: MIT */
/*
 * Where things lie is counted in pixels from the top left corner, and told to gnuplot as parts of the page, so that a page
 * is the same in every terminal. Numbers are written by the program, not derived by gnuplot: what is drawn can be read.
 */
#include "plot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/machine.h"

/* Told apart by people who see no red or no green, too (Masataka Okabe and Kei Ito, 2008); beyond eight, dashes. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#999999", "#8c6d1f"};
enum {
    COLOURS = sizeof colours / sizeof *colours,
    WIDTH = 860,
    LEFT = 90,
    Y_LABEL = 16, /* where the label of y stands: left of the longest number */
    RIGHT = 610,  /* of the frame; the legend stands beside it */
    EDGE = 830,   /* of the frame without a legend */
    NAMES = 250,  /* left end of bars */
    ABOVE = 44,   /* the frame: the title */
    FRAME = 320,  /* height */
    BELOW = 60,   /* the frame: numbers and label of x */
    BAR = 26,     /* height of a bar with what surrounds it */
    CAPTION = 24, /* height of the page's last line */
    TICKS_MAX = 16,
    CAPTION_MAX = 120,
};

typedef struct {
    FILE *out;
    const Plot *plot;
    unsigned number; /* of the plot on the page */
    int top, height; /* of the plot; of the page */
} PlotPage;

/* ---- texts ---- */

/* In single quotes, where only these mean something; control characters become blanks. */
static void put_text(FILE *out, const char *text) {
    fputc('\'', out);
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '\'') fputc('\'', out);
        fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    fputc('\'', out);
}

static double page_x(double pixels) {
    return pixels / WIDTH;
}

static double page_y(const PlotPage *p, double pixels) {
    return 1 - pixels / p->height;
}

static void put_label(const PlotPage *p, double x, double y, const char *text, const char *more) {
    fputs("set label ", p->out);
    put_text(p->out, text);
    fprintf(p->out, " at screen %.4f, screen %.4f left%s\n", page_x(x), page_y(p, y), more);
}

/* ---- values ---- */

static bool is_usable(const Plot *plot, const PlotLine *line, unsigned i) {
    const double x = line->x[i], y = line->y[i];
    return isfinite(x) && isfinite(y) && (!plot->x_log || x > 0) && (!plot->y_log || y > 0);
}

static unsigned count_points(const Plot *plot, const PlotLine *line) {
    unsigned n = 0;
    for (unsigned i = 0; i < line->n; i++) n += is_usable(plot, line, i);
    return n;
}

typedef struct {
    double least, most;
} Range;

static Range range_of(const Plot *plot, bool vertical) {
    Range r = {INFINITY, -INFINITY};
    for (unsigned l = 0; l < plot->lines; l++)
        for (unsigned i = 0; i < plot->line[l].n; i++) {
            if (!is_usable(plot, &plot->line[l], i)) continue;
            const PlotLine *line = &plot->line[l];
            const double low = line->low && (!plot->y_log || line->low[i] > 0) ? line->low[i] : line->y[i];
            r.least = fmin(r.least, vertical ? low : line->x[i]);
            r.most = fmax(r.most, !vertical ? line->x[i] : line->high ? line->high[i] : line->y[i]);
        }
    return r;
}

/* The different x of all lines from left to right, or 0 if there are more than TICKS_MAX. */
static unsigned different_x(const Plot *plot, double tick[TICKS_MAX]) {
    unsigned n = 0;
    for (double after = -INFINITY;;) {
        double next = INFINITY;
        for (unsigned l = 0; l < plot->lines; l++)
            for (unsigned i = 0; i < plot->line[l].n; i++)
                if (is_usable(plot, &plot->line[l], i) && plot->line[l].x[i] > after)
                    next = fmin(next, plot->line[l].x[i]);
        if (!isfinite(next)) return n;
        if (n == TICKS_MAX) return 0;
        tick[n++] = after = next;
    }
}

/* Whole numbers far enough from each other to be written below the axis. */
static bool are_apart(const double *value, unsigned n) {
    const double gap = n > 1 ? (value[n - 1] - value[0]) / 16 : 0;
    for (unsigned i = 0; i < n; i++)
        if (value[i] != rint(value[i]) || (i && value[i] - value[i - 1] < gap)) return false;
    return n > 1;
}

static bool are_powers_of_two(const double *value, unsigned n) {
    int exponent;
    for (unsigned i = 0; i < n; i++)
        if (frexp(value[i], &exponent) != 0.5) return false;
    return n > 0;
}

/* ---- axes ---- */

static void put_tick(FILE *out, const Plot *plot, double value) {
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double shown = value;
    unsigned u = 0;
    while (plot->x_bytes && u < 4 && shown >= 1024) shown /= 1024, u++;
    fprintf(out, plot->x_bytes ? "'%.4g %s' %.17g" : "'%.6g%s' %.17g", shown, plot->x_bytes ? unit[u] : "", value);
}

/* Powers of two, where all x are such, and a few whole numbers stand at their places; other axes are gnuplot's. */
static void put_x_axis(const PlotPage *p) {
    const Plot *plot = p->plot;
    double tick[TICKS_MAX];
    const unsigned n = different_x(plot, tick);
    const bool curves = plot->style != PLOT_HISTOGRAM, doubles = curves && n > 1 && are_powers_of_two(tick, n);
    const bool placed = doubles || (curves && !plot->x_log && are_apart(tick, n));
    fprintf(p->out, doubles ? "set logscale x 2\n" : plot->x_log ? "set logscale x 10\n" : "unset logscale x\n");
    fputs(placed ? "set xtics (" : "set xtics autofreq\n", p->out);
    for (unsigned i = 0; placed && i < n; i++) {
        if (i) fputs(", ", p->out);
        put_tick(p->out, plot, tick[i]);
    }
    if (placed) fputs(")\n", p->out);
    const Range r = range_of(plot, false);
    const double edge = plot->style == PLOT_AREAS ? 1 : exp2(0.15);
    if (doubles)
        fprintf(p->out, "set xrange [%.17g:%.17g]\n", r.least / edge, r.most * edge);
    else
        fputs("set xrange [*:*] noextend\n", p->out);
}

/* Of a logarithmic axis of few decades: 1, 2 and 5 of each, or all digits, and no more room than the curves need. */
static void put_log_axis(const PlotPage *p, Range r) {
    enum { FEW = 1000, FEWER = 10 };
    static const double digit[] = {1, 2, 5, 3, 4, 6, 7, 8, 9};
    const double edge = 1.45, least = r.least / edge, most = r.most * edge; /* at least one digit lies between */
    const char *before = "set ytics (";
    fputs("set logscale y 10\n", p->out);
    if (!(most / least < FEW)) {
        fputs("set ytics autofreq\nset yrange [*:*] extend\n", p->out);
        return;
    }
    for (int decade = (int)floor(log10(least)); pow(10, decade) < most; decade++)
        for (unsigned i = 0; i < (most / least < FEWER ? 9 : 3); i++) {
            const double tick = digit[i] * pow(10, decade);
            if (tick < least || tick > most) continue;
            fprintf(p->out, "%s'%.7g' %.10g", before, tick, tick);
            before = ", ";
        }
    fprintf(p->out, ")\nset yrange [%.10g:%.10g]\n", least, most);
}

static void put_y_axis(const PlotPage *p) {
    const Range r = range_of(p->plot, true);
    if (p->plot->y_log) {
        put_log_axis(p, r);
        return;
    }
    fprintf(p->out, "unset logscale y\nset ytics autofreq\nset yrange [%c:*] extend\n", r.least < 0 ? '*' : '0');
}

static int frame_height(const Plot *plot) {
    return plot->style == PLOT_BARS ? BAR * (int)plot->lines : FRAME;
}

static void put_labels(const PlotPage *p, const char *x, const char *y) {
    fputs("set xlabel ", p->out);
    put_text(p->out, x);
    fputc('\n', p->out);
    if (!y) return;
    fputs("set label ", p->out);
    put_text(p->out, y);
    fprintf(p->out, " at screen %.4f, screen %.4f center rotate by 90\n", page_x(Y_LABEL),
            page_y(p, p->top + ABOVE + frame_height(p->plot) / 2.0));
}

static void put_margins(const PlotPage *p, int left, int right, int height) {
    fprintf(p->out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", page_x(left), page_x(right));
    fprintf(p->out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", page_y(p, p->top + ABOVE),
            page_y(p, p->top + ABOVE + height));
}

/* A square and a name for each line, beside the frame. */
static void put_legend(const PlotPage *p) {
    enum { ROW = 18, SIDE = 11 };
    for (unsigned i = 0; i < p->plot->lines; i++) {
        const int y = p->top + ABOVE + 10 + ROW * (int)i;
        fprintf(p->out, "set object rectangle from screen %.4f, screen %.4f to screen %.4f, screen %.4f ",
                page_x(RIGHT + 16), page_y(p, y - SIDE / 2.0), page_x(RIGHT + 16 + SIDE), page_y(p, y + SIDE / 2.0));
        fprintf(p->out, "fillcolor '%s' fillstyle solid%s noborder\n", colours[i % COLOURS],
                i / COLOURS % 2 ? " 0.4" : "");
        put_label(p, RIGHT + 34, y, p->plot->line[i].name, "");
    }
}

/* ---- what is drawn ---- */

static void begin_block(const PlotPage *p, unsigned line) {
    fprintf(p->out, "$p%ul%u << EOD\n", p->number, line);
}

static void put_points(const PlotPage *p, unsigned number) {
    const PlotLine *line = &p->plot->line[number];
    begin_block(p, number);
    for (unsigned i = 0; i < line->n; i++) {
        if (!is_usable(p->plot, line, i)) continue;
        fprintf(p->out, "%.10g %.10g", line->x[i], line->y[i]);
        if (line->low) fprintf(p->out, " %.10g %.10g", line->low[i], line->high[i]);
        fputc('\n', p->out);
    }
    fputs("EOD\n", p->out);
}

static void plot_curves(const PlotPage *p) {
    const char *before = "plot ";
    for (unsigned i = 0; i < p->plot->lines; i++) {
        if (!count_points(p->plot, &p->plot->line[i])) continue;
        fprintf(p->out, "%s$p%ul%u with ", before, p->number, i);
        if (p->plot->style == PLOT_HISTOGRAM)
            fprintf(p->out, "boxes fillstyle solid 0.85 noborder linecolor '%s'", colours[0]);
        else
            fprintf(p->out, "%s linewidth 2 dashtype %d pointtype 7 pointsize 0.4 linecolor '%s'",
                    p->plot->line[i].low ? "yerrorlines" : "linespoints", i / COLOURS % 2 ? 2 : 1,
                    colours[i % COLOURS]);
        before = ", ";
    }
    fputc('\n', p->out);
}

/* The sums below each line at each of its points: the areas are drawn from the last to the first, each from 0. */
static void put_sums(const PlotPage *p, unsigned number) {
    const PlotLine *line = p->plot->line;
    begin_block(p, number);
    for (unsigned i = 0; i < line->n; i++) {
        double sum = 0;
        for (unsigned l = 0; l <= number; l++) sum += isfinite(line[l].y[i]) ? line[l].y[i] : 0;
        fprintf(p->out, "%.10g %.10g\n", line->x[i], sum);
    }
    fputs("EOD\n", p->out);
}

static void plot_areas(const PlotPage *p) {
    for (unsigned i = 0; i < p->plot->lines; i++) put_sums(p, i);
    fputs("set yrange [0:*] noextend\n", p->out);
    for (unsigned i = p->plot->lines; i-- > 0;)
        fprintf(p->out, "%s$p%ul%u with filledcurves y1=0 fillstyle solid noborder linecolor '%s'",
                i + 1 == p->plot->lines ? "plot " : ", ", p->number, i, colours[i % COLOURS]);
    fputc('\n', p->out);
}

/* Names to the left of bars, figures to the right of their whiskers. */
static void put_bar(const PlotPage *p, unsigned number) {
    const PlotLine *line = &p->plot->line[number];
    const double y = p->top + ABOVE + BAR * (number + 0.5), high = line->high ? line->high[0] : line->y[0];
    fputs("set label ", p->out);
    put_text(p->out, line->name);
    fprintf(p->out, " at screen %.4f, screen %.4f right\n", page_x(NAMES - 8), page_y(p, y));
    fprintf(p->out, "set label '%.4g' at first %.10g, screen %.4f left offset character 0.6, 0\n", line->y[0], high,
            page_y(p, y));
}

static void plot_bars(const PlotPage *p) {
    bool whiskers = false;
    double most = 0;
    for (unsigned i = 0; i < p->plot->lines; i++) {
        const PlotLine *line = &p->plot->line[i];
        const double low = line->low ? line->low[0] : line->y[0], high = line->high ? line->high[0] : line->y[0];
        put_bar(p, i);
        begin_block(p, i);
        fprintf(p->out, "%.10g %u %.10g %.10g\nEOD\n", line->y[0], i, low, high);
        whiskers = whiskers || line->low, most = fmax(most, high);
    }
    fprintf(p->out, "set xrange [0:%.10g]\nset yrange [%u.5:-0.5]\n", most > 0 ? most : 1, p->plot->lines - 1);
    for (unsigned i = 0; i < p->plot->lines; i++)
        fprintf(p->out,
                "%s$p%ul%u using 1:2:(0):1:($2-0.35):($2+0.35) with boxxyerror fillstyle solid noborder linecolor '%s'",
                i ? ", " : "plot ", p->number, i, colours[0]);
    for (unsigned i = 0; whiskers && i < p->plot->lines; i++)
        if (p->plot->line[i].low)
            fprintf(p->out, ", $p%ul%u using 1:2:3:4 with xerrorbars pointtype 0 linecolor '#000000'", p->number, i);
    fputc('\n', p->out);
}

/* ---- plots and the page ---- */

static bool has_points(const Plot *plot) {
    unsigned points = 0;
    for (unsigned i = 0; i < plot->lines; i++) points += count_points(plot, &plot->line[i]);
    return points > 0;
}

static void put_curves(const PlotPage *p) {
    put_margins(p, LEFT, p->plot->lines > 1 ? RIGHT : EDGE, FRAME);
    put_labels(p, p->plot->x_label, p->plot->y_label);
    put_x_axis(p);
    put_y_axis(p);
    if (p->plot->lines > 1) put_legend(p);
    for (unsigned i = 0; p->plot->style != PLOT_AREAS && i < p->plot->lines; i++) put_points(p, i);
    if (p->plot->style == PLOT_AREAS)
        plot_areas(p);
    else
        plot_curves(p);
}

static void put_bars(const PlotPage *p) {
    put_margins(p, NAMES, WIDTH - 90, frame_height(p->plot));
    put_labels(p, p->plot->y_label, NULL);
    fputs("unset logscale\nunset ytics\nset xtics autofreq\n", p->out);
    plot_bars(p);
    fputs("set ytics autofreq\n", p->out);
}

/* The command as the system tells it, without the program's folder, and the processor. */
static void put_caption(const PlotPage *p) {
    char command[CAPTION_MAX + 1], processor[PROCESSOR_TEXT_MAX], text[sizeof command + sizeof processor + 8];
    FILE *words = fopen("/proc/self/cmdline", "r");
    size_t n = words ? fread(command, 1, CAPTION_MAX, words) : 0;
    if (words) fclose(words);
    while (n && !command[n - 1]) n--;
    command[n] = '\0';
    const char *folder = strrchr(command, '/'); /* in the first word, which ends by a '\0' */
    for (size_t i = 0; i < n; i++)
        if (!command[i]) command[i] = ' ';
    tabia_processor_name(processor);
    snprintf(text, sizeof text, "%s%s; %s", folder ? folder + 1 : command, n == CAPTION_MAX ? "..." : "", processor);
    put_label(p, 14, p->height - CAPTION / 2.0, text, " font 'sans-serif,11' textcolor '#555555'");
}

/* A frame without curves, for the labels: gnuplot draws them with a plot only. */
static void put_nothing(const PlotPage *p) {
    put_margins(p, LEFT, EDGE, frame_height(p->plot));
    put_labels(p, "no figures", NULL);
    fputs("unset logscale\nset xrange [0:1]\nset yrange [0:1]\nplot -1 linecolor '#ffffff'\n", p->out);
}

static void put_plot(const PlotPage *p) {
    fputs("unset label\nunset object\n", p->out);
    if (p->number == 0) put_caption(p);
    put_label(p, 14, p->top + 22, p->plot->title, " font 'sans-serif,15'");
    if (!has_points(p->plot))
        put_nothing(p);
    else if (p->plot->style == PLOT_BARS)
        put_bars(p);
    else
        put_curves(p);
}

void plot_script(FILE *out, const Plot *plot, unsigned plots, PlotFormat format) {
    static const char *const terminal[] = {"svg", "pngcairo fontscale 0.75", NULL};
    PlotPage page = {.out = out, .height = CAPTION};
    for (unsigned i = 0; i < plots; i++) page.height += ABOVE + frame_height(&plot[i]) + BELOW;
    if (terminal[format])
        fprintf(out, "set terminal %s noenhanced size %d, %d font 'sans-serif,12' background '#ffffff'\n",
                terminal[format], WIDTH, page.height);
    fputs("set encoding utf8\nunset key\nset border 3 linecolor '#555555'\nset tics nomirror out\n"
          "set grid back linetype 1 linewidth 1 linecolor rgb '#dddddd'\nset boxwidth 0.9 relative\nset multiplot\n",
          out);
    for (unsigned i = 0; i < plots; i++) {
        page.plot = &plot[i], page.number = i;
        put_plot(&page);
        page.top += ABOVE + frame_height(&plot[i]) + BELOW;
    }
    fputs("unset multiplot\n", out);
}
