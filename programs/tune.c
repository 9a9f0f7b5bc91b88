/* SPDX-License-Identifier: MIT */
/* tabia tune: fits the evaluation's weights to games that the engine played, and writes weights.c anew. */
#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"
#include "commands.h"
#include "options.h"
#include "train/linear_fit.h"

static const char help[] =
    "usage: tabia tune --data FILE --out src/games/chess/eval/weights.c [options]\n"
    "\n"
    "Fits the weights of the evaluation to the quiet positions of a file of training data, in any format that\n"
    "`tabia data` reads, and writes them. Build again, and play a match against what was before.\n"
    "\n"
    "  --data FILE      read as its ending or its content says; `tabia gensfen` makes one\n"
    "  --out FILE       the weights' source, written whole\n"
    "  --epochs N       rounds of the fit at most; default 100, it ends when positions kept aside gain no more\n"
    "  --result PERCENT of the target that is the game's result, the rest is the search's score; default 50\n"
    "  --pull N         how strongly weights stay what they are and like their neighbours; default 2\n"
    "  --threads N      default: one for each core\n"
    "  --seed N         of the order in which they are learnt from; default 1\n"
    "\n"
    "Ctrl-C while it fits writes the best so far; while it reads, nothing.\n"
    "\n"
    "Examples\n"
    "  tabia gensfen --positions 1000000 --out games.viri --nodes 2500 --dedupe\n"
    "  tabia tune --data games.viri --out src/games/chess/eval/weights.c\n"
    "  make match AGAINST=HEAD\n";

typedef struct {
    double began;
    unsigned epochs;
} FitProgress;

static bool show_epoch(void *context, const FitReport *r) {
    const FitProgress *progress = context;
    const double spent = tabia_clock_wall() - progress->began;
    char aside[64] = "no positions kept aside";
    if (r->aside) snprintf(aside, sizeof aside, "of positions kept aside %.6f", r->error_aside);
    if (r->epoch == 0) printf("k %.5f of a centipawn\n", r->k);
    printf("epoch %u of %u: error %.6f, %s, rate %.3f, %.1f s", r->epoch, progress->epochs, r->error, aside, r->rate,
           spent);
    if (r->epoch) printf(", at most %.0f s left", spent / r->epoch * (progress->epochs - r->epoch));
    printf("\n");
    fflush(stdout);
    return !tabia_stop_requested();
}

static void show_read(void *progress, const DataProgress *p) {
    tabia_progress_update(progress, p->records, data_progress_fraction(p), NULL);
}

static DataOutcome read_samples(Samples *samples, const char *data, TabiaError *error) {
    const double began = tabia_clock_wall();
    Progress progress;
    DataSource source = {.paths = &data, .path_count = 1, .on_progress = show_read, .context = &progress};
    tabia_progress_begin(&progress, stderr, "positions");
    const DataOutcome outcome = samples_read(samples, &source, error);
    tabia_progress_end(&progress);
    if (outcome == DATA_STOPPED)
        fprintf(stderr, "tabia tune: stopped after %zu positions; nothing is written\n", samples->read);
    if (outcome == DATA_DONE)
        printf("%zu quiet of %zu positions, read in %.1f s\n", samples->n, samples->read, tabia_clock_wall() - began);
    return outcome;
}

static int fit(const char *data, const FitOptions *options, const char *out) {
    Samples samples;
    Fit fitted;
    TabiaError error;
    if (!tabia_whole_possible(out, &error)) return complain("tune", &error, EXIT_OUTSIDE);
    fit_begin(&fitted);
    tabia_stop_install(true);
    const DataOutcome outcome = read_samples(&samples, data, &error);
    FitProgress progress = {tabia_clock_wall(), options->epochs};
    const bool good = outcome == DATA_DONE && fit_weights(&fitted, &samples, options, show_epoch, &progress, &error) &&
                      fit_write(&fitted, out, &error);
    if (good) printf("%s: the weights\n", out);
    samples_free(&samples);
    if (outcome == DATA_STOPPED) return EXIT_STOPPED;
    return good ? EXIT_GOOD : complain("tune", &error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
}

int command_tune(int argc, char **argv) {
    uint64_t epochs = 100, result = 50, threads = tabia_threads_usable(), seed = 1, pull = 2;
    const char *out = NULL, *data = NULL;
    const OptionRow rows[] = {take_text("data", &data),
                              take_text("out", &out),
                              take_whole("epochs", &epochs, 1, 100000),
                              take_whole("result", &result, 0, 100),
                              take_whole("pull", &pull, 0, 1000000),
                              take_whole("threads", &threads, 1, 4096),
                              take_whole("seed", &seed, 0, UINT64_MAX),
                              {0}};
    TabiaError error;
    bool wants_help;
    bool good = option_rows(argc, argv, rows, &wants_help, &error);
    if (good && wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (good && !data) good = tabia_fail(&error, "which file of positions? --data FILE");
    if (good && !out) good = tabia_fail(&error, "where to? --out src/games/chess/eval/weights.c");
    if (!good) return complain("tune", &error, EXIT_USAGE);
    const FitOptions options = {(unsigned)epochs, (unsigned)threads, (double)result / 100, (double)pull, seed};
    return fit(data, &options, out);
}
