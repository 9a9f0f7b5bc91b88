/* SPDX-License-Identifier: MIT */
/*
 * The commands of a client, a row of `commands` each. How a line becomes a search:
 *
 *     engine_loop      (loop.c)       reads lines on one thread, executes them on another
 *     engine_execute   (here)         finds the command, and waits for a search that runs where it has to
 *     engine_go        (go.c)         words of the line to SearchLimits
 *     search_start     (src/search)   returns at once; reports come back to output.c from the searching threads
 *
 * Options reach the search by set_option.c (the table) and settings.c. Calls point down: commands, then arguments and settings,
 * then output, then the search.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "engine_state.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "protocol/engine_protocol.h"
#include "rules/movegen.h"
#include "tokenizer.h"

typedef struct {
    const char *name, *arguments, *about;
    bool at_once; /* does not wait for the search that runs */
    void (*run)(Engine *e, Tokenizer *w, const char *line);
} UciCommand;

static void print_identity(Engine *e, Tokenizer *w, const char *line) {
    (void)w, (void)line;
    engine_print(e, "id name Tabia " TABIA_VERSION "\nid author the Tabia developers\n");
    engine_print_options(e);
    engine_print(e, PROTOCOL_HELLO_OK "\n");
}

static void call_command_hook(Engine *e, const char *line) {
    if (e->hooks) e->hooks->command(e->hooks->context, line);
}

/* ---- position ---- */

/* Reads the tokens of a FEN up to "moves" or the end. False: there are more than it has room for. */
static bool read_fen(Tokenizer *w, char *fen, size_t room, bool *has_moves) {
    fen[0] = '\0';
    while (tokenizer_next(w)) {
        *has_moves = tokenizer_is(w, "moves");
        if (*has_moves) return true;
        if (strlen(fen) + strlen(w->token) + 2 > room) return false;
        if (fen[0]) strcat(fen, " ");
        strcat(fen, w->token);
    }
    return true;
}

/* The position before the moves. */
static bool read_start(Engine *e, Tokenizer *w, Position *p, bool *has_moves, TabiaError *error) {
    char fen[512];
    if (!tokenizer_next(w)) return tabia_fail(error, "startpos or " PROTOCOL_POSITION " is missing");
    if (!tokenizer_is(w, "startpos"))
        return (read_fen(w, fen, sizeof fen, has_moves) ||
                tabia_fail(error, "more than %zu bytes are no position", sizeof fen - 1)) &&
               fen_parse(p, fen, error);
    *has_moves = tokenizer_next(w) && tokenizer_is(w, "moves");
    if (!*has_moves && w->token[0]) engine_print(e, "info string position: what is '%s'?\n", w->token);
    return fen_parse(p, fen_start, error);
}

/* Up to the first that is not legal. */
static unsigned read_moves(Engine *e, Tokenizer *w, Position p, Move *moves) {
    unsigned n = 0;
    while (tokenizer_next(w)) {
        const Move m = engine_read_move(&p, w->token);
        if (!m) {
            TabiaError why;
            move_explain_refusal(&p, w->token, &why);
            engine_print(e, "info string position: move %u, %s, is not legal (%s); it and all after it are left out\n",
                         n + 1, w->token, why.text);
            break;
        }
        moves[n++] = m;
        position_make_move(&p, &p, m);
    }
    return n;
}

/* A line with an error in the FEN leaves the position as it was. */
static void set_position(Engine *e, Tokenizer *w, const char *line) {
    call_command_hook(e, line);
    Position start;
    bool has_moves = false;
    TabiaError error;
    Move *moves = malloc((strlen(line) / 2 + 1) * sizeof *moves); /* a move, and a blank before it */
    if (!(moves || tabia_fail(&error, "no memory for the moves")) || !read_start(e, w, &start, &has_moves, &error)) {
        free(moves);
        engine_print(e, "info string position: %s; the position stays as it was\n", error.text);
        return;
    }
    const unsigned n = has_moves ? read_moves(e, w, start, moves) : 0;
    free(e->moves);
    e->start = start, e->moves = moves, e->moves_n = n;
    search_set_position(e->search, &e->start, e->moves, n);
}

/* ---- other commands ---- */

static void print_position(Engine *e, Tokenizer *w, const char *line) {
    (void)w, (void)line;
    engine_show_position(e);
}

static void print_evaluation(Engine *e, Tokenizer *w, const char *line) {
    (void)w, (void)line;
    engine_show_evaluation(e);
}

/* Mirrors the position: the colours are swapped. */
static void flip_position(Engine *e, Tokenizer *w, const char *line) {
    (void)w;
    call_command_hook(e, line);
    e->start = position_flipped(search_root(e->search)), e->moves_n = 0;
    search_set_position(e->search, &e->start, NULL, 0);
}

static void run_bench(Engine *e, Tokenizer *w, const char *line) {
    const char *before = w->cursor;
    const bool has_depth = tokenizer_next(w);
    int64_t depth = 0;
    (void)line;
    w->cursor = before;
    if (has_depth && !(depth = engine_read_number(e, w, "bench", (NumberBounds){1, 40, 0}))) return;
    engine_bench(e, (int)depth);
}

static void clear(Engine *e, Tokenizer *w, const char *line) {
    (void)w;
    call_command_hook(e, line);
    engine_clear(e);
}

static void make_openings(Engine *e, Tokenizer *w, const char *line) {
    (void)line;
    engine_genfens(e, w);
}

static void stop(Engine *e, Tokenizer *w, const char *line) {
    (void)w, (void)line;
    search_stop(e->search);
}

static void ready(Engine *e, Tokenizer *w, const char *line) {
    (void)w, (void)line;
    engine_print(e, "readyok\n");
}

static void ignore(Engine *e, Tokenizer *w, const char *line) {
    (void)e, (void)w, (void)line;
}

/* ---- the list ---- */

static void print_help(Engine *e, Tokenizer *w, const char *line);

/* quit is executed by engine_execute itself. */
static const UciCommand commands[] = {
    {PROTOCOL_HELLO, "", "name, authors and all options", true, print_identity},
    {"isready", "", "readyok, when all before it is done or waits for a search", true, ready},
    {"setoption", "name NAME [value VALUE]", "changes an option", false, engine_set_option},
    {PROTOCOL_NEW_GAME, "", "clears the table", false, clear},
    {"position", "startpos|" PROTOCOL_POSITION " POSITION [moves M ...]", "sets the position", false, set_position},
    {"go", "[depth N] [movetime MS] ...",
     "searches; without a limit until stop, or to the nodes of " PROTOCOL_OPTION_LIMIT_STRENGTH, false, engine_go},
    {"go perft", "N", "counts the leaves N plies ahead, below each move", false, NULL},
    {"stop", "", "ends the search", true, stop},
    {"ponderhit", "[btime MS] ...", "the expected move was played; with its times from now on", true, engine_ponderhit},
    {"d", "", "shows the board, its text and its key", false, print_position},
    {"eval", "", "evaluates the position without a search", false, print_evaluation},
    {"flip", "", "exchanges the colours", false, flip_position},
    {"bench", "[DEPTH]", "searches a fixed list of positions", false, run_bench},
    {"genfens", "N seed S book FILE|None", "prints openings", false, make_openings},
    {"help", "", "prints this list", false, print_help},
    {"quit", "", "ends the program", true, NULL},
    {PROTOCOL_GAME_OVER, "", NULL, true, stop},
    {"debug", "", NULL, true, ignore},
    {"register", "", NULL, true, ignore},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(Engine *e, Tokenizer *w, const char *line) {
    char text[2048] = "";
    (void)w, (void)line;
    for (int i = 0; i < COMMANDS; i++) {
        const UciCommand *c = &commands[i];
        const size_t n = strlen(text);
        if (c->about)
            snprintf(text + n, sizeof text - n, "  %-*s %-*s  %s\n", (int)strlen(c->name), c->name,
                     44 - (int)strlen(c->name), c->arguments, c->about);
    }
    engine_print(e, "%s", text);
}

static const UciCommand *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (*name && !strcmp(commands[i].name, name)) return &commands[i];
    return NULL;
}

void engine_closest_command(Closest *closest) {
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].about && !strchr(commands[i].name, ' ')) tabia_closest(closest, commands[i].name);
}

static void report_unknown(Engine *e, const char *name) {
    Closest closest = {name, strlen(name), NULL, 0};
    char meant[CLOSEST_TEXT_MAX];
    engine_closest_command(&closest);
    tabia_closest_text(&closest, "", meant);
    engine_print(e, "info string unknown command '%s'%s help lists them\n", name, meant[0] ? meant : ";");
}

bool engine_knows(const char *name, bool *takes_arguments) {
    const UciCommand *c = find_command(name);
    *takes_arguments = c && c->arguments[0];
    return c;
}

bool engine_execute(Engine *e, const char *line) {
    engine_log(e, ">> ", line);
    Tokenizer w = {.cursor = line};
    if (!tokenizer_next(&w)) return true;
    if (tokenizer_is(&w, "quit")) return false;
    const UciCommand *c = find_command(w.token);
    if (!c || !c->at_once) engine_wait_for_search(e);
    if (c)
        c->run(e, &w, line);
    else
        report_unknown(e, w.token);
    return true;
}
