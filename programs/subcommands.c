/* SPDX-License-Identifier: MIT */
#include "subcommands.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/closest.h"
#include "commands.h"

void subcommands_print(const Subcommand *rows, FILE *to) {
    int width = 8;
    for (const Subcommand *row = rows; row->name; row++)
        if ((int)strlen(row->name) > width) width = (int)strlen(row->name);
    for (; rows->name; rows++) fprintf(to, "  %-*s %s\n", width, rows->name, rows->about);
}

const Subcommand *subcommand_find(const Subcommand *rows, const char *name) {
    while (rows->name && strcmp(name, rows->name) != 0) rows++;
    return rows->name ? rows : NULL;
}

int subcommand_unknown(const Subcommands *list, const char *name) {
    Closest closest = {name, strlen(name), NULL, 0};
    char meant[CLOSEST_TEXT_MAX];
    for (const Subcommand *row = list->rows; row->name; row++) tabia_closest(&closest, row->name);
    static const char *const others[] = {"help", "--help", "--version"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) tabia_closest(&closest, others[i]);
    if (list->closest) list->closest(&closest);
    tabia_closest_text(&closest, "", meant);
    fprintf(stderr, "%s: there is no %s '%s'%s %s --help lists them\n", list->program, list->noun, name,
            meant[0] ? meant : ";", list->program);
    return EXIT_USAGE;
}

/* help NAME MORE -> NAME MORE --help, all of them a place to the left. */
static void turn_help(int argc, char **argv) {
    assert(argc > 2);
    memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
    argv[argc - 1] = "--help";
}

/* For the completion of shells (packaging/completion). */
static void list_names(const Subcommand *rows) {
    for (; rows->name; rows++) puts(rows->name);
    puts("help");
}

static bool is_help(const char *word) {
    return !strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h");
}

int subcommands_run(const Subcommands *list, int argc, char **argv) {
    if (argc < 2) return list->usage(stderr), EXIT_USAGE;
    const bool help = !strcmp(argv[1], "help");
    if (is_help(argv[1]) && (!help || argc == 2 || is_help(argv[2]))) return list->usage(stdout), EXIT_GOOD;
    if (!strcmp(argv[1], "--list-options")) return list_names(list->rows), EXIT_GOOD;
    if (help) turn_help(argc, argv);
    const Subcommand *found = subcommand_find(list->rows, argv[1]);
    return found ? found->run(argc - 1, argv + 1) : subcommand_unknown(list, argv[1]);
}
