/* SPDX-License-Identifier: MIT */
/* base/process.h by Windows: the child and all that it starts are a job, which ends with its handle. */
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/line_buffer.h"
#include "base/time.h"

struct TabiaProcess {
    HANDLE program, job, in, out; /* in, out: our ends of the pipes */
    LineBuffer lines;
};

/* ---- starting ---- */

/* Appends a word as programs of Windows take their command line apart: in quotes; a quote in it and the backslashes before any
   quote have a backslash before them. */
static char *append_word(char *to, const char *word) {
    *to++ = ' ', *to++ = '"';
    for (size_t slashes = 0;; word++) {
        const bool quoted = *word == '"' || !*word;
        for (size_t i = 0; quoted && i < slashes; i++) *to++ = '\\';
        slashes = *word == '\\' ? slashes + 1 : 0;
        if (*word == '"') *to++ = '\\';
        if (!*word) break;
        *to++ = *word;
    }
    *to++ = '"';
    *to = '\0';
    return to;
}

/* `command` as it is, with these words behind it; to be freed; NULL without memory. */
static char *command_line(const char *command, const char *const *words) {
    size_t room = strlen(command) + 1;
    for (size_t i = 0; words && words[i]; i++) room += 2 * strlen(words[i]) + 3;
    char *line = malloc(room);
    if (!line) return NULL;
    char *end = strcpy(line, command) + strlen(command);
    for (size_t i = 0; words && words[i]; i++) end = append_word(end, words[i]);
    return line;
}

/* A pipe whose end `ours` stays here. */
static bool make_pipe(HANDLE ends[2], unsigned ours) {
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    return CreatePipe(&ends[0], &ends[1], &inherited, 0) && SetHandleInformation(ends[ours], HANDLE_FLAG_INHERIT, 0);
}

/* Its processes end with its last handle. */
static HANDLE make_job(void) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}};
    HANDLE job = CreateJobObjectA(NULL, NULL);
    if (job) SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* Into the job before its first instruction. */
static bool create(char *line, DWORD how, STARTUPINFOA *files, HANDLE job, HANDLE *program) {
    PROCESS_INFORMATION child;
    if (!job || !CreateProcessA(NULL, line, NULL, NULL, TRUE, how | CREATE_SUSPENDED, NULL, NULL, files, &child))
        return false;
    AssignProcessToJobObject(job, child.hProcess);
    ResumeThread(child.hThread);
    CloseHandle(child.hThread);
    *program = child.hProcess;
    return true;
}

static void close_handle(HANDLE handle) {
    if (handle) CloseHandle(handle);
}

TabiaProcess *tabia_process_start(const char *command, const char *const *arguments, TabiaError *error) {
    DWORD nowait = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    HANDLE down[2] = {0}, up[2] = {0};
    STARTUPINFOA files = {.cb = sizeof files, .dwFlags = STARTF_USESTDHANDLES};
    TabiaProcess *p = calloc(1, sizeof *p);
    char *line = command_line(command, arguments);
    bool good = p && line && make_pipe(down, 1) && make_pipe(up, 0);
    if (p) p->in = down[1], p->out = up[0], p->job = make_job();
    files.hStdInput = down[0], files.hStdOutput = up[1], files.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    /* Ctrl-C does not reach a group of its own. */
    good = good && SetNamedPipeHandleState(p->in, &nowait, NULL, NULL) &&
           create(line, CREATE_NEW_PROCESS_GROUP, &files, p->job, &p->program);
    if (!good) tabia_fail(error, "cannot start \"%s\": error %lu of Windows", command, GetLastError());
    close_handle(down[0]);
    close_handle(up[1]);
    free(line);
    if (good) return p;
    tabia_process_close(p);
    return NULL;
}

bool tabia_process_exists(const char *command, char *name, size_t room) {
    char found[MAX_PATH];
    const char *word = command + strspn(command, " \t");
    const size_t length = strcspn(word, " \t");
    snprintf(name, room, "%.*s", (int)length, word);
    return *word == '"' || length >= room || SearchPathA(NULL, name, ".exe", sizeof found, found, NULL);
}

static BOOL WINAPI leave_to_child(DWORD kind) {
    return kind == CTRL_C_EVENT || kind == CTRL_BREAK_EVENT;
}

void tabia_process_become(char *const *arguments) {
    STARTUPINFOA same = {.cb = sizeof same};
    HANDLE program;
    DWORD status = 1;
    char *line = command_line("", (const char *const *)arguments);
    SetConsoleCtrlHandler(leave_to_child, TRUE);
    if (!line || !create(line + 1, 0, &same, make_job(), &program)) {
        errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
        free(line);
        return;
    }
    WaitForSingleObject(program, INFINITE);
    GetExitCodeProcess(program, &status);
    exit((int)status);
}

/* ---- talking ---- */

bool tabia_process_send(TabiaProcess *p, const char *text, double seconds) {
    const double until = tabia_clock_wall() + seconds;
    for (size_t left = strlen(text); left;) {
        DWORD n = 0;
        if (!WriteFile(p->in, text, (DWORD)left, &n, NULL)) return false;
        text += n, left -= n;
        if (left && tabia_clock_wall() >= until) return false;
        if (left) Sleep(1);
    }
    return true;
}

/* Reads what is there into the buffer, which is not full. False when nothing was. */
static bool fill_buffer(TabiaProcess *p) {
    LineBuffer *l = &p->lines;
    DWORD there = 0, n = 0;
    const DWORD room = (DWORD)(LINE_BUFFER_BYTES - l->have);
    l->end = !PeekNamedPipe(p->out, NULL, 0, NULL, &there, NULL);
    if (there) l->end = !ReadFile(p->out, l->bytes + l->have, there < room ? there : room, &n, NULL);
    l->have += n;
    return n > 0;
}

TabiaRead tabia_process_read(TabiaProcess *p, char *line, size_t room, double seconds) {
    const double until = tabia_clock_wall() + seconds;
    for (bool over = false;;) {
        if (tabia_line_take(&p->lines, line, room)) return TABIA_READ_LINE;
        if (p->lines.end) return TABIA_READ_END;
        if (over) return TABIA_READ_TIMEOUT; /* though more may come for ever */
        over = tabia_clock_wall() >= until;
        if (!fill_buffer(p) && !p->lines.end && !over) Sleep(1);
    }
}

/* ---- ending ---- */

bool tabia_process_ended(TabiaProcess *p, double seconds, char words[TABIA_EXIT_TEXT_MAX]) {
    DWORD status = 0;
    if (WaitForSingleObject(p->program, (DWORD)(seconds * 1000)) != WAIT_OBJECT_0) {
        snprintf(words, TABIA_EXIT_TEXT_MAX, "is still running");
        return false;
    }
    GetExitCodeProcess(p->program, &status);
    snprintf(words, TABIA_EXIT_TEXT_MAX, status >> 30 == 3 ? "was ended by exception %#lx" : "ended with status %lu",
             status);
    return true;
}

int tabia_process_status(TabiaProcess *p) {
    DWORD status = 0;
    const bool ended = WaitForSingleObject(p->program, 0) == WAIT_OBJECT_0 && GetExitCodeProcess(p->program, &status);
    return ended && status >> 30 != 3 ? (int)status : -1;
}

void tabia_process_close(TabiaProcess *p) {
    if (!p) return;
    if (p->program) TerminateProcess(p->program, 1); /* where it is in no job */
    close_handle(p->job);
    close_handle(p->in);
    close_handle(p->out);
    close_handle(p->program);
    free(p);
}
