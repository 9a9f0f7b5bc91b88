/* SPDX-License-Identifier: MIT */
/* A list of subcommands, and what is common to all: help, `help NAME`, and what is said where there is none. */
#pragma once
#include <stdio.h>

#include "base/closest.h"

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the name */
    const char *about;
} Subcommand;

typedef struct {
    const char *program;    /* "tabia data" */
    const char *noun;       /* "command" */
    const Subcommand *rows; /* to one without a name */
    void (*usage)(FILE *to);
    void (*closest)(Closest *closest); /* looks at what else may be said in place of a name; or NULL */
} Subcommands;

/* A line for each, to a row without a name. */
void subcommands_print(const Subcommand *rows, FILE *to);

/* NULL: there is none of that name. */
const Subcommand *subcommand_find(const Subcommand *rows, const char *name);

/* Prints that there is none of that name, with the closest one, in a line on stderr. Returns EXIT_USAGE. */
int subcommand_unknown(const Subcommands *list, const char *name);

/* Runs argv[1], the program's name being argv[0], and returns its exit status. --help, -h and help print the usage;
   `help NAME ...` is `NAME ... --help`, `help help` is `help`; --list-options prints the names. Moves pointers of argv. */
int subcommands_run(const Subcommands *list, int argc, char **argv);
