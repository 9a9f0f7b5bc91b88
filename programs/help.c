/* SPDX-License-Identifier: MIT */
#include "help.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 21, HELP_WIDTH = 118 };
static const char placeholder[] = "{options";

const char *help_text(const char *command) {
    const HelpText *t = help_texts;
    while (t->command && strcmp(t->command, command) != 0) t++;
    assert(t->command);
    return t->text;
}

/* Words from that column on, in lines that begin there. */
static void print_words(const char *text) {
    unsigned at = HELP_COLUMN;
    while (*text) {
        const unsigned length = (unsigned)strcspn(text, " ");
        if (at > HELP_COLUMN && at + 1 + length > HELP_WIDTH)
            printf("\n%*s", HELP_COLUMN, ""), at = HELP_COLUMN;
        else if (at > HELP_COLUMN)
            putchar(' '), at++;
        printf("%.*s", (int)length, text);
        at += length;
        text += length + (text[length] == ' ');
    }
}

static void print_row(const OptionRow *row) {
    const int width = printf("  --%s%s%s", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
    if (width < HELP_COLUMN)
        printf("%*s", HELP_COLUMN - width, "");
    else
        printf("\n%*s", HELP_COLUMN, "");
    print_words(row->help);
    if (row->initial) printf("; default %ju", (uintmax_t)row->initial);
    putchar('\n');
}

/* The rows named behind a placeholder. */
static void print_named(const char *names, const OptionRow *rows) {
    while (*names == ' ') {
        const size_t length = strcspn(++names, " }");
        for (const OptionRow *row = rows; row->name; row++)
            if (row->help && strlen(row->name) == length && !strncmp(row->name, names, length)) print_row(row);
        names += length;
    }
}

/* Is the row named behind a placeholder of the text? */
static bool is_named(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = text; (line = strstr(line, placeholder)) != NULL; line++)
        for (const char *at = line + strlen(placeholder); *at == ' '; at += strcspn(at, " }"))
            if (!strncmp(++at, name, length) && strchr(" }", at[length])) return true;
    return false;
}

void help_print(const char *command, const OptionRow *rows) {
    const char *text = help_text(command), *at = text;
    for (size_t length; *at; at += length + 1) {
        length = strcspn(at, "\n");
        const char *names = at + strlen(placeholder);
        if (strncmp(at, placeholder, strlen(placeholder)) != 0) {
            printf("%.*s\n", (int)length, at);
        } else if (*names == ' ') {
            print_named(names, rows);
        } else {
            for (const OptionRow *row = rows; row->name; row++)
                if (row->help && !is_named(text, row->name)) print_row(row);
        }
    }
}
