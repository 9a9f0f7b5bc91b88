/* SPDX-License-Identifier: MIT */
#include "serve/plots.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/answer.h"

enum { PLOTS_MAX = 1000, PLOT_BYTES_MAX = 4 << 20 };

struct Plots {
    const char *folder;
    char *names[PLOTS_MAX];
    unsigned n;
};

static bool is_plot(const char *name) {
    const size_t n = strlen(name);
    return name[0] != '.' && n > 4 && !strcmp(name + n - 4, ".svg");
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_names(Plots *p, TabiaError *error) {
    DIR *folder = opendir(p->folder);
    if (!folder) return tabia_fail(error, "%.300s: cannot be read: %s", p->folder, strerror(errno));
    for (struct dirent *file; p->n < PLOTS_MAX && (file = readdir(folder));) {
        if (!is_plot(file->d_name)) continue;
        p->names[p->n] = strdup(file->d_name);
        p->n += p->names[p->n] != NULL;
    }
    closedir(folder);
    qsort(p->names, p->n, sizeof *p->names, by_name);
    return true;
}

Plots *plots_create(const char *folder, TabiaError *error) {
    Plots *p = calloc(1, sizeof *p);
    if (!p) return tabia_fail(error, "not enough memory for a server"), NULL;
    p->folder = folder;
    if (folder && !list_names(p, error)) return plots_destroy(p), NULL;
    return p;
}

void plots_destroy(Plots *p) {
    for (unsigned i = 0; p && i < p->n; i++) free(p->names[i]);
    free(p);
}

void plots_answer_names(void *plots, HttpRequest *request) {
    const Plots *p = plots;
    Answer a;
    if (!answer_begin_reply(&a, request)) return;
    tabia_json_array(&a.json, "plots");
    for (unsigned i = 0; i < p->n; i++) tabia_json_text(&a.json, NULL, p->names[i]);
    tabia_json_close(&a.json);
    answer_reply(&a, request);
}

/* The file's bytes, to be freed. NULL: it is gone, no plain file of that folder, or too large. */
static char *read_plot(const Plots *p, const char *name, size_t *n) {
    const int folder = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *bytes = file >= 0 ? malloc(PLOT_BYTES_MAX) : NULL;
    ssize_t got = 0;
    for (*n = 0; bytes && *n < PLOT_BYTES_MAX && (got = read(file, bytes + *n, PLOT_BYTES_MAX - *n)) > 0;)
        *n += (size_t)got;
    if (bytes && (got < 0 || *n == PLOT_BYTES_MAX)) free(bytes), bytes = NULL;
    if (file >= 0) close(file);
    if (folder >= 0) close(folder);
    return bytes;
}

void plots_answer_plot(void *plots, HttpRequest *request) {
    const Plots *p = plots;
    TabiaError error;
    uint64_t number;
    size_t n = 0;
    const bool good = p->n && http_number(request, "number", 0, p->n - 1, 0, &number);
    char *bytes = good ? read_plot(p, p->names[number], &n) : NULL;
    if (bytes) {
        http_reply(request, HTTP_GOOD, "image/svg+xml", bytes, n);
    } else {
        tabia_fail(&error, "there is no such plot");
        answer_error(request, &error);
    }
    free(bytes);
}
