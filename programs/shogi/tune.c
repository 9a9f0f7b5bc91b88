/* SPDX-License-Identifier: MIT */
/* Fits the evaluation's weights to games that the engine played, and writes weights.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"
#include "train/train_log.h"
#include "tune/linear_fit.h"

#include "../commands.h"
#include "../options.h"

#define WEIGHTS_SOURCE "src/games/shogi/eval/weights.c"

static const char help[] =
    "usage: tabia-shogi tune --data FILE --out " WEIGHTS_SOURCE " [options]\n"
    "\n"
    "Fits the weights of the evaluation's terms to the quiet positions of a file of training data, in any format that\n"
    "`tabia-shogi data` reads, and writes them. Build again, and play a match against what was before.\n"
    "\n"
    "  --data FILE      training data; the format is detected from content or extension\n"
    "  --out FILE       C source of the weights; it is written when the fit ends\n"
    "  --epochs N       at most; default 100. The fit ends when the validation error no longer falls\n"
    "  --wdl PERCENT    weight of the game's result in the target, the rest is the search's score; default 50\n"
    "  --regularization N\n"
    "                   penalty on differences from initial values and between neighbours; default 2\n"
    "  --log FILE.log   errors and rates, a JSON object for each epoch; tools/plot_training draws it\n"
    "  --threads N      default: one for each core\n"
    "  --seed N         of the order of positions; default 1\n"
    "  --progress SECONDS\n"
    "                   a line of progress each so many seconds while the positions are read, on a terminal or not\n"
    "\n"
    "Ctrl-C during the fit ends it and writes the best weights so far; during reading nothing is written.\n"
    "\n"
    "Examples\n"
    "  tabia-shogi gensfen --positions 1000000 --out games.psv --nodes 2500 --dedupe\n"
    "  tabia-shogi tune --data games.psv --out " WEIGHTS_SOURCE "\n";

typedef struct {
    double start_time;
    const LinearFitOptions *options;
    size_t samples;
    TrainLog log; /* all 0: none */
    bool failed;  /* the log could not be written: *error */
    TabiaError *error;
} TuneProgress;

static bool log_epoch(TuneProgress *progress, const LinearFitReport *r, double spent) {
    const uint64_t samples = progress->samples - r->validation;
    const TrainLogLine line = {.epoch = r->epoch,
                               .is_epoch = true,
                               .samples = samples,
                               .all_samples = samples * r->epoch,
                               .error = r->error,
                               .validation_error = r->validation ? r->validation_error : -1,
                               .rate = r->rate,
                               .result_weight = progress->options->result_weight,
                               .seconds = spent,
                               .samples_per_second = spent > 0 ? (double)(samples * r->epoch) / spent : 0};
    return train_log_write(&progress->log, &line, progress->error);
}

static bool show_epoch(void *context, const LinearFitReport *r) {
    TuneProgress *progress = context;
    const double spent = tabia_clock_wall() - progress->start_time;
    char validation[64] = "no validation set";
    if (r->validation) snprintf(validation, sizeof validation, "validation error %.6f", r->validation_error);
    if (r->epoch == 0) printf("k %.5f of a centipawn\n", r->k);
    printf("epoch %u of %u: error %.6f, %s, rate %.3f, %.1f s", r->epoch, progress->options->epochs, r->error,
           validation, r->rate, spent);
    if (r->epoch) printf(", at most %.0f s left", spent / r->epoch * (progress->options->epochs - r->epoch));
    printf("\n");
    fflush(stdout);
    progress->failed = progress->log.out && !log_epoch(progress, r, spent);
    return !progress->failed && !tabia_stop_requested();
}

static void show_read(void *progress_line, const DataProgress *p) {
    tabia_progress_update(progress_line, p->records, data_progress_fraction(p), NULL);
}

static DataOutcome read_samples(LinearSamples *samples, const char *data, unsigned every, TabiaError *error) {
    const double start_time = tabia_clock_wall();
    Progress progress_line;
    DataSource source = {.paths = &data, .path_count = 1, .on_progress = show_read, .context = &progress_line};
    option_progress_begin(&progress_line, false, every, "positions");
    const DataOutcome outcome = linear_samples_read(samples, &source, error);
    tabia_progress_end(&progress_line);
    if (outcome == DATA_STOPPED)
        fprintf(stderr, "tabia-shogi tune: stopped after %zu positions; nothing is written\n", samples->records_read);
    if (outcome == DATA_DONE)
        printf("%zu quiet of %zu positions, read in %.1f s\n", samples->count, samples->records_read,
               tabia_clock_wall() - start_time);
    return outcome;
}

typedef struct {
    const char *data, *out, *log;
    unsigned every; /* seconds between lines of progress; 0: on a terminal only */
} TuneFiles;

static int fit_file(const TuneFiles *files, const LinearFitOptions *options) {
    LinearSamples samples;
    LinearWeights fitted;
    TabiaError error;
    TuneProgress progress = {.options = options, .error = &error};
    if (!tabia_atomic_file_possible(files->out, &error) ||
        (files->log && !train_log_open(&progress.log, files->log, 0, &error)))
        return report_error("tune", &error, EXIT_OUTSIDE);
    linear_weights_init(&fitted);
    tabia_stop_install(true);
    const DataOutcome outcome = read_samples(&samples, files->data, files->every, &error);
    progress.start_time = tabia_clock_wall(), progress.samples = samples.count;
    const bool good = outcome == DATA_DONE &&
                      linear_fit_run(&fitted, &samples, options, show_epoch, &progress, &error) && !progress.failed &&
                      linear_weights_write(&fitted, files->out, &error);
    if (good) printf("%s: the weights\n", files->out);
    linear_samples_free(&samples);
    train_log_close(&progress.log);
    if (outcome == DATA_STOPPED) return EXIT_STOPPED;
    return good ? EXIT_GOOD : report_error("tune", &error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
}

int command_tune(int argc, char **argv) {
    uint64_t epochs = 100, wdl = 50, threads = tabia_threads_usable(), seed = 1, regularization = 2;
    TuneFiles files = {0};
    const OptionRow rows[] = {text_option("data", &files.data),
                              text_option("out", &files.out),
                              text_option("log", &files.log),
                              uint64_option("epochs", &epochs, 1, 100000),
                              uint64_option("wdl", &wdl, 0, 100),
                              uint64_option("regularization", &regularization, 0, 1000000),
                              uint64_option("threads", &threads, 1, 4096),
                              uint64_option("seed", &seed, 0, UINT64_MAX),
                              progress_option(&files.every),
                              {0}};
    TabiaError error;
    bool wants_help;
    bool good = option_rows(argc, argv, rows, &wants_help, &error);
    if (good && wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (good && !files.data) good = tabia_fail(&error, "--data FILE is missing");
    if (good && !files.out) good = tabia_fail(&error, "--out FILE is missing, as in --out " WEIGHTS_SOURCE);
    good = good && option_is_apart("--out", files.out, files.data, &error) &&
           option_is_apart("--log", files.log, files.data, &error) &&
           (!files.log || strcmp(files.log, files.out) != 0 || tabia_fail(&error, "--log and --out name one file"));
    if (!good) return report_error("tune", &error, EXIT_USAGE);
    const LinearFitOptions options = {(unsigned)epochs, (unsigned)threads, (double)wdl / 100, (double)regularization,
                                      seed};
    return fit_file(&files, &options);
}
