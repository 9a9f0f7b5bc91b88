/* SPDX-License-Identifier: MIT */
/* What a perft on threads and one on ranks have in common: the command line, the progress, the report. */
#pragma once
#include "base/json.h"
#include "base/progress.h"
#include "options.h"
#include "perft/run.h"

typedef struct {
    PerftJob job;
    bool chess960, divide, json, quiet;
    const char *fen, *moves; /* as given, or NULL; job.root is the position they name */
    const char *suite;
    uint64_t max_nodes;
    const char *against, *protocol;
    unsigned progress;                          /* seconds between lines of progress; 0: one on a terminal */
    double timeout;                             /* seconds; 0: not said */
    unsigned ranks;                             /* on which it was counted; 0: in this process alone */
    void (*more)(const void *context, Json *j); /* writes more members into the JSON object; may be NULL */
    const void *more_context;
} PerftOptions;

/* Fills *o from a command line, whose first word is not looked at; more: rows of the program's own, or NULL. False with
 *an error where it is wrong, and then *o means nothing. */
PerftOptions perft_default_options(void);
bool perft_read_command_line(int argc, char **argv, const char *command, const OptionRow *more, PerftOptions *o,
                             TabiaError *error);

/* False with an error where an option belongs to another of the three forms: it would be passed over in silence. */
bool perft_check_form(const PerftOptions *o, bool has_depth, TabiaError *error);

/* What a count came to, as the options wish it, and what its ledger had to say. */
bool perft_report(const PerftOptions *o, const PerftState *s, TabiaError *error);

/* The progress of a count on stderr, ended by a wish to stop: for PerftJob.watch. */
typedef struct {
    Progress progress;
    uint64_t work_resumed; /* what the ledger held */
    unsigned every;        /* seconds between lines that stay; 0: none */
    bool quiet, begun;
} PerftWatch;
bool perft_watch(void *context, const PerftState *s);
void perft_watch_end(PerftWatch *w);

/* Prints one count, or how it would be done; the exit status. */
int perft_count(PerftOptions *o);
int perft_explain(const PerftOptions *o);
