/* SPDX-License-Identifier: MIT */
/* What several subcommands read from their command lines. */
#pragma once
#include <unistd.h> /* optind */

#include "base/error.h"
#include "base/progress.h"
#include "eval/evaluate.h"
#include "rules/position.h"
#include "tabia/table.h"

/* Prints "tabia COMMAND: error" to stderr and returns status. */
int report_error(const char *command, const TabiaError *error, int status);

/* After a request to stop: prints "tabia COMMAND: stopped; what" to stderr and returns EXIT_STOPPED. */
int report_stopped(const char *command, const char *what);

/* The end of every program, whatever its command: closes standard output. Returns status; or, where something written
   to it is lost, EXIT_OUTSIDE, with "PROGRAM: error" on stderr unless the command has said already what failed. */
int close_output(const char *program, int status);

/* The body of main: of a program that ends as Ctrl-C, cut files and a full disk ask. */
int program_main(const char *name, int (*run)(int argc, char **argv), int argc, char **argv);

/* A whole number from min to max. */
bool option_number(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *n, TabiaError *error);

/* What a command takes by --NAME VALUE. All members are options.c's; a row without name ends a list. */
typedef bool OptionReader(void *to, const char *text, TabiaError *error);
typedef struct {
    const char *name;
    enum { OPTION_FLAG, OPTION_TEXT, OPTION_FILE, OPTION_WHOLE, OPTION_UNSIGNED, OPTION_INT, OPTION_OTHER } kind;
    void *to;
    uint64_t min, max;
    OptionReader *read;
    bool optional;
    const char *argument, *help; /* of help_print, which breaks the lines; no help: it is not listed */
    uint64_t initial;            /* not 0: the help ends with it */
} OptionRow;
enum { OPTION_ROWS_MAX = 64 };

/* Rows. A flag has no value; a file is one with a name, not `-`; numbers are whole, from min to max; the value of an optional
   one may be left out. */
OptionRow flag_option(const char *name, bool *to);
OptionRow text_option(const char *name, const char **to);
OptionRow file_option(const char *name, const char **to);
OptionRow uint64_option(const char *name, uint64_t *to, uint64_t min, uint64_t max);
OptionRow unsigned_option(const char *name, unsigned *to, unsigned min, unsigned max);
OptionRow int_option(const char *name, int *to, unsigned min, unsigned max);
/* --progress SECONDS: a line of progress each so many seconds (tabia_progress_every). With --quiet it is refused. */
OptionRow progress_option(unsigned *seconds);
/* Begins progress on standard error as --quiet and --progress (0: not given) say. */
void option_progress_begin(Progress *p, bool quiet, unsigned seconds, const char *unit);
OptionRow reader_option(const char *name, OptionReader *read, void *to);
/* A table's size, "off" or "0" is 0, else bytes with a unit, at least 64K; the same for a search, at least 1M; xor,
   wide, locked or none; always or depth-and-age; network, or the game's without one. */
OptionRow hash_option(const char *name, uint64_t *to);
OptionRow search_hash_option(const char *name, uint64_t *to);
OptionReader option_table_hash; /* --hash, at least 64K, to a uint64_t */
OptionRow replacement_option(const char *name, TabiaReplacement *to);
OptionRow evaluation_option(const char *name, EvaluationType *to);
OptionRow outputs_option(uint32_t *to); /* --outputs of a network, 1 or 8 */

/* The row with its help; a flag's argument is NULL. */
OptionRow option_with_help(OptionRow row, const char *argument, const char *help);

/* Reads a command line of such options. --help prints the command's help (help.h), --list-options the options, and both end
   the program. What they do not take is argv[optind ..]. Says what is wrong in the error alone. */
bool option_rows(int argc, char **argv, const char *command, const OptionRow *rows, TabiaError *error);

/* The same, and says which rows were read: bit i of *seen for row i. */
bool option_rows_seen(int argc, char **argv, const char *command, const OptionRow *rows, uint64_t *seen,
                      TabiaError *error);

/* An amount of memory, in bytes with a unit: at least `least`, at most what the machine has. */
bool option_memory(const char *name, const char *text, uint64_t min, uint64_t *bytes, TabiaError *error);

/* A table's size as hash_option has it. */
bool option_hash(const char *text, uint64_t *bytes, TabiaError *error);

/* Names separated by commas, at least one: adds a bit to *set for each, by its index among the n names. */
typedef struct {
    const char *option;
    const char *const *names;
    unsigned n;
    const char *known; /* says in an error what would be right */
} OptionNames;
bool option_names(const OptionNames *names, const char *list, uint64_t *set, TabiaError *error);

/* May the file `out` of an option be written while the file `in` is read? Not if they are one, by whatever names. `-` is the
   standard output, NULL no file; a terminal is read and written. False with an error. */
bool option_is_apart(const char *option, const char *out, const char *in, TabiaError *error);

/* No regular file with content is overwritten unless with force, and none that another process is writing. Others, such as
   /dev/null or "-", may be written. */
bool option_may_write(const char *option, const char *out, bool force, TabiaError *error);

/* The position that --fen (NULL: the start position) and --moves (NULL: none) name together. */
bool option_position(const char *fen, const char *moves, Position *p, TabiaError *error);

/* A table size that suits this machine: 1 GiB, or an eighth of its memory if that is less. */
uint64_t default_hash_bytes(void);
