/* SPDX-License-Identifier: MIT */
/* tabia train: fits the evaluation's network to games that the engine played, and writes network.bin. */
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
    "  --out FILE       the network; it is written when training ends\n"
    "  --epochs N       passes over the positions; default 20\n"
    "  --synthetic-epochs N\n"
    "                   epochs before these, on synthetic samples: positions a few random moves away, labelled\n"
    "                   by the evaluation by terms; default 4\n"
    "  --synthetic PERCENT\n"
    "                   of the positions in the other epochs that are replaced by synthetic samples; default 25\n"
    "  --wdl PERCENT    weight of the game's result in the target, the rest is the search's score; default 10\n"
    "  --rate N         initial learning rate, in millionths; it falls along a cosine; default 1000\n"
    "  --finetune-rate PERCENT\n"
    "                   of the rate, after the synthetic epochs; default 30\n"
    "  --from FILE      initial network, instead of random weights\n"
    "  --threads N      default: one for each core\n"
    "  --seed N         of the random weights and the order of positions; default 1\n"
    "\n"
    "A position takes 36 bytes of memory. Ctrl-C during training ends it and writes the network; during reading\n"
    "nothing is written.\n"
    "\n"
    "Exit status: 0 done, 2 wrong options or data, 3 memory, disk or a file failed, 130 stopped while\n"
    "reading.\n"
    "\n"
    "Examples\n"
    "  tabia gensfen --positions 10000000 --soft-nodes 200 --out games.viri\n"
    "  tabia train games.viri --out src/games/chess/eval/network.bin\n"
    "  make match AGAINST=HEAD\n";

typedef struct {
    double start_time;
    unsigned synthetic_epochs, epochs;
    Progress progress_line;
} TrainProgress;

/* "synthetic epoch 1 of 4" or "epoch 1 of 20": the report counts them together. */
static void epoch_text(const TrainProgress *p, unsigned number, char *out, size_t capacity) {
    const bool is_synthetic = number <= p->synthetic_epochs;
    snprintf(out, capacity, "%s %u of %u", is_synthetic ? "synthetic epoch" : "epoch",
             is_synthetic ? number : number - p->synthetic_epochs, is_synthetic ? p->synthetic_epochs : p->epochs);
}

/* The line of a finished epoch. */
static void print_epoch(const TrainProgress *p, const TrainReport *r) {
    const double spent = tabia_clock_wall() - p->start_time;
    const unsigned left = p->synthetic_epochs + p->epochs - r->epoch;
    char name[64], validation[64] = "no validation set";
    epoch_text(p, r->epoch, name, sizeof name);
    if (r->validation) snprintf(validation, sizeof validation, "validation error %.6f", r->validation_error);
    if (r->epoch == 1) printf("k %.5f of a centipawn\n", r->k);
    if (r->epoch == 1 && !r->validation)
        printf("too few positions for a validation set: overfitting is not measured\n");
    printf("%s: error %.6f, %s, rate %.6f, %.1f s, %.0f s left\n", name, r->error, validation, r->rate, spent,
           spent / r->epoch * left);
    fflush(stdout);
}

static bool show_batch(void *context, const TrainReport *r) {
    TrainProgress *progress = context;
    if (r->done < r->all) {
        char label[64];
        epoch_text(progress, r->epoch, label, sizeof label);
        tabia_progress_update(&progress->progress_line, r->done, (double)r->done / (double)r->all, label);
        return !tabia_stop_requested();
    }
    tabia_progress_end(&progress->progress_line);
    print_epoch(progress, r);
    tabia_progress_begin(&progress->progress_line, stderr, "positions");
    return !tabia_stop_requested();
}

static void show_read(void *progress_line, const DataProgress *p) {
    tabia_progress_update(progress_line, p->records, data_progress_fraction(p), NULL);
}

static DataOutcome read_positions(TrainPositions *positions, DataSource *source, TabiaError *error) {
    const double start_time = tabia_clock_wall();
    Progress progress_line;
    source->on_progress = show_read, source->context = &progress_line;
    tabia_progress_begin(&progress_line, stderr, "positions");
    const DataOutcome outcome = train_positions_read(positions, source, error);
    tabia_progress_end(&progress_line);
    if (outcome == DATA_STOPPED)
        fprintf(stderr, "tabia train: stopped after %ju positions; nothing is written\n",
                (uintmax_t)positions->records_read);
    if (outcome == DATA_DONE)
        printf("%zu quiet of %ju positions, read in %.1f s\n", positions->count, (uintmax_t)positions->records_read,
               tabia_clock_wall() - start_time);
    return outcome;
}

static bool train_and_write(const TrainPositions *positions, const TrainOptions *options, const char *out,
                            TabiaError *error) {
    FloatNetwork *network = aligned_alloc(_Alignof(FloatNetwork), sizeof *network);
    Network *quantized = aligned_alloc(_Alignof(Network), sizeof *quantized);
    TrainProgress progress = {
        .start_time = tabia_clock_wall(), .synthetic_epochs = options->synthetic_epochs, .epochs = options->epochs};
    tabia_progress_begin(&progress.progress_line, stderr, "positions");
    bool good = network && quantized;
    if (!good) tabia_fail(error, "out of memory for a network");
    good = good && train_network(network, positions, options, show_batch, &progress, error);
    tabia_progress_end(&progress.progress_line);
    if (good && tabia_stop_requested()) printf("stopped; the network so far is written\n");
    if (good) network_quantize(quantized, network);
    good = good && network_write(quantized, out, error);
    if (good) printf("%s: the network, %zu bytes\n", out, network_file_bytes(quantized->shape));
    free(network), free(quantized);
    return good;
}

static int train_files(DataSource *source, const TrainOptions *options, const char *out) {
    TrainPositions positions;
    TabiaError error;
    if (!tabia_atomic_file_possible(out, &error)) return report_error("train", &error, EXIT_OUTSIDE);
    tabia_stop_install(true);
    const DataOutcome outcome = read_positions(&positions, source, &error);
    const bool good = outcome == DATA_DONE && train_and_write(&positions, options, out, &error);
    train_positions_free(&positions);
    if (outcome == DATA_STOPPED) return EXIT_STOPPED;
    return good ? EXIT_GOOD : report_error("train", &error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
}

/* Starts with the network of a file. */
static int train_from(DataSource *source, TrainOptions *options, const char *from, const char *out) {
    TabiaError error;
    Network *network = network_read(from, &error);
    if (!network) return report_error("train", &error, EXIT_USAGE);
    options->from = network;
    const int status = train_files(source, options, out);
    free(network);
    return status;
}

int command_train(int argc, char **argv) {
    uint64_t finetune_rate = 30, epochs = 20, synthetic = 4, synthetic_percent = 25, wdl = 10, rate = 1000,
             threads = tabia_threads_usable(), seed = 1;
    const char *out = NULL, *from = NULL;
    const OptionRow rows[] = {text_option("out", &out),
                              text_option("from", &from),
                              uint64_option("epochs", &epochs, 1, 100000),
                              uint64_option("synthetic-epochs", &synthetic, 0, 100000),
                              uint64_option("synthetic", &synthetic_percent, 0, 100),
                              uint64_option("wdl", &wdl, 0, 100),
                              uint64_option("rate", &rate, 1, 1000000),
                              uint64_option("finetune-rate", &finetune_rate, 0, 100),
                              uint64_option("threads", &threads, 1, 4096),
                              uint64_option("seed", &seed, 0, UINT64_MAX),
                              {0}};
    TabiaError error;
    bool wants_help;
    bool good = option_rows(argc, argv, rows, &wants_help, &error);
    if (good && wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (good && optind == argc) good = tabia_fail(&error, "FILE is missing: name files of training data");
    if (good && !out) good = tabia_fail(&error, "--out FILE is missing, as in --out src/games/chess/eval/network.bin");
    if (!good) return report_error("train", &error, EXIT_USAGE);
    DataSource source = {.paths = (const char *const *)argv + optind, .path_count = (unsigned)(argc - optind)};
    TrainOptions options = {.synthetic_epochs = (unsigned)synthetic,
                            .epochs = (unsigned)epochs,
                            .synthetic_fraction = (double)synthetic_percent / 100,
                            .threads = (unsigned)threads,
                            .rate = (double)rate / 1e6,
                            .finetune_rate = (double)finetune_rate / 100,
                            .result_weight = (double)wdl / 100,
                            .seed = seed};
    return from ? train_from(&source, &options, from, out) : train_files(&source, &options, out);
}
