/* SPDX-License-Identifier: MIT */
/* The forms of `tabia data`, and what their command lines have in common. */
#pragma once
#include "base/json.h"
#include "base/meter.h"
#include "data/source.h"
#include "data/writer.h"

int data_info(int argc, char **argv);
int data_verify(int argc, char **argv);
int data_convert_form(int argc, char **argv);
int data_shuffle_form(int argc, char **argv);
int data_dedupe_form(int argc, char **argv);
int data_split_form(int argc, char **argv);
int data_sample_form(int argc, char **argv);
int data_stats_form(int argc, char **argv);

/* Options that a form may take; --from and --help all do. */
enum {
    TAKES_to = 1 << 0,
    TAKES_out = 1 << 1,
    TAKES_sums = 1 << 2,
    TAKES_skip_bad = 1 << 3,
    TAKES_seed = 1 << 4,
    TAKES_memory = 1 << 5,
    TAKES_by = 1 << 6,
    TAKES_count = 1 << 7,
    TAKES_share = 1 << 8,
    TAKES_shares = 1 << 9,
    TAKES_plot = 1 << 10,
    TAKES_score_limit = 1 << 11,
    TAKES_faults = 1 << 12,
    TAKES_json = 1 << 13,
    TAKES_quiet = 1 << 14,
};

enum { DATA_OUTS_MAX = 64 };

/* What a command line said. */
typedef struct {
    const char *command; /* "data convert" */
    const DataFormat *from, *to;
    const char *out[DATA_OUTS_MAX];
    double share[DATA_OUTS_MAX];
    unsigned outs, shares;
    const char *plot;
    uint64_t seed, memory, count, faults, score_limit;
    double sample;
    bool sums, skip_bad, json, quiet, help, by_games, says_by;
    const char *const *file;
    unsigned files;
    Meter meter;
} DataLine;

/* Reads a command line; the form takes the options in `takes`. False with a fault. */
bool data_line_read(DataLine *line, int argc, char **argv, const char *command, unsigned takes, Fault *fault);

/* The files of the command line as a source, with progress on its meter. */
DataSource data_line_source(DataLine *line);

/* Shows progress; the context is a DataLine. */
void data_line_progress(void *context, const DataProgress *progress);

/* The format to write: --to, the name of --out, or that of the first file. Null with a fault. Also decides, unless --by
   did, whether records or games are moved. */
const DataFormat *data_line_target(DataLine *line, const DataSource *source, Fault *fault);

/* Ends a job: wipes the meter, complains, and gives the exit status. */
int data_line_end(DataLine *line, DataOutcome outcome, const Fault *fault);

/* What was read and written, and what was lost: as text, or as members of the JSON object that is open. */
typedef struct {
    const DataSource *source;
    const DataFormat *format;
    const char *path;
    DataWritten told;
} DataReport;
void data_report_text(const DataReport *r);
void data_report_json(Json *j, const DataReport *r);
