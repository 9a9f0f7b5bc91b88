/* SPDX-License-Identifier: MIT */
#include "base/output.h"

#include <errno.h>
#include <string.h>

/* A write failed some time ago. The disk is still full, most likely: one more byte fails with the same reason. */
static int reason_again(FILE *out) {
    errno = 0;
    const bool arrived = putc('\n', out) != EOF && fflush(out) == 0;
    return arrived || !errno ? EIO : errno;
}

int tabia_output_flush(FILE *out) {
    const bool failed_before = ferror(out);
    errno = 0;
    if (fflush(out) != 0) return errno ? errno : EIO;
    return failed_before ? reason_again(out) : 0;
}

bool tabia_output_close(FILE *out, const char *name, TabiaError *error) {
    int code = tabia_output_flush(out);
    /* EBADF of a stream with nothing to write: it was closed before the program began. */
    if (fclose(out) != 0 && !code && errno != EBADF) code = errno;
    return !code || tabia_fail(error, "cannot write to %s: %s", name, strerror(code));
}
