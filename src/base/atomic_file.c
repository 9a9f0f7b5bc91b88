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

FILE *tabia_whole_begin(WholeFile *w, const char *path, Fault *fault) {
    *w = (WholeFile){.path = path};
    if (!tabia_is_replaceable(path)) return tabia_fault(fault, "%.200s: is there, and is no file", path), NULL;
    const size_t room = strlen(path) + 32;
    w->part = malloc(room);
    if (!w->part) return tabia_fault(fault, "%.200s: no memory for its name", path), NULL;
    snprintf(w->part, room, "%s.%ld.part", path, (long)getpid());
    w->out = fopen(w->part, "wb");
    if (w->out) return w->out;
    tabia_fault(fault, "%.200s: cannot be written: %s", path, strerror(errno));
    free(w->part);
    return NULL;
}

bool tabia_whole_possible(const char *path, Fault *fault) {
    WholeFile w;
    if (!tabia_whole_begin(&w, path, fault)) return false;
    fclose(w.out);
    unlink(w.part);
    free(w.part);
    return true;
}

bool tabia_whole_end(WholeFile *w, bool good, Fault *fault) {
    int error = tabia_output_flush(w->out);
    if (!good && !error) error = EIO;
    if (!error && fsync(fileno(w->out)) != 0) error = errno;
    if (fclose(w->out) != 0 && !error) error = errno;
    if (!error && rename(w->part, w->path) != 0) error = errno;
    if (error) {
        tabia_fault(fault, "%.200s: cannot be written: %s", w->path, strerror(error));
        unlink(w->part);
    }
    free(w->part);
    *w = (WholeFile){0};
    return !error;
}
