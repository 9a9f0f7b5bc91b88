/* SPDX-License-Identifier: MIT */
#include "checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/checksum.h"

enum { VERSION = 1, HEADER_BYTES = 8 + 2 * 4, CHECKSUM_BYTES = 8 };
static const char magic[8] = {'T', 'A', 'B', 'I', 'A', 'T', 'R', 'N'};

/* The parts behind the settings, in their order. */
typedef struct {
    void *data;
    size_t bytes;
} Part;
enum { PARTS = 3 };

static void list_parts(const TrainState *s, Part parts[PARTS]) {
    parts[0] = (Part){(void *)(uintptr_t)&s->place, sizeof s->place};
    parts[1] = (Part){s->network, sizeof *s->network};
    parts[2] = (Part){s->moments, sizeof *s->moments};
}

static size_t parts_bytes(const Part parts[PARTS]) {
    size_t sum = 0;
    for (int i = 0; i < PARTS; i++) sum += parts[i].bytes;
    return sum;
}

/* ---- writing ---- */

/* The whole file; the caller frees it. NULL: no memory. */
static uint8_t *pack(const char *settings, const TrainState *s, size_t *bytes) {
    Part parts[PARTS];
    list_parts(s, parts);
    const uint32_t numbers[2] = {VERSION, (uint32_t)strlen(settings)};
    assert(numbers[1] < CHECKPOINT_SETTINGS_MAX);
    *bytes = HEADER_BYTES + numbers[1] + parts_bytes(parts) + CHECKSUM_BYTES;
    uint8_t *all = malloc(*bytes), *at = all;
    if (!all) return NULL;
    memcpy(at, magic, sizeof magic), at += sizeof magic;
    memcpy(at, numbers, sizeof numbers), at += sizeof numbers;
    memcpy(at, settings, numbers[1]), at += numbers[1];
    for (int i = 0; i < PARTS; i++) memcpy(at, parts[i].data, parts[i].bytes), at += parts[i].bytes;
    const uint64_t checksum = tabia_checksum(all, *bytes - CHECKSUM_BYTES);
    memcpy(at, &checksum, sizeof checksum);
    return all;
}

bool checkpoint_write(const char *path, const char *settings, const TrainState *state, TabiaError *error) {
    size_t bytes;
    uint8_t *all = pack(settings, state, &bytes);
    if (!all) return tabia_fail(error, "%s: no memory to write it", path);
    AtomicFile file;
    FILE *out = tabia_atomic_file_begin(&file, path, error);
    const bool good = out && tabia_atomic_file_commit(&file, fwrite(all, bytes, 1, out) == 1, error);
    free(all);
    return good;
}

/* ---- reading ---- */

/* The whole file, at most `most` bytes of it; the caller frees it. NULL with an error. */
static uint8_t *read_file(const char *path, size_t max, size_t *bytes, TabiaError *error) {
    FILE *in = fopen(path, "rb");
    if (!in) return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno)), NULL;
    uint8_t *all = malloc(max);
    if (all) *bytes = fread(all, 1, max, in);
    fclose(in);
    if (!all) tabia_fail(error, "%s: no memory to read it", path);
    return all;
}

/* Names the first line of the settings that differs. */
static bool same_settings(const char *path, const char *saved, size_t saved_bytes, const char *settings,
                          TabiaError *error) {
    size_t line = 0, at = 0;
    while (at < saved_bytes && settings[at] == saved[at])
        if (settings[at++] == '\n') line = at;
    if (at == saved_bytes && !settings[at]) return true;
    const char *was = saved + line, *is = settings + line;
    const int was_n = (int)(memchr(was, '\n', saved_bytes - line) ? strcspn(was, "\n") : 0),
              is_n = (int)strcspn(is, "\n");
    return tabia_fail(error, "%.120s: was written with %.*s, not %.*s; --resume needs the same settings", path,
                      was_n > 100 ? 100 : was_n, was, is_n > 100 ? 100 : is_n, is);
}

/* The bytes of the settings in a whole checkpoint; -1 with an error. */
static int64_t check(const char *path, const uint8_t *all, size_t bytes, size_t parts, TabiaError *error) {
    uint32_t numbers[2];
    uint64_t checksum;
    if (bytes < HEADER_BYTES || memcmp(all, magic, sizeof magic) != 0)
        return tabia_fail(error, "%s: is not a checkpoint of a training", path), -1;
    memcpy(numbers, all + sizeof magic, sizeof numbers);
    if (numbers[0] != VERSION) return tabia_fail(error, "%s: is a checkpoint of another version", path), -1;
    const bool whole = bytes == HEADER_BYTES + (size_t)numbers[1] + parts + CHECKSUM_BYTES;
    if (whole) memcpy(&checksum, all + bytes - CHECKSUM_BYTES, sizeof checksum);
    if (!whole || checksum != tabia_checksum(all, bytes - CHECKSUM_BYTES))
        return tabia_fail(error, "%s: is damaged, or of a network of another size", path), -1;
    return numbers[1];
}

bool checkpoint_read(const char *path, const char *settings, TrainState *state, TabiaError *error) {
    Part parts[PARTS];
    size_t bytes = 0;
    list_parts(state, parts);
    const size_t max = HEADER_BYTES + CHECKPOINT_SETTINGS_MAX + parts_bytes(parts) + CHECKSUM_BYTES;
    uint8_t *all = read_file(path, max, &bytes, error);
    if (!all) return false;
    const int64_t n = check(path, all, bytes, parts_bytes(parts), error);
    const uint8_t *at = all + HEADER_BYTES;
    const bool good = n >= 0 && same_settings(path, (const char *)at, (size_t)n, settings, error);
    for (int i = 0; good && i < PARTS; i++) {
        const uint8_t *from = at + n;
        memcpy(parts[i].data, from, parts[i].bytes);
        at += parts[i].bytes;
    }
    free(all);
    return good;
}
