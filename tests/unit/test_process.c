/* SPDX-License-Identifier: MIT */
#include "base/process.h"
#include "base/time.h"
#include "unit.h"

#include <signal.h>

static TabiaProcess *begin(const char *command) {
    TabiaError error;
    TabiaProcess *p = tabia_process_start(command, 0, &error);
    assert_non_null(p);
    return p;
}

static void expect(TabiaProcess *p, const char *text) {
    char line[100];
    assert_int_equal(tabia_process_read(p, line, sizeof line, 20), TABIA_READ_LINE);
    assert_string_equal(line, text);
}

static void lines_go_both_ways(void **state) {
    char line[100], words[TABIA_EXIT_TEXT_MAX];
    TabiaProcess *p = begin("while read x; do echo \"<$x>\"; done; printf 'a\\r\\n\\nlast'; exit 3");
    assert_true(tabia_process_send(p, "one\ntwo\n", 20));
    expect(p, "<one>");
    expect(p, "<two>");
    assert_int_equal(tabia_process_read(p, line, sizeof line, 0), TABIA_READ_TIMEOUT);
    assert_false(tabia_process_ended(p, 0, words));
    assert_string_equal(words, "is still running");
    assert_int_equal(tabia_process_status(p), -1);
    tabia_process_close(p);

    p = begin("printf 'a\\r\\n\\nlast'; exit 3");
    expect(p, "a");
    expect(p, "");
    expect(p, "last");
    assert_int_equal(tabia_process_read(p, line, sizeof line, 20), TABIA_READ_END);
    assert_true(tabia_process_ended(p, 20, words));
    assert_string_equal(words, "ended with status 3");
    assert_int_equal(tabia_process_status(p), 3);
    tabia_process_close(p);
}

static void arguments_arrive_as_they_are(void **state) {
    static const char *const arguments[] = {"5", "a \"b\" $HOME 'c'", "e2e4 e7e5", 0};
    TabiaError error;
    TabiaProcess *p = tabia_process_start("printf '%s\\n' first", arguments, &error);
    assert_non_null(p);
    expect(p, "first");
    for (int i = 0; i < 3; i++) expect(p, arguments[i]);
    tabia_process_close(p);
}

static void endings_in_words(void **state) {
    static const struct {
        const char *command, *words;
    } cases[] = {
        {"exit 0", "ended with status 0"},
        {"kill -SEGV $$", "was killed by signal 11 (Segmentation fault)"},
        {"(kill -SEGV $(sh -c 'echo $PPID')); exit 139", "was killed by signal 11 (Segmentation fault)"},
        {"exec 2>/dev/null; no-such-program-at-all", "ended with status 127 (no such program)"},
        {"exec 2>/dev/null; /etc/passwd", "ended with status 126 (no program that may be run)"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[TABIA_EXIT_TEXT_MAX];
        TabiaProcess *p = begin(cases[i].command);
        assert_true(tabia_process_ended(p, 20, words));
        assert_string_equal(words, cases[i].words);
        tabia_process_close(p);
    }
}

static void tells_whether_a_program_exists(void **state) {
    static const struct {
        const char *command, *name;
        bool is_there;
    } cases[] = {
        {"sh -c true", "sh", true},
        {" /bin/sh\tx", "/bin/sh", true},
        {"cd / && pwd", "cd", true},
        {"'/no/such' x", "'/no/such'", true},
        {"$HOME/none", "$HOME/none", true},
        {"X=1 none", "X=1", true},
        {"no-such-program x", "no-such-program", false},
        {"/no/such/program", "/no/such/program", false},
        {"", "", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[30];
        if (tabia_process_exists(cases[i].command, name, sizeof name) != cases[i].is_there)
            fail_msg("\"%s\": %s", cases[i].command, cases[i].is_there ? "is there" : "is not there");
        assert_string_equal(name, cases[i].name);
    }
}

/* Neither the signal nor a wait: more text than a pipe holds, to one that does not read, one that reads, and one that is dead. */
static void sending_never_blocks_nor_kills(void **state) {
    enum { MUCH = 1 << 20 };
    char *text = malloc(MUCH + 1), words[TABIA_EXIT_TEXT_MAX];
    memset(text, 'x', MUCH);
    text[MUCH] = '\0';
    TabiaProcess *p = begin("exec sleep 1000");
    assert_false(tabia_process_send(p, text, 0.05));
    tabia_process_close(p);
    p = begin("wc -c");
    assert_true(tabia_process_send(p, text, 20));
    tabia_process_close(p);
    p = begin("exit 0");
    assert_true(tabia_process_ended(p, 20, words));
    assert_false(tabia_process_send(p, text, 20));
    tabia_process_close(p);
    free(text);
}

/* A line that never ends is cut; the next one is whole again. */
static void long_lines_are_cut(void **state) {
    static char line[10000];
    TabiaProcess *p = begin("printf x; read a; head -c 100000 /dev/zero | tr '\\0' x; echo; printf 'a\\0b\\n'");
    assert_int_equal(tabia_process_read(p, line, 11, 0.05), TABIA_READ_TIMEOUT); /* a part of the line */
    assert_true(tabia_process_send(p, "\n", 20));
    assert_int_equal(tabia_process_read(p, line, 11, 20), TABIA_READ_LINE);
    assert_string_equal(line, "xxxxxxxxxx");
    expect(p, "a b");
    tabia_process_close(p);

    p = begin("exec cat /dev/zero");
    assert_int_equal(tabia_process_read(p, line, sizeof line, 20), TABIA_READ_LINE);
    assert_int_equal(tabia_process_read(p, line, sizeof line, 0.05), TABIA_READ_TIMEOUT);
    tabia_process_close(p);
}

/* What the shell started dies too: its end of the pipe closes only then. */
static void the_whole_group_dies(void **state) {
    char line[100];
    TabiaProcess *p = begin("sleep 1000 & echo $!; wait");
    assert_int_equal(tabia_process_read(p, line, sizeof line, 20), TABIA_READ_LINE);
    const pid_t grandchild = (pid_t)atoi(line);
    assert_true(grandchild > 1);
    assert_int_equal(kill(grandchild, 0), 0);
    tabia_process_close(p);
    /* Killed; it is gone, or a zombie until init collects it. */
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)grandchild);
    for (int i = 0; i < 1000; i++) {
        FILE *f = fopen(path, "r");
        if (!f) return;
        const size_t n = fread(text, 1, sizeof text - 1, f);
        fclose(f);
        text[n] = '\0';
        const char *after = strrchr(text, ')');
        if (!after || after[2] == 'Z') return;
        usleep(10000);
    }
    fail_msg("process %d outlived its group: %s", (int)grandchild, text);
}

static void too_many_arguments(void **state) {
    static const char *const many[] = {"1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",
                                       "10", "11", "12", "13", "14", "15", "16", "17", 0};
    TabiaError error;
    assert_null(tabia_process_start("echo", many, &error));
    assert_non_null(strstr(error.text, "more than 16 arguments"));
    tabia_process_close(0);
}

#include "test_process_list.h"
