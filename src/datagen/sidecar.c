/* SPDX-License-Identifier: MIT */
/* The reader is no JSON parser: it reads line by line what this file writes. */
#include "sidecar.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "tabia/table.h"

enum { LINE_BYTES_MAX = 600, NAME_BYTES_MAX = 40 };

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

/* Name and value of a line `"name": value` or `"name": "value"`, both unquoted. False for other lines. */
static bool parse_member(char *line, char name[NAME_BYTES_MAX], char **value) {
    char *at = strchr(line, '"'), *end = at ? strchr(at + 1, '"') : NULL;
    if (!end || end - at > NAME_BYTES_MAX || end[1] != ':') return false;
    memcpy(name, at + 1, (size_t)(end - at - 1));
    name[end - at - 1] = '\0';
    *value = end + 2 + strspn(end + 2, " \"");
    for (size_t n = strlen(*value); n && strchr("\",\r\n", (*value)[n - 1]); n--) (*value)[n - 1] = '\0';
    return true;
}

/* The setting of that name; false if there is none. */
static bool find_setting(const SidecarSettings *s, const char *name, SettingText *t) {
    for (unsigned i = 0; s->text(s->settings, i, t); i++)
        if (!strcmp(t->name, name)) return true;
    return false;
}

static unsigned count_settings(const SidecarSettings *s) {
    SettingText t;
    unsigned n = 0;
    while (s->text(s->settings, n, &t)) n++;
    return n;
}

bool sidecar_check_settings(const char *data_path, const SidecarSettings *s, TabiaError *error) {
    char path[SIDECAR_PATH_MAX], line[LINE_BYTES_MAX], name[NAME_BYTES_MAX], *value;
    SettingText t;
    unsigned seen = 0;
    bool good = true;
    if (!sidecar_path(data_path, path, error)) return false;
    FILE *in = fopen(path, "r");
    if (!in)
        return tabia_fail(error, "%s: cannot be read, so the settings of the file are unknown: %s", path,
                          strerror(errno));
    while (good && fgets(line, sizeof line, in) && !strstr(line, "\"counts\":")) {
        if (!parse_member(line, name, &value) || (!find_setting(s, name, &t) && strcmp(name, "version"))) continue;
        if (!strcmp(name, "version")) snprintf(t.value, sizeof t.value, "%s", tabia_version());
        seen++;
        if (strcmp(value, t.value))
            good = tabia_fail(error, "%.150s: was written with %s %.100s, not %.100s; --resume needs the same settings",
                              path, name, value, t.value);
    }
    fclose(in);
    if (good && seen != count_settings(s) + 1)
        return tabia_fail(error, "%s: is no complete sidecar of this version", path);
    return good;
}

typedef struct {
    const char *name;
    uint64_t *value; /* NULL: not found */
} CountQuery;

static void match_count(void *query, const char *name, uint64_t *value) {
    CountQuery *q = query;
    if (!strcmp(name, q->name)) q->value = value;
}

bool sidecar_read_snapshot(const char *data_path, uint64_t next_game, SidecarSnapshot *out) {
    char path[SIDECAR_PATH_MAX], line[LINE_BYTES_MAX], name[NAME_BYTES_MAX], *value;
    SidecarSnapshot s = {0};
    bool found = false;
    *out = (SidecarSnapshot){.next_game = next_game};
    if (!sidecar_path(data_path, path, NULL)) return false;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        if (!parse_member(line, name, &value)) {
            if (found && s.next_game == next_game) *out = s;
            continue;
        }
        CountQuery q = {name, NULL};
        datagen_counts_visit(&s.counts, match_count, &q);
        const uint64_t n = strtoull(value, NULL, 10);
        if (!strcmp(name, "next_game")) s.next_game = n, found |= n == next_game;
        if (!strcmp(name, "positions")) s.positions = n;
        if (!strcmp(name, "bytes")) s.bytes = n;
        if (q.value) *q.value = n;
    }
    if (in) fclose(in);
    return found;
}
