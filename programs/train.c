/* SPDX-License-Identifier: MIT */
/* tabia train: fits the evaluation's network to games that the engine played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/time.h"
#include "commands.h"
#include "eval/evaluate.h"
#include "network/network_file.h"
#include "options.h"
#include "program.h"
#include "train/train.h"

enum {
    DEFAULT_SYNTHETIC_EPOCHS = 4,
    DEFAULT_SYNTHETIC = 25,
    DEFAULT_WDL = 30,
    DEFAULT_TD_LAMBDA = 95,
    DEFAULT_FINETUNE_RATE = 30,
};

enum { DEFAULT_SHUFFLE = 2000000 };

/* What the command line says. */
typedef struct {
    TrainOptions train;
    TrainJob job;
    const char *from, *validation;
    uint64_t wdl, td_lambda, synthetic, finetune_rate, rate; /* percent; the rate: millionths */
    bool quiet, unverified;
    unsigned progress; /* seconds between its lines; 0: on a terminal only */
} TrainCommand;

/* ---- what is shown ---- */

typedef struct {
    const TrainCommand *command;
    Progress line;
    uint64_t begun_at; /* positions that were trained when the rate began to be measured; 0: it has not */
} TrainDisplay;

/* The epochs of a kind: the report counts both kinds together. */
typedef struct {
    bool is_synthetic;
    unsigned number, all;
} EpochOfKind;

static EpochOfKind epoch_of_kind(const TrainOptions *o, unsigned number) {
    if (number <= o->synthetic_epochs) return (EpochOfKind){true, number, o->synthetic_epochs};
    return (EpochOfKind){false, number - o->synthetic_epochs, o->epochs};
}

/* The line of a finished epoch. */
static void print_epoch(const TrainDisplay *d, const TrainReport *r, double seconds_here) {
    char validation[64] = "no validation set", speed[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX];
    const EpochOfKind epoch = epoch_of_kind(&d->command->train, r->epoch);
    if (r->validation) snprintf(validation, sizeof validation, "validation error %.6f", r->validation_error);
    const double per_second = (double)(r->done_here - d->begun_at) / seconds_here;
    tabia_rate_text(per_second, speed);
    tabia_duration_text((double)r->left / per_second, left);
    if (r->epoch == 1) printf("k %.5f of a centipawn\n", r->k);
    if (r->epoch == 1 && !r->validation)
        printf("too few positions for a validation set: overfitting is not measured\n");
    printf("%sepoch %u of %u: error %.6f, %s%s, rate %.6f, %s positions, %s left\n",
           epoch.is_synthetic ? "synthetic " : "", epoch.number, epoch.all, r->error, validation,
           r->is_best ? " (best)" : "", r->rate, speed, left);
    fflush(stdout);
}

/* The rate is that of training alone: before the first positions the shuffle was filled, which may take many seconds. */
static void begin_rate(TrainDisplay *d, const TrainReport *r) {
    if (d->begun_at || r->epoch_ends) return;
    d->begun_at = r->done_here;
    tabia_progress_again(&d->line);
}

static bool show_report(void *context, const TrainReport *r) {
    TrainDisplay *d = context;
    double seconds_here = 0;
    begin_rate(d, r);
    if (r->epoch_ends) {
        tabia_progress_end(&d->line);
        seconds_here = tabia_clock_wall() - d->line.began_at;
        if (!d->command->quiet) print_epoch(d, r, seconds_here);
    } else if (tabia_progress_is_due(&d->line, NULL)) {
        const EpochOfKind epoch = epoch_of_kind(&d->command->train, r->epoch);
        char detail[64]; /* short, so that a terminal's row holds the line */
        snprintf(detail, sizeof detail, "%s %u/%u, %.4f", epoch.is_synthetic ? "synthetic" : "epoch", epoch.number,
                 epoch.all, r->error);
        const uint64_t done = r->done_here - d->begun_at;
        tabia_progress_update(&d->line, done, (double)done / (double)(done + r->left), detail);
    }
    return !tabia_stop_requested();
}

static void show_read(void *progress_line, const DataProgress *p) {
    tabia_progress_update(progress_line, p->records, data_progress_fraction(p), NULL);
}

/* ---- running ---- */

static DataOutcome read_statistics(const TrainCommand *c, SampleStatistics *statistics, DataSource *source,
                                   DataSource *validation, TabiaError *error) {
    const double start_time = tabia_clock_wall();
    Progress line;
    source->on_progress = show_read, source->context = &line;
    option_progress_begin(&line, c->quiet, c->progress, "positions");
    const DataOutcome outcome = sample_statistics(statistics, source, validation, c->train.td_lambda, error);
    tabia_progress_end(&line);
    source->on_progress = NULL; /* another thread reads from now on */
    if (outcome == DATA_STOPPED)
        fprintf(stderr, "%s train: stopped after %ju positions; nothing is written\n", program_texts.name,
                (uintmax_t)source->position.records);
    if (outcome == DATA_DONE && !c->quiet)
        printf("%ju quiet of %ju positions, %zu for validation; read in %.1f s%s\n", (uintmax_t)statistics->quiet,
               (uintmax_t)statistics->records, statistics->validation.count, tabia_clock_wall() - start_time,
               c->train.td_lambda > 0 && 2 * statistics->in_games < statistics->quiet ? "; no games (td-lambda)" : "");
    return outcome;
}

static DataOutcome run_training(TrainCommand *c, DataSource *source, const SampleStatistics *statistics,
                                TabiaError *error) {
    TrainDisplay display = {.command = c};
    c->job.report = show_report, c->job.context = &display;
    option_progress_begin(&display.line, c->quiet, c->progress, "positions");
    const DataOutcome outcome = train_network(&c->train, &c->job, source, statistics, error);
    tabia_progress_end(&display.line);
    if (outcome == DATA_STOPPED)
        fprintf(stderr, "%s train: stopped; %s is the network so far, and the same command with --resume continues\n",
                program_texts.name, c->job.path);
    if (outcome == DATA_DONE && !c->quiet) {
        const NetworkShape shape = c->train.from ? c->train.from->shape : c->train.shape;
        printf("%s: the network, %zu bytes\n", c->job.path, network_file_bytes(shape));
    }
    return outcome;
}

static int train_files(TrainCommand *c, DataSource *source) {
    DataSource validation = {.paths = &c->validation, .path_count = 1, .unverified = c->unverified};
    SampleStatistics statistics;
    TabiaError error;
    if (!tabia_atomic_file_possible(c->job.path, &error)) return report_error("train", &error, EXIT_OUTSIDE);
    tabia_stop_install(true);
    DataOutcome outcome = read_statistics(c, &statistics, source, c->validation ? &validation : NULL, &error);
    if (outcome == DATA_DONE) outcome = run_training(c, source, &statistics, &error);
    sample_statistics_free(&statistics);
    data_source_close(source), data_source_close(&validation);
    if (outcome == DATA_STOPPED) return EXIT_STOPPED;
    if (outcome == DATA_DONE) return EXIT_GOOD;
    return report_error("train", &error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
}

/* ---- the command line ---- */

static bool read_mirrored(void *to, const char *text, TabiaError *error) {
    bool *mirrored = to;
    *mirrored = !strcmp(text, "on");
    return *mirrored || !strcmp(text, "off") || tabia_fail(error, "--mirrored: '%s' is neither on nor off", text);
}

static bool read_command_line(int argc, char **argv, TrainCommand *c, TabiaError *error) {
    TrainOptions *o = &c->train;
    uint64_t seconds = 60;
    const OptionRow rows[] = {file_option("out", &c->job.path),
                              text_option("validation", &c->validation),
                              text_option("from", &c->from),
                              flag_option("resume", &c->job.resume),
                              flag_option("force", &c->job.force),
                              uint64_option("checkpoint-every", &seconds, 1, 1000000),
                              unsigned_option("epochs", &o->epochs, 1, 100000),
                              uint64_option("epoch-positions", &o->epoch_samples, 1, UINT64_MAX >> 20),
                              unsigned_option("batch", &o->batch, 1, 1 << 16),
                              uint64_option("rate", &c->rate, 1, 1000000),
                              uint64_option("wdl", &c->wdl, 0, 100),
                              uint64_option("td-lambda", &c->td_lambda, 0, 99),
                              uint64_option("shuffle", &o->shuffle, 1, UINT32_MAX),
                              unsigned_option("synthetic-epochs", &o->synthetic_epochs, 0, 100000),
                              uint64_option("synthetic", &c->synthetic, 0, 100),
                              uint64_option("finetune-rate", &c->finetune_rate, 0, 100),
                              unsigned_option("width", &o->shape.width, 1, NETWORK_WIDTH),
                              outputs_option(&o->shape.buckets),
                              reader_option("mirrored", read_mirrored, &o->shape.mirrored),
                              unsigned_option("threads", &o->threads, 1, 4096),
                              uint64_option("seed", &o->seed, 0, UINT64_MAX),
                              flag_option("no-checksums", &c->unverified),
                              flag_option("quiet", &c->quiet),
                              progress_option(&c->progress),
                              evaluation_option("evaluation", &o->synthetic_labels),
                              {0}};
    const bool good = option_rows(argc, argv, "train", rows, error);
    c->job.checkpoint_seconds = (double)seconds;
    return good;
}

static TrainCommand default_command(void) {
    return (TrainCommand){.train = {.synthetic_epochs = DEFAULT_SYNTHETIC_EPOCHS,
                                    .epochs = 20,
                                    .batch = 4096,
                                    .shuffle = DEFAULT_SHUFFLE,
                                    .shape = {.mirrored = true}, /* the rest: 0, not given */
                                    .seed = 1,
                                    .threads = tabia_threads_usable()},
                          .wdl = DEFAULT_WDL,
                          .td_lambda = DEFAULT_TD_LAMBDA,
                          .synthetic = DEFAULT_SYNTHETIC,
                          .finetune_rate = DEFAULT_FINETUNE_RATE,
                          .rate = 1000};
}

/* What follows from several options. */
static bool complete_command(TrainCommand *c, int files, char **file, TabiaError *error) {
    if (!files) return tabia_fail(error, "FILE is missing: name files of training data");
    if (!c->job.path) return tabia_fail(error, "--out FILE is missing, as in --out mine.network");
    if (c->job.resume && c->job.force) return tabia_fail(error, "--resume and --force: one or the other");
    for (int i = 0; i < files; i++) {
        if (!option_is_apart("--out", c->job.path, file[i], error)) return false;
        if (!strcmp(file[i], "-") || tabia_path_kind(file[i]) == PATH_OTHER)
            return tabia_fail(error, "%s: is read twice, which only a file can be", file[i]);
    }
    if (!option_is_apart("--out", c->job.path, c->validation, error) || !train_may_begin(&c->job, error)) return false;
    NetworkShape *shape = &c->train.shape;
    if (c->from && (shape->width || shape->buckets || !shape->mirrored))
        return tabia_fail(error,
                          "--from: the network of that file has a shape; leave out --width, --outputs, --mirrored");
    if (!shape->width) shape->width = network_full_shape().width;
    if (!shape->buckets) shape->buckets = network_full_shape().buckets;
    c->train.rate = (double)c->rate / 1e6;
    c->train.synthetic_fraction = (double)c->synthetic / 100;
    c->train.result_weight = (double)c->wdl / 100;
    c->train.td_lambda = (double)c->td_lambda / 100;
    c->train.finetune_rate = (double)c->finetune_rate / 100;
    return true;
}

int command_train(int argc, char **argv) {
    TrainCommand c = default_command();
    TabiaError error;
    if (!read_command_line(argc, argv, &c, &error)) return report_error("train", &error, EXIT_USAGE);
    if (!complete_command(&c, argc - optind, argv + optind, &error)) return report_error("train", &error, EXIT_USAGE);
    if (train_is_over(&c.job))
        return fprintf(stderr, "%s train: the training of %s is over; --force begins anew\n", program_texts.name,
                       c.job.path),
               EXIT_GOOD;
    DataSource source = {.paths = (const char *const *)argv + optind,
                         .path_count = (unsigned)(argc - optind),
                         .unverified = c.unverified};
    Network *from = c.from ? network_read(c.from, &error) : NULL;
    if (c.from && !from) return report_error("train", &error, EXIT_USAGE);
    c.train.from = from;
    const int status = train_files(&c, &source);
    tabia_aligned_free(from);
    return status;
}
