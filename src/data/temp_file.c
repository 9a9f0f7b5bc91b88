/* SPDX-License-Identifier: MIT */
#include "data/temp_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/block_checksums.h"

enum { FILE_BUFFER_BYTES = 1 << 16 };

FILE *data_temp_file(const char *prefix, TabiaError *error) {
    char path[DATA_PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s.bucket-XXXXXX", prefix);
    const int file = n < DATA_PATH_MAX ? mkstemp(path) : -1;
    FILE *stream = file >= 0 ? fdopen(file, "w+b") : NULL;
    if (file >= 0) unlink(path);
    if (!stream) {
        tabia_fail(error, "%.300s: a temporary file beside it cannot be created: %s", prefix, strerror(errno));
        if (file >= 0) close(file);
        return NULL;
    }
    setvbuf(stream, NULL, _IOFBF, FILE_BUFFER_BYTES);
    return stream;
}
