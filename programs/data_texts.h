/* SPDX-License-Identifier: MIT */
/* The help of `data`. */
#pragma once

/* The options of all commands that write files. */
#define DATA_COMMON_HELP                                                                                               \
    "  --out FILE       output file; it appears when it is complete (- is standard output); FILE.zst is compressed\n"  \
    "  --to FORMAT      default: that of the extension of --out, else that of the first file\n"                        \
    "  --from FORMAT    of the input files; default: detected from content or extension\n"                             \
    "  --checksums      writes the checksums of all blocks to FILE.sums\n"                                             \
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"                               \
    "  --json           the report as JSON, on standard output\n"                                                      \
    "  --quiet          no progress and no report\n"                                                                   \
    "  --progress SECONDS\n"                                                                                           \
    "                   a line of progress each so many seconds, on a terminal or not\n"

/* The commands; the help of filter stands before its rules and after them. */
typedef enum {
    DATA_HELP_INFO,
    DATA_HELP_VERIFY,
    DATA_HELP_CONVERT,
    DATA_HELP_SHUFFLE,
    DATA_HELP_DEDUPE,
    DATA_HELP_FILTER,
    DATA_HELP_FILTER_EXAMPLES,
    DATA_HELP_SPLIT,
    DATA_HELP_SAMPLE,
    DATA_HELP_RESCORE,
    DATA_HELP_VIEW,
    DATA_HELP_STATS,
    DATA_HELP_N
} DataHelp;

void data_print_help(DataHelp which);

/* What a game says of its own, in programs/GAME/data_texts.c. */
typedef struct {
    const char *games, *records;   /* extensions in examples: of a format of games, and of another */
    const char *first_steps;       /* of `data` without a command */
    const char *note[DATA_HELP_N]; /* whole lines; NULL: none */
} DataTexts;

extern const DataTexts data_texts;
