/* SPDX-License-Identifier: MIT */
#include "rescore_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "eval/evaluate.h"
#include "tabia/table.h"

enum { PATH_MAX_BYTES = 4096 };

static bool sidecar_path(const RescoreJob *job, char out[PATH_MAX_BYTES], TabiaError *error) {
    const int n = snprintf(out, PATH_MAX_BYTES, "%s.json", job->path);
    return (n > 0 && n < PATH_MAX_BYTES) || tabia_fail(error, "%.300s: the name is too long", job->path);
}

/* Name and size of each input file. */
static void write_input(Json *j, const DataSource *source) {
    tabia_json_array(j, "input");
    for (unsigned i = 0; i < source->path_count; i++) {
        struct stat status;
        tabia_json_text(j, NULL, source->paths[i]);
        tabia_json_integer(j, NULL, stat(source->paths[i], &status) ? -1 : (int64_t)status.st_size);
    }
    tabia_json_close(j);
}

static bool write_document(FILE *out, const RescoreSettings *s, const RescoreJob *job, TabiaError *error) {
    char network[20];
    Json j;
    snprintf(network, sizeof network, "%016" PRIX64, evaluation_identity(EVALUATION_NETWORK, s->network));
    tabia_json_begin(&j, out);
    tabia_json_object(&j, NULL);
    tabia_json_text(&j, "generator", "tabia data rescore");
    tabia_json_text(&j, "version", tabia_version());
    write_input(&j, job->source);
    tabia_json_count(&j, "depth", s->search.depth);
    tabia_json_count(&j, "nodes", s->search.nodes);
    tabia_json_count(&j, "soft-nodes", s->search.soft_nodes);
    tabia_json_text(&j, "network", network);
    tabia_json_count(&j, "hash", s->hash_bytes);
    tabia_json_text(&j, "format", s->format->name);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

bool rescore_settings_write(const RescoreSettings *s, const RescoreJob *job, TabiaError *error) {
    char path[PATH_MAX_BYTES];
    AtomicFile file;
    if (!sidecar_path(job, path, error)) return false;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    return out && tabia_atomic_file_commit(&file, write_document(out, s, job, NULL), error);
}

/* The text of a line without blanks around it and the comma behind. */
static int line_length(const char *line) {
    int n = (int)strcspn(line, "\n");
    while (n && strchr(", ", line[n - 1])) n--;
    return n > 120 ? 120 : n;
}

/* Compares line by line: both are written by the same code. */
static bool same_text(const char *path, FILE *in, const char *expected, TabiaError *error) {
    char line[PATH_MAX_BYTES + 100];
    const char *at = expected;
    while (*at) {
        const size_t n = strcspn(at, "\n") + 1;
        if (!fgets(line, sizeof line, in)) return tabia_fail(error, "%s: is no whole description of a rescoring", path);
        if (strncmp(line, at, n)) {
            const char *was = line + strspn(line, " "), *is = at + strspn(at, " ");
            return tabia_fail(error, "%.100s: was written with %.*s, not %.*s; --resume needs the same settings", path,
                              line_length(was), was, line_length(is), is);
        }
        at += n;
    }
    return true;
}

bool rescore_settings_check(const RescoreSettings *s, const RescoreJob *job, TabiaError *error) {
    char path[PATH_MAX_BYTES], *expected = NULL;
    size_t bytes = 0;
    if (!sidecar_path(job, path, error)) return false;
    FILE *memory = open_memstream(&expected, &bytes);
    bool good = memory && write_document(memory, s, job, NULL);
    if (memory) fclose(memory);
    if (!good) tabia_fail(error, "%s: no memory to compare it", path);
    FILE *in = good ? fopen(path, "r") : NULL;
    if (good && !in)
        tabia_fail(error, "%s: cannot be read, so the settings of the file are unknown: %s", path, strerror(errno));
    good = in && same_text(path, in, expected, error);
    if (in) fclose(in);
    free(expected);
    return good;
}
