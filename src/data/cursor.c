/* SPDX-License-Identifier: MIT */
#include "data/cursor.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

static bool is_regular(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Opens the file, anew if record n is behind the reader. False with an error. */
static bool open_before(DataCursor *c, uint64_t n, TabiaError *error) {
    if (c->reader && data_reader_record_count(c->reader) < n) return true;
    if (c->reader && !is_regular(c->path))
        return tabia_fail(error, "%s: is read forward only; record %ju is behind", c->path, (uintmax_t)n);
    data_cursor_close(c);
    c->reader = c->unverified ? data_reader_open_unverified(c->path, c->format, error)
                              : data_reader_open(c->path, c->format, error);
    return c->reader != NULL;
}

DataReadStatus data_cursor_read(DataCursor *c, uint64_t n, DataRecord *record, TabiaError *error) {
    assert(n);
    if (!open_before(c, n, error)) return DATA_READ_ERROR;
    const DataReadStatus skipped = data_reader_skip_to(c->reader, n, error);
    return skipped == DATA_READ_OK ? data_read(c->reader, record, error) : skipped;
}

void data_cursor_close(DataCursor *c) {
    data_reader_close(c->reader);
    c->reader = NULL;
}
