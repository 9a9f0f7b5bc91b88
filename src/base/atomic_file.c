/* SPDX-License-Identifier: MIT */
#include "atomic_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

bool tabia_is_replaceable(const char *path) {
    struct stat there;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode);
}

FILE *tabia_whole_begin(WholeFile *w, const char *path, TabiaError *error) {
    *w = (WholeFile){.path = path};
    if (!tabia_is_replaceable(path)) return tabia_fail(error, "%.200s: is there, and is no file", path), NULL;
    const size_t room = strlen(path) + 32;
    w->part = malloc(room);
    if (!w->part) return tabia_fail(error, "%.200s: no memory for its name", path), NULL;
    snprintf(w->part, room, "%s.%ld.part", path, (long)getpid());
    w->out = fopen(w->part, "wb");
    if (w->out) return w->out;
    tabia_fail(error, "%.200s: cannot be written: %s", path, strerror(errno));
    free(w->part);
    return NULL;
}

bool tabia_whole_possible(const char *path, TabiaError *error) {
    WholeFile w;
    if (!tabia_whole_begin(&w, path, error)) return false;
    fclose(w.out);
    unlink(w.part);
    free(w.part);
    return true;
}

bool tabia_whole_end(WholeFile *w, bool good, TabiaError *error) {
    int code = tabia_output_flush(w->out);
    if (!good && !code) code = EIO;
    if (!code && fsync(fileno(w->out)) != 0) code = errno;
    if (fclose(w->out) != 0 && !code) code = errno;
    if (!code && rename(w->part, w->path) != 0) code = errno;
    if (code) {
        tabia_fail(error, "%.200s: cannot be written: %s", w->path, strerror(code));
        unlink(w->part);
    }
    free(w->part);
    *w = (WholeFile){0};
    return !code;
}
