/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/system.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void tabia_processor_name(char out[PROCESSOR_TEXT_MAX]) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, PROCESSOR_TEXT_MAX, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon || !colon[1]) continue;
        snprintf(out, PROCESSOR_TEXT_MAX, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file) fclose(file);
}

unsigned tabia_terminal_columns(FILE *out) {
    struct winsize size;
    const char *terminal = getenv("TERM");
    if (!isatty(fileno(out)) || !terminal || !strcmp(terminal, "dumb")) return 0;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool tabia_program_path(const char *behind, char *path, size_t room) {
    const ssize_t n = readlink("/proc/self/exe", path, room);
    if (n < 0 || (size_t)n + strlen(behind) >= room) return false;
    strcpy(path + n, behind);
    return true;
}

bool tabia_random_number(uint64_t *to) {
    return getentropy(to, sizeof *to) == 0;
}

/* ---- files ---- */

bool tabia_file_lock(int file, bool shared) {
    return flock(file, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0;
}

bool tabia_path_has_content(const char *path) {
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size > 0;
}

bool tabia_path_same(const char *a, const char *b) {
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

FILE *tabia_file_scratch(const char *path) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s.XXXXXX", path) >= (int)sizeof name) return errno = ENAMETOOLONG, NULL;
    const int file = mkstemp(name);
    FILE *stream = file >= 0 ? fdopen(file, "w+b") : NULL;
    if (file >= 0) unlink(name);
    if (file >= 0 && !stream) close(file);
    return stream;
}

FILE *tabia_buffer_begin(char **bytes, size_t *size) {
    return open_memstream(bytes, size);
}

int tabia_buffer_end(FILE *out, char **bytes, size_t *size) {
    (void)bytes, (void)size;
    return fclose(out) ? errno : 0;
}

const char *tabia_file_map(int file, size_t bytes) {
    void *at = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    return at == MAP_FAILED ? NULL : at;
}

void tabia_file_unmap(const char *at, size_t bytes) {
    munmap((char *)at, bytes);
}

bool tabia_file_wait(int file, int milliseconds) {
    struct pollfd request = {.fd = file, .events = POLLIN};
    return poll(&request, 1, milliseconds) > 0;
}
