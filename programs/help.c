/* SPDX-License-Identifier: MIT */
#include "help.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { HELP_COLUMN = 21, HELP_WIDTH = 118 };
static const char placeholder[] = "{options";

const char *help_text(const char *command) {
    const HelpText *t = help_texts;
    while (t->command && strcmp(t->command, command) != 0) t++;
    assert(t->command);
    return t->text;
}

/* Is it the text of the command, or of a topic of it? */
static bool is_about(const HelpText *t, const char *command) {
    const size_t length = strlen(command);
    return !strncmp(t->command, command, length) && (!t->command[length] || t->command[length] == ' ');
}

const char *help_topic(const char *command, const char *topic) {
    for (const HelpText *t = help_texts; t->command; t++)
        if (is_about(t, command) && t->command[strlen(command)] && !strcmp(t->command + strlen(command) + 1, topic))
            return t->command;
    return NULL;
}

void help_topics(const char *command, char *text, size_t room) {
    for (const HelpText *t = help_texts; t->command; t++)
        if (is_about(t, command) && t->command[strlen(command)])
            tabia_text_append(text, room, "%s %s", text[0] ? "," : "", t->command + strlen(command) + 1);
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

/* Is the row named behind a placeholder of a text? */
static bool is_named_in(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = text; (line = strstr(line, placeholder)) != NULL; line++)
        for (const char *at = line + strlen(placeholder); *at == ' '; at += strcspn(at, " }"))
            if (!strncmp(++at, name, length) && strchr(" }", at[length])) return true;
    return false;
}

static bool is_named(const char *command, const char *name) {
    for (const HelpText *t = help_texts; t->command; t++)
        if (is_about(t, command) && is_named_in(t->text, name)) return true;
    return false;
}

void help_print(const char *command, const OptionRow *rows) {
    const char *at = help_text(command);
    for (size_t length; *at; at += length + 1) {
        length = strcspn(at, "\n");
        const char *names = at + strlen(placeholder);
        if (strncmp(at, placeholder, strlen(placeholder)) != 0) {
            printf("%.*s\n", (int)length, at);
        } else if (*names == ' ') {
            print_named(names, rows);
        } else {
            for (const OptionRow *row = rows; row->name; row++)
                if (row->help && !is_named(command, row->name)) print_row(row);
        }
    }
}
