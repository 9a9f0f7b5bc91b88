/* SPDX-License-Identifier: MIT */
/* The commands of `tabia data`, and what their command lines have in common. */
#pragma once
#include "base/json.h"
#include "base/progress.h"
#include "data/source.h"
#include "data/writer.h"
#include "options.h"

int data_info_command(int argc, char **argv);
int data_verify_command(int argc, char **argv);
int data_convert_command(int argc, char **argv);
int data_shuffle_command(int argc, char **argv);
int data_dedupe_command(int argc, char **argv);
int data_filter_command(int argc, char **argv);
int data_split_command(int argc, char **argv);
int data_sample_command(int argc, char **argv);
int data_rescore_command(int argc, char **argv);
int data_stats_command(int argc, char **argv);
int data_view_command(int argc, char **argv);

/* The options that a command accepts besides --from and --help. */
enum {
    ACCEPTS_OUT = 1 << 1,
    ACCEPTS_SKIP_BAD = 1 << 3,
    ACCEPTS_SEED = 1 << 4,
    ACCEPTS_MEMORY = 1 << 5,
    ACCEPTS_BY = 1 << 6,
    ACCEPTS_COUNT = 1 << 7,
    ACCEPTS_WEIGHTS = 1 << 9,
    ACCEPTS_FAULTS = 1 << 12,
    ACCEPTS_JSON = 1 << 13,
    ACCEPTS_QUIET = 1 << 14,
    ACCEPTS_RESUME = 1 << 8,
    ACCEPTS_VIEW = 1 << 16,
};

enum { DATA_OUTPUTS_MAX = 64 };

/* The files to read: the operands, --from, --skip-bad, --no-checksums. */
typedef struct {
    const char *const *paths;
    unsigned count;
    const DataFormat *format;
    bool skip_bad, unverified;
} DataInputOptions;

/* The files to write: --out, --to, --weights, --checksums, --force, --resume, --from-block, --restart. */
typedef struct {
    const char *paths[DATA_OUTPUTS_MAX];
    unsigned count;
    const DataFormat *format;
    double weights[DATA_OUTPUTS_MAX];
    unsigned weight_count;
    bool checksums, force, resume, restart;
    uint64_t from_block;
} DataOutputOptions;

/* What is chosen and moved: --seed, --memory, --count, --fraction, --by, --record. */
typedef struct {
    uint64_t seed, memory, count, record;
    double fraction;
    bool by_games, has_by;
} DataSelectionOptions;

/* What is printed: --faults, --ignore, --json, --quiet, --progress. */
typedef struct {
    uint64_t faults;
    uint64_t ignored; /* faults, as bits */
    bool json, quiet;
    unsigned progress; /* seconds between its lines; 0: on a terminal only */
} DataReportOptions;

typedef struct {
    const char *command; /* "data convert" */
    DataInputOptions input;
    DataOutputOptions output;
    DataSelectionOptions selection;
    DataReportOptions report;
    Progress progress;
} DataCommandLine;

typedef struct {
    const char *name;      /* "data convert" */
    unsigned accepted;     /* ACCEPTS_... */
    const OptionRow *more; /* options of its own, to one without a name; null: none */
} DataCommand;

/* Parses the command line of a command. False with an error. */
bool data_line_parse(DataCommandLine *line, int argc, char **argv, const DataCommand *command, TabiaError *error);

/* The input files as a source that reports its progress to the meter, and prints its notes. */
DataSource data_line_source(DataCommandLine *line);

/* Shows progress; the context is a DataCommandLine. */
void data_line_progress(void *context, const DataProgress *progress);

/* Prints a note of the source on standard error; the context is a DataCommandLine. */
void data_line_note(void *context, const char *text);

/* The format to write (data_output_format). Null with an error. Without --by it also sets by_games: true for formats that
   store games. */
const DataFormat *data_line_output_format(DataCommandLine *line, const DataSource *source, TabiaError *error);

/* Ends a command: clears the meter, prints the error, and returns the exit status. */
int data_line_finish(DataCommandLine *line, DataOutcome outcome, const TabiaError *error);

/* What was read, written and lost: as text, or as members of the JSON object that is open. */
typedef struct {
    const DataSource *source;
    const DataFormat *format;
    const char *path;
    DataWriteStats stats;
} DataReport;
void data_report_text(const DataReport *r);

/* How many bad records were skipped, if any; part of data_report_text. */
void data_report_bad(const DataSource *s);
void data_report_json(Json *j, const DataReport *r);
