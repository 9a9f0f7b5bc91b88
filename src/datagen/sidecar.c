/* SPDX-License-Identifier: MIT */
#include "sidecar.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/system.h"
#include "data/block_checksums.h"
#include "tabia/table.h"

static bool sidecar_path(const char *data_path, char out[SIDECAR_PATH_MAX], TabiaError *error) {
    const int n = snprintf(out, SIDECAR_PATH_MAX, "%s.json", data_path);
    return (n > 0 && n < SIDECAR_PATH_MAX) || tabia_fail(error, "%.300s: the name is too long", data_path);
}

/* ---- writing ---- */

static void write_settings(Json *j, const SidecarSettings *s) {
    SettingText t;
    tabia_json_object(j, "options");
    for (unsigned i = 0; s->text(s->settings, i, &t); i++) tabia_json_text(j, t.name, t.value);
    tabia_json_close(j);
}

static void write_count(void *json, const char *name, uint64_t *value) {
    tabia_json_count(json, name, *value);
}

static void write_snapshot(Json *j, const SidecarSnapshot *s) {
    SidecarSnapshot copy = *s; /* the visitor takes no constant */
    tabia_json_object(j, NULL);
    tabia_json_count(j, "next_game", s->next_game);
    tabia_json_count(j, "positions", s->positions);
    tabia_json_count(j, "bytes", s->bytes);
    datagen_counts_visit(&copy.counts, write_count, j);
    tabia_json_close(j);
}

static void write_sidecar(Json *j, const SidecarSettings *s, const SidecarSnapshot *snapshots, unsigned n,
                          SidecarState state) {
    tabia_json_object(j, NULL);
    tabia_json_text(j, "generator", s->generator);
    tabia_json_text(j, "version", tabia_version());
    write_settings(j, s);
    if (n) tabia_json_text(j, "state", state == SIDECAR_FINISHED ? "finished" : "running");
    if (n) tabia_json_array(j, "counts");
    for (unsigned i = 0; i < n; i++) write_snapshot(j, &snapshots[i]);
    if (n) tabia_json_close(j);
    tabia_json_checksum(j);
    tabia_json_close(j);
}

bool sidecar_write(const char *data_path, const SidecarSettings *s, const SidecarSnapshot *snapshots, unsigned n,
                   SidecarState state, TabiaError *error) {
    assert(n <= 2);
    char path[SIDECAR_PATH_MAX];
    if (!sidecar_path(data_path, path, error)) return false;
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    if (!out) return false;
    Json j;
    tabia_json_begin(&j, out);
    write_sidecar(&j, s, snapshots, n, state);
    return tabia_atomic_file_commit(&file, tabia_json_end(&j, NULL), error);
}

/* ---- reading ---- */

/* The file as JSON; the caller's. NULL: it cannot be read (errno), or is damaged (errno 0). */
static json_t *read_sidecar(const char *path) {
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    json_t *root = json_loadf(in, 0, NULL);
    fclose(in);
    if (!tabia_json_is_whole(root)) json_decref(root), root = NULL;
    errno = 0;
    return root;
}

/* The text is that of the setting. False with an error; an absent text (NULL) is one. */
static bool is_same(const char *path, const char *name, const char *text, const char *expected, TabiaError *error) {
    if (!text) return tabia_fail(error, "%s: is not a complete sidecar of this version", path);
    return !strcmp(text, expected) ||
           tabia_fail(error, "%.150s: was written with %s %.100s, not %.100s; --resume needs the same settings", path,
                      name, text, expected);
}

static bool is_setting(const SidecarSettings *s, const char *name) {
    SettingText t;
    for (unsigned i = 0; s->text(s->settings, i, &t); i++)
        if (!strcmp(t.name, name)) return true;
    return false;
}

/* A setting that this program lacks may have shaped the file, so the file is not continued without it. */
static bool knows_all(const char *path, const json_t *options, const SidecarSettings *s, TabiaError *error) {
    json_t *all = (json_t *)options, *value; /* the iterator takes no constant */
    const char *name;
    json_object_foreach(all, name, value) if (!is_setting(s, name)) {
        const char *text = json_string_value(value);
        return tabia_fail(error,
                          "%.150s: was written with %.100s %.100s, which this version does not have; --resume "
                          "needs the version that began it",
                          path, name, text ? text : "");
    }
    return true;
}

static bool check_settings(const char *data_path, const SidecarSettings *s, TabiaError *error) {
    char path[SIDECAR_PATH_MAX];
    SettingText t;
    if (!sidecar_path(data_path, path, error)) return false;
    json_t *root = read_sidecar(path);
    if (!root && errno)
        return tabia_fail(error, "%s: cannot be read, so the settings of the file are unknown: %s", path,
                          strerror(errno));
    if (!root) return tabia_fail(error, "%s: is damaged; --restart starts again", path);
    const json_t *options = json_object_get(root, "options");
    bool good = is_same(path, "version", json_string_value(json_object_get(root, "version")), tabia_version(), error);
    for (unsigned i = 0; good && s->text(s->settings, i, &t); i++)
        good = is_same(path, t.name, json_string_value(json_object_get(options, t.name)), t.value, error);
    good = good && knows_all(path, options, s, error);
    json_decref(root);
    return good;
}

bool sidecar_allows_run(const char *data_path, bool resume, const SidecarSettings *s, bool *exists, TabiaError *error) {
    char path[SIDECAR_PATH_MAX], checksums[DATA_PATH_MAX];
    *exists = tabia_path_has_content(data_path);
    if (!sidecar_path(data_path, path, error) || !data_checksums_path(data_path, checksums, error)) return false;
    const char *const files[] = {data_path, path, checksums};
    for (unsigned i = 0; i < sizeof files / sizeof *files && !resume; i++)
        if (tabia_path_has_content(files[i]))
            return tabia_fail(error, "%s: exists already; --resume continues it, --restart starts again", files[i]);
    return !*exists || check_settings(data_path, s, error);
}

/* A number as tabia_json_count writes it; 0 where there is none. */
static uint64_t count_of(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_string(value) ? strtoull(json_string_value(value), NULL, 10) : (uint64_t)json_integer_value(value);
}

static void read_count(void *object, const char *name, uint64_t *value) {
    *value = count_of(object, name);
}

bool sidecar_read_snapshot(const char *data_path, uint64_t next_game, SidecarSnapshot *out) {
    char path[SIDECAR_PATH_MAX];
    bool found = false;
    *out = (SidecarSnapshot){.next_game = next_game};
    if (!sidecar_path(data_path, path, NULL)) return false;
    json_t *root = read_sidecar(path);
    const json_t *counts = json_object_get(root, "counts");
    for (size_t i = 0; i < json_array_size(counts) && !found; i++) {
        json_t *object = json_array_get(counts, i);
        found = json_object_get(object, "next_game") && count_of(object, "next_game") == next_game;
        if (!found) continue;
        out->positions = count_of(object, "positions"), out->bytes = count_of(object, "bytes");
        datagen_counts_visit(&out->counts, read_count, object);
    }
    json_decref(root);
    return found;
}
