/* SPDX-License-Identifier: MIT */
/* tabia mate FILE: solves the mate problems of a file, a position on each line. */
#include "mate/mate.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file_calls.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "commands.h"
#include "data/format.h"
#include "json_document.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "options.h"
#include "program.h"

enum { PROBLEM_LINE_MAX = 4096, BAD_SHOWN = 20 };

typedef struct {
    MateSettings settings;
    MateLimits limits;
    unsigned seconds, every;
    bool json, quiet, verify;
    const char *file_name, *games_name;
    FILE *file, *games;
    AtomicFile games_file;
    unsigned line, problems, result[3], bad; /* counts by MateResult */
    unsigned unverified;
    uint64_t nodes;
    double took;
    Progress progress;
    Json writer;
} MateCommand;

static bool read_command_line(int argc, char **argv, MateCommand *c, TabiaError *error) {
    const OptionRow rows[] = {
        option_with_help(unsigned_option("threads", &c->settings.threads, 1, 256), "N", "default: one for each core"),
        option_with_help(search_hash_option("hash", &c->settings.hash_bytes), "SIZE",
                         "of the shared table; default: 1G, or an eighth of the memory"),
        option_with_help(flag_option("all-moves", &c->settings.all_moves), NULL,
                         "the attacker may play any move; default: only checks"),
        option_with_help(unsigned_option("plies", &c->limits.plies, 1, 2000), "N", "finds mates of at most N plies"),
        option_with_help(uint64_option("nodes", &c->limits.nodes, 1, UINT64_MAX), "N",
                         "for each problem: positions whose moves are generated"),
        option_with_help(unsigned_option("seconds", &c->seconds, 1, 1000000), "N", "for each problem"),
        option_with_help(flag_option("first", &c->limits.first_found), NULL,
                         "prints the first mate found; default: searches for a shorter one with twice the nodes"),
        option_with_help(flag_option("verify", &c->verify), NULL,
                         "tries every defence against the moves of each proof, by the rules alone"),
        option_with_help(flag_option("json", &c->json), NULL, "one JSON object"),
        option_with_help(flag_option("quiet", &c->quiet), NULL, "no progress"),
        option_with_help(progress_option(&c->every), "SECONDS",
                         "a line of progress at this interval, with or without a terminal"),
        option_with_help(file_option(program_texts.games_flag, &c->games_name), "FILE",
                         "the mates as games in KIF (UTF-8); a new file"),
        {0}};
    if (!option_rows(argc, argv, "mate", rows, error)) return false;
    if (optind + 1 != argc)
        return tabia_fail(error, "one FILE is needed; for example: %s mate problems.txt", program_texts.name);
    c->file_name = argv[optind];
    const DataFormat *games = data_format_by_extension(c->file_name);
    if (games && data_format_is_notation(games))
        return tabia_fail(error, "%s: games; a position on each line is needed", c->file_name);
    c->limits.seconds = c->seconds;
    if (!c->settings.threads) c->settings.threads = tabia_threads_usable();
    return true;
}

/* ---- the problems ---- */

/* The position of a line, behind the words that protocols put before one. NULL: the line is empty or a comment. */
static const char *position_text(const char *line) {
    static const char *const before[] = {"position ", "fen ", "sfen "};
    while (*line == ' ' || *line == '\t') line++;
    for (unsigned i = 0; i < sizeof before / sizeof *before; i++)
        if (!strncmp(line, before[i], strlen(before[i]))) line += strlen(before[i]);
    return *line && *line != '#' && *line != '\n' && *line != '\r' ? line : NULL;
}

static void report_bad(MateCommand *c, const TabiaError *error) {
    tabia_progress_end(&c->progress);
    if (c->bad++ < BAD_SHOWN) fprintf(stderr, "%s:%u: %s\n", c->file_name, c->line, error->text);
}

/* How long the next line is, of which as much is kept as there is room for; -1: there is none, or Ctrl-C. */
static int64_t read_line(FILE *file, char text[PROBLEM_LINE_MAX]) {
    int64_t n = 0;
    int ch = EOF;
    /* Not buffered: a silent one is left by Ctrl-C. */
    while (tabia_stop_wait(fileno(file)) && (ch = getc(file)) != EOF && ch != '\n')
        if (n++ < PROBLEM_LINE_MAX - 1) text[n - 1] = (char)ch;
    text[n < PROBLEM_LINE_MAX - 1 ? n : PROBLEM_LINE_MAX - 1] = '\0';
    return tabia_stop_requested() || (ch == EOF && !n) ? -1 : n;
}

/* The position of a line of n characters, with an error if it is none and no comment. */
static bool read_problem(const char *text, int64_t n, Position *p, TabiaError *error) {
    const char *position = position_text(text), *rest;
    *error->text = '\0';
    if (n > PROBLEM_LINE_MAX - 2) return tabia_fail(error, "a line of more than %d characters", PROBLEM_LINE_MAX - 2);
    if ((int64_t)strlen(text) != n) return tabia_fail(error, "a zero byte in the line");
    if (!position || !fen_parse_epd(p, position, &rest, error)) return false;
    return strncmp(rest, "moves ", 6) || tabia_fail(error, "moves after a position are not read");
}

/* The next position of the file. */
static bool next_problem(MateCommand *c, Position *p) {
    char text[PROBLEM_LINE_MAX];
    TabiaError error;
    for (int64_t n; (n = read_line(c->file, text)) >= 0;) {
        const int mark = !c->line++ && !strncmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* as editors on Windows write it */
        if (read_problem(text + mark, n - mark, p, &error)) return true;
        if (*error.text) report_bad(c, &error);
    }
    return false;
}

/* ---- what is printed ---- */

static const char *const result_names[] = {[MATE_UNKNOWN] = "unknown", [MATE_FOUND] = "mate", [MATE_NONE] = "none"};
static const char *const walk_names[] = {
    [MATE_UNKNOWN] = "unfinished", [MATE_FOUND] = "verified", [MATE_NONE] = "refuted"};

static bool is_stopped(void *context, uint64_t nodes) {
    (void)context, (void)nodes;
    return tabia_stop_requested();
}

static void show_progress(void *context, uint64_t nodes) {
    MateCommand *c = context;
    double seconds;
    char amount[SHORT_TEXT_MAX], rate[SHORT_TEXT_MAX];
    if (!tabia_progress_is_due(&c->progress, &seconds)) return;
    tabia_amount_text((double)nodes, amount);
    tabia_rate_text((double)(c->nodes + nodes) / seconds, rate);
    tabia_progress_show(&c->progress, "line %u, %s nodes of it, %s; %u with a mate, %u without, %u unknown", c->line,
                        amount, rate, c->result[MATE_FOUND], c->result[MATE_NONE], c->result[MATE_UNKNOWN]);
}

static void print_text(const MateCommand *c, const MateSolution *s, const MateWalk *walk, Position p) {
    char nodes[SHORT_TEXT_MAX];
    tabia_amount_text((double)s->nodes, nodes);
    printf("%u: ", c->line);
    if (s->result == MATE_FOUND)
        printf("mate in %u pl%s%s", s->plies, s->plies == 1 ? "y" : "ies", s->shortest ? "" : " or less");
    else
        printf("%s", s->result == MATE_NONE ? "no mate" : "unknown");
    if (s->result == MATE_NONE && c->limits.plies) printf(" in %u plies", c->limits.plies);
    printf(", %s nodes, %.2f s", nodes, s->seconds);
    if (walk) {
        tabia_amount_text((double)walk->positions, nodes);
        printf(", %s: %s positions", walk_names[walk->result], nodes);
    }
    for (unsigned i = 0; i < s->moves; i++) {
        char move[UCI_MAX];
        move_to_uci(&p, s->line[i], false, move);
        printf("%s %s", i ? "" : ":", move);
        game_make_move(&p, &p, s->line[i]);
    }
    putchar('\n');
    fflush(stdout);
}

static void write_walk(Json *j, const MateWalk *walk) {
    tabia_json_object(j, "walk");
    tabia_json_text(j, "result", walk_names[walk->result]);
    tabia_json_integer(j, "plies", walk->plies);
    tabia_json_count(j, "positions", walk->positions);
    tabia_json_count(j, "solved_again", walk->again);
    tabia_json_count(j, "interpositions_solved", walk->interposed);
    tabia_json_close(j);
}

static void write_json(MateCommand *c, const MateSolution *s, const MateWalk *walk, Position p) {
    Json *j = &c->writer;
    tabia_json_object(j, NULL);
    tabia_json_integer(j, "line", c->line);
    tabia_json_text(j, "result", result_names[s->result]);
    tabia_json_count(j, "nodes", s->nodes);
    tabia_json_real(j, "seconds", s->seconds);
    tabia_json_boolean(j, "shortest", s->shortest);
    tabia_json_integer(j, "plies", s->plies);
    if (walk) write_walk(j, walk);
    tabia_json_array(j, "moves");
    for (unsigned i = 0; i < s->moves; i++) {
        char move[UCI_MAX];
        move_to_uci(&p, s->line[i], false, move);
        tabia_json_text(j, NULL, move);
        game_make_move(&p, &p, s->line[i]);
    }
    tabia_json_close(j);
    tabia_json_close(j);
}

static bool finish(MateCommand *c, TabiaError *error) {
    if (!c->json) {
        char nodes[SHORT_TEXT_MAX];
        tabia_amount_text((double)c->nodes, nodes);
        printf("%u problem%s: %u with a mate, %u without, %u unknown; %s nodes, %.2f s\n", c->problems,
               c->problems == 1 ? "" : "s", c->result[MATE_FOUND], c->result[MATE_NONE], c->result[MATE_UNKNOWN], nodes,
               c->took);
        return true;
    }
    tabia_json_close(&c->writer);
    tabia_json_integer(&c->writer, "bad_lines", c->bad);
    if (c->limits.plies) tabia_json_integer(&c->writer, "plies_max", c->limits.plies);
    tabia_json_boolean(&c->writer, "complete", !tabia_stop_requested());
    tabia_json_close(&c->writer);
    return tabia_json_end(&c->writer, error);
}

/* ---- the work ---- */

static bool solve_one(MateCommand *c, MateSolver *solver, const Position *p, TabiaError *error) {
    MateSolution *s = mate_solve(solver, p, &c->limits, error);
    MateWalk walk;
    const bool walks = s && c->verify && s->result == MATE_FOUND;
    if (!s || (walks && !mate_walk(solver, &walk, error))) return mate_solution_destroy(s), false;
    c->unverified += walks && walk.result != MATE_FOUND;
    tabia_progress_end(&c->progress);
    c->problems++, c->result[s->result]++;
    c->nodes += s->nodes, c->took += s->seconds;
    if (c->json)
        write_json(c, s, walks ? &walk : NULL, *p);
    else
        print_text(c, s, walks ? &walk : NULL, *p);
    const bool good =
        !c->games || s->result != MATE_FOUND || program_texts.write_solution(c->games, p, s->line, s->moves, error);
    mate_solution_destroy(s);
    return good;
}

static int solve_all(MateCommand *c, MateSolver *solver) {
    Position p;
    TabiaError error;
    bool good = true;
    if (c->json) {
        json_document(&c->writer, "mate");
        tabia_json_array(&c->writer, "problems");
    }
    while (good && !tabia_stop_requested() && next_problem(c, &p)) good = solve_one(c, solver, &p, &error);
    tabia_progress_end(&c->progress);
    if (good && ferror(c->file) && !tabia_stop_requested())
        good = tabia_fail(&error, "%s: cannot be read: %s", c->file_name, strerror(errno));
    if (!finish(c, &error) || !good) return report_error("mate", &error, EXIT_OUTSIDE);
    if (tabia_stop_requested())
        return report_stopped("mate", "the lines after the last one printed were not looked at");
    if (c->bad > BAD_SHOWN) fprintf(stderr, "%s: %u lines are bad\n", c->file_name, c->bad);
    return c->bad ? EXIT_USAGE : c->result[MATE_UNKNOWN] || c->unverified ? EXIT_DIFFERS : EXIT_GOOD;
}

static bool open_games(MateCommand *c, TabiaError *error) {
    if (tabia_path_kind(c->games_name) != PATH_NONE)
        return tabia_fail(error, "%s: exists already; name a new file", c->games_name);
    if (!tabia_atomic_file_possible(c->games_name, error)) return false;
    return (c->games = tabia_atomic_file_begin(&c->games_file, c->games_name, error)) != NULL;
}

static int close_games(MateCommand *c, int status) {
    TabiaError error;
    return tabia_atomic_file_commit(&c->games_file, true, &error) ? status : report_error("mate", &error, EXIT_OUTSIDE);
}

int command_mate(int argc, char **argv) {
    MateCommand c = {.settings.hash_bytes = default_hash_bytes(),
                     .limits = {.is_over = is_stopped, .progress = show_progress, .context = &c}};
    TabiaError error;
    if (!read_command_line(argc, argv, &c, &error)) return report_error("mate", &error, EXIT_USAGE);
    c.file = strcmp(c.file_name, "-") ? fopen(c.file_name, "r") : stdin;
    if (!c.file)
        return tabia_fail(&error, "%s: cannot be read: %s", c.file_name, strerror(errno)),
               report_error("mate", &error, EXIT_USAGE);
    if (c.games_name && !open_games(&c, &error)) return report_error("mate", &error, EXIT_USAGE);
    setvbuf(c.file, NULL, _IONBF, 0);
    tabia_stop_install(true);
    option_progress_begin(&c.progress, c.quiet, c.every, NULL);
    MateSolver *solver = mate_create(&c.settings, &error);
    int status = solver ? solve_all(&c, solver) : report_error("mate", &error, EXIT_OUTSIDE);
    mate_destroy(solver);
    fclose(c.file);
    if (c.games) status = close_games(&c, status);
    return status;
}
