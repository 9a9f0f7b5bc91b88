/* SPDX-License-Identifier: MIT */
/* tabia gensfen: reads the options, runs the generator, tells how far it is and what came of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "commands.h"
#include "gensfen_forms.h"
#include "options.h"

/* ---- options ---- */

/* Reads n numbers with commas between; `off` makes all of them 0. */
static bool read_numbers(const char *option, const char *text, const char *shape, uint64_t *const *to, unsigned n,
                         TabiaError *error) {
    const char *at = text;
    if (!strcmp(text, "off")) {
        for (unsigned i = 0; i < n; i++) *to[i] = 0;
        return true;
    }
    for (unsigned i = 0; i < n; i++) {
        char *end;
        const unsigned long long value = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : UINT64_MAX;
        if (value > 32000 || *end != (i + 1 < n ? ',' : '\0'))
            return tabia_fail(error, "--%s: '%s' is not %s, nor off", option, text, shape);
        *to[i] = value;
        at = end + 1;
    }
    return true;
}

static bool read_format(void *to, const char *text, TabiaError *error) {
    const DataFormat **format = to;
    return (*format = data_format_by_name(text, error)) != NULL;
}

static bool read_search_hash(void *to, const char *text, TabiaError *error) {
    return option_hash(text, to, error) &&
           (*(uint64_t *)to || tabia_fail(error, "--hash: a search needs a table; at least 64K"));
}

static bool read_seed(void *to, const char *text, TabiaError *error) {
    if (strcmp(text, "random")) return option_number("--seed", text, 0, UINT64_MAX, to, error);
    return getentropy(to, sizeof(uint64_t)) == 0 || tabia_fail(error, "--seed: the system gives no random number");
}

static bool read_resign(void *to, const char *text, TabiaError *error) {
    Settings *s = to;
    uint64_t *const resign[] = {&s->resign_score, &s->resign_plies};
    return read_numbers("resign", text, "CP,PLIES", resign, 2, error);
}

static bool read_draw(void *to, const char *text, TabiaError *error) {
    Settings *s = to;
    uint64_t *const draw[] = {&s->draw_score, &s->draw_plies, &s->draw_from};
    return read_numbers("draw", text, "CP,PLIES,FROM", draw, 3, error);
}

static bool read_table(void *to, const char *text, TabiaError *error) {
    static const char *const names[] = {"shared", "partition", "private"};
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(text, names[i])) return *(TabiaSharing *)to = (TabiaSharing)i, true;
    return tabia_fail(error, "--table: '%s' is none of shared, partition, private", text);
}

static bool read_strict(void *to, const char *text, TabiaError *error) {
    GensfenOptions *o = to;
    o->strict_said = true;
    o->settings.strict = !strcmp(text, "on");
    return o->settings.strict || !strcmp(text, "off") ||
           tabia_fail(error, "--strict-generation: '%s' is neither on nor off", text);
}

static bool read_filter(void *to, const char *text, TabiaError *error) {
    return filters_parse(text, to, error);
}

/* "data.viri" becomes "data-SEED.viri". */
static bool name_by_seed(GensfenOptions *o, TabiaError *error) {
    const char *path = o->job.path, *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) dot = path + strlen(path);
    const int n =
        snprintf(o->path, sizeof o->path, "%.*s-%016jx%s", (int)(dot - path), path, (uintmax_t)o->settings.seed, dot);
    o->job.path = o->path;
    return (n > 0 && (size_t)n < sizeof o->path) || tabia_fail(error, "--out: the name is too long");
}

static bool complete(GensfenOptions *o, TabiaError *error) {
    Settings *s = &o->settings;
    if (!o->strict_said) s->strict = s->sharing != TABIA_SHARED;
    if (!o->job.threads) o->job.threads = tabia_threads_usable();
    if (o->demonstrate) return gensfen_demonstration_check(o, error);
    if (!o->job.path) return tabia_fail(error, "where to? --out FILE; tabia gensfen --help tells more");
    if (!o->job.positions) return tabia_fail(error, "how many positions? --positions N");
    if (s->book && s->start != START_STANDARD)
        return tabia_fail(error, "--book: games begin in the book, or in Chess960, not both");
    if (!s->format) s->format = data_format_by_extension(o->job.path);
    if (!s->format) s->format = &data_format_viri;
    if (o->random_name && !name_by_seed(o, error)) return false;
    return settings_check(s, error);
}

/* Options that the demonstration does not look at, and those that nothing else does. */
static bool is_among(const char *const *names, const char *name) {
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

static bool check_demonstration(const OptionRow *rows, uint64_t seen, bool demonstrate, TabiaError *error) {
    static const char *const of_files[] = {"positions", "out",          "format",     "random-file-name",
                                           "resume",    "book",         "table",      "strict-generation",
                                           "dedupe",    "dedupe-slots", "save-every", NULL};
    static const char *const of_demonstration[] = {"seconds", "run-nodes", "plot", NULL};
    for (; seen; seen &= seen - 1) {
        const char *name = rows[__builtin_ctzll(seen)].name;
        if (demonstrate && is_among(of_files, name))
            return tabia_fail(error,
                              "--%s: --demonstrate-collisions plays from the start in tables of its own and writes no "
                              "data; leave one of the two out",
                              name);
        if (!demonstrate && is_among(of_demonstration, name))
            return tabia_fail(error, "--%s: is for --demonstrate-collisions only", name);
    }
    return true;
}

/* Options that change how another one works, given without it. */
static bool check_pairs(const OptionRow *rows, uint64_t seen, const Settings *s, TabiaError *error) {
    const struct {
        const char *name, *of;
        bool has;
    } pairs[] = {{"dedupe-slots", "dedupe", s->dedupe},
                 {"random-multipv-diff", "random-multipv", s->random_multi_pv},
                 {"random-multipv-depth", "random-multipv", s->random_multi_pv}};
    for (; seen; seen &= seen - 1)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (!pairs[i].has && !strcmp(rows[__builtin_ctzll(seen)].name, pairs[i].name))
                return tabia_fail(error, "--%s: is for --%s only", pairs[i].name, pairs[i].of);
    return true;
}

static bool read_command_line(int argc, char **argv, GensfenOptions *o, bool *wants_help, TabiaError *error) {
    Settings *s = &o->settings;
    bool chess960 = false, dfrc = false;
    const OptionRow rows[] = {
#define NUMBER_ROW(option, member, initial, least, most, argument, help) take_whole(option, &s->member, least, most),
        SETTINGS_NUMBERS(NUMBER_ROW)
#undef NUMBER_ROW
#define SPELLING_ROW(spelling, member, least) take_whole(spelling, &s->member, least, 2000),
            SETTINGS_SPELLINGS(SPELLING_ROW)
#undef SPELLING_ROW
                take_whole("positions", &o->job.positions, 1, UINT64_MAX),
        take_text("out", &o->job.path),
        take_by("format", read_format, &s->format),
        take_text("book", &s->book),
        take_flag("chess960", &chess960),
        take_flag("dfrc", &dfrc),
        take_unsigned("threads", &o->job.threads, 1, 4096),
        take_by("hash", read_search_hash, &s->hash_bytes),
        take_by("seed", read_seed, &s->seed),
        take_flag("random-file-name", &o->random_name),
        take_by("resign", read_resign, s),
        take_by("draw", read_draw, s),
        take_by("table", read_table, &s->sharing),
        take_by("strict-generation", read_strict, o),
        take_by("filter", read_filter, s),
        take_flag("dedupe", &s->dedupe),
        take_flag("resume", &o->job.resume),
        take_flag("demonstrate-collisions", &o->demonstrate), /* seen already */
        take_whole("seconds", &o->seconds, 1, 1000000),
        take_whole("run-nodes", &o->run_nodes, 1, 1000000000000),
        take_text("plot", &o->plot),
        take_flag("json", &o->json),
        take_flag("quiet", &o->quiet),
        {0}};
    uint64_t seen;
    if (!option_rows_seen(argc, argv, rows, &seen, wants_help, error)) return false;
    if (*wants_help) return true;
    if (!check_demonstration(rows, seen, o->demonstrate, error) || !check_pairs(rows, seen, s, error)) return false;
    if (chess960 && dfrc) return tabia_fail(error, "--chess960, --dfrc: games begin in one or the other, not both");
    if (chess960) s->start = START_CHESS960;
    if (dfrc) s->start = START_DFRC;
    if (optind < argc) return tabia_fail(error, "'%s' is one argument too many", argv[optind]);
    return complete(o, error);
}

/* ---- running ---- */

typedef struct {
    const GensfenOptions *o;
    Progress progress;
} GensfenView;

static bool stop(void *context) {
    (void)context;
    return tabia_stop_requested();
}

static double share(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void show(void *context, const GenerateState *g) {
    GensfenView *v = context;
    if (!tabia_progress_is_due(&v->progress, NULL)) return;
    char rate[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX], duplicates[48] = "";
    const Counts *c = &g->counts;
    const uint64_t all = v->o->job.positions, rest = all > g->positions ? all - g->positions : 0;
    const double per_second = (double)(g->positions - g->resumed) / g->seconds;
    tabia_rate_text(per_second, rate);
    tabia_duration_text(per_second > 0 ? (double)rest / per_second : -1, left);
    if (v->o->settings.dedupe) snprintf(duplicates, sizeof duplicates, ", %ju duplicates", (uintmax_t)c->duplicate);
    tabia_progress_show(&v->progress, "%ju/%ju positions, %s left, %s, %ju games of %.0f plies, +%.0f =%.0f -%.0f %%%s",
                        (uintmax_t)g->positions, (uintmax_t)all, left, rate, (uintmax_t)c->games,
                        c->games ? (double)c->plies / (double)c->games : 0.0, share(c->white, c->games),
                        share(c->drawn, c->games), share(c->black, c->games), duplicates);
}

/* ---- what came of it ---- */

static void put_count(void *json, const char *name, uint64_t *value) {
    tabia_json_count(json, name, *value);
}

static bool print_json(const GensfenOptions *o, GenerateState *g, TabiaError *error) {
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_text(&j, "file", o->job.path);
    tabia_json_text(&j, "format", o->settings.format->name);
    tabia_json_count(&j, "positions", g->positions);
    if (o->settings.format->fields & DATA_GAME_STARTS) tabia_json_count(&j, "games", g->file_games);
    tabia_json_count(&j, "bytes", g->bytes);
    tabia_json_count(&j, "next_game", g->next_game);
    tabia_json_count(&j, "threads", o->job.threads);
    tabia_json_real(&j, "seconds", g->seconds);
    tabia_json_real(&j, "positions_per_second", g->seconds > 0 ? (double)(g->positions - g->resumed) / g->seconds : 0);
    tabia_json_object(&j, "counts");
    counts_each(&g->counts, put_count, &j);
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static void print_ends(const Counts *c) {
    static const char *const words[] = {
#define END_WORDS(name, words) words,
        GAME_ENDS(END_WORDS)
#undef END_WORDS
    };
    for (unsigned i = 0; i < GAME_ENDS_N; i++)
        if (c->ended[i]) printf("  %6.2f %%  %s\n", share(c->ended[i], c->games), words[i]);
}

static void print_left_out(const char *words, uint64_t n) {
    if (n) printf("  %10ju  left out: %s\n", (uintmax_t)n, words);
}

static void print_all_left_out(const Counts *c) {
    for (unsigned i = 0; i < FILTERS_N; i++) print_left_out(filter_words(i), c->filtered[i]);
    print_left_out("before --write-min-ply", c->early);
    print_left_out("written before", c->duplicate);
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) print_left_out(data_rejection_text(i), c->unfit[i]);
    if (c->stripped)
        printf("  %10ju  written without their castling rights, which the format cannot hold\n",
               (uintmax_t)c->stripped);
}

static void print_summary(const GensfenOptions *o, const GenerateState *g) {
    const Counts *c = &g->counts;
    char rate[SHORT_TEXT_MAX], time[SHORT_TEXT_MAX];
    tabia_rate_text(g->seconds > 0 ? (double)(g->positions - g->resumed) / g->seconds : 0, rate);
    tabia_duration_text(g->seconds, time);
    printf("%ju positions in ", (uintmax_t)g->positions);
    if (o->settings.format->fields & DATA_GAME_STARTS) printf("%ju games in ", (uintmax_t)g->file_games);
    printf("%s (%s, %ju bytes); beside it .json and .sums\n", o->job.path, o->settings.format->name,
           (uintmax_t)g->bytes);
    printf("%s, %s positions on %u threads; %.0f nodes a search\n", time, rate, o->job.threads,
           c->searched ? (double)c->nodes / (double)c->searched : 0.0);
    printf(
        "%ju games played: white won %.1f %%, drawn %.1f %%, black won %.1f %%; %.1f plies a game, openings included\n",
        (uintmax_t)c->games, share(c->white, c->games), share(c->drawn, c->games), share(c->black, c->games),
        c->games ? (double)c->plies / (double)c->games : 0.0);
    print_ends(c);
    print_all_left_out(c);
}

static int run_generator(GensfenOptions *o) {
    TabiaError error;
    Openings openings;
    GenerateState state;
    GensfenView view = {.o = o};
    const GenerateWatch watch = {stop, show, &view};
    Settings *s = &o->settings;
    if (!openings_open(&openings, s->book, s->start, true, &s->book_sum, &error))
        return complain("gensfen", &error, EXIT_USAGE);
    if (!settings_vary(s, openings_starts(&openings), &error)) {
        openings_close(&openings);
        return complain("gensfen", &error, EXIT_USAGE);
    }
    tabia_stop_install(true);
    tabia_progress_begin(&view.progress, o->quiet ? NULL : stderr, NULL);
    const GenerateEnd end = generate_run(s, &openings, &o->job, &watch, &state, &error);
    openings_close(&openings);
    tabia_progress_end(&view.progress);
    if (end == GENERATE_FAILED) return complain("gensfen", &error, EXIT_OUTSIDE);
    if (o->json) {
        if (!print_json(o, &state, &error)) return complain("gensfen", &error, EXIT_OUTSIDE);
    } else {
        print_summary(o, &state);
    }
    if (end == GENERATE_DONE) return EXIT_GOOD;
    fprintf(stderr, "tabia gensfen: stopped; what is in %s is whole, and the same command with --resume goes on\n",
            o->job.path);
    return EXIT_STOPPED;
}

/* Its defaults must be there before the options are read. A name may be cut short as long as it means one option. */
static bool asks_for_demonstration(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const size_t n = strlen(argv[i]);
        if (n >= strlen("--dem") && !strncmp("--demonstrate-collisions", argv[i], n)) return true;
    }
    return false;
}

int command_gensfen(int argc, char **argv) {
    GensfenOptions o = {0};
    bool wants_help = false;
    TabiaError error;
    settings_default(&o.settings);
    o.demonstrate = asks_for_demonstration(argc, argv);
    if (o.demonstrate) gensfen_demonstration_begin(&o);
    if (!read_command_line(argc, argv, &o, &wants_help, &error)) return complain("gensfen", &error, EXIT_USAGE);
    if (wants_help) return gensfen_help();
    return o.demonstrate ? gensfen_demonstrate(&o) : run_generator(&o);
}
