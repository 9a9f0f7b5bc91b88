/* SPDX-License-Identifier: MIT */
/* What the parts of `gensfen` share: its options, its help, its report. */
#pragma once
#include "datagen/generate.h"

typedef struct {
    DatagenSettings settings;
    DatagenJob job;
    bool json, quiet;
    unsigned progress;        /* seconds between its lines; 0: on a terminal only */
    const char *network_file; /* NULL: the network that is built in */
} GensfenOptions;

/* What the help says of the game. */
typedef struct {
    const char *formats;     /* of --format, from the column of its text on */
    const char *differences; /* what makes games differ */
    const char *starts;      /* the options of books and starts */
    const char *endings;     /* which the rules know */
    const char *examples;
} GensfenTexts;

extern const GensfenTexts gensfen_texts;

/* Prints the help; the exit status. */
int gensfen_help(void);

/* A part of a whole in percent; 0 of nothing. */
double gensfen_percent(uint64_t part, uint64_t whole);

/* Prints the result of a run: as text, or as a JSON object (false with an error). */
void gensfen_report_text(const GensfenOptions *o, const DatagenProgress *p);
bool gensfen_report_json(const GensfenOptions *o, const DatagenProgress *p, TabiaError *error);
