/* SPDX-License-Identifier: MIT */
/* What several subcommands read from their command lines. */
#pragma once
#include "base/fault.h"
#include "position.h"
#include "tabia/table.h"

/* Prints "tabia COMMAND: fault" to stderr and returns status. */
int complain(const char *command, const Fault *fault, int status);

/* A whole number from least to most. */
bool option_number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *n, Fault *fault);

/* What a command takes by --NAME VALUE: a whole number within bounds, or a text. A row without name ends
   the list. */
typedef struct {
    const char *name;
    uint64_t *number;
    uint64_t least, most;
    const char **text; /* where there is no number */
} OptionRow;
enum { OPTION_ROWS_MAX = 20 };

/* Reads a command line of such options and --help; what they do not take is argv[optind ..]. */
bool option_rows(const char *command, int argc, char **argv, const OptionRow *rows, bool *wants_help, Fault *fault);

/* A table's size: "off" or "0" is 0, else bytes with a unit, at least 64K. */
bool option_hash(const char *text, uint64_t *bytes, Fault *fault);

/* A table's size for a search: bytes with a unit, at least 1M. */
bool option_search_hash(const char *text, uint64_t *bytes, Fault *fault);

/* xor, wide, locked or none. */
bool option_integrity(const char *text, TabiaIntegrity *integrity, Fault *fault);

/* The position that --fen (NULL: the start position) and --moves (NULL: none) name together. */
bool option_position(const char *fen, const char *moves, Position *p, Fault *fault);

/* A table size that suits this machine: 1 GiB, or an eighth of its memory if that is less. */
uint64_t default_hash_bytes(void);
