/* SPDX-License-Identifier: MIT */
/* The help of commands: texts of programs/help, which tools/embed_help.py makes a C source of, and in them the options. */
#pragma once
#include "options.h"

typedef struct {
    const char *command, *text;
} HelpText;

/* To one without a command. */
extern const HelpText help_texts[];

/* The text of a command. */
const char *help_text(const char *command);

/* "gensfen openings", if the command has a text about this topic; or null. */
const char *help_topic(const char *command, const char *topic);

/* Appends the topics of the command: " openings, endings". */
void help_topics(const char *command, char *text, size_t room);

/* Prints the text of a command or topic on standard output. A line {options NAME ...} of it becomes those rows, as far as there are
   such; a line {options} all other rows that have a help, and that no topic of the command names. */
void help_print(const char *command, const OptionRow *rows);
