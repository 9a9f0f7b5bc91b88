/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/process.h"

#include "base/line_buffer.h"
#include "time.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS_MAX = 16 };

struct TabiaProcess {
    pid_t pid;   /* leader of its group; not waited for before close, so that the number stays its own */
    int in, out; /* our ends: what the child reads, what it writes; neither blocks */
    LineBuffer lines;
};

/* ---- starting ---- */

/* posix_spawn and not fork: a parent with a table of many gigabytes is not copied, not even its page tables. */
static int spawn(pid_t *pid, int child_in, int child_out, char *const argv[]) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, child_in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, child_out, STDOUT_FILENO);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    int code = posix_spawn(pid, "/bin/sh", &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

static void close_pair(const int pair[2]) {
    close(pair[0]);
    close(pair[1]);
}

/* The two pipes, and the child between them. Returns 0 or an errno. */
static int connect_child(TabiaProcess *p, char *const argv[]) {
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC)) return errno;
    if (pipe2(up, O_CLOEXEC)) {
        int code = errno;
        close_pair(down);
        return code;
    }
    fcntl(down[1], F_SETFL, O_NONBLOCK);
    fcntl(up[0], F_SETFL, O_NONBLOCK);
    int code = spawn(&p->pid, down[0], up[1], argv);
    if (code) {
        close_pair(down);
        close_pair(up);
        return code;
    }
    close(down[0]);
    close(up[1]);
    p->in = down[1];
    p->out = up[0];
    return 0;
}

TabiaProcess *tabia_process_start(const char *command, const char *const *arguments, TabiaError *error) {
    const char *argv[ARGUMENTS_MAX + 5] = {"sh", "-c", command, "sh"};
    size_t n = 4, length = strlen(command) + sizeof " \"$@\"";
    while (arguments && *arguments && n < ARGUMENTS_MAX + 4) argv[n++] = *arguments++;
    if (arguments && *arguments)
        return tabia_fail(error, "cannot start \"%s\": more than %d arguments", command, ARGUMENTS_MAX), NULL;
    TabiaProcess *p = calloc(1, sizeof *p);
    char *line = malloc(length);
    int code = ENOMEM;
    if (p && line) {
        snprintf(line, length, "%s%s", command, n > 4 ? " \"$@\"" : "");
        argv[2] = line;
        code = connect_child(p, (char *const *)argv);
    }
    free(line);
    if (!code) return p;
    free(p);
    return tabia_fail(error, "cannot start \"%s\": %s", command, strerror(code)), NULL;
}

bool tabia_process_exists(const char *command, char *name, size_t room) {
    static const char blanks[] = " \t\n", for_the_shell[] = "'\"\\$`;&|<>()*?[]{}~=#!";
    const char *word = command + strspn(command, blanks);
    const size_t length = strcspn(word, blanks);
    snprintf(name, room, "%.*s", (int)length, word);
    if (length >= room || strpbrk(name, for_the_shell)) return true;
    enum { SECONDS = 10 };
    char words[TABIA_EXIT_TEXT_MAX];
    const char *const arguments[] = {name, NULL};
    TabiaProcess *p = tabia_process_start("command -v --", arguments, NULL);
    if (!p) return true;
    const bool is_there = !tabia_process_ended(p, SECONDS, words) || tabia_process_status(p) == 0;
    tabia_process_close(p);
    return is_there;
}

void tabia_process_become(char *const *arguments) {
    execv(arguments[0], arguments);
}

/* ---- talking ---- */

/* Waits until the descriptor is ready. False when the time is over or a signal came. */
static bool wait_ready(int descriptor, short events, double until) {
    struct pollfd one = {.fd = descriptor, .events = events};
    double left = until - tabia_clock_wall();
    if (left > 1e6) left = 1e6;
    return poll(&one, 1, left > 0 ? (int)(left * 1e3) + 1 : 0) > 0;
}

/* write(2), but a closed pipe is only an error: the SIGPIPE of this thread is held back and taken away again. */
static ssize_t write_quietly(int descriptor, const char *text, size_t length) {
    sigset_t broken, before, waiting;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t n = write(descriptor, text, length);
    int code = errno;
    if (n < 0 && code == EPIPE && !sigismember(&waiting, SIGPIPE)) {
        const struct timespec now = {0, 0};
        while (sigtimedwait(&broken, 0, &now) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, 0);
    errno = code;
    return n;
}

bool tabia_process_send(TabiaProcess *p, const char *text, double seconds) {
    const double until = tabia_clock_wall() + seconds;
    size_t left = strlen(text);
    while (left) {
        ssize_t n = write_quietly(p->in, text, left);
        if (n > 0) {
            text += n;
            left -= (size_t)n;
        } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        } else if (tabia_clock_wall() >= until) {
            return false;
        } else {
            wait_ready(p->in, POLLOUT, until);
        }
    }
    return true;
}

/* Reads what is there into the buffer, which is not full. False when nothing was. */
static bool fill_buffer(TabiaProcess *p) {
    LineBuffer *l = &p->lines;
    assert(l->have < LINE_BUFFER_BYTES);
    ssize_t n = read(p->out, l->bytes + l->have, LINE_BUFFER_BYTES - l->have);
    if (n > 0) l->have += (size_t)n;
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) l->end = true;
    return n > 0;
}

TabiaRead tabia_process_read(TabiaProcess *p, char *line, size_t room, double seconds) {
    const double until = tabia_clock_wall() + seconds;
    for (bool over = false;;) {
        if (tabia_line_take(&p->lines, line, room)) return TABIA_READ_LINE;
        if (p->lines.end) return TABIA_READ_END;
        if (over) return TABIA_READ_TIMEOUT; /* though more may come for ever */
        over = tabia_clock_wall() >= until;
        if (!fill_buffer(p) && !p->lines.end && !over) over = !wait_ready(p->out, POLLIN, until);
    }
}

/* ---- ending ---- */

/* What is known of the child's end, which stays to be collected. */
static bool poll_exit(TabiaProcess *p, siginfo_t *end) {
    end->si_pid = 0;
    return waitid(P_PID, (id_t)p->pid, end, WEXITED | WNOHANG | WNOWAIT) == 0 && end->si_pid;
}

bool tabia_process_ended(TabiaProcess *p, double seconds, char words[TABIA_EXIT_TEXT_MAX]) {
    const double until = tabia_clock_wall() + seconds;
    const struct timespec moment = {0, 2000000};
    siginfo_t end;
    while (!poll_exit(p, &end)) {
        if (tabia_clock_wall() >= until) {
            snprintf(words, TABIA_EXIT_TEXT_MAX, "is still running");
            return false;
        }
        nanosleep(&moment, 0);
    }
    /* A shell that waited for the program tells its signal as 128 + signal. */
    const bool by_shell = end.si_code == CLD_EXITED && end.si_status > 128 && end.si_status <= 128 + 31;
    const int signal = by_shell ? end.si_status - 128 : end.si_status;
    if (end.si_code == CLD_EXITED && !by_shell)
        snprintf(words, TABIA_EXIT_TEXT_MAX, "ended with status %d%s", end.si_status,
                 end.si_status == 127   ? " (no such program)"
                 : end.si_status == 126 ? " (no program that may be run)"
                                        : "");
    else
        snprintf(words, TABIA_EXIT_TEXT_MAX, "was killed by signal %d (%.32s)", signal, strsignal(signal));
    return true;
}

int tabia_process_status(TabiaProcess *p) {
    siginfo_t end;
    return poll_exit(p, &end) && end.si_code == CLD_EXITED ? end.si_status : -1;
}

void tabia_process_close(TabiaProcess *p) {
    if (!p) return;
    close(p->in);
    close(p->out);
    kill(-p->pid, SIGKILL); /* the leader, dead or alive, still holds the number */
    while (waitpid(p->pid, 0, 0) < 0 && errno == EINTR) {
    }
    free(p);
}
