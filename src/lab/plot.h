/* SPDX-License-Identifier: MIT */
/* Line plots as SVG files: axes with round numbers, a legend, nothing else. */
#pragma once
#include "base/fault.h"

typedef struct {
    const char *name;
    unsigned n;
    const double *x, *y; /* on a logarithmic axis: above 0 */
} PlotLine;

typedef struct {
    const char *title, *x_label, *y_label;
    bool x_log, y_log;
    const PlotLine *line;
    unsigned lines;
} Plot;

/* Writes the plots one below the other into one file, whole or not at all. False with a fault. */
bool plot_write(const Plot *plot, unsigned plots, const char *path, Fault *fault);
