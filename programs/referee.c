/* SPDX-License-Identifier: MIT */
/* tabia-shogi referee: what the rules say of games, a line for each. For programs that let others play. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/names.h"
#include "options.h"
#include "rules/declaration.h"
#include "selfplay/rules.h"

enum { REFEREE_PLIES_MAX = 2048, REFEREE_LINE_MAX = 1 << 14 };

typedef struct {
    Position position[REFEREE_PLIES_MAX + 1];
    Move move[REFEREE_PLIES_MAX];
    unsigned ply;
} RefereeGame;

/* The word at *at, which is moved behind it; NULL at the end of the line. Ends the word by '\0'. */
static char *next_word(char **at) {
    return *at ? strtok_r(*at, " \t\r\n", at) : NULL;
}

/* Where the position ends: at " moves ", or at the end. Cuts it there; *moves is what follows. */
static void cut_moves(char *text, char **moves) {
    static const char mark[] = " moves";
    char *found = strstr(text, mark);
    *moves = NULL;
    if (!found) return;
    *found = '\0';
    *moves = found + sizeof mark - 1;
}

static bool read_start(RefereeGame *g, const char *text, TabiaError *error) {
    static const char startpos[] = "startpos", sfen[] = "sfen ";
    const char *at = text + strspn(text, " \t");
    if (!strncmp(at, startpos, sizeof startpos - 1)) return fen_parse(g->position, fen_start, error);
    if (strncmp(at, sfen, sizeof sfen - 1)) return tabia_fail(error, "a game begins with startpos or sfen");
    return fen_parse(g->position, at + sizeof sfen - 1, error);
}

/* Answers a game whose moves are not all legal, or that is no game; else it is in *g. */
static bool read_game(RefereeGame *g, char *text) {
    char *moves;
    TabiaError error;
    cut_moves(text, &moves);
    text[strcspn(text, "\r\n")] = '\0';
    g->ply = 0;
    if (!read_start(g, text, &error)) return printf("bad %s\n", error.text), false;
    for (const char *word; (word = next_word(&moves));) {
        if (g->ply == REFEREE_PLIES_MAX) return printf("bad more than %d moves\n", REFEREE_PLIES_MAX), false;
        const Move m = move_from_uci(&g->position[g->ply], word);
        if (!m) {
            move_from_text(&g->position[g->ply], word, &error);
            return printf("illegal %u %s\n", g->ply + 1, error.text), false;
        }
        g->move[g->ply] = m;
        position_make_move(&g->position[g->ply + 1], &g->position[g->ply], m);
        g->ply++;
    }
    return true;
}

static void print_moves(const Position *p) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    printf("moves");
    for (unsigned i = 0; i < n; i++) {
        char text[UCI_MAX];
        move_to_uci(p, list[i], false, text);
        printf(" %s", text);
    }
    putchar('\n');
}

static void print_verdict(const RefereeGame *g) {
    static const char *const names[] = {
#define TERMINATION(name, words) #name,
        GAME_TERMINATIONS(TERMINATION)
#undef TERMINATION
    };
    const GameRules rules = {.declaration = 0};
    const Position *p = &g->position[g->ply];
    int white;
    const unsigned ending = game_ending(&rules, g->position, g->move, g->ply, &white);
    if (ending == GAME_ENDING_NONE)
        printf("play %s%s\n", colour_name((Colour)p->turn), declaration_wins(p) ? " may-declare" : "");
    else
        printf("end %s %s\n", white ? colour_name(white > 0 ? WHITE : BLACK) : "draw", names[ending]);
}

static void answer(RefereeGame *g, char *line) {
    static const char list[] = "list ";
    const bool is_list = !strncmp(line, list, sizeof list - 1);
    if (!read_game(g, is_list ? line + sizeof list - 1 : line)) return;
    if (is_list)
        print_moves(&g->position[g->ply]);
    else
        print_verdict(g);
}

static void pass_over_line(void) {
    int c;
    while ((c = getchar()) != '\n' && c != EOF) {
    }
    printf("bad the line is longer than %d characters\n", REFEREE_LINE_MAX - 2);
    fflush(stdout);
}

static bool judge_all(void) {
    RefereeGame *game = tabia_aligned_get(64, sizeof *game);
    char *line = malloc(REFEREE_LINE_MAX);
    const bool good = game && line;
    while (good && fgets(line, REFEREE_LINE_MAX, stdin)) {
        if (!strchr(line, '\n') && !feof(stdin)) {
            pass_over_line();
            continue;
        }
        if (strspn(line, " \t\r\n") != strlen(line)) answer(game, line + strspn(line, "\xef\xbb\xbf"));
        fflush(stdout);
    }
    tabia_aligned_free(game);
    free(line);
    return good;
}

int command_referee(int argc, char **argv) {
    TabiaError error;
    const OptionRow none[] = {{0}};
    if (!option_rows(argc, argv, "referee", none, &error)) return report_error("referee", &error, EXIT_USAGE);
    if (optind < argc)
        return tabia_fail(&error, "'%s': games are read from standard input", argv[optind]),
               report_error("referee", &error, EXIT_USAGE);
    if (judge_all()) return EXIT_GOOD;
    return tabia_fail(&error, "not enough memory for a game"), report_error("referee", &error, EXIT_OUTSIDE);
}
