/* SPDX-License-Identifier: MIT */
/*
 * The options of the engine. Each is a row of the table `options`, which the list, the defaults, setoption and its errors all
 * come from. A value is read into a member of EngineOptions, and engine_configure hands all of them to the search; or the row has a
 * function that acts at once.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/closest.h"
#include "base/text.h"
#include "engine_state.h"
#include "protocol/engine_protocol.h"
#include "table/options.h"
#include "table/replacement.h"

/* ---- what acts at once ---- */

static void clear_table(Engine *e, const char *value) {
    (void)value;
    engine_clear(e);
}

static void use_hash_file(Engine *e, bool save) {
    TabiaError error;
    TabiaTable *table = search_table(e->search);
    const char *file = e->options.hash_file;
    if (!file[0])
        engine_print(e, "info string name a file first: setoption name Hash File value PATH\n");
    else if (save ? tabia_table_save(table, file, NULL, &error) : tabia_table_load(table, file, NULL, &error))
        engine_print(e, "info string %s\n", error.text);
    else
        engine_print(e, "info string %s %s\n", save ? "saved the table to" : "loaded the table from", file);
}

static void save_table(Engine *e, const char *value) {
    (void)value;
    use_hash_file(e, true);
}

static void load_table(Engine *e, const char *value) {
    (void)value;
    use_hash_file(e, false);
}

static void set_network(Engine *e, const char *option, const char *file_name) {
    TabiaError error;
    if (e->hooks)
        engine_print(e, "info string %s has no effect: start tabia-mpi uci with --network, which all ranks compare\n",
                     option);
    else if (!engine_load_network(e, file_name, &error))
        engine_print(e, "info string %s: %s; the network stays as it was\n", option, error.text);
    else
        engine_print(e, "info string %s: %s, network %016" PRIX64 "\n", option, file_name[0] ? file_name : "built in",
                     evaluation_identity(EVALUATION_NETWORK, e->options.network));
}

static void set_eval_file(Engine *e, const char *file_name) {
    set_network(e, PROTOCOL_OPTION_EVAL_FILE, file_name);
}

/* As YaneuraOu names a network: by the folder that has it. */
static void set_eval_dir(Engine *e, const char *folder) {
    char file_name[ENGINE_FILE_NAME_MAX];
    if (!folder[0]) return; /* a client that sends back the default */
    if ((size_t)snprintf(file_name, sizeof file_name, "%s/nn.bin", folder) >= sizeof file_name)
        engine_print(e, "info string EvalDir: the name is too long\n");
    else
        set_network(e, "EvalDir", file_name);
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

/* ---- the table ---- */

/* Names of the values of an option by their numbers, to NULL. */
static const char *evaluation_value(int i) {
    static const char *const names[] = {"network", "material", NULL};
    return names[i];
}
static const char *path_key_value(int i) {
    return i < PATH_KEY_FORMS ? path_key_name((PathKeyForm)i) : NULL;
}
static const char *replacement_value(int i) {
    return i < REPLACEMENT_RULES ? tabia_replacement_name(replacement_rules[i]) : NULL;
}
static const char *smp_mode_value(int i) {
    return i < SMP_MODES ? smp_mode_name((SmpMode)i) : NULL;
}

typedef enum { TYPE_SPIN, TYPE_CHECK, TYPE_COMBO, TYPE_STRING, TYPE_BUTTON } OptionType;

/* EACH_RANK: broadcast to all processes. THIS_PROCESS: files, logs and shared memory are each one's own. NO_RANKS: without
   effect where the table is spread over ranks, since it belongs to a table of this process. */
typedef enum { EACH_RANK, THIS_PROCESS, NO_RANKS } OptionScope;

typedef struct {
    const char *name; /* NULL: the game has it not, and it keeps its default */
    OptionType type;
    OptionScope scope;
    size_t member;                             /* offset: int64_t of a spin, bool, int of a combo, or a string */
    int64_t initial, min, max;                 /* max of a string: its room */
    const char *(*value_of)(int);              /* of a combo */
    void (*act)(Engine *e, const char *value); /* instead of a member */
} EngineOption;

#define SPIN(name, member, initial, min, max)                                                                          \
    { name, TYPE_SPIN, EACH_RANK, offsetof(EngineOptions, member), initial, min, max, NULL, NULL }
#define CHECK(name, member)                                                                                            \
    { name, TYPE_CHECK, EACH_RANK, offsetof(EngineOptions, member), 0, 0, 0, NULL, NULL }
#define COMBO(name, scope, member, initial, value_of)                                                                  \
    { name, TYPE_COMBO, scope, offsetof(EngineOptions, member), initial, 0, 0, value_of, NULL }
#define STRING(name, scope, member)                                                                                    \
    {                                                                                                                  \
        name, TYPE_STRING, scope, offsetof(EngineOptions, member), 0, 0, sizeof(((EngineOptions *)0)->member), NULL,   \
            NULL                                                                                                       \
    }
#define ACTION(name, type, scope, act)                                                                                 \
    { name, type, scope, 0, 0, 0, 0, NULL, act }

static const EngineOption options[] = {
    SPIN(PROTOCOL_OPTION_HASH, hash, 16, 1, 33554432),
    SPIN("Threads", threads, 1, 1, 1024),
    SPIN("MultiPV", multi_pv, 1, 1, 256),
    SPIN("Move Overhead", overhead, 10, 0, 10000),
    SPIN(PROTOCOL_OPTION_ELO, elo, 2400, 1000, 3200),
    SPIN("nodestime", nodes_time, 0, 0, 100000),
    CHECK(PROTOCOL_OPTION_PONDER, ponder),
    CHECK(PROTOCOL_OPTION_CHESS960, chess960),
    CHECK(PROTOCOL_OPTION_SHOW_WDL, show_wdl),
    CHECK(PROTOCOL_OPTION_LIMIT_STRENGTH, limit_strength),
    ACTION("Clear Hash", TYPE_BUTTON, EACH_RANK, clear_table),
    COMBO(PROTOCOL_OPTION_PATH_KEY, EACH_RANK, path_key, PATH_KEY_DEFAULT, path_key_value),
    COMBO("Replacement", NO_RANKS, replacement, 0, replacement_value),
    COMBO("SMPMode", EACH_RANK, smp_mode, SMP_LAZY, smp_mode_value),
    COMBO(PROTOCOL_OPTION_EVALUATION, EACH_RANK, evaluation, EVALUATION_NETWORK, evaluation_value),
    ACTION(PROTOCOL_OPTION_EVAL_FILE, TYPE_STRING, THIS_PROCESS, set_eval_file),
    ACTION(PROTOCOL_OPTION_EVAL_DIR, TYPE_STRING, THIS_PROCESS, set_eval_dir),
    SPIN(PROTOCOL_OPTION_EVAL_SCALE, eval_scale, EVALUATION_SCALE, 1, EVALUATION_SCALE_MAX),
    STRING("Table Name", NO_RANKS, table_name),
    STRING("Hash File", THIS_PROCESS, hash_file),
    ACTION("Save Hash", TYPE_BUTTON, THIS_PROCESS, save_table),
    ACTION("Load Hash", TYPE_BUTTON, THIS_PROCESS, load_table),
    ACTION("Debug Log File", TYPE_STRING, THIS_PROCESS, open_log),
};
#undef SPIN
#undef CHECK
#undef COMBO
#undef STRING
#undef ACTION
enum { OPTIONS = sizeof options / sizeof *options };

static void *member_of(EngineOptions *o, const EngineOption *row) {
    return (char *)o + row->member;
}

void engine_default_options(EngineOptions *o) {
    *o = (EngineOptions){0};
    for (int i = 0; i < OPTIONS; i++) {
        if (options[i].type == TYPE_SPIN) *(int64_t *)member_of(o, &options[i]) = options[i].initial;
        if (options[i].type == TYPE_COMBO) *(int *)member_of(o, &options[i]) = (int)options[i].initial;
    }
}

/* ---- the list ---- */

static void append_type(char *text, size_t room, const EngineOption *row) {
    switch (row->type) {
    case TYPE_SPIN:
        tabia_text_append(text, room, "spin default %" PRId64 " min %" PRId64 " max %" PRId64, row->initial, row->min,
                          row->max);
        break;
    case TYPE_CHECK:
        tabia_text_append(text, room, "check default false");
        break;
    case TYPE_COMBO:
        tabia_text_append(text, room, "combo default %s", row->value_of((int)row->initial));
        for (int i = 0; row->value_of(i); i++) tabia_text_append(text, room, " var %s", row->value_of(i));
        break;
    case TYPE_STRING:
        tabia_text_append(text, room, "string default <empty>");
        break;
    case TYPE_BUTTON:
        tabia_text_append(text, room, "button");
    }
}

/* The words of a name are separated as clients of the protocol read them. */
static void spell_blanks(char *name) {
    for (; *name; name++)
        if (*name == ' ') *name = PROTOCOL_OPTION_BLANK;
}

void engine_print_options(Engine *e) {
    for (int i = 0; i < OPTIONS; i++) {
        char name[64], type[1024] = "";
        if (!options[i].name) continue;
        snprintf(name, sizeof name, "%s", options[i].name);
        spell_blanks(name);
        append_type(type, sizeof type, &options[i]);
        engine_print(e, "option name %s type %s\n", name, type);
    }
}

/* ---- setting ---- */

/* Are these the same name, if one may stand for the other of blank and underscore? Case does not matter. b may be NULL:
   an option that a game does not have. */
static bool is_name(const char *a, const char *b) {
    if (!b) return false;
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b) && !(strchr(" _", *a) && strchr(" _", *b)))
            return false;
    return !*a && !*b;
}

static const EngineOption *find_option(const char *name) {
    for (int i = 0; i < OPTIONS; i++)
        if (is_name(name, options[i].name)) return &options[i];
    return NULL;
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

static void report_no_option(Engine *e, const char *name) {
    Closest closest = {name, strlen(name), NULL, 0};
    char meant[64], text[CLOSEST_TEXT_MAX];
    for (int i = 0; i < OPTIONS; i++)
        if (options[i].name) tabia_closest(&closest, options[i].name);
    if (closest.name) {
        snprintf(meant, sizeof meant, "%s", closest.name);
        spell_blanks(meant);
        closest.name = meant;
    }
    tabia_closest_text(&closest, "", text);
    if (name[0])
        engine_print(e, "info string there is no option '%s'%s " PROTOCOL_HELLO " lists them\n", name,
                     text[0] ? text : ";");
    else
        engine_print(e, "info string setoption: name NAME [value VALUE] is missing\n");
}

static void set_spin(Engine *e, const EngineOption *row, const char *name, const char *value) {
    char *end;
    const long long n = strtoll(value, &end, 10);
    if (end == value || *end || n < row->min || n > row->max)
        engine_print(e, "info string %s: '%s' is not a number from %" PRId64 " to %" PRId64 "\n", name, value, row->min,
                     row->max);
    else
        *(int64_t *)member_of(&e->options, row) = n;
}

static void set_check(Engine *e, const EngineOption *row, const char *name, const char *value) {
    if (strcasecmp(value, "true") && strcasecmp(value, "false"))
        engine_print(e, "info string %s: '%s' is neither true nor false\n", name, value);
    else
        *(bool *)member_of(&e->options, row) = !strcasecmp(value, "true");
}

static void set_combo(Engine *e, const EngineOption *row, const char *name, const char *value) {
    char known[512] = "";
    for (int i = 0; row->value_of(i); i++) {
        if (!strcasecmp(value, row->value_of(i))) {
            *(int *)member_of(&e->options, row) = i;
            return;
        }
        tabia_text_append(known, sizeof known, "%s%s", i ? ", " : "", row->value_of(i));
    }
    engine_print(e, "info string %s: '%s' is none of %s\n", name, value, known);
}

static void set_member(Engine *e, const EngineOption *row, const char *name, const char *value) {
    const EngineOptions before = e->options;
    if (row->type == TYPE_SPIN) set_spin(e, row, name, value);
    if (row->type == TYPE_CHECK) set_check(e, row, name, value);
    if (row->type == TYPE_COMBO) set_combo(e, row, name, value);
    if (row->type == TYPE_STRING) snprintf(member_of(&e->options, row), (size_t)row->max, "%s", value);
    engine_configure(e, &before);
}

static void set_option(Engine *e, const char *name, const char *value) {
    const EngineOption *row = find_option(name);
    if ((!row || row->type == TYPE_STRING) && !strcmp(value, "<empty>")) value = "";
    if (!row && !report_unsupported(e, name, value))
        report_no_option(e, name);
    else if (row && e->hooks && row->scope == NO_RANKS)
        engine_print(e, "info string %s has no effect: the table is spread over ranks\n", row->name);
    else if (row && row->act)
        row->act(e, value);
    else if (row)
        set_member(e, row, name, value);
}

/* What follows "value", without the blanks around it. */
static void read_value(const Tokenizer *w, char value[ENGINE_FILE_NAME_MAX]) {
    snprintf(value, ENGINE_FILE_NAME_MAX, "%s", w->cursor + strspn(w->cursor, " \t"));
    for (size_t n = strlen(value); n && strchr(" \t\r\n", value[n - 1]); n--) value[n - 1] = '\0';
}

/* setoption name NAME OF WORDS [value TEXT TO THE END] */
void engine_set_option(Engine *e, Tokenizer *w, const char *line) {
    char name[TOKEN_MAX] = "", value[ENGINE_FILE_NAME_MAX] = "";
    tokenizer_next(w); /* "name" */
    while (tokenizer_next(w)) {
        if (tokenizer_is(w, "value")) {
            read_value(w, value);
            break;
        }
        if (strlen(name) + strlen(w->token) + 2 < sizeof name) strcat(name[0] ? strcat(name, " ") : name, w->token);
    }
    const EngineOption *row = find_option(name);
    if (e->mates) engine_end_mates(e);
    if (e->hooks && (!row || row->scope == EACH_RANK) && !atomic_load(&e->quits))
        e->hooks->command(e->hooks->context, line);
    set_option(e, name, value);
}
