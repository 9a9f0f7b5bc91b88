/* SPDX-License-Identifier: MIT */
/* Line plots as SVG files: axes with round numbers, a grid, a legend, nothing else. */
#pragma once
#include "base/error.h"

typedef struct {
    const char *name;
    unsigned n;
    const double *x, *y; /* points that are not finite, or not above 0 on a logarithmic axis, are left out */
} PlotLine;

typedef struct {
    const char *title, *x_label, *y_label; /* UTF-8; NULL: none */
    bool x_log, y_log;                     /* linear axes of y begin at 0 if no value is below */
    const PlotLine *line;
    unsigned lines;
} Plot;

/* Where things lie in the file, in pixels: plot number i begins at i * PLOT_HEIGHT; its frame spans from
   (PLOT_LEFT, PLOT_TOP) to (PLOT_RIGHT, PLOT_BOTTOM) below that; the legend stands to the right of it. */
enum {
    PLOT_WIDTH = 860,
    PLOT_HEIGHT = 440,
    PLOT_LEFT = 80,
    PLOT_RIGHT = 610,
    PLOT_TOP = 50,
    PLOT_BOTTOM = 380,
};

/* Writes the plots one below the other into one file, whole or not at all. False with an error. */
bool plot_write(const Plot *plot, unsigned plots, const char *path, TabiaError *error);
