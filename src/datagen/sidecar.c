/* SPDX-License-Identifier: MIT */
/* It is read back by lines, as it was written: nobody else writes it. */
#include "sidecar.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "tabia/table.h"

enum { LINE_ROOM = 600, NAME_ROOM = 40 };

static bool path_of(const char *data_path, const char *ending, char out[SIDECAR_PATH_MAX], TabiaError *error) {
    const int n = snprintf(out, SIDECAR_PATH_MAX, "%s%s", data_path, ending);
    return (n > 0 && n < SIDECAR_PATH_MAX) || tabia_fail(error, "%.300s: the name is too long", data_path);
}

/* ---- writing ---- */

static void put_options(Json *j, const Settings *s) {
    SettingText t;
    tabia_json_object(j, "options");
    for (unsigned i = 0; settings_text(s, i, &t); i++) tabia_json_text(j, t.name, t.value);
    tabia_json_close(j);
}

static void put_count(void *json, const char *name, uint64_t *value) {
    tabia_json_count(json, name, *value);
}

static void put_snapshot(Json *j, const Snapshot *s) {
    Snapshot copy = *s;
    tabia_json_object(j, NULL);
    tabia_json_count(j, "next_game", s->next_game);
    tabia_json_count(j, "positions", s->positions);
    tabia_json_count(j, "bytes", s->bytes);
    counts_each(&copy.counts, put_count, j);
    tabia_json_close(j);
}

static void put_all(Json *j, const Settings *s, const Snapshot *snapshots, unsigned n, bool finished) {
    tabia_json_object(j, NULL);
    tabia_json_text(j, "generator", "tabia gensfen");
    tabia_json_text(j, "version", tabia_version());
    put_options(j, s);
    tabia_json_text(j, "state", finished ? "finished" : "running");
    tabia_json_array(j, "counts");
    for (unsigned i = 0; i < n; i++) put_snapshot(j, &snapshots[i]);
    tabia_json_close(j);
    tabia_json_close(j);
}

bool sidecar_write(const char *data_path, const Settings *s, const Snapshot *snapshots, unsigned n, bool finished,
                   TabiaError *error) {
    char path[SIDECAR_PATH_MAX];
    if (!path_of(data_path, ".json", path, error)) return false;
    WholeFile file;
    FILE *out = tabia_whole_begin(&file, path, error);
    if (!out) return false;
    Json j;
    tabia_json_begin(&j, out);
    put_all(&j, s, snapshots, n, finished);
    return tabia_whole_end(&file, tabia_json_end(&j, NULL), error);
}

/* ---- reading ---- */

/* Name and value of a line `"name": value` or `"name": "value"`, both unquoted, or false. */
static bool member(char *line, char name[NAME_ROOM], char **value) {
    char *at = strchr(line, '"'), *end = at ? strchr(at + 1, '"') : NULL;
    if (!end || end - at > NAME_ROOM || end[1] != ':') return false;
    memcpy(name, at + 1, (size_t)(end - at - 1));
    name[end - at - 1] = '\0';
    *value = end + 2 + strspn(end + 2, " \"");
    for (size_t n = strlen(*value); n && strchr("\",\r\n", (*value)[n - 1]); n--) (*value)[n - 1] = '\0';
    return true;
}

/* The value of a setting; false if there is none of that name. */
static bool setting_named(const Settings *s, const char *name, SettingText *t) {
    for (unsigned i = 0; settings_text(s, i, t); i++)
        if (!strcmp(t->name, name)) return true;
    return false;
}

static unsigned settings_number(const Settings *s) {
    SettingText t;
    unsigned n = 0;
    while (settings_text(s, n, &t)) n++;
    return n;
}

bool sidecar_compare(const char *data_path, const Settings *s, TabiaError *error) {
    char path[SIDECAR_PATH_MAX], line[LINE_ROOM], name[NAME_ROOM], *value;
    SettingText t;
    unsigned seen = 0;
    bool good = true;
    if (!path_of(data_path, ".json", path, error)) return false;
    FILE *in = fopen(path, "r");
    if (!in) return tabia_fail(error, "%s: cannot be read, so nobody knows how to go on: %s", path, strerror(errno));
    while (good && fgets(line, sizeof line, in) && !strstr(line, "\"counts\":")) {
        if (!member(line, name, &value) || (!setting_named(s, name, &t) && strcmp(name, "version"))) continue;
        if (!strcmp(name, "version")) snprintf(t.value, sizeof t.value, "%s", tabia_version());
        seen++;
        if (strcmp(value, t.value))
            good = tabia_fail(error, "%.150s: was made with %s %.100s, not %.100s; going on would mix the two", path,
                              name, value, t.value);
    }
    fclose(in);
    if (good && seen != settings_number(s) + 1)
        return tabia_fail(error, "%s: is not the whole sidecar of a file that this version makes", path);
    return good;
}

typedef struct {
    const char *name;
    uint64_t *found;
} Wanted;

static void match_name(void *wanted, const char *name, uint64_t *value) {
    Wanted *w = wanted;
    if (!strcmp(name, w->name)) w->found = value;
}

bool sidecar_snapshot(const char *data_path, uint64_t next_game, Snapshot *out) {
    char path[SIDECAR_PATH_MAX], line[LINE_ROOM], name[NAME_ROOM], *value;
    Snapshot s = {0};
    bool found = false;
    *out = (Snapshot){.next_game = next_game};
    if (!path_of(data_path, ".json", path, NULL)) return false;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        if (!member(line, name, &value)) {
            if (found && s.next_game == next_game) *out = s;
            continue;
        }
        Wanted w = {name, NULL};
        counts_each(&s.counts, match_name, &w);
        const uint64_t n = strtoull(value, NULL, 10);
        if (!strcmp(name, "next_game")) s.next_game = n, found |= n == next_game;
        if (!strcmp(name, "positions")) s.positions = n;
        if (!strcmp(name, "bytes")) s.bytes = n;
        if (w.found) *w.found = n;
    }
    if (in) fclose(in);
    return found;
}
