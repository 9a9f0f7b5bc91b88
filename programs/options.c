/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/file_calls.h"
#include "base/memory_limit.h"
#include "base/output.h"
#include "base/stop.h"
#include "base/system.h"
#include "base/text.h"
#include "commands.h"
#include "help.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "program.h"
#include "table/options.h"

int report_error(const char *command, const TabiaError *error, int status) {
    fprintf(stderr, "%s %s: %s\n", program_texts.name, command, error->text);
    return error->code == TABIA_ERROR_STOPPED ? EXIT_STOPPED : status;
}

int report_stopped(const char *command, const char *what) {
    fprintf(stderr, "%s %s: stopped; %s\n", program_texts.name, command, what);
    return EXIT_STOPPED;
}

int close_output(const char *program, int status) {
    TabiaError error;
    if (tabia_output_close(stdout, "standard output", &error)) return status;
    if (status != EXIT_OUTSIDE) fprintf(stderr, "%s: %s\n", program, error.text);
    return EXIT_OUTSIDE;
}

int program_main(const char *name, int (*run)(int argc, char **argv), int argc, char **argv) {
    tabia_stop_name(name);
    tabia_stop_not_by_file_size();
    tabia_stop_at_cut_files();
    return close_output(name, run(argc, argv));
}

bool option_number(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *n, TabiaError *error) {
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno || *end || *text < '0' || *text > '9' || value < min || value > max)
        return tabia_fail(error, "%s: '%s' is not a whole number from %ju to %ju", name, text, (uintmax_t)min,
                          (uintmax_t)max);
    *n = value;
    return true;
}

/* ---- rows ---- */

OptionRow flag_option(const char *name, bool *to) {
    return (OptionRow){.name = name, .kind = OPTION_FLAG, .to = to};
}

OptionRow text_option(const char *name, const char **to) {
    return (OptionRow){.name = name, .kind = OPTION_TEXT, .to = to};
}

OptionRow file_option(const char *name, const char **to) {
    return (OptionRow){.name = name, .kind = OPTION_FILE, .to = to};
}

OptionRow uint64_option(const char *name, uint64_t *to, uint64_t min, uint64_t max) {
    return (OptionRow){.name = name, .kind = OPTION_WHOLE, .to = to, .min = min, .max = max};
}

OptionRow unsigned_option(const char *name, unsigned *to, unsigned min, unsigned max) {
    return (OptionRow){.name = name, .kind = OPTION_UNSIGNED, .to = to, .min = min, .max = max};
}
OptionRow progress_option(unsigned *seconds) {
    return unsigned_option("progress", seconds, 1, 1000000);
}
void option_progress_begin(Progress *p, bool quiet, unsigned seconds, const char *unit) {
    tabia_progress_begin(p, quiet ? NULL : stderr, unit);
    tabia_progress_every(p, seconds);
}

OptionRow int_option(const char *name, int *to, unsigned min, unsigned max) {
    return (OptionRow){.name = name, .kind = OPTION_INT, .to = to, .min = min, .max = max};
}

OptionRow reader_option(const char *name, OptionReader *read, void *to) {
    return (OptionRow){.name = name, .kind = OPTION_OTHER, .to = to, .read = read};
}

OptionRow option_with_help(OptionRow row, const char *argument, const char *help) {
    row.argument = argument, row.help = help;
    return row;
}

static bool read_number(const OptionRow *row, const char *text, TabiaError *error) {
    char name[64];
    uint64_t n = 0;
    snprintf(name, sizeof name, "--%s", row->name);
    if (!option_number(name, text, row->min, row->max, &n, error)) return false;
    if (row->kind == OPTION_WHOLE) *(uint64_t *)row->to = n;
    if (row->kind == OPTION_UNSIGNED) *(unsigned *)row->to = (unsigned)n;
    if (row->kind == OPTION_INT) *(int *)row->to = (int)n;
    return true;
}

static bool read_row(const OptionRow *row, const char *text, TabiaError *error) {
    switch (row->kind) {
    case OPTION_FLAG:
        return *(bool *)row->to = true;
    case OPTION_FILE:
        if (!strcmp(text, "-")) return tabia_fail(error, "--%s: '-' is not a file; name one", row->name);
        /* fall through */
    case OPTION_TEXT:
        *(const char **)row->to = text;
        return *text || !strcmp(row->name, "moves") || tabia_fail(error, "--%s: an empty text", row->name);
    case OPTION_OTHER:
        return text && !*text ? tabia_fail(error, "--%s: an empty text", row->name) : row->read(row->to, text, error);
    default:
        return !text || read_number(row, text, error);
    }
}

/* "--help, --hash": the names that begin so, "..." for those without room. Their number. */
static unsigned list_names(const OptionRow *rows, const char *name, size_t length, char *out, size_t room) {
    unsigned n = !strncmp("help", name, length);
    size_t used = n ? (size_t)snprintf(out, room, "--help") : 0;
    for (; rows->name && used < room; rows++)
        if (!strncmp(rows->name, name, length))
            used += (size_t)snprintf(out + used, room - used, "%s--%s", n++ ? ", " : "", rows->name);
    if (used >= room) memcpy(out + room - sizeof "...", "...", sizeof "...");
    return n;
}

/* Also for a flag that was given a value, and for the beginning of several names. */
static bool report_unknown(const char *word, const OptionRow *rows, TabiaError *error) {
    const char *name = word + strspn(word, "-");
    if (*name >= '0' && *name <= '9')
        return tabia_fail(error, "'%s' is not an option, and numbers cannot be negative; see --help", word);
    Closest closest = {name, strcspn(name, "="), NULL, 0};
    char meant[CLOSEST_TEXT_MAX], names[300];
    for (int i = 0; rows[i].name; i++) tabia_closest(&closest, rows[i].name);
    if (closest.name && !closest.distance)
        return tabia_fail(error, "'%s' is not understood; --%s takes no value", word, closest.name);
    if (word[1] == '-' && closest.length && list_names(rows, name, closest.length, names, sizeof names) > 1)
        return tabia_fail(error, "'%s' is the beginning of several names: %s", word, names);
    tabia_closest_text(&closest, "--", meant);
    return tabia_fail(error, "'%s' is not understood%s --help lists the options", word, meant[0] ? meant : ";");
}

/* For the completion of shells (packaging/completion): one a line. */
static _Noreturn void list_options(const OptionRow *rows) {
    puts("--help");
    for (; rows->name; rows++) printf("--%s\n", rows->name);
    exit(close_output(program_texts.name, EXIT_GOOD));
}

/* Of a topic of the command, where the command line names one. */
static _Noreturn void show_help(int argc, char **argv, const char *command, const OptionRow *rows) {
    const char *topic = NULL;
    char topics[128] = "";
    for (int i = 1; i < argc && !topic; i++) topic = help_topic(command, argv[i]);
    help_topics(command, topics, sizeof topics);
    if (!topic && topics[0] && argv[1][0] != '-') {
        fprintf(stderr, "%s help %s: there is no topic '%s'; there are%s\n", program_texts.name, command, argv[1],
                topics);
        exit(EXIT_USAGE);
    }
    help_print(topic ? topic : command, rows);
    exit(close_output(program_texts.name, EXIT_GOOD));
}

static bool is_seen(const OptionRow *rows, uint64_t seen, const char *name) {
    for (int i = 0; rows[i].name; i++)
        if (seen >> i & 1 && !strcmp(rows[i].name, name)) return true;
    return false;
}

bool option_rows_seen(int argc, char **argv, const char *command, const OptionRow *rows, uint64_t *seen,
                      TabiaError *error) {
    enum { FIRST = 256 };
    struct option names[OPTION_ROWS_MAX + 3] = {{"help", no_argument, NULL, 'h'},
                                                {"list-options", no_argument, NULL, 'l'}};
    for (int i = 0; rows[i].name; i++) {
        assert(i < OPTION_ROWS_MAX);
        const int value = rows[i].kind == OPTION_FLAG ? no_argument
                          : rows[i].optional          ? optional_argument
                                                      : required_argument;
        names[i + 2] = (struct option){rows[i].name, value, NULL, FIRST + i};
    }
    *seen = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", names, NULL)) != -1;) {
        const char *word = argv[optind - 1];
        if (c == 'h') show_help(argc, argv, command, rows);
        if (c == 'l') list_options(rows);
        if (c == ':') return tabia_fail(error, "%s: its value is missing; --help tells more", word);
        if (c < FIRST) return report_unknown(word, rows, error);
        if (!read_row(&rows[c - FIRST], optarg, error)) return false;
        *seen |= (uint64_t)1 << (c - FIRST);
    }
    return !(is_seen(rows, *seen, "quiet") && is_seen(rows, *seen, "progress")) ||
           tabia_fail(error, "--quiet and --progress: one or the other");
}

bool option_rows(int argc, char **argv, const char *command, const OptionRow *rows, TabiaError *error) {
    uint64_t seen;
    return option_rows_seen(argc, argv, command, rows, &seen, error);
}

/* ---- what several commands read ---- */

bool option_names(const OptionNames *names, const char *list, uint64_t *set, TabiaError *error) {
    for (const char *at = list; *at;) {
        const size_t length = strcspn(at, ",");
        unsigned i = 0;
        while (i < names->n && (strlen(names->names[i]) != length || strncmp(at, names->names[i], length) != 0)) i++;
        if (i == names->n)
            return tabia_fail(error, "%s: there is no '%.*s'; %s", names->option, (int)length, at, names->known);
        *set |= (uint64_t)1 << i;
        at += length + (at[length] == ',');
    }
    return *set || tabia_fail(error, "%s: nothing is named; %s", names->option, names->known);
}

/* As the option takes it back: "64K", "31G". */
static void size_text(uint64_t bytes, char out[SHORT_TEXT_MAX]) {
    static const char units[] = "KMGT";
    unsigned unit = 0;
    for (bytes >>= 10; (bytes % 1024 == 0 || bytes >= 10 * 1024) && units[unit + 1]; bytes >>= 10) unit++;
    snprintf(out, SHORT_TEXT_MAX, "%ju%c", (uintmax_t)bytes, units[unit]);
}

bool option_memory(const char *name, const char *text, uint64_t min, uint64_t *bytes, TabiaError *error) {
    const uint64_t machine = tabia_memory_of_machine("");
    char limit[SHORT_TEXT_MAX];
    if (!tabia_size_parse(text, bytes, error)) return false;
    size_text(*bytes < min ? min : machine, limit);
    if (*bytes < min) return tabia_fail(error, "%s: %s is too small; at least %s", name, text, limit);
    return *bytes <= machine ||
           tabia_fail(error, "%s: %s is more than the memory of this machine; at most %s", name, text, limit);
}

bool option_hash(const char *text, uint64_t *bytes, TabiaError *error) {
    enum { HASH_MIN = 64 * 1024 };
    if (!strcmp(text, "off") || !strcmp(text, "0")) return *bytes = 0, true;
    return option_memory("--hash", text, HASH_MIN, bytes, error);
}

static bool read_hash(void *to, const char *text, TabiaError *error) {
    return option_hash(text, to, error);
}

OptionRow hash_option(const char *name, uint64_t *to) {
    return reader_option(name, read_hash, to);
}

bool option_table_hash(void *to, const char *text, TabiaError *error) {
    return option_hash(text, to, error) &&
           (*(uint64_t *)to || tabia_fail(error, "--hash: a search needs a table; at least 64K"));
}

static bool read_search_hash(void *to, const char *text, TabiaError *error) {
    return option_memory("--hash", text, 1 << 20, to, error);
}

OptionRow search_hash_option(const char *name, uint64_t *to) {
    return reader_option(name, read_search_hash, to);
}

static bool read_replacement(void *to, const char *text, TabiaError *error) {
    TabiaReplacement *rule = to;
    for (unsigned i = 0; i < REPLACEMENT_RULES; i++)
        if (!strcmp(text, tabia_replacement_name(replacement_rules[i]))) return *rule = replacement_rules[i], true;
    return tabia_fail(error, "--replacement: '%s' is none of always, depth-and-age", text);
}

OptionRow replacement_option(const char *name, TabiaReplacement *to) {
    return reader_option(name, read_replacement, to);
}

static bool read_evaluation(void *to, const char *text, TabiaError *error) {
    const bool is_material = !strcmp(text, "material");
    *(EvaluationType *)to = is_material ? EVALUATION_MATERIAL : EVALUATION_NETWORK;
    return is_material || !strcmp(text, "network") ||
           tabia_fail(error, "--evaluation: '%s' is neither network nor material", text);
}

OptionRow evaluation_option(const char *name, EvaluationType *to) {
    return reader_option(name, read_evaluation, to);
}

static bool read_outputs(void *to, const char *text, TabiaError *error) {
    uint64_t n = 0;
    if (!option_number("--outputs", text, 1, NETWORK_BUCKETS, &n, error)) return false;
    *(uint32_t *)to = (uint32_t)n;
    return n == 1 || n == NETWORK_BUCKETS || tabia_fail(error, "--outputs: '%s' is neither 1 nor 8", text);
}

OptionRow outputs_option(uint32_t *to) {
    return reader_option("outputs", read_outputs, to);
}

bool option_is_apart(const char *option, const char *out, const char *in, TabiaError *error) {
    if (!out || !in || !strcmp(out, "-")) return true;
    return (strcmp(out, in) && !tabia_path_same(out, in)) ||
           tabia_fail(error, "%s: %.200s is read as well; give the result another name", option, out);
}

/* By a generator, say, whose file would go on without a name. */
static bool is_being_written(const char *path) {
    const int file = tabia_path_kind(path) == PATH_REGULAR ? tabia_file_open_read(path) : -1;
    const bool held = file >= 0 && !tabia_file_lock(file, true) && errno == EWOULDBLOCK;
    if (file >= 0) close(file);
    return held;
}

bool option_may_write(const char *option, const char *out, bool force, TabiaError *error) {
    if (out && is_being_written(out)) return tabia_fail(error, "%s: another process is writing it", out);
    return force || !out || !strcmp(out, "-") || !tabia_path_has_content(out) ||
           tabia_fail(error, "%s: %.200s exists already; --force overwrites it", option, out);
}

bool option_position(const char *fen, const char *moves, Position *p, TabiaError *error) {
    return fen_parse(p, fen ? fen : fen_start, error) && (!moves || position_make_moves(p, moves, error));
}

uint64_t default_hash_bytes(void) {
    const uint64_t whole = tabia_memory_of_process(""), gib = (uint64_t)1 << 30;
    return whole / 8 < gib ? whole / 8 : gib;
}
