/* SPDX-License-Identifier: MIT */
/* tabia tune: plays games against itself, fits the evaluation's weights to them, and writes weights.c anew. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/threads.h"
#include "commands.h"
#include "options.h"
#include "tuning/fit.h"
#include "tuning/play.h"

static const char help[] =
    "usage: tabia tune --data FILE [--games N] [--out src/games/chess/weights.c] [options]\n"
    "\n"
    "With --games, plays games against itself and adds their quiet positions to the file, as lines\n"
    "\"FEN | score | result\". With --out, fits the weights of the evaluation to the file's positions and writes\n"
    "them. Build again, and play a match against what was before.\n"
    "\n"
    "  --data FILE      read, and added to by --games\n"
    "  --games N        how many to play; default none\n"
    "  --out FILE       the weights' source; default: no fit\n"
    "  --nodes N        searched for each move; default 3000\n"
    "  --epochs N       rounds of the fit at most; default 100, it ends when positions kept aside gain no more\n"
    "  --result PERCENT of the target that is the game's result, the rest is the search's score; default 50\n"
    "  --pull N         how strongly weights stay what they are and like their neighbours; default 2\n"
    "  --threads N      default: one for each core\n"
    "  --seed N         of the openings; default 1\n";

static void show_games(unsigned games, size_t positions) {
    if (isatty(STDERR_FILENO) || games % 500 == 0) fprintf(stderr, "\r%u games, %zu positions", games, positions);
}

static bool show_epoch(void *context, const FitReport *r) {
    const double *began = context;
    if (r->epoch == 0) printf("k %.5f of a centipawn\n", r->k);
    printf("epoch %3u: error %.6f, of positions kept aside %.6f, rate %.3f, %.1f s\n", r->epoch, r->error,
           r->error_aside, r->rate, tabia_clock_wall() - *began);
    fflush(stdout);
    return !tabia_stop_requested();
}

static bool play(const SelfPlay *how, const char *data, Fault *fault) {
    FILE *f = fopen(data, "a");
    if (!f) return tabia_fault(fault, "%s: %s", data, strerror(errno));
    const bool good = self_play(how, f, show_games, fault);
    return (fclose(f) == 0 || tabia_fault(fault, "%s: %s", data, strerror(errno))) && good;
}

static bool fit(const char *data, const FitOptions *options, const char *out, Fault *fault) {
    Samples samples;
    Fit fitted;
    fit_begin(&fitted);
    tabia_stop_install();
    double began = tabia_clock_wall();
    bool good = samples_read(&samples, data, fault);
    if (good) printf("%zu positions, read in %.1f s\n", samples.n, tabia_clock_wall() - began);
    began = tabia_clock_wall();
    good = good && fit_weights(&fitted, &samples, options, show_epoch, &began, fault) && fit_write(&fitted, out, fault);
    samples_free(&samples);
    return good;
}

int command_tune(int argc, char **argv) {
    static const struct option names[] = {{"out", 1, NULL, 'o'},    {"games", 1, NULL, 'g'},  {"nodes", 1, NULL, 'n'},
                                          {"epochs", 1, NULL, 'e'}, {"result", 1, NULL, 'r'}, {"threads", 1, NULL, 't'},
                                          {"seed", 1, NULL, 's'},   {"data", 1, NULL, 'd'},   {"help", 0, NULL, 'h'},
                                          {"pull", 1, NULL, 'p'},   {NULL, 0, NULL, 0}};
    uint64_t games = 0, nodes = 3000, epochs = 100, result = 50, threads = tabia_threads_usable(), seed = 1, pull = 2;
    const char *out = NULL, *data = NULL;
    Fault fault;
    bool good = true;
    for (int c; good && (c = getopt_long(argc, argv, "h", names, NULL)) != -1;) {
        if (c == 'h') return fputs(help, stdout) < 0 ? EXIT_OUTSIDE : EXIT_GOOD;
        if (c == 'o')
            out = optarg;
        else if (c == 'd')
            data = optarg;
        else if (c == 'g')
            good = option_number("--games", optarg, 1, 100000000, &games, &fault);
        else if (c == 'n')
            good = option_number("--nodes", optarg, 1, 1000000000, &nodes, &fault);
        else if (c == 'e')
            good = option_number("--epochs", optarg, 1, 100000, &epochs, &fault);
        else if (c == 'r')
            good = option_number("--result", optarg, 0, 100, &result, &fault);
        else if (c == 't')
            good = option_number("--threads", optarg, 1, 4096, &threads, &fault);
        else if (c == 'p')
            good = option_number("--pull", optarg, 0, 1000000, &pull, &fault);
        else if (c == 's')
            good = option_number("--seed", optarg, 0, UINT64_MAX, &seed, &fault);
        else
            good = tabia_fault(&fault, "tabia tune --help lists the options");
    }
    if (good && !data) good = tabia_fault(&fault, "which file of positions? --data FILE");
    if (good && !games && !out) good = tabia_fault(&fault, "nothing to do: --games N plays, --out FILE fits");
    if (!good) return complain("tune", &fault, EXIT_USAGE);
    const SelfPlay how = {(unsigned)games, (unsigned)threads, nodes, seed};
    const FitOptions options = {(unsigned)epochs, (unsigned)threads, (double)result / 100, (double)pull, seed};
    good = (!games || play(&how, data, &fault)) && (!out || fit(data, &options, out, &fault));
    return good ? EXIT_GOOD : complain("tune", &fault, EXIT_OUTSIDE);
}
