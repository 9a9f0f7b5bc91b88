/* SPDX-License-Identifier: MIT */
#include "data/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/stop.h"

enum { MANIFEST_BYTES_MAX = 64 << 20, CHUNK_BYTES = 1 << 20 };

bool data_is_manifest(const char *path) {
    static const char extension[] = ".json";
    const size_t n = strlen(path), m = sizeof extension - 1;
    return n > m && !strcmp(path + n - m, extension);
}

bool data_file_checksum(const char *path, uint64_t *bytes, uint64_t *checksum, TabiaError *error) {
    FILE *file = fopen(path, "rb");
    uint8_t *chunk = malloc(CHUNK_BYTES);
    TabiaChecksum *sum = tabia_checksum_begin();
    bool good = file && chunk && sum;
    error->text[0] = '\0';
    if (!good) tabia_fail(error, "%.300s: cannot be read: %s", path, strerror(errno));
    *bytes = 0;
    for (size_t n; good && (n = fread(chunk, 1, CHUNK_BYTES, file)) > 0; *bytes += n) {
        tabia_checksum_add(sum, chunk, n);
        good = !tabia_stop_requested();
    }
    if (good && ferror(file)) good = tabia_fail(error, "%.300s: cannot be read: %s", path, strerror(errno));
    *checksum = sum ? tabia_checksum_end(sum) : 0;
    free(chunk);
    if (file) fclose(file);
    return good;
}

static char *joined(const char *a, const char *b) {
    const size_t size = strlen(a) + strlen(b) + 1;
    char *both = malloc(size);
    if (both) snprintf(both, size, "%s%s", a, b);
    return both;
}

/* ---- reading ---- */

/* The folder of a manifest, with its '/', or "". */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return strndup(path, slash ? (size_t)(slash + 1 - path) : 0);
}

static char *part_path(const char *folder, const char *name) {
    return *name == '/' ? strdup(name) : joined(folder, name);
}

static bool read_count(const json_t *part, const char *key, uint64_t *to) {
    const json_t *value = json_object_get(part, key);
    *to = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool read_checksum(const json_t *part, uint64_t *to) {
    const char *text = json_string_value(json_object_get(part, "checksum"));
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *to = strtoull(text, NULL, 16);
    return true;
}

static bool read_part(const json_t *part, const char *folder, DataPart *to) {
    const char *name = json_string_value(json_object_get(part, "file"));
    const char *format = json_string_value(json_object_get(part, "format"));
    if (!name || !*name || !format || !read_count(part, "bytes", &to->bytes) ||
        !read_count(part, "games", &to->games) || !read_count(part, "records", &to->records) ||
        !read_checksum(part, &to->checksum))
        return false;
    to->path = part_path(folder, name);
    to->format = strdup(format);
    return to->path && to->format;
}

static bool read_parts(const json_t *list, const char *path, DataManifest *m, TabiaError *error) {
    const size_t count = json_array_size(list);
    if (!count) return tabia_fail(error, "%.300s: is no manifest of a data set: it has no parts", path);
    char *folder = folder_of(path);
    m->parts = calloc(count, sizeof *m->parts);
    if (!folder || !m->parts) return free(folder), tabia_fail(error, "%.300s: out of memory", path);
    bool good = true;
    for (; good && m->count < count; m->count++)
        good = read_part(json_array_get(list, m->count), folder, &m->parts[m->count]);
    free(folder);
    return good || tabia_fail(error, "%.300s: part %u has not all of file, format, bytes, records, games, checksum",
                              path, m->count);
}

bool data_manifest_read(const char *path, DataManifest *manifest, TabiaError *error) {
    json_error_t fault;
    *manifest = (DataManifest){.parts = NULL};
    FILE *file = fopen(path, "rb");
    if (!file) return tabia_fail(error, "%.300s: cannot be read: %s", path, strerror(errno));
    const bool is_small = !fseek(file, 0, SEEK_END) && ftell(file) <= MANIFEST_BYTES_MAX && !fseek(file, 0, SEEK_SET);
    json_t *root = is_small ? json_loadf(file, JSON_REJECT_DUPLICATES, &fault) : NULL;
    fclose(file);
    if (!is_small) return tabia_fail(error, "%.300s: is no manifest: it is no file, or above 64 MiB", path);
    if (!root) return tabia_fail(error, "%.200s: line %d: %.100s", path, fault.line, fault.text);
    const bool good = read_parts(json_object_get(root, "parts"), path, manifest, error);
    json_decref(root);
    if (!good) data_manifest_free(manifest);
    return good;
}

void data_manifest_free(DataManifest *manifest) {
    for (unsigned i = 0; i < manifest->count; i++) free(manifest->parts[i].path), free(manifest->parts[i].format);
    free(manifest->parts);
    *manifest = (DataManifest){.parts = NULL};
}

/* ---- writing ---- */

/* What the generator of a part left beside it; NULL: nothing. */
static json_t *generator_of(const char *path) {
    char *name = joined(path, ".json");
    json_t *root = name ? json_load_file(name, 0, NULL) : NULL;
    free(name);
    if (json_is_string(json_object_get(root, "generator")) && json_is_object(json_object_get(root, "options")))
        return root;
    json_decref(root);
    return NULL;
}

static void write_generator(Json *j, json_t *made) {
    const char *key;
    json_t *value;
    tabia_json_text(j, "generator", json_string_value(json_object_get(made, "generator")));
    tabia_json_object(j, "options");
    json_object_foreach(json_object_get(made, "options"), key, value) if (json_is_string(value))
        tabia_json_text(j, key, json_string_value(value));
    tabia_json_close(j);
}

/* The name of a part as the manifest in that folder, an absolute name with its '/', has it. */
static const char *name_from(const char *folder, const char *part) {
    const size_t n = strlen(folder);
    return strncmp(folder, part, n) == 0 && part[n] ? part + n : part;
}

static void write_part(Json *j, const char *folder, const DataPart *part) {
    char checksum[17];
    json_t *made = generator_of(part->path);
    snprintf(checksum, sizeof checksum, "%016" PRIx64, part->checksum);
    tabia_json_object(j, NULL);
    tabia_json_text(j, "file", name_from(folder, part->path));
    tabia_json_text(j, "format", part->format);
    tabia_json_count(j, "bytes", part->bytes);
    tabia_json_count(j, "records", part->records);
    tabia_json_count(j, "games", part->games);
    tabia_json_text(j, "checksum", checksum);
    if (made) write_generator(j, made);
    tabia_json_close(j);
    json_decref(made);
}

static bool write_manifest(Json *j, const char *folder, const DataManifest *m, TabiaError *error) {
    tabia_json_array(j, "parts");
    for (unsigned i = 0; i < m->count; i++) write_part(j, folder, &m->parts[i]);
    tabia_json_close(j);
    tabia_json_close(j);
    return tabia_json_end(j, error);
}

bool data_manifest_write(const char *path, const JsonOrigin *origin, const DataManifest *manifest, TabiaError *error) {
    AtomicFile file;
    Json j;
    char *folder = folder_of(path), real[PATH_MAX];
    const bool known = folder && realpath(*folder ? folder : ".", real);
    free(folder);
    if (!known || strlen(real) + 1 == sizeof real)
        return tabia_fail(error, "%.300s: its folder cannot be read: %s", path, strerror(errno));
    strcat(real, "/");
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    if (!out) return false;
    tabia_json_document(&j, out, origin);
    return tabia_atomic_file_commit(&file, write_manifest(&j, real, manifest, error), error);
}
