/* SPDX-License-Identifier: MIT */
#include "table/file_io.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_calls.h"

/* ---- writing ---- */

/* Another program's file is not replaced. */
static int check_target(const char *path, const char *magic, TabiaError *error) {
    char begin[8];
    uint64_t bytes;
    int file, code;
    if (tabia_path_kind(path) == PATH_NONE) return 0;
    if ((code = tabia_file_open(path, &file, &bytes, error))) return code;
    const size_t n = bytes < sizeof begin ? bytes : sizeof begin;
    code = tabia_file_read(file, path, begin, n, 0, error);
    close(file);
    if (code || !memcmp(begin, magic, n)) return code;
    return tabia_error_set(error, TABIA_ERROR_FOREIGN, "'%.200s' is not a saved table; name another file", path);
}

/* Beside the target, so that it can be renamed; with a number, because another save may be under way. */
static int open_part(FileOut *out, TabiaError *error) {
    const size_t room = strlen(out->target) + 40;
    out->part = malloc(room);
    if (!out->part) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a file's name");
    for (unsigned n = 0; n < 1000 && out->file < 0; n++) {
        snprintf(out->part, room, "%s.%ld-%u.part", out->target, (long)getpid(), n);
        out->file = tabia_file_create_new(out->part);
        if (out->file < 0 && errno != EEXIST) break;
    }
    if (out->file >= 0) return 0;
    return tabia_error_set(error, TABIA_ERROR_SYSTEM, "cannot write '%.200s': no temporary file in its folder: %s",
                           out->target, strerror(errno));
}

int tabia_file_begin(FileOut *out, const char *path, const char *magic, TabiaError *error) {
    *out = (FileOut){.target = tabia_path_resolve(path), .file = -1};
    int code = out->target ? 0 : tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a file's name");
    if (!code) code = check_target(out->target, magic, error);
    if (!code) code = open_part(out, error);
    if (code) {
        free(out->part);
        free(out->target);
    }
    return code;
}

static int cannot_write(const FileOut *out, TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_SYSTEM, "cannot write '%.200s': %s; what was there before is still there",
                           out->target, strerror(errno));
}

int tabia_file_write(const FileOut *out, const void *data, size_t bytes, uint64_t offset, TabiaError *error) {
    assert(out->file >= 0);
    if (!tabia_file_write_all(out->file, data, bytes, offset)) return cannot_write(out, error);
    tabia_file_begin_sync(out->file, offset, bytes); /* the end waits for all */
    return 0;
}

void tabia_file_abandon(FileOut *out) {
    if (out->file >= 0) close(out->file);
    tabia_file_remove(out->part);
    free(out->part);
    free(out->target);
    *out = (FileOut){.file = -1};
}

int tabia_file_finish(FileOut *out, TabiaError *error) {
    assert(out->file >= 0);
    const bool synced = tabia_file_sync(out->file);
    const int sync_errno = errno;
    const bool closed = close(out->file) == 0; /* some network file systems tell of a full disk only now */
    out->file = -1;
    if (!synced) errno = sync_errno;
    if (!synced || !closed || !tabia_file_replace(out->part, out->target)) {
        const int code = cannot_write(out, error);
        tabia_file_abandon(out);
        return code;
    }
    const int code =
        tabia_folder_sync(out->target)
            ? 0
            : tabia_error_set(error, TABIA_ERROR_SYSTEM, "'%.200s' is written, and may not survive a power cut: %s",
                              out->target, strerror(errno));
    free(out->part);
    free(out->target);
    return code;
}

/* ---- reading ---- */

int tabia_file_open(const char *path, int *file, uint64_t *bytes, TabiaError *error) {
    *file = tabia_file_open_read(path);
    const PathKind kind = *file < 0 ? PATH_NONE : tabia_file_kind(*file, bytes);
    if (kind == PATH_NONE) {
        const int code = tabia_error_set(error, TABIA_ERROR_SYSTEM, "cannot read '%.200s': %s", path, strerror(errno));
        if (*file >= 0) close(*file);
        return code;
    }
    if (kind == PATH_REGULAR) return 0;
    close(*file);
    return tabia_error_set(error, TABIA_ERROR_SYSTEM, "cannot read '%.200s': it is %s, not a saved table", path,
                           kind == PATH_FOLDER ? "a directory" : "a device, a pipe or the like");
}

int tabia_file_read(int file, const char *path, void *data, size_t bytes, uint64_t offset, TabiaError *error) {
    char *to = data;
    for (size_t done = 0; done < bytes;) {
        const int64_t n = tabia_file_pread(file, to + done, bytes - done, offset + done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return tabia_error_set(error, TABIA_ERROR_SYSTEM, "cannot read '%.200s' at byte %" PRIu64 ": %s", path,
                                   offset + done, strerror(errno));
        if (n == 0)
            return tabia_error_set(error, TABIA_ERROR_DAMAGED,
                                   "'%.200s' ends at byte %" PRIu64 ": it has become shorter while it was read", path,
                                   offset + done);
        done += (size_t)n;
    }
    return 0;
}
