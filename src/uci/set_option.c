/* SPDX-License-Identifier: MIT */
/* The engine's options: said, set and turned into settings of the search. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine_state.h"

#define HISTORY_NAME(name) name,
static const char *const history_names[] = {HISTORY_KEYS(HISTORY_NAME)};
#undef HISTORY_NAME
enum { HISTORY_NAMES = sizeof history_names / sizeof *history_names };

void engine_default_options(EngineOptions *o) {
    *o = (EngineOptions){
#define SPIN_DEFAULT(name, member, initial, least, most) .member = initial,
        SPIN_OPTIONS(SPIN_DEFAULT)
#undef SPIN_DEFAULT
#define CHECK_DEFAULT(name, member, initial) .member = initial,
            CHECK_OPTIONS(CHECK_DEFAULT)
#undef CHECK_DEFAULT
                .history_key = HISTORY_FIFTY_COUNT,
    };
}

SearchSettings engine_settings(const EngineOptions *o) {
    return (SearchSettings){.hash_bytes = (uint64_t)o->hash << 20,
                            .pawn_bytes = 4 << 20,
                            .threads = (unsigned)o->threads,
                            .scheme = o->scheme,
                            .history_key = o->history_key,
                            .evaluation = o->evaluation,
                            .table_name = o->table_name[0] ? o->table_name : NULL};
}

SearchSettings engine_own_settings(const Engine *e) {
    SearchSettings s = engine_settings(&e->options);
    if (e->hooks) s.table = e->hooks->table, s.peers = e->hooks->peers, s.table_name = NULL;
    return s;
}

void engine_say_options(Engine *e) {
#define SPIN_SAY(name, member, initial, least, most)                                                                   \
    engine_say(e, "option name %s type spin default %d min %d max %d\n", name, initial, least, most);
    SPIN_OPTIONS(SPIN_SAY)
#undef SPIN_SAY
#define CHECK_SAY(name, member, initial)                                                                               \
    engine_say(e, "option name %s type check default %s\n", name, initial ? "true" : "false");
    CHECK_OPTIONS(CHECK_SAY)
#undef CHECK_SAY
    engine_say(e, "option name Clear Hash type button\n");
    char text[512] = "option name HistoryKey type combo default fifty-count";
    for (int i = 0; i < HISTORY_NAMES; i++) strcat(strcat(text, " var "), history_names[i]);
    engine_say(e, "%s\n", text);
    engine_say(e, "option name Scheme type combo default lazy var lazy var deferral\n"
                  "option name Evaluation type combo default network var network var terms\n"
                  "option name Table Name type string default <empty>\n"
                  "option name Hash File type string default <empty>\n"
                  "option name Save Hash type button\n"
                  "option name Load Hash type button\n"
                  "option name Debug Log File type string default <empty>\n");
}

/* ---- setting ---- */

/* A table that is spread over processes is not the search's to make. */
static bool resize_spread(Engine *e, const EngineOptions *before, TabiaError *error) {
    if (!e->hooks || e->options.hash == before->hash) return true;
    return e->hooks->resize(e->hooks->context, (uint64_t)e->options.hash << 20, error);
}

static void configure(Engine *e, const EngineOptions *before) {
    TabiaError error;
    const SearchSettings settings = engine_own_settings(e);
    if (resize_spread(e, before, &error) && search_configure(e->search, &settings, &error)) {
        if (e->options.history_key != before->history_key) /* the game's path is of another form now */
            search_set_position(e->search, &e->start, e->moves, e->moves_n);
        return;
    }
    e->options = *before;
    const SearchSettings old = engine_own_settings(e);
    search_configure(e->search, &old, NULL);
    engine_say(e, "info string %s; everything stays as it was\n", error.text);
}

static void move_file(Engine *e, bool save) {
    TabiaError cause;
    if (!e->options.hash_file[0]) {
        engine_say(e, "info string name a file first: setoption name Hash File value PATH\n");
        return;
    }
    TabiaTable *table = search_table(e->search);
    const int code = save ? tabia_table_save(table, e->options.hash_file, NULL, &cause)
                          : tabia_table_load(table, e->options.hash_file, NULL, &cause);
    if (code)
        engine_say(e, "info string %s\n", cause.text);
    else
        engine_say(e, "info string %s %s\n", save ? "saved the table to" : "loaded the table from",
                   e->options.hash_file);
}

static void open_log(Engine *e, const char *path) {
    pthread_mutex_lock(&e->lock); /* a search may be writing to the one before */
    if (e->log) fclose(e->log);
    e->log = path[0] ? fopen(path, "a") : NULL;
    const bool refused = path[0] && !e->log;
    const int code = errno;
    pthread_mutex_unlock(&e->lock);
    if (refused) engine_say(e, "info string Debug Log File: cannot write to %s: %s\n", path, strerror(code));
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
        if (strcasecmp(name, spins[i].name)) continue;
        char *end;
        const long long n = strtoll(value, &end, 10);
        if (end == value || *end || n < spins[i].least || n > spins[i].most)
            engine_say(e, "info string %s: '%s' is not a number from %" PRId64 " to %" PRId64 "\n", name, value,
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
        if (strcasecmp(name, checks[i].name)) continue;
        if (strcasecmp(value, "true") && strcasecmp(value, "false"))
            engine_say(e, "info string %s: '%s' is neither true nor false\n", name, value);
        else
            *checks[i].member = !strcasecmp(value, "true");
        return true;
    }
    return false;
}

/* What others have and clients may set unasked. They are not listed, for what is listed is promised. */
static bool say_missing(Engine *e, const char *name, const char *value) {
    static const struct {
        const char *name, *none, *why;
    } missing[] = {
        {"SyzygyPath", "", "Tabia reads no endgame tables"},
        {"EvalFile", "", "Tabia reads no network from a file, its own is built in"},
        {"UCI_AnalyseMode", "false", "Tabia searches in an analysis as it does in a game"},
    };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        if (strcasecmp(name, missing[i].name)) continue;
        if (strcasecmp(value, missing[i].none))
            engine_say(e, "info string %s has no effect: %s\n", name, missing[i].why);
        return true;
    }
    return false;
}

/* 0 or 1, as the value says; what it was, and a word, if it says neither. */
static int one_of_two(Engine *e, const char *name, const char *value, const char *zero, const char *one, int before) {
    if (!strcasecmp(value, zero)) return 0;
    if (!strcasecmp(value, one)) return 1;
    engine_say(e, "info string %s: '%s' is neither %s nor %s\n", name, value, zero, one);
    return before;
}

static bool set_text(Engine *e, const char *name, const char *value) {
    if (!strcmp(value, "<empty>")) value = "";
    if (!strcasecmp(name, "Hash File")) return snprintf(e->options.hash_file, ENGINE_PATH_MOST, "%s", value), true;
    if (!strcasecmp(name, "Table Name") && e->hooks)
        return engine_say(e, "info string Table Name has no effect: the table is spread over ranks\n"), true;
    if (!strcasecmp(name, "Table Name")) return snprintf(e->options.table_name, WORD_MAX, "%s", value), true;
    if (!strcasecmp(name, "Debug Log File")) return open_log(e, value), true;
    if (!strcasecmp(name, "Scheme"))
        return e->options.scheme = (Scheme)one_of_two(e, name, value, "lazy", "deferral", e->options.scheme), true;
    if (!strcasecmp(name, "Evaluation"))
        return e->options.evaluation =
                   (EvaluationKind)one_of_two(e, name, value, "network", "terms", e->options.evaluation),
               true;
    if (say_missing(e, name, value)) return true;
    if (strcasecmp(name, "HistoryKey")) return false;
    for (int i = 0; i < HISTORY_NAMES; i++)
        if (!strcasecmp(value, history_names[i])) return e->options.history_key = (HistoryKey)i, true;
    engine_say(e, "info string HistoryKey: '%s' is none of its values\n", value);
    return true;
}

static bool press(Engine *e, const char *name) {
    if (!strcasecmp(name, "Clear Hash")) return engine_forget(e), true;
    if (!strcasecmp(name, "Save Hash")) return move_file(e, true), true;
    if (!strcasecmp(name, "Load Hash")) return move_file(e, false), true;
    return false;
}

/* Files, and what one process shares with others of its machine, are this one's affair. */
static bool concerns_all(const char *name) {
    static const char *const own[] = {"Debug Log File", "Hash File", "Save Hash", "Load Hash", "Table Name"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcasecmp(name, own[i])) return false;
    return true;
}

static void call_command_hook(Engine *e, const char *name, const char *line) {
    if (e->hooks && concerns_all(name)) e->hooks->command(e->hooks->context, line);
}

/* setoption name NAME OF WORDS [value TEXT TO THE END] */
void engine_set_option(Engine *e, Words *w, const char *line) {
    char name[WORD_MAX] = "", value[ENGINE_PATH_MOST] = "";
    bool has_value = false;
    words_next(w); /* "name" */
    while (words_next(w)) {
        if (words_is(w, "value")) {
            has_value = true;
            break;
        }
        if (strlen(name) + strlen(w->word) + 2 < sizeof name) strcat(name[0] ? strcat(name, " ") : name, w->word);
    }
    if (has_value) {
        while (*w->at == ' ' || *w->at == '\t') w->at++;
        snprintf(value, sizeof value, "%s", w->at);
        for (size_t n = strlen(value); n && strchr(" \t\r\n", value[n - 1]); n--) value[n - 1] = '\0';
    }
    const EngineOptions before = e->options;
    call_command_hook(e, name, line);
    if (press(e, name)) return;
    if (set_spin(e, name, value) || set_check(e, name, value) || set_text(e, name, value))
        configure(e, &before);
    else
        engine_say(e, "info string there is no option '%s'\n", name);
}

void engine_weaken(Engine *e, SearchLimits *l) {
    const EngineOptions *o = &e->options;
    if (o->limit_strength) {
        const uint64_t nodes = (uint64_t)(30 * pow(2, (double)(o->elo - 1000) / 170));
        if (!l->nodes || nodes < l->nodes) l->nodes = nodes;
    }
    if (o->nodes_time) { /* the clock counts nodes: as many of them as thousandths of a second */
        const int us = search_root(e->search)->turn;
        const int64_t share =
            l->move_time ? l->move_time : limits_with_ponder(l, l->time[us] / 24 + l->increment[us] * 3 / 4);
        if (share) l->nodes = (uint64_t)(share * o->nodes_time);
        l->time[0] = l->time[1] = l->increment[0] = l->increment[1] = l->move_time = 0;
    }
}
