/* SPDX-License-Identifier: MIT */
/*
 * Plots, drawn by gnuplot from a script that is made here. The end of a file's name says what is written: .svg and .png are
 * pictures, for which gnuplot has to be installed; .gp is the script itself, which `gnuplot -persist` shows.
 *
 *      title of the first plot
 *      |   .--        [] name of a line
 *      |  /           [] name of another
 *      | /
 *      +--------
 *       x label
 *      title of the second plot
 *      ...
 *      command; processor
 */
#pragma once
#include <stdio.h>

#include "base/error.h"

typedef struct {
    const char *name;
    unsigned n;
    const double *x, *y;      /* points that are not finite, or not above 0 on a logarithmic axis, are left out */
    const double *low, *high; /* ends of a whisker at each point; NULL: none */
} PlotLine;

typedef enum {
    PLOT_CURVES,    /* points joined by lines */
    PLOT_HISTOGRAM, /* the one line as boxes, x their middles */
    PLOT_AREAS,     /* the lines, which have the same x, on each other */
    PLOT_BARS,      /* the first y of each line as a bar beside its name */
} PlotStyle;

typedef struct {
    const char *title, *x_label, *y_label; /* UTF-8; NULL: none */
    PlotStyle style;
    bool x_log, y_log; /* linear axes of y begin at 0 if no value is below */
    bool x_bytes;      /* x are bytes, and are named with units of 1024 */
    const PlotLine *line;
    unsigned lines;
} Plot;

/* Has the name one of the ends, is gnuplot here if it takes it, and could the file be written? For work that is long before
   it draws. False with an error; *outside: it is not the name that is wrong. */
bool plot_is_possible(const char *path, bool *outside, TabiaError *error);

/* Writes the plots one below the other into one file, whole or not at all. False with an error. */
bool plot_write(const Plot *plot, unsigned plots, const char *path, TabiaError *error);

/* ---- its parts ---- */

typedef enum { PLOT_SVG, PLOT_PNG, PLOT_SCRIPT } PlotFormat;

/* The script that draws the plots in the terminal of a format (of PLOT_SCRIPT: in that of whoever runs it). */
void plot_script(FILE *out, const Plot *plot, unsigned plots, PlotFormat format);
/* Has gnuplot run the script, and copies the picture to `out`. */
bool plot_run_gnuplot(FILE *script, PlotFormat format, FILE *out, TabiaError *error);
