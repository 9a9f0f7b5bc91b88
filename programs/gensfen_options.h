/* SPDX-License-Identifier: MIT */
/* What the parts of `gensfen` share: its options and its report. */
#pragma once
#include "datagen/generate.h"

typedef struct {
    DatagenSettings settings;
    DatagenJob job;
    bool json, quiet;
    unsigned progress;        /* seconds between its lines; 0: on a terminal only */
    const char *network_file; /* NULL: the network that is built in */
} GensfenOptions;

/* A part of a whole in percent; 0 of nothing. */
double gensfen_percent(uint64_t part, uint64_t whole);

/* Prints the result of a run: as text, or as a JSON object (false with an error). */
void gensfen_report_text(const GensfenOptions *o, const DatagenProgress *p);
bool gensfen_report_json(const GensfenOptions *o, const DatagenProgress *p, TabiaError *error);
