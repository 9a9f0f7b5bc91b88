/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_given(const DatagenGivenOptions *given, const char *name) {
    for (unsigned i = 0; i < given->count; i++)
        if (!strcmp(given->names[i], name)) return true;
    return false;
}

/* Options that change how another one works. */
static bool check_dependent(const DatagenGivenOptions *given, const DatagenSettings *s, TabiaError *error) {
    const struct {
        const char *option, *needs;
        bool is_on;
    } all[] = {{"dedupe-slots", "dedupe", s->output.dedupe},
               {"random-multipv-diff", "random-multipv", s->opening.random_multi_pv != 0},
               {"random-multipv-depth", "random-multipv", s->opening.random_multi_pv != 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i].is_on && is_given(given, all[i].option))
            return tabia_fail(error, "--%s: is for --%s only", all[i].option, all[i].needs);
    return true;
}

static bool check_evaluation(const DatagenGivenOptions *given, const DatagenSettings *s, TabiaError *error) {
    return s->evaluation == EVALUATION_NETWORK || !is_given(given, "network") ||
           tabia_fail(error, "--evaluation " EVALUATION_HANDCRAFTED_NAME
                             ", --network: one evaluates without a network; give one of the two");
}

static bool choose_start(const DatagenGivenOptions *given, DatagenOpening *o, TabiaError *error) {
    unsigned chosen = START_standard;
    for (unsigned i = 1; i < STARTS_N; i++) {
        if (!is_given(given, start_name(i))) continue;
        if (chosen != START_standard)
            return tabia_fail(error, "--%s, --%s: games begin in one or the other, not both", start_name(chosen),
                              start_name(i));
        chosen = i;
    }
    if (chosen != START_standard) o->start = (StartPosition)chosen;
    return !o->book || o->start == START_standard ||
           tabia_fail(error, "--book, --%s: games begin in the book or in %s, not both", start_name(o->start),
                      start_description(o->start));
}

/* The extensions of all formats, separated by blanks, each once: with the first format that has it. */
static void list_extensions(char *out, size_t bytes) {
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        const char *at = data_format(i)->extensions;
        for (size_t length; (length = strcspn(at, " ")) != 0; at += length, at += *at == ' ') {
            char name[32];
            snprintf(name, sizeof name, "x.%.*s", (int)length, at);
            if (data_format_by_extension(name) == data_format(i) && n < bytes)
                n += (size_t)snprintf(out + n, bytes - n, "%s%.*s", n ? " " : "", (int)length, at);
        }
    }
}

static bool choose_format(const char *path, DatagenOutput *out, TabiaError *error) {
    char extensions[200];
    if (!out->format) out->format = data_format_by_extension(path);
    if (out->format && !out->format->write) return tabia_fail(error, "--format: %s is only read", out->format->name);
    if (out->format) return true;
    list_extensions(extensions, sizeof extensions);
    return tabia_fail(error, "--out %.200s: its extension is none of %s; name the format with --format", path,
                      extensions);
}

bool datagen_options_check(const DatagenGivenOptions *given, DatagenSettings *s, const DatagenJob *job,
                           TabiaError *error) {
    if (!check_dependent(given, s, error) || !check_evaluation(given, s, error)) return false;
    if (!choose_start(given, &s->opening, error)) return false;
    if (!is_given(given, "strict-generation")) s->table.strict_generations = s->table.sharing != TABIA_SHARED;
    if (!job->path) return tabia_fail(error, "--out FILE is missing; tabia gensfen --help lists the options");
    if (!job->positions) return tabia_fail(error, "--positions N is missing");
    return choose_format(job->path, &s->output, error) && datagen_settings_check(s, error);
}

bool datagen_path_with_seed(const char *path, uint64_t seed, char out[DATAGEN_PATH_MAX], TabiaError *error) {
    const char *extension = strrchr(path, '.');
    if (!extension || strchr(extension, '/')) extension = path + strlen(path);
    const int n =
        snprintf(out, DATAGEN_PATH_MAX, "%.*s-%016" PRIx64 "%s", (int)(extension - path), path, seed, extension);
    return (n > 0 && n < DATAGEN_PATH_MAX) || tabia_fail(error, "--out: the name is too long");
}
