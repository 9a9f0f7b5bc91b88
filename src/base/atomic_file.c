/* SPDX-License-Identifier: MIT */
#include "atomic_file.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

bool tabia_is_replaceable(const char *file_name) {
    struct stat there;
    return stat(file_name, &there) != 0 || S_ISREG(there.st_mode);
}

FILE *tabia_atomic_file_begin(AtomicFile *w, const char *file_name, TabiaError *error) {
    *w = (AtomicFile){.file_name = file_name};
    if (!tabia_is_replaceable(file_name)) return tabia_fail(error, "%.200s: is there, and is no file", file_name), NULL;
    const size_t room = strlen(file_name) + 32;
    w->part = malloc(room);
    if (!w->part) return tabia_fail(error, "%.200s: no memory for its name", file_name), NULL;
    snprintf(w->part, room, "%s.%ld.part", file_name, (long)getpid());
    w->out = fopen(w->part, "wb");
    if (w->out) return w->out;
    tabia_fail(error, "%.200s: cannot be written: %s", file_name, strerror(errno));
    free(w->part);
    return NULL;
}

bool tabia_atomic_file_possible(const char *file_name, TabiaError *error) {
    AtomicFile w;
    if (!tabia_atomic_file_begin(&w, file_name, error)) return false;
    fclose(w.out);
    unlink(w.part);
    free(w.part);
    return true;
}

bool tabia_atomic_file_commit(AtomicFile *w, bool good, TabiaError *error) {
    int code = tabia_output_flush(w->out);
    if (!good && !code) code = EIO;
    if (!code && fsync(fileno(w->out)) != 0) code = errno;
    if (fclose(w->out) != 0 && !code) code = errno;
    if (!code && rename(w->part, w->file_name) != 0) code = errno;
    if (code) {
        tabia_fail(error, "%.200s: cannot be written: %s", w->file_name, strerror(code));
        unlink(w->part);
    }
    free(w->part);
    *w = (AtomicFile){0};
    return !code;
}
