/* SPDX-License-Identifier: MIT */
/* tabia data convert, shuffle, dedupe, sample: from some files to one. And split: to several. */
#include <stdio.h>

#include "commands.h"
#include "data/transfer.h"
#include "data_forms.h"
#include "options.h"

#define COMMON_HELP                                                                                                    \
    "  --out FILE       where to; it appears when it is whole (- is standard output)\n"                                \
    "  --to FORMAT      default: what the name of --out says, else that of the first file\n"                           \
    "  --from FORMAT    of the files read; default: what content or name says\n"                                       \
    "  --sums           checksums of all blocks, in FILE.sums\n"                                                       \
    "  --skip-bad       pass over bad records and count them; default: stop at the first\n"                            \
    "  --json           the report as JSON, on standard output\n"                                                      \
    "  --quiet          no progress and no report\n"

static const char convert_help[] =
    "usage: tabia data convert FILE... --out FILE [options]\n"
    "\n"
    "Reads records of any format and writes them in another, in their order. Every record is checked on the\n"
    "way. At the end it says which fields the format could not hold, and of how many records; a record that\n"
    "would come back as something else (another castling rook, no move where one is needed, Stockfish's mark to\n"
    "be skipped, which is the score 32002, where the format has no such mark) is left out and counted.\n"
    "tabia data info tells what a format holds.\n"
    "\n"
    "In binpack positions with castling rights of Chess960 lose all their rights, and castling moves there are\n"
    "left out, as Stockfish's tools write it: other readers crash on them. --to binpack960 keeps them, for Tabia.\n"
    "\n" COMMON_HELP "\n"
    "Examples\n"
    "  tabia data convert games.viri --out games.binpack\n"
    "  tabia data convert a.bin b.bin --out all.viri --sums\n"
    "  tabia data convert games.viri --out - --to plain | less\n";

static const char shuffle_help[] =
    "usage: tabia data shuffle FILE... --out FILE [options]\n"
    "\n"
    "Writes the records of all files in random order. What does not fit into memory goes through temporary\n"
    "files beside --out, 56 bytes a record. The order depends on seed and input only, not on memory.\n"
    "In viri and binpack whole games are moved; in other formats single records.\n"
    "\n" COMMON_HELP "  --seed N         default 1\n"
    "  --memory SIZE    default: an eighth of the machine's, at most 1G\n"
    "  --by games|records  what is moved\n"
    "\n"
    "Examples\n"
    "  tabia data shuffle day1.bin day2.bin --out train.bin\n"
    "  tabia data shuffle games.viri --out train.bullet --seed 7 --memory 4G\n";

static const char dedupe_help[] =
    "usage: tabia data dedupe FILE... --out FILE [options]\n"
    "\n"
    "Keeps the first of equal positions: equal in men, turn, castling rights and en passant, whatever their\n"
    "clocks. Records marked to be skipped stay, and make no duplicates. Positions are compared by keys of 128\n"
    "bits. Where memory does not hold all keys, the files are\n"
    "read several times. In viri and binpack a game that loses records becomes several.\n"
    "\n" COMMON_HELP
    "  --memory SIZE    for the keys, 32 to 64 bytes a record; default: an eighth of the machine's, at most 1G\n"
    "\n"
    "Example\n"
    "  tabia data dedupe train.bin --out unique.bin\n";

static const char sample_help[] =
    "usage: tabia data sample FILE... --out FILE --count N | --share X [options]\n"
    "\n"
    "Writes some of the records, chosen at random, in their order. In viri and binpack whole games are chosen.\n"
    "\n" COMMON_HELP "  --count N        exactly N of those that the format can hold; the files are read twice\n"
    "  --share X        each with this chance, above 0, to 1\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is chosen\n"
    "\n"
    "Examples\n"
    "  tabia data sample train.bin --out some.bin --count 100000\n"
    "  tabia data sample games.viri --out some.plain --share 0.001 --by games\n";

static const char split_help[] =
    "usage: tabia data split FILE... --out FILE --out FILE ... --shares A,B,... [options]\n"
    "\n"
    "Deals games out to several files at random, to each its share. A game stays in one file, so that no\n"
    "position is tested whose neighbours were trained on; --by records deals out single records.\n"
    "\n" COMMON_HELP "  --shares A,B,...  one number for each --out; default: equal\n"
    "  --seed N         default 1\n"
    "  --by games|records  what is dealt out; default games\n"
    "\n"
    "Example\n"
    "  tabia data split all.viri --out train.viri --out test.viri --shares 95,5\n";

enum { WRITES = TAKES_to | TAKES_out | TAKES_sums | TAKES_skip_bad | TAKES_json | TAKES_quiet };

typedef struct {
    DataLine line;
    DataSource source;
    const DataFormat *to;
    uint64_t twice;
} Job;

typedef DataOutcome Work(Job *job, DataWriter *w, Fault *fault);

static bool print_json(const Job *job, const DataReport *report, unsigned n, Fault *fault) {
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_count(&j, "read", job->source.at.records);
    tabia_json_count(&j, "bad", job->source.at.bad);
    if (job->twice) tabia_json_count(&j, "duplicates", job->twice);
    tabia_json_array(&j, "written");
    for (unsigned i = 0; i < n; i++) {
        tabia_json_object(&j, NULL);
        data_report_json(&j, &report[i]);
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, fault);
}

static int report(Job *job, const DataReport *reports, unsigned n, Fault *fault) {
    const int status = data_line_end(&job->line, DATA_DONE, fault);
    if (job->line.json)
        return print_json(job, reports, n, fault) ? status : data_line_end(&job->line, DATA_OUTSIDE, fault);
    for (unsigned i = 0; i < n && !job->line.quiet; i++) data_report_text(&reports[i]);
    if (job->twice && !job->line.quiet)
        fprintf(stderr, "  left out: %ju positions that were there before\n", (uintmax_t)job->twice);
    return status;
}

/* A form with one file to write. */
static int to_one(Job *job, Work *work, Fault *fault) {
    DataLine *line = &job->line;
    if (line->outs > 1)
        return tabia_fault(fault, "--out: one file is written, not %u", line->outs),
               data_line_end(line, DATA_INPUT, fault);
    job->source = data_line_source(line);
    job->to = data_line_target(line, &job->source, fault);
    if (!job->to) return data_line_end(line, DATA_INPUT, fault);
    DataWriter *w = data_writer_whole(line->out[0], job->to, line->sums, fault);
    if (!w) return data_line_end(line, DATA_OUTSIDE, fault);
    DataReport told = {.source = &job->source, .format = job->to, .path = line->out[0]};
    DataOutcome outcome = work(job, w, fault);
    data_source_close(&job->source);
    if (outcome == DATA_DONE)
        outcome = data_writer_finish(w, 0, &told.told, fault) ? DATA_DONE : DATA_OUTSIDE;
    else
        data_writer_abandon(w);
    return outcome == DATA_DONE ? report(job, &told, 1, fault) : data_line_end(line, outcome, fault);
}

/* Reads the command line and does the work; the extra check of a form may be null. */
static int run(int argc, char **argv, const char *command, const char *help, unsigned takes,
               bool (*check)(const DataLine *, Fault *), Work *work) {
    Job job = {.twice = 0};
    Fault fault;
    const bool good = data_line_read(&job.line, argc, argv, command, WRITES | takes, &fault) &&
                      (job.line.help || !check || check(&job.line, &fault));
    if (!good) return complain(command, &fault, EXIT_USAGE);
    if (job.line.help) return fputs(help, stdout), EXIT_GOOD;
    return to_one(&job, work, &fault);
}

static DataOutcome convert(Job *job, DataWriter *w, Fault *fault) {
    return data_convert(&job->source, w, fault);
}
static DataOutcome shuffle(Job *job, DataWriter *w, Fault *fault) {
    const DataLine *l = &job->line;
    const DataShuffle how = {.seed = l->seed, .memory = l->memory, .by_games = l->by_games, .beside = l->out[0]};
    return data_shuffle(&job->source, w, &how, fault);
}
static DataOutcome dedupe(Job *job, DataWriter *w, Fault *fault) {
    return data_dedupe(&job->source, w, &(DataDedupe){.memory = job->line.memory}, &job->twice, fault);
}
static DataOutcome sample(Job *job, DataWriter *w, Fault *fault) {
    const DataLine *l = &job->line;
    const DataSample how = {.seed = l->seed, .units = l->count, .share = l->sample, .by_games = l->by_games};
    return data_sample(&job->source, w, &how, fault);
}
static bool check_sample(const DataLine *line, Fault *fault) {
    return (line->count != 0) != (line->sample > 0) || tabia_fault(fault, "how many? either --count N or --share X");
}

int data_convert_form(int argc, char **argv) {
    return run(argc, argv, "data convert", convert_help, 0, NULL, convert);
}
int data_shuffle_form(int argc, char **argv) {
    return run(argc, argv, "data shuffle", shuffle_help, TAKES_seed | TAKES_memory | TAKES_by, NULL, shuffle);
}
int data_dedupe_form(int argc, char **argv) {
    return run(argc, argv, "data dedupe", dedupe_help, TAKES_memory, NULL, dedupe);
}
int data_sample_form(int argc, char **argv) {
    return run(argc, argv, "data sample", sample_help, TAKES_seed | TAKES_count | TAKES_share | TAKES_by, check_sample,
               sample);
}

/* ---- split ---- */

static DataOutcome open_all(Job *job, DataWriter **w, Fault *fault) {
    for (unsigned i = 0; i < job->line.outs; i++)
        if (!(w[i] = data_writer_whole(job->line.out[i], job->to, job->line.sums, fault))) return DATA_OUTSIDE;
    return DATA_DONE;
}

static int split(Job *job, Fault *fault) {
    DataLine *line = &job->line;
    DataWriter *w[DATA_OUTS_MAX] = {0};
    DataReport told[DATA_OUTS_MAX];
    for (unsigned i = 0; i < line->outs && !line->shares; i++) line->share[i] = 1;
    if (!line->says_by) line->by_games = line->says_by = true;
    job->source = data_line_source(line);
    job->to = data_line_target(line, &job->source, fault);
    if (!job->to) return data_line_end(line, DATA_INPUT, fault);
    const DataSplit how = {.seed = line->seed, .share = line->share, .n = line->outs, .by_games = line->by_games};
    DataOutcome outcome = open_all(job, w, fault);
    if (outcome == DATA_DONE) outcome = data_split(&job->source, w, &how, fault);
    data_source_close(&job->source);
    for (unsigned i = 0; i < line->outs; i++) {
        told[i] = (DataReport){.source = &job->source, .format = job->to, .path = line->out[i]};
        if (outcome != DATA_DONE)
            data_writer_abandon(w[i]);
        else if (!data_writer_finish(w[i], 0, &told[i].told, fault))
            outcome = DATA_OUTSIDE;
    }
    return outcome == DATA_DONE ? report(job, told, line->outs, fault) : data_line_end(line, outcome, fault);
}

static bool check_split(const DataLine *line, Fault *fault) {
    if (line->outs < 2) return tabia_fault(fault, "at least two times --out FILE are needed");
    return !line->shares || line->shares == line->outs ||
           tabia_fault(fault, "--shares: %u numbers for %u files", line->shares, line->outs);
}

int data_split_form(int argc, char **argv) {
    Job job = {.twice = 0};
    Fault fault;
    const bool good =
        data_line_read(&job.line, argc, argv, "data split", WRITES | TAKES_shares | TAKES_seed | TAKES_by, &fault) &&
        (job.line.help || check_split(&job.line, &fault));
    if (!good) return complain("data split", &fault, EXIT_USAGE);
    if (job.line.help) return fputs(split_help, stdout), EXIT_GOOD;
    return split(&job, &fault);
}
