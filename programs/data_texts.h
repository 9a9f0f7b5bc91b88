/* SPDX-License-Identifier: MIT */
/* What the help of `data` says of a game: the texts of its commands, each in programs/GAME/data_texts.c. */
#pragma once

/* The options of all commands that write files. */
#define DATA_COMMON_HELP                                                                                               \
    "  --out FILE       output file; it appears when it is complete (- is standard output); FILE.zst is compressed\n"  \
    "  --to FORMAT      default: that of the extension of --out, else that of the first file\n"                        \
    "  --from FORMAT    of the input files; default: detected from content or extension\n"                             \
    "  --level N        of a compressed output: 1 (fast) to 19 (small); default: 3\n"                                  \
    "  --checksums      writes the checksums of all blocks to FILE.sums\n"                                             \
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"                               \
    "  --json           the report as JSON, on standard output\n"                                                      \
    "  --quiet          no progress and no report\n"                                                                   \
    "  --progress SECONDS\n"                                                                                           \
    "                   a line of progress each so many seconds, on a terminal or not\n"

/* The whole text of each command's --help; filter's but for its rules, which stand before the examples. */
typedef struct {
    const char *first_steps; /* of `data` without a command */
    const char *info, *verify, *manifest, *convert, *shuffle, *dedupe, *filter, *filter_examples;
    const char *split, *sample, *rescore, *view, *stats;
} DataTexts;

extern const DataTexts data_texts;
