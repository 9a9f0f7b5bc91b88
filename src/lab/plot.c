/* SPDX-License-Identifier: MIT */
#include "plot.h"

bool plot_write(const Plot *plot, unsigned plots, const char *path, Fault *fault) {
    (void)plot, (void)plots;
    return tabia_fault(fault, "%s: plots are not built yet", path);
}
