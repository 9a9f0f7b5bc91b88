/* SPDX-License-Identifier: MIT */
/* The options: printed, set, and converted to settings of the search. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/closest.h"
#include "base/text.h"
#include "dialect/dialect.h"
#include "engine_state.h"
#include "network/network_file.h"
#include "table/options.h"
#include "table/replacement.h"

void engine_default_options(EngineOptions *o) {
    *o = (EngineOptions){
#define SPIN_DEFAULT(name, member, initial, least, most) .member = initial,
        SPIN_OPTIONS(SPIN_DEFAULT)
#undef SPIN_DEFAULT
#define CHECK_DEFAULT(name, member, initial) .member = initial,
            CHECK_OPTIONS(CHECK_DEFAULT)
#undef CHECK_DEFAULT
                .path_key_form = PATH_KEY_DEFAULT,
        .replacement = ENTRIES_REPLACEMENT,
    };
}

SearchSettings engine_settings_from_options(const EngineOptions *o) {
    assert(o->hash > 0 && o->threads > 0 && (int)o->path_key_form < PATH_KEY_FORMS);
    return (SearchSettings){.hash_bytes = (uint64_t)o->hash << 20,
                            .threads = (unsigned)o->threads,
                            .smp_mode = o->smp_mode,
                            .path_key = o->path_key_form,
                            .evaluation = o->evaluation,
                            .network = o->network,
                            .replacement = o->replacement,
                            .table_name = o->table_name[0] ? o->table_name : NULL};
}

SearchSettings engine_search_settings(const Engine *e) {
    SearchSettings s = engine_settings_from_options(&e->options);
    if (e->hooks) s.table = e->hooks->table, s.peers = e->hooks->peers, s.table_name = NULL;
    return s;
}

/* Are these the same name, if one may stand for the other of blank and underscore? Case does not matter. b may be NULL:
   an option that a game does not have. */
static bool is_name(const char *a, const char *b) {
    if (!b) return false;
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b) && !(strchr(" _", *a) && strchr(" _", *b)))
            return false;
    return !*a && !*b;
}

/* An option, its words parted as the client reads them; none without a name. */
static void print_option(Engine *e, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void print_option(Engine *e, const char *name, const char *format, ...) {
    char word[64], rest[1024];
    va_list arguments;
    if (!name) return;
    snprintf(word, sizeof word, "%s", name);
    for (char *c = word; *c; c++)
        if (*c == ' ') *c = DIALECT_OPTION_BLANK;
    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    engine_print(e, "option name %s type %s\n", word, rest);
}

/* The values of an option by their numbers, to NULL. */
static const char *smp_mode_value(int i) {
    return i < SMP_MODES ? smp_mode_name((SmpMode)i) : NULL;
}
static const char *replacement_value(int i) {
    return i < REPLACEMENT_RULES ? tabia_replacement_name(replacement_rules[i]) : NULL;
}
static const char *path_key_value(int i) {
    return i < PATH_KEY_FORMS ? path_key_name((PathKeyForm)i) : NULL;
}

static void print_combo(Engine *e, const char *name, const char *initial, const char *(*value_of)(int)) {
    char text[512] = "";
    for (int i = 0; value_of(i); i++) tabia_text_append(text, sizeof text, " var %s", value_of(i));
    print_option(e, name, "combo default %s%s", initial, text);
}

void engine_print_options(Engine *e) {
#define SPIN_PRINT(name, member, initial, least, most)                                                                 \
    print_option(e, name, "spin default %d min %d max %d", initial, least, most);
    SPIN_OPTIONS(SPIN_PRINT)
#undef SPIN_PRINT
#define CHECK_PRINT(name, member, initial) print_option(e, name, "check default %s", initial ? "true" : "false");
    CHECK_OPTIONS(CHECK_PRINT)
#undef CHECK_PRINT
    print_option(e, "Clear Hash", "button");
    print_combo(e, "PathKey", path_key_name(PATH_KEY_DEFAULT), path_key_value);
    print_combo(e, "Replacement", tabia_replacement_name(ENTRIES_REPLACEMENT), replacement_value);
    print_combo(e, "SMPMode", smp_mode_name(SMP_LAZY), smp_mode_value);
    print_option(e, DIALECT_OPTION_EVALUATION, "combo default network var network var " EVALUATION_HANDCRAFTED_NAME);
    print_option(e, DIALECT_OPTION_EVAL_FILE, "string default <empty>");
    print_option(e, "Table Name", "string default <empty>");
    print_option(e, "Hash File", "string default <empty>");
    print_option(e, "Save Hash", "button");
    print_option(e, "Load Hash", "button");
    print_option(e, "Debug Log File", "string default <empty>");
}

static void report_no_option(Engine *e, const char *name) {
    static const char *const names[] = {
#define OPTION_NAME(name, ...) name,
        SPIN_OPTIONS(OPTION_NAME) CHECK_OPTIONS(OPTION_NAME)
#undef OPTION_NAME
            "Clear Hash",
        "PathKey",
        "Replacement",
        "SMPMode",
        DIALECT_OPTION_EVALUATION,
        "EvalFile",
        "Table Name",
        "Hash File",
        "Save Hash",
        "Load Hash",
        "Debug Log File",
    };
    Closest closest = {name, strlen(name), NULL, 0};
    char meant[CLOSEST_TEXT_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i]) tabia_closest(&closest, names[i]);
    tabia_closest_text(&closest, "", meant);
    for (char *c = meant[0] ? strchr(meant, '\'') : meant; *c && *c != '?'; c++)
        if (*c == ' ') *c = DIALECT_OPTION_BLANK;
    if (name[0])
        engine_print(e, "info string there is no option '%s'%s " DIALECT_HELLO " lists them\n", name,
                     meant[0] ? meant : ";");
    else
        engine_print(e, "info string setoption: name NAME [value VALUE] is missing\n");
}

/* ---- setting ---- */

/* A distributed table is resized by the hooks. */
static bool resize_distributed(Engine *e, const EngineOptions *before, TabiaError *error) {
    if (!e->hooks || e->options.hash == before->hash) return true;
    return e->hooks->resize(e->hooks->context, (uint64_t)e->options.hash << 20, error);
}

static void configure(Engine *e, const EngineOptions *before) {
    TabiaError error;
    const SearchSettings settings = engine_search_settings(e);
    if (resize_distributed(e, before, &error) && search_configure(e->search, &settings, &error)) {
        if (e->options.hash != before->hash || e->options.threads != before->threads ||
            strcmp(e->options.table_name, before->table_name) != 0)
            e->resources_told = false;
        if (e->options.path_key_form != before->path_key_form) /* the path key of the game has another form */
            search_set_position(e->search, &e->start, e->moves, e->moves_n);
        return;
    }
    e->options = *before;
    const SearchSettings old = engine_search_settings(e);
    search_configure(e->search, &old, NULL);
    engine_print(e, "info string %s; everything stays as it was\n", error.text);
}

static void save_or_load_table(Engine *e, bool save) {
    TabiaError cause;
    if (!e->options.hash_file[0]) {
        engine_print(e, "info string name a file first: setoption name Hash File value PATH\n");
        return;
    }
    TabiaTable *table = search_table(e->search);
    const int code = save ? tabia_table_save(table, e->options.hash_file, NULL, &cause)
                          : tabia_table_load(table, e->options.hash_file, NULL, &cause);
    if (code)
        engine_print(e, "info string %s\n", cause.text);
    else
        engine_print(e, "info string %s %s\n", save ? "saved the table to" : "loaded the table from",
                     e->options.hash_file);
}

bool engine_load_network(Engine *e, const char *file_name, TabiaError *error) {
    Network *network = file_name[0] ? network_read(file_name, error) : NULL;
    if (file_name[0] && !network) return false;
    SearchSettings settings = engine_search_settings(e);
    settings.network = network;
    if (!search_configure(e->search, &settings, error)) return free(network), false;
    free(e->network); /* no search uses it any more */
    e->options.network = e->network = network;
    return true;
}

static void set_eval_file(Engine *e, const char *value) {
    const char *file_name = strcmp(value, "<empty>") ? value : "";
    TabiaError error;
    if (e->hooks)
        engine_print(e, "info string EvalFile has no effect: start tabia-mpi uci with --network, which all ranks "
                        "compare\n");
    else if (!engine_load_network(e, file_name, &error))
        engine_print(e, "info string EvalFile: %s; the network stays as it was\n", error.text);
    else
        engine_print(e, "info string EvalFile: %s, network %016" PRIX64 "\n", file_name[0] ? file_name : "built in",
                     evaluation_identity(EVALUATION_NETWORK, e->options.network));
}

static void open_log(Engine *e, const char *file_name) {
    pthread_mutex_lock(&e->lock); /* a search may be writing to the previous log */
    if (e->log) fclose(e->log);
    e->log = file_name[0] ? fopen(file_name, "a") : NULL;
    const bool open_failed = file_name[0] && !e->log;
    const int code = errno;
    pthread_mutex_unlock(&e->lock);
    if (open_failed) engine_print(e, "info string Debug Log File: cannot write to %s: %s\n", file_name, strerror(code));
}

static bool set_spin(Engine *e, const char *name, const char *value) {
    struct {
        const char *name;
        int64_t *member, least, most;
    } spins[] = {
#define SPIN_ROW(n, member, initial, least, most) {n, &e->options.member, least, most},
        SPIN_OPTIONS(SPIN_ROW)
#undef SPIN_ROW
    };
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        if (!spins[i].name || !is_name(name, spins[i].name)) continue;
        char *end;
        const long long n = strtoll(value, &end, 10);
        if (end == value || *end || n < spins[i].least || n > spins[i].most)
            engine_print(e, "info string %s: '%s' is not a number from %" PRId64 " to %" PRId64 "\n", name, value,
                         spins[i].least, spins[i].most);
        else
            *spins[i].member = n;
        return true;
    }
    return false;
}

static bool set_check(Engine *e, const char *name, const char *value) {
    struct {
        const char *name;
        bool *member;
    } checks[] = {
#define CHECK_ROW(n, member, initial) {n, &e->options.member},
        CHECK_OPTIONS(CHECK_ROW)
#undef CHECK_ROW
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].name || !is_name(name, checks[i].name)) continue;
        if (strcasecmp(value, "true") && strcasecmp(value, "false"))
            engine_print(e, "info string %s: '%s' is neither true nor false\n", name, value);
        else
            *checks[i].member = !strcasecmp(value, "true");
        return true;
    }
    return false;
}

/* Options of other engines that clients set unasked. They are accepted and not listed. */
static bool report_unsupported(Engine *e, const char *name, const char *value) {
    static const struct {
        const char *name, *none, *why;
    } unsupported[] = {
        {"SyzygyPath", "", "Tabia reads no endgame tables"},
        {"UCI_AnalyseMode", "false", "Tabia searches in an analysis as it does in a game"},
    };
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        if (!is_name(name, unsupported[i].name)) continue;
        if (strcasecmp(value, unsupported[i].none))
            engine_print(e, "info string %s has no effect: %s\n", name, unsupported[i].why);
        return true;
    }
    return false;
}

/* 0 or 1 by the value; `before`, and a message, if it is neither. */
static int parse_choice(Engine *e, const char *name, const char *value, const char *zero, const char *one, int before) {
    if (!strcasecmp(value, zero)) return 0;
    if (!strcasecmp(value, one)) return 1;
    engine_print(e, "info string %s: '%s' is neither %s nor %s\n", name, value, zero, one);
    return before;
}

/* The number of a value; `before`, and a message, if it is none. */
static int parse_value(Engine *e, const char *name, const char *value, const char *(*value_of)(int), int before) {
    char known[512] = "";
    for (int i = 0; value_of(i); i++) {
        if (!strcasecmp(value, value_of(i))) return i;
        tabia_text_append(known, sizeof known, "%s%s", i ? ", " : "", value_of(i));
    }
    engine_print(e, "info string %s: '%s' is none of %s\n", name, value, known);
    return before;
}

static void set_replacement(Engine *e, const char *name, const char *value) {
    const int before = e->options.replacement != replacement_rules[0];
    e->options.replacement = replacement_rules[parse_value(e, name, value, replacement_value, before)];
}

static void set_evaluation(Engine *e, const char *name, const char *value) {
    const int before = (int)e->options.evaluation;
    e->options.evaluation =
        (EvaluationType)parse_choice(e, name, value, "network", EVALUATION_HANDCRAFTED_NAME, before);
}

static bool set_text(Engine *e, const char *name, const char *value) {
    if (!strcmp(value, "<empty>")) value = "";
    if (is_name(name, "Hash File")) return snprintf(e->options.hash_file, ENGINE_FILE_NAME_MAX, "%s", value), true;
    if (is_name(name, "Table Name") && e->hooks)
        return engine_print(e, "info string Table Name has no effect: the table is spread over ranks\n"), true;
    if (is_name(name, "Table Name")) return snprintf(e->options.table_name, TOKEN_MAX, "%s", value), true;
    if (is_name(name, "Debug Log File")) return open_log(e, value), true;
    if (is_name(name, "SMPMode"))
        return e->options.smp_mode = (SmpMode)parse_value(e, name, value, smp_mode_value, (int)e->options.smp_mode),
               true;
    if (is_name(name, DIALECT_OPTION_EVALUATION)) return set_evaluation(e, name, value), true;
    if (is_name(name, "Replacement") && e->hooks)
        return engine_print(e, "info string Replacement has no effect: the table is spread over ranks\n"), true;
    if (is_name(name, "Replacement")) return set_replacement(e, name, value), true;
    if (report_unsupported(e, name, value)) return true;
    if (!is_name(name, "PathKey")) return false;
    const int form = parse_value(e, name, value, path_key_value, (int)e->options.path_key_form);
    return e->options.path_key_form = (PathKeyForm)form, true;
}

/* What takes effect at once. */
static bool press_button(Engine *e, const char *name, const char *value) {
    if (is_name(name, "EvalFile")) return set_eval_file(e, value), true;
    if (is_name(name, "Clear Hash")) return engine_clear(e), true;
    if (is_name(name, "Save Hash")) return save_or_load_table(e, true), true;
    if (is_name(name, "Load Hash")) return save_or_load_table(e, false), true;
    return false;
}

/* Options for files, logs and shared memory apply to this process only. */
static bool is_broadcast_option(const char *name) {
    static const char *const own[] = {"Debug Log File", "EvalFile",  "Hash File",
                                      "Save Hash",      "Load Hash", "Table Name"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (is_name(name, own[i])) return false;
    return true;
}

static void call_command_hook(Engine *e, const char *name, const char *line) {
    if (e->hooks && is_broadcast_option(name)) e->hooks->command(e->hooks->context, line);
}

/* setoption name NAME OF WORDS [value TEXT TO THE END] */
void engine_set_option(Engine *e, Tokenizer *w, const char *line) {
    char name[TOKEN_MAX] = "", value[ENGINE_FILE_NAME_MAX] = "";
    bool has_value = false;
    tokenizer_next(w); /* "name" */
    while (tokenizer_next(w)) {
        if (tokenizer_is(w, "value")) {
            has_value = true;
            break;
        }
        if (strlen(name) + strlen(w->token) + 2 < sizeof name) strcat(name[0] ? strcat(name, " ") : name, w->token);
    }
    if (has_value) {
        while (*w->cursor == ' ' || *w->cursor == '\t') w->cursor++;
        snprintf(value, sizeof value, "%s", w->cursor);
        for (size_t n = strlen(value); n && strchr(" \t\r\n", value[n - 1]); n--) value[n - 1] = '\0';
    }
    const EngineOptions before = e->options;
    call_command_hook(e, name, line);
    if (press_button(e, name, value)) return;
    if (set_spin(e, name, value) || set_check(e, name, value) || set_text(e, name, value))
        configure(e, &before);
    else
        report_no_option(e, name);
}

void engine_limit_strength(Engine *e, SearchLimits *l) {
    const EngineOptions *o = &e->options;
    if (o->limit_strength) {
        const uint64_t nodes = (uint64_t)(30 * pow(2, (double)(o->elo - 1000) / 170));
        if (!l->nodes || nodes < l->nodes) l->nodes = nodes;
    }
    if (o->nodes_time && limits_are_timed(l)) { /* the time is in nodes: this many for a millisecond */
        const int us = search_root(e->search)->turn;
        const int64_t allotment =
            l->move_time ? l->move_time : time_with_ponder(l, l->time[us] / 24 + l->increment[us] * 3 / 4) + l->byoyomi;
        const uint64_t nodes = (uint64_t)(allotment ? allotment * o->nodes_time : 1);
        if (!l->nodes || nodes < l->nodes) l->nodes = nodes;
        l->time[0] = l->time[1] = l->increment[0] = l->increment[1] = l->byoyomi = l->move_time = 0;
    }
}
