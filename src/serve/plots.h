/* SPDX-License-Identifier: MIT */
/* The plots of a folder that was named on the command line: its files *.svg, as they lay there when the server began. */
#pragma once
#include "serve/http.h"

typedef struct Plots Plots;

/* folder: the caller's, outlives it; NULL: there are no plots. NULL with an error: the folder cannot be read. */
Plots *plots_create(const char *folder, TabiaError *error);
/* NULL is allowed. */
void plots_destroy(Plots *p);

/* Routes' `answer`: the names; the plot of `number`, its place among them. */
void plots_answer_names(void *plots, HttpRequest *request);
void plots_answer_plot(void *plots, HttpRequest *request);
