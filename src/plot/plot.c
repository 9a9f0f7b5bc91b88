/* SPDX-License-Identifier: MIT */
#include "plot.h"

#include <assert.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/atomic_file.h"
#include "base/process.h"

extern char **environ;

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && !strcmp(text + length - end_length, end);
}

static bool find_format(const char *path, PlotFormat *format, TabiaError *error) {
    static const char *const end[] = {[PLOT_SVG] = ".svg", [PLOT_PNG] = ".png", [PLOT_SCRIPT] = ".gp"};
    for (unsigned i = 0; i < sizeof end / sizeof *end; i++)
        if (ends_with(path, end[i])) return *format = (PlotFormat)i, true;
    return tabia_fail(error, "%.200s: a plot's name ends with .svg, .png or .gp (the script for gnuplot)", path);
}

static const char *const missing = "gnuplot is missing: install it (gnuplot-nox), or write its script, FILE.gp";

bool plot_is_possible(const char *path, bool *outside, TabiaError *error) {
    PlotFormat format = PLOT_SCRIPT;
    char name[16];
    *outside = false;
    if (!find_format(path, &format, error)) return false;
    if (format != PLOT_SCRIPT && !tabia_process_exists("gnuplot", name, sizeof name))
        return tabia_fail(error, "%s", missing);
    *outside = true;
    return tabia_atomic_file_possible(path, error);
}

/* Runs gnuplot from one file to another; its exit status, or -1 with an error. */
static int spawn_gnuplot(FILE *script, FILE *picture, TabiaError *error) {
    char name[] = "gnuplot";
    char *words[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions)) return tabia_fail(error, "gnuplot: no memory to start it"), -1;
    int code = posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, fileno(picture), 1);
    if (!code) code = posix_spawnp(&child, name, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == ENOENT) return tabia_fail(error, "%s", missing), -1;
    if (code) return tabia_fail(error, "gnuplot: cannot be started: %s", strerror(code)), -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return tabia_fail(error, "gnuplot: %s", strerror(errno)), -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A picture that a full disk has cut short lacks its end. */
static bool is_whole(FILE *picture, PlotFormat format) {
    char last[9] = "";
    if (fseek(picture, -8, SEEK_END) || fread(last, 1, 8, picture) != 8) return false;
    return format == PLOT_SVG ? strstr(last, "</svg>") != NULL : !memcmp(last, "IEND", 4);
}

static void copy(FILE *from, FILE *to) {
    char part[4096];
    size_t n;
    rewind(from);
    while ((n = fread(part, 1, sizeof part, from)) > 0) fwrite(part, 1, n, to);
}

bool plot_run_gnuplot(FILE *script, PlotFormat format, FILE *out, TabiaError *error) {
    assert(format != PLOT_SCRIPT);
    FILE *picture = tmpfile();
    if (!picture) return tabia_fail(error, "gnuplot: no temporary file: %s", strerror(errno));
    const int status = spawn_gnuplot(script, picture, error);
    if (status > 0) tabia_fail(error, "gnuplot: ended with status %d", status);
    const bool whole = status == 0 && is_whole(picture, format);
    if (whole) copy(picture, out);
    if (status == 0 && !whole) tabia_fail(error, "gnuplot: its picture is cut short");
    fclose(picture);
    return whole;
}

/* The script in a file of its own, to be read from the beginning. */
static FILE *script_file(const Plot *plot, unsigned plots, PlotFormat format, TabiaError *error) {
    FILE *script = tmpfile();
    if (!script) return tabia_fail(error, "no temporary file: %s", strerror(errno)), NULL;
    plot_script(script, plot, plots, format);
    if (!fflush(script) && !ferror(script)) return rewind(script), script;
    tabia_fail(error, "a temporary file cannot be written: %s", strerror(errno));
    fclose(script);
    return NULL;
}

static bool draw(const Plot *plot, unsigned plots, PlotFormat format, FILE *out, TabiaError *error) {
    FILE *script = script_file(plot, plots, format, error);
    if (!script) return false;
    const bool good = plot_run_gnuplot(script, format, out, error);
    fclose(script);
    return good;
}

bool plot_write(const Plot *plot, unsigned plots, const char *path, TabiaError *error) {
    PlotFormat format = PLOT_SCRIPT;
    AtomicFile file;
    if (!find_format(path, &format, error)) return false;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    if (!out) return false;
    bool good = true;
    if (format == PLOT_SCRIPT)
        plot_script(out, plot, plots, format);
    else
        good = draw(plot, plots, format, out, error);
    TabiaError ignored;
    return tabia_atomic_file_commit(&file, good, good ? error : &ignored) && good;
}
