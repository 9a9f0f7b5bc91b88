/* SPDX-License-Identifier: MIT */
/*
 * What differs between the programs of the games: `tabia` is chess, and its part lies in programs/chess/. All else of a
 * program is one text, compiled for each game.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "rules/position.h"
#include "subcommands.h"

/* What messages and --help say. */
typedef struct {
    const char *name;          /* of the program */
    const char *mpi_name;      /* of the one that runs on many ranks */
    const char *first_steps;   /* the last lines of its help */
    const char *greeting;      /* of people who start the engine at a terminal */
    const char *chess960_flag; /* of perft, without the dashes; NULL: the game has no such form */
    const char *games_flag;    /* of mate, as before: games of the solutions in a format of people */
    bool (*write_solution)(FILE *file, const Position *p, const Move *moves, unsigned n, TabiaError *error);
} ProgramTexts;

extern const ProgramTexts program_texts;

/* The subcommands of the program, to a row without a name. */
extern const Subcommand program_commands[];
