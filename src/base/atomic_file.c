/* SPDX-License-Identifier: MIT */
#include "base/atomic_file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/output.h"
#include "base/system.h"

bool tabia_is_replaceable(const char *file_name) {
    const PathKind there = tabia_path_kind(file_name);
    return there == PATH_NONE || there == PATH_REGULAR;
}

/* ---- parts ---- */

/* Is it FILE.NUMBER.part, for the name of a file without its folder? */
static bool is_part_of(const char *name, const char *file) {
    const size_t n = strlen(file);
    if (strncmp(name, file, n) != 0 || name[n] != '.') return false;
    const char *number = name + n + 1;
    const size_t digits = strspn(number, "0123456789");
    return digits && !strcmp(number + digits, ".part");
}

static void remove_if_left(const char *path) {
    const int file = tabia_file_open_read(path);
    if (file < 0) return;
    if (tabia_file_lock(file, false) && tabia_file_remove(path))
        fprintf(stderr, "%s: removed; its writer ended before it was whole\n", path);
    close(file);
}

/* Removes the parts of a file whose writers are gone. A folder that cannot be read has none. */
static void remove_left_parts(const char *file_name) {
    const char *slash = strrchr(file_name, '/'), *file = slash ? slash + 1 : file_name;
    const size_t prefix = (size_t)(file - file_name);
    char path[4096];
    if (snprintf(path, sizeof path, "%.*s", (int)prefix, file_name) >= (int)sizeof path) return;
    DIR *folder = opendir(prefix ? path : ".");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_part_of(entry->d_name, file) &&
            snprintf(path + prefix, sizeof path - prefix, "%s", entry->d_name) < (int)(sizeof path - prefix))
            remove_if_left(path);
    if (folder) closedir(folder);
}

bool tabia_part_open(FilePart *part, const char *file_name, TabiaError *error) {
    const size_t room = strlen(file_name) + 32;
    *part = (FilePart){.file = -1};
    if (!tabia_is_replaceable(file_name)) return tabia_fail(error, "%.200s: exists, and is not a file", file_name);
    part->name = malloc(room);
    if (!part->name) return tabia_fail(error, "%.200s: no memory for its name", file_name);
    remove_left_parts(file_name);
    snprintf(part->name, room, "%s.%ld.part", file_name, (long)getpid());
    part->file = tabia_file_create_new(part->name);
    if (part->file >= 0 && (tabia_file_lock(part->file, false) || errno != EWOULDBLOCK))
        return true; /* without locks: kept */
    tabia_fail(error, "%.200s: cannot be written: %s", file_name, strerror(errno));
    tabia_part_close(part);
    return false;
}

bool tabia_part_publish(FilePart *part, const char *file_name) {
    if (!tabia_file_replace(part->name, file_name)) return false;
    free(part->name);
    part->name = NULL;
    return tabia_folder_sync(file_name);
}

void tabia_part_close(FilePart *part) {
    if (part->name && part->file >= 0) tabia_file_remove(part->name);
    if (part->file >= 0) close(part->file);
    free(part->name);
    *part = (FilePart){.file = -1};
}

/* ---- files ---- */

FILE *tabia_atomic_file_begin(AtomicFile *w, const char *file_name, TabiaError *error) {
    *w = (AtomicFile){.file_name = file_name};
    if (!tabia_part_open(&w->part, file_name, error)) return NULL;
    w->out = tabia_buffer_begin(&w->bytes, &w->size);
    if (w->out) return w->out;
    tabia_fail(error, "%.200s: no memory to write it", file_name);
    tabia_part_close(&w->part);
    return NULL;
}

bool tabia_atomic_file_possible(const char *file_name, TabiaError *error) {
    FilePart part;
    const bool good = tabia_part_open(&part, file_name, error);
    tabia_part_close(&part);
    return good;
}

bool tabia_atomic_file_commit(AtomicFile *w, bool good, TabiaError *error) {
    int code = tabia_output_flush(w->out);
    if (!good && !code) code = EIO;
    const int lost = tabia_buffer_end(w->out, &w->bytes, &w->size);
    if (!code) code = lost;
    if (!code && !(tabia_file_write_all(w->part.file, w->bytes, w->size, 0) && tabia_file_sync(w->part.file) &&
                   tabia_part_publish(&w->part, w->file_name)))
        code = errno;
    if (code) tabia_fail(error, "%.200s: cannot be written: %s", w->file_name, strerror(code));
    tabia_part_close(&w->part);
    free(w->bytes);
    *w = (AtomicFile){0};
    return !code;
}
