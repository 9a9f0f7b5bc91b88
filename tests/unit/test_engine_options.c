/* SPDX-License-Identifier: MIT */
/*
 * Every option that the engine lists does something: each is set, and what is said afterwards is other than before. The
 * list is the engine's own answer to `uci`, so that a new option without a row here fails. Nothing is timed: where a
 * clock is meant, nodestime makes it count nodes, or the times that the search has set itself are compared.
 */
#include "unit.h"

#include "network/network_file.h"
#include "search/worker.h"
#include "table/options.h"
#include "uci/engine_state.h"

/* An engine of its own for each row, and what it has said. */
typedef struct {
    Engine *engine;
    FILE *out;
    char *said;
    size_t n;
} Asked;

enum { FILE_NAME = 64, ANSWER = 16384 };

static void begin(Asked *a) {
    *a = (Asked){0};
    a->out = open_memstream(&a->said, &a->n);
    assert_non_null(a->out);
    a->engine = engine_create(a->out, NULL, NULL);
    assert_non_null(a->engine);
}

static void end(Asked *a) {
    engine_destroy(a->engine);
    fclose(a->out);
    free(a->said);
}

/* Does the lines, a line break apart; what they are answered by. */
static const char *ask(Asked *a, const char *lines_text) {
    char text[1024], *rest = text;
    fflush(a->out);
    const size_t from = a->n;
    snprintf(text, sizeof text, "%s", lines_text);
    for (char *line; (line = strsep(&rest, "\n"));) {
        engine_execute(a->engine, line);
        engine_wait(a->engine);
    }
    fflush(a->out);
    return a->said + from;
}

static void set(Asked *a, const char *name, const char *value) {
    char line[512];
    snprintf(line, sizeof line, "setoption name %s value %s", name, value);
    const char *answer = ask(a, line);
    if (strstr(answer, "info string")) fail_msg("%s: %s", line, answer);
}

/* Of the last report. */
static uint64_t nodes_in(const char *answer) {
    const char *last = NULL;
    for (const char *at = answer; (at = strstr(at, " nodes ")); at++) last = at;
    assert_non_null(last);
    return strtoull(last + 7, NULL, 10);
}

static uint64_t nodes_of(Asked *a, const char *lines_text) {
    ask(a, "ucinewgame");
    return nodes_in(ask(a, lines_text));
}

/* True: the lines take another number of nodes with one value than with the other. */
static bool changes_nodes(Asked *a, const char *name, const char *value, const char *other, const char *go) {
    set(a, name, value);
    const uint64_t nodes = nodes_of(a, go);
    set(a, name, other);
    return nodes_of(a, go) != nodes;
}

/* ---- one function for each option: has it an effect? ---- */

static uint64_t table_bytes(Asked *a, const char *hash) {
    TabiaInfo info;
    set(a, "Hash", hash);
    tabia_table_info(search_table(a->engine->search), &info);
    return info.bytes;
}

static bool see_hash(Asked *a) {
    return table_bytes(a, "1") == 1 << 20 && table_bytes(a, "3") == 3 << 20;
}

static bool see_threads(Asked *a) {
    set(a, "Threads", "3");
    return a->engine->search->workers == 3;
}

static bool see_multi_pv(Asked *a) {
    set(a, "MultiPV", "2");
    return strstr(ask(a, "go depth 2"), " multipv 2 ") != NULL;
}

/* The times are set where the search begins; the depth ends it. */
static int64_t hard_time(Asked *a) {
    ask(a, "go depth 1 wtime 20000");
    return a->engine->search->hard_time;
}

static bool see_overhead(Asked *a) {
    const int64_t before = hard_time(a);
    set(a, "Move Overhead", "5000");
    return hard_time(a) < before;
}

static bool see_ponder(Asked *a) {
    ask(a, "go depth 1 wtime 20000");
    const int64_t soft = a->engine->search->soft_time;
    set(a, "nodestime", "10");
    const bool counts = changes_nodes(a, "Ponder", "false", "true", "go wtime 2000");
    set(a, "nodestime", "0");
    ask(a, "go depth 1 wtime 20000");
    return counts && a->engine->search->soft_time > soft;
}

static bool see_nodes_time(Asked *a) {
    return changes_nodes(a, "nodestime", "20", "40", "go movetime 100");
}

static bool see_limit_strength(Asked *a) {
    return changes_nodes(a, "UCI_LimitStrength", "false", "true", "go depth 14");
}

static bool see_elo(Asked *a) {
    set(a, "UCI_LimitStrength", "true");
    return changes_nodes(a, "UCI_Elo", "1500", "2000", "go depth 20");
}

static bool see_chess960(Asked *a) {
    const char *castles = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5\ngo perft 1";
    const bool usual = strstr(ask(a, castles), "e1g1: 1") != NULL;
    set(a, "UCI_Chess960", "true");
    return usual && strstr(ask(a, castles), "e1h1: 1") != NULL;
}

static bool see_wdl(Asked *a) {
    const bool before = strstr(ask(a, "go depth 1"), " wdl ") != NULL;
    set(a, "UCI_ShowWDL", "true");
    return !before && strstr(ask(a, "go depth 1"), " wdl ") != NULL;
}

static bool see_clear(Asked *a) {
    const uint64_t fresh = nodes_in(ask(a, "go depth 8")), warm = nodes_in(ask(a, "go depth 8"));
    ask(a, "setoption name Clear Hash");
    return warm != fresh && nodes_in(ask(a, "go depth 8")) == fresh;
}

/* The forms find other entries: the same position, with the count of the 50-move rule at its beginning and then
   near its end. */
static bool see_path_key(Asked *a) {
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        set(a, "PathKey", i ? "fifty-count" : "off");
        nodes[i] = nodes_of(a, "position fen 8/8/8/1p4k1/1Pp3p1/2P3P1/3K4/8 w - - 0 80\ngo depth 9\n"
                               "position fen 8/8/8/1p4k1/1Pp3p1/2P3P1/3K4/8 w - - 90 80\ngo depth 13");
    }
    return nodes[0] != nodes[1];
}

/* In a table that is too small any two rules keep other entries. */
static bool see_replacement(Asked *a) {
    uint64_t nodes[REPLACEMENT_RULES];
    set(a, "Hash", "1");
    for (unsigned r = 0; r < REPLACEMENT_RULES; r++) {
        set(a, "Replacement", tabia_replacement_name(replacement_rules[r]));
        nodes[r] = nodes_of(a, "position startpos\ngo depth 14\nposition startpos moves e2e4 e7e5\ngo depth 14");
    }
    return nodes[0] != nodes[1] || (print_error("both rules search %llu nodes\n", (unsigned long long)nodes[0]), false);
}

static bool see_smp_mode(Asked *a) {
    const Search *s = a->engine->search;
    const bool lazy = s->settings.smp_mode == SMP_LAZY;
    set(a, "Threads", "2");
    set(a, "SMPMode", "split");
    ask(a, "go depth 9");
    return lazy && atomic_load(&s->worker[0]->current_iteration) && !atomic_load(&s->worker[1]->current_iteration);
}

static bool see_table_name(Asked *a) {
    char name[FILE_NAME], path[FILE_NAME + 20];
    snprintf(name, sizeof name, "test-engine-options-%d", (int)getpid());
    snprintf(path, sizeof path, "/dev/shm/tabia-%s", name);
    set(a, "Hash", "1");
    set(a, "Table Name", name);
    return access(path, R_OK) == 0;
}

/* An engine's network, with its outputs doubled. */
static void write_other_network(const char *path) {
    Network *n = aligned_alloc(_Alignof(Network), sizeof *n);
    assert_non_null(n);
    *n = network_built_in;
    for (int b = 0; b < NETWORK_BUCKETS; b++) n->output_bias[b] = 2 * n->output_bias[b] + 100;
    network_complete(n);
    assert_true(network_write(n, path, NULL));
    free(n);
}

static void temporary_name(char *name) {
    snprintf(name, FILE_NAME, "/tmp/tabia-engine-options-XXXXXX");
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    close(fd);
    unlink(name);
}

/* Hash File, and what the two buttons do with it. */
static bool see_hash_file(Asked *a) {
    char name[FILE_NAME];
    temporary_name(name);
    set(a, "Hash", "1");
    set(a, "Hash File", name);
    const uint64_t fresh = nodes_in(ask(a, "go depth 8"));
    ask(a, "setoption name Save Hash");
    const bool saved = access(name, R_OK) == 0;
    ask(a, "ucinewgame\nsetoption name Load Hash");
    const bool loaded = nodes_in(ask(a, "go depth 8")) != fresh;
    unlink(name);
    return saved && loaded;
}

static void load_network(Asked *a, const char *path) {
    char line[512];
    snprintf(line, sizeof line, "setoption name EvalFile value %s", path);
    if (!strstr(ask(a, line), ", network ")) fail_msg("%s", line);
}

/* Another network says another thing, and the built-in one the same as before. */
static bool see_eval_file(Asked *a) {
    static const char line[] = "position startpos moves e2e4\neval\ngo depth 7";
    char name[FILE_NAME], first[ANSWER];
    temporary_name(name);
    write_other_network(name);
    const uint64_t nodes = nodes_of(a, line);
    snprintf(first, sizeof first, "%s", ask(a, "eval"));
    load_network(a, name);
    unlink(name);
    const bool changed = nodes_of(a, line) != nodes && strcmp(first, ask(a, "eval")) != 0;
    load_network(a, "<empty>");
    return changed && nodes_of(a, line) == nodes && !strcmp(first, ask(a, "eval"));
}

static bool see_log(Asked *a) {
    char name[FILE_NAME], line[32] = "";
    temporary_name(name);
    set(a, "Debug Log File", name);
    ask(a, "isready");
    set(a, "Debug Log File", "");
    FILE *log = fopen(name, "r");
    const bool written = log && fgets(line, sizeof line, log) && !strcmp(line, ">> isready\n");
    if (log) fclose(log);
    unlink(name);
    return written;
}

static const struct {
    const char *name;
    bool (*see)(Asked *a);
} rows[] = {
    {"Hash", see_hash},
    {"Threads", see_threads},
    {"MultiPV", see_multi_pv},
    {"Move Overhead", see_overhead},
    {"UCI_Elo", see_elo},
    {"nodestime", see_nodes_time},
    {"Ponder", see_ponder},
    {"UCI_Chess960", see_chess960},
    {"UCI_ShowWDL", see_wdl},
    {"UCI_LimitStrength", see_limit_strength},
    {"Clear Hash", see_clear},
    {"PathKey", see_path_key},
    {"Replacement", see_replacement},
    {"SMPMode", see_smp_mode},
    {"EvalFile", see_eval_file},
    {"Table Name", see_table_name},
    {"Hash File", see_hash_file},
    {"Save Hash", see_hash_file},
    {"Load Hash", see_hash_file},
    {"Debug Log File", see_log},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- the list ---- */

static int row_of(const char *name, size_t length) {
    for (int i = 0; i < ROWS; i++)
        if (strlen(rows[i].name) == length && !strncmp(rows[i].name, name, length)) return i;
    return -1;
}

static void every_option_has_an_effect(void **state) {
    Asked list;
    unsigned listed = 0, ignored = 0;
    begin(&list);
    for (const char *at = ask(&list, "uci"); (at = strstr(at, "option name ")); listed++) {
        at += strlen("option name ");
        const size_t length = (size_t)(strstr(at, " type ") - at);
        const int row = row_of(at, length);
        Asked a;
        begin(&a);
        const bool seen = row >= 0 && rows[row].see(&a);
        end(&a);
        if (!seen) print_error("%.*s: %s\n", (int)length, at, row < 0 ? "no row in this test" : "no effect");
        ignored += !seen;
    }
    end(&list);
    assert_int_equal(ignored, 0);
    assert_int_equal(listed, ROWS);
}

/* What is said of a value; NULL: it is taken. */
static const char *refusal(Asked *a, const char *name, long long value) {
    char line[128];
    snprintf(line, sizeof line, "setoption name %s value %lld", name, value);
    return strstr(ask(a, line), "is not a number from");
}

/* Blanks around a value are not part of it. Hash and Threads, whose ends no machine has, are left out. */
static void numbers_are_taken_up_to_their_ends(void **state) {
    char name[160];
    long long min, max;
    unsigned spins = 0;
    Asked a, list;
    begin(&a), begin(&list);
    for (const char *at = ask(&list, "uci"); (at = strstr(at, "option name ")); at++) {
        if (sscanf(at, "option name %159[^\n]", name) != 1 || !strstr(name, " type spin ")) continue;
        assert_int_equal(sscanf(strstr(name, " min "), " min %lld max %lld", &min, &max), 2);
        *strstr(name, " type ") = '\0';
        if (!strcmp(name, "Hash") || !strcmp(name, "Threads")) continue;
        spins++;
        if (refusal(&a, name, min) || refusal(&a, name, max)) fail_msg("%s: an end is refused", name);
        if (!refusal(&a, name, min - 1) || !refusal(&a, name, max + 1)) fail_msg("%s: beyond an end", name);
    }
    assert_true(spins > 0);
    assert_null(strstr(ask(&a, "setoption name MultiPV value  2 \t "), "info"));
    assert_non_null(strstr(ask(&a, "go depth 2"), " multipv 2 "));
    end(&a), end(&list);
}

/* A file that is no network is refused by a word, and the engine goes on as it was. */
static void refuses_what_is_no_network(void **state) {
    char name[FILE_NAME], line[512], first[ANSWER];
    Asked a;
    begin(&a);
    temporary_name(name);
    snprintf(first, sizeof first, "%s", ask(&a, "eval"));
    snprintf(line, sizeof line, "setoption name EvalFile value %s", name);
    assert_non_null(strstr(ask(&a, line), "cannot be read: No such file"));
    write_other_network(name);
    assert_int_equal(truncate(name, 5000), 0);
    assert_non_null(strstr(ask(&a, line), "a part of a network: 5000 bytes of"));
    unlink(name);
    assert_string_equal(ask(&a, "eval"), first);
    end(&a);
}

/* A table that was filled with one network is refused with another: saved, and shared by its name. */
static void tables_belong_to_a_network(void **state) {
    char network[FILE_NAME], table[FILE_NAME], line[512];
    Asked a, other;
    begin(&a), begin(&other);
    temporary_name(network), temporary_name(table);
    write_other_network(network);
    set(&a, "Hash", "1"), set(&a, "Hash File", table);
    ask(&a, "go depth 8\nsetoption name Save Hash");
    assert_non_null(strstr(ask(&a, "setoption name Load Hash"), "loaded"));
    load_network(&a, network);
    assert_non_null(strstr(ask(&a, "setoption name Load Hash"), "identity"));
    assert_true(nodes_of(&a, "go depth 8") == nodes_of(&a, "go depth 8"));
    snprintf(line, sizeof line, "setoption name Table Name value test-engine-options-%d-n", (int)getpid());
    assert_null(strstr(ask(&a, line), "info"));
    set(&other, "Hash", "1");
    assert_non_null(strstr(ask(&other, line), "identity"));
    load_network(&other, network);
    assert_null(strstr(ask(&other, line), "info"));
    end(&a), end(&other);
    unlink(network), unlink(table);
}

/* Threads find the network that was set before their search, and none that was freed. */
static void threads_follow_the_network(void **state) {
    char name[FILE_NAME];
    Asked a;
    begin(&a);
    temporary_name(name);
    write_other_network(name);
    set(&a, "Hash", "1"), set(&a, "Threads", "4");
    for (int i = 0; i < 10; i++) {
        load_network(&a, i % 3 == 2 ? "<empty>" : name);
        ask(&a, "go nodes 3000");
    }
    set(&a, "Threads", "1");
    load_network(&a, "<empty>");
    const uint64_t nodes = nodes_of(&a, "go depth 7");
    end(&a), begin(&a);
    set(&a, "Hash", "1");
    assert_int_equal(nodes, nodes_of(&a, "go depth 7"));
    end(&a);
    unlink(name);
}

#include "test_engine_options_list.h"
