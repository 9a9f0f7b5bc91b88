/* SPDX-License-Identifier: MIT */
/* Each case runs in a child of its own, since a request to stop cannot be taken back. */
#include "base/stop.h"
#include "unit.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { CAME_TO_THE_END = 42 };

/* How a child ends that installs and then gets these two signals (0: none). Its exit status tells what it saw: bits 0,
   1 and 2 for a request seen before, after the first and after the second. */
static int end_of_child(int first, int second, void (*before)(int)) {
    pid_t child = fork();
    if (child == 0) {
        if (before) signal(first, before);
        tabia_stop_install(false);
        int seen = tabia_stop_requested();
        if (first) raise(first);
        seen |= tabia_stop_requested() << 1;
        if (second) raise(second);
        _exit(CAME_TO_THE_END + (seen | tabia_stop_requested() << 2));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void check_exit(int status, int seen) {
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CAME_TO_THE_END + seen);
}

static void check_killed(int status, int by) {
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), by);
}

static void no_request_by_itself(void **state) {
    check_exit(end_of_child(0, 0, NULL), 0);
}

static void the_first_is_a_request(void **state) {
    check_exit(end_of_child(SIGINT, 0, NULL), 2 | 4);
    check_exit(end_of_child(SIGTERM, 0, NULL), 2 | 4);
}

static void the_second_kills(void **state) {
    check_killed(end_of_child(SIGINT, SIGINT, NULL), SIGINT);
    check_killed(end_of_child(SIGTERM, SIGTERM, NULL), SIGTERM);
    check_killed(end_of_child(SIGINT, SIGTERM, NULL), SIGTERM);
    check_killed(end_of_child(SIGTERM, SIGINT, NULL), SIGINT);
}

static void answer_signal(bool says, int number) {
    tabia_stop_install(says);
    raise(number);
}

/* How a child ends that does this, and what it says on standard error. */
static int check_says(void (*act)(bool, int), bool says, int number, const char *words) {
    int ends[2], status = 0;
    char said[200] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        act(says, number);
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t more; (more = read(ends[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)more;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_string_equal(said, words);
    return status;
}

static void the_first_is_answered(void **state) {
    static const char words[] = "tabia: stopping; the same signal again ends it at once\n";
    check_says(answer_signal, true, SIGINT, words);
    check_says(answer_signal, true, SIGTERM, words);
    check_says(answer_signal, false, SIGINT, "");
    tabia_stop_name("tabia-shogi-mpi");
    check_says(answer_signal, true, SIGINT, "tabia-shogi-mpi: stopping; the same signal again ends it at once\n");
    tabia_stop_name("a name that is longer than all names of programs are");
    check_says(answer_signal, true, SIGINT,
               "a name that is longer than all n: stopping; the same signal again ends it at once\n");
}

static void ignored_stays_ignored(void **state) {
    check_exit(end_of_child(SIGINT, SIGINT, SIG_IGN), 0);
    check_exit(end_of_child(SIGINT, SIGTERM, SIG_IGN), 4);
}

/* A request that came before the wait ends it as one that comes in it does. */
static void a_wait_is_ended(void **state) {
    for (int before = 0; before < 2; before++) {
        const pid_t child = fork();
        if (child == 0) {
            tabia_stop_install(false);
            if (before) raise(SIGTERM);
            alarm(600); /* kills a child that waits on */
            if (!before && fork() == 0) _exit(kill(getppid(), SIGTERM));
            _exit(tabia_stop_poll(NULL, 0, 1000000) <= 0 && tabia_stop_requested() ? CAME_TO_THE_END : 1);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        check_exit(status, 0);
    }
}

/* Reads memory of a file of two pages of which one is left, or sends itself the signal. */
static void read_cut_file(bool reads, int file) {
    const long page = sysconf(_SC_PAGESIZE);
    tabia_stop_at_cut_files();
    if (!reads) raise(SIGBUS);
    volatile char *at = mmap(NULL, (size_t)(2 * page), PROT_READ, MAP_SHARED, file, 0);
    if (ftruncate(file, page) == 0 && at[0] == 0) (void)at[page];
}

static void a_cut_file_is_named(void **state) {
    char path[] = "/tmp/tabia-test-XXXXXX", words[100];
    const int file = mkstemp(path);
    assert_int_equal(ftruncate(file, 2 * sysconf(_SC_PAGESIZE)), 0);
    tabia_stop_name("tabia");
    snprintf(words, sizeof words, "tabia: %s: another process has cut it short while it was in use\n", path);
    const int status = check_says(read_cut_file, true, file, words);
    unlink(path);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    check_killed(check_says(read_cut_file, false, file, ""), SIGBUS);
    close(file);
}

#include "test_stop_list.h"
