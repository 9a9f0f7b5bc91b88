/* SPDX-License-Identifier: MIT */
/* tabia train: fits the evaluation's network to games that the engine played, and writes network.bin anew. */
#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"
#include "commands.h"
#include "eval/network_file.h"
#include "options.h"
#include "train/train.h"

static const char help[] =
    "usage: tabia train FILE... --out src/games/chess/eval/network.bin [options]\n"
    "\n"
    "Fits the network of the evaluation to the quiet positions of files of training data, in any format that\n"
    "`tabia data` reads, and writes it. Build again, and play a match against what was before.\n"
    "\n"
    "  --out FILE       the network, written whole\n"
    "  --epochs N       how often each position is learnt from; default 20\n"
    "  --lessons N      rounds before, in which positions a few random moves from these are learnt from, with\n"
    "                   the value that the sum of terms gives them; default 4\n"
    "  --review PERCENT of the positions in the other rounds that are such lessons; default 25\n"
    "  --result PERCENT of the target that is the game's result, the rest is the search's score; default 10\n"
    "  --rate N         of learning, in millionths; it falls along a cosine; default 1000\n"
    "  --later PERCENT  of the rate that is left when lessons alone are over; default 30\n"
    "  --from FILE      a network to begin with, instead of random weights\n"
    "  --threads N      default: one for each core\n"
    "  --seed N         of the first weights, and of the order of positions; default 1\n"
    "\n"
    "A position takes 36 bytes of memory. Ctrl-C while it learns writes what has been learnt; while it reads,\n"
    "nothing.\n"
    "\n"
    "Exit status: 0 done, 2 wrong options or data, 3 something outside failed (memory, a file), 130 stopped\n"
    "while reading.\n"
    "\n"
    "Examples\n"
    "  tabia gensfen --positions 10000000 --soft-nodes 200 --out games.viri\n"
    "  tabia train games.viri --out src/games/chess/eval/network.bin\n"
    "  make match AGAINST=HEAD\n";

typedef struct {
    double began;
    unsigned lessons, epochs;
    Progress progress;
} TrainProgress;

/* "lessons 1 of 4" or "epoch 1 of 20": the report counts them together. */
static void epoch_text(const TrainProgress *p, unsigned number, char *out, size_t room) {
    const bool teaching = number <= p->lessons;
    snprintf(out, room, "%s %u of %u", teaching ? "lessons" : "epoch", teaching ? number : number - p->lessons,
             teaching ? p->lessons : p->epochs);
}

/* The line of an epoch that is over. */
static void print_epoch(const TrainProgress *p, const TrainReport *r) {
    const double spent = tabia_clock_wall() - p->began;
    const unsigned left = p->lessons + p->epochs - r->epoch;
    char name[64], aside[64] = "no positions kept aside";
    epoch_text(p, r->epoch, name, sizeof name);
    if (r->aside) snprintf(aside, sizeof aside, "of positions kept aside %.6f", r->error_aside);
    if (r->epoch == 1) printf("k %.5f of a centipawn\n", r->k);
    if (r->epoch == 1 && !r->aside)
        printf("too few positions to keep some aside: no error tells what is learnt by heart\n");
    printf("%s: error %.6f, %s, rate %.6f, %.1f s, %.0f s left\n", name, r->error, aside, r->rate, spent,
           spent / r->epoch * left);
    fflush(stdout);
}

static bool show_batch(void *context, const TrainReport *r) {
    TrainProgress *progress = context;
    if (r->done < r->all) {
        char more[64];
        epoch_text(progress, r->epoch, more, sizeof more);
        tabia_progress_update(&progress->progress, r->done, (double)r->done / (double)r->all, more);
        return !tabia_stop_requested();
    }
    tabia_progress_end(&progress->progress);
    print_epoch(progress, r);
    tabia_progress_begin(&progress->progress, stderr, "positions");
    return !tabia_stop_requested();
}

static void show_read(void *progress, const DataProgress *p) {
    tabia_progress_update(progress, p->records, data_progress_fraction(p), NULL);
}

static DataOutcome read_boards(Boards *boards, DataSource *source, TabiaError *error) {
    const double began = tabia_clock_wall();
    Progress progress;
    source->on_progress = show_read, source->context = &progress;
    tabia_progress_begin(&progress, stderr, "positions");
    const DataOutcome outcome = boards_read(boards, source, error);
    tabia_progress_end(&progress);
    if (outcome == DATA_STOPPED)
        fprintf(stderr, "tabia train: stopped after %ju positions; nothing is written\n", (uintmax_t)boards->read);
    if (outcome == DATA_DONE)
        printf("%zu quiet of %ju positions, read in %.1f s\n", boards->n, (uintmax_t)boards->read,
               tabia_clock_wall() - began);
    return outcome;
}

static bool learn(const Boards *boards, const TrainOptions *options, const char *out, TabiaError *error) {
    RealNetwork *real = aligned_alloc(_Alignof(RealNetwork), sizeof *real);
    Network *rounded = aligned_alloc(_Alignof(Network), sizeof *rounded);
    TrainProgress progress = {
        .began = tabia_clock_wall(), .lessons = options->lesson_epochs, .epochs = options->epochs};
    tabia_progress_begin(&progress.progress, stderr, "positions");
    bool good = real && rounded;
    if (!good) tabia_fail(error, "no memory for a network");
    good = good && train_network(real, boards, options, show_batch, &progress, error);
    tabia_progress_end(&progress.progress);
    if (good && tabia_stop_requested()) printf("stopped; what has been learnt is written\n");
    if (good) train_round(rounded, real);
    good = good && train_write(rounded, out, error);
    if (good) printf("%s: the network, %d bytes\n", out, (int)NETWORK_FILE_BYTES);
    free(real), free(rounded);
    return good;
}

static int train(DataSource *source, const TrainOptions *options, const char *out) {
    Boards boards;
    TabiaError error;
    if (!tabia_whole_possible(out, &error)) return complain("train", &error, EXIT_OUTSIDE);
    tabia_stop_install(true);
    const DataOutcome outcome = read_boards(&boards, source, &error);
    const bool good = outcome == DATA_DONE && learn(&boards, options, out, &error);
    boards_free(&boards);
    if (outcome == DATA_STOPPED) return EXIT_STOPPED;
    return good ? EXIT_GOOD : complain("train", &error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
}

/* Goes on with the network of a file. */
static int train_from(DataSource *source, TrainOptions *options, const char *from, const char *out) {
    TabiaError error;
    Network *network = aligned_alloc(_Alignof(Network), sizeof *network);
    int status = EXIT_OUTSIDE;
    options->from = network;
    if (!network)
        tabia_fail(&error, "no memory for a network"), complain("train", &error, status);
    else if (!train_read(network, from, &error))
        status = complain("train", &error, EXIT_USAGE);
    else
        status = train(source, options, out);
    free(network);
    return status;
}

int command_train(int argc, char **argv) {
    uint64_t later = 30, epochs = 20, lessons = 4, review = 25, result = 10, rate = 1000,
             threads = tabia_threads_usable(), seed = 1;
    const char *out = NULL, *from = NULL;
    const OptionRow rows[] = {take_text("out", &out),
                              take_text("from", &from),
                              take_whole("epochs", &epochs, 1, 100000),
                              take_whole("lessons", &lessons, 0, 100000),
                              take_whole("review", &review, 0, 100),
                              take_whole("result", &result, 0, 100),
                              take_whole("rate", &rate, 1, 1000000),
                              take_whole("later", &later, 0, 100),
                              take_whole("threads", &threads, 1, 4096),
                              take_whole("seed", &seed, 0, UINT64_MAX),
                              {0}};
    TabiaError error;
    bool wants_help;
    bool good = option_rows(argc, argv, rows, &wants_help, &error);
    if (good && wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (good && optind == argc) good = tabia_fail(&error, "which positions? Name files of training data");
    if (good && !out) good = tabia_fail(&error, "where to? --out src/games/chess/eval/network.bin");
    if (!good) return complain("train", &error, EXIT_USAGE);
    DataSource source = {.paths = (const char *const *)argv + optind, .path_count = (unsigned)(argc - optind)};
    TrainOptions options = {.lesson_epochs = (unsigned)lessons,
                            .epochs = (unsigned)epochs,
                            .lesson_share = (double)review / 100,
                            .threads = (unsigned)threads,
                            .rate = (double)rate / 1e6,
                            .later = (double)later / 100,
                            .result_share = (double)result / 100,
                            .seed = seed};
    return from ? train_from(&source, &options, from, out) : train(&source, &options, out);
}
