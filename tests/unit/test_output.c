/* SPDX-License-Identifier: MIT */
/* A stream at its end: all has arrived, or why not, whoever flushed it before and whenever it failed. */
#include "base/output.h"

#include <errno.h>

#include "unit.h"

static void all_has_arrived(void **state) {
    TabiaError error;
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    fputs("text", out);
    assert_int_equal(tabia_output_flush(out), 0);
    assert_true(tabia_output_close(out, "here", &error));
}

static FILE *full_device(void) {
    FILE *full = fopen("/dev/full", "w");
    if (!full) skip();
    return full;
}

static void the_last_write_fails(void **state) {
    TabiaError error;
    FILE *full = full_device();
    fputs("text", full);
    assert_false(tabia_output_close(full, "standard output", &error));
    assert_string_equal(error.text, "cannot write to standard output: No space left on device");
}

/* Flushed by somebody who did not look, with nothing left to write and another errno since. */
static void an_earlier_write_failed(void **state) {
    TabiaError error;
    FILE *full = full_device();
    fputs("text", full);
    fflush(full);
    errno = ENOENT;
    assert_int_equal(tabia_output_flush(full), ENOSPC);
    assert_false(tabia_output_close(full, "it", &error));
    assert_string_equal(error.text, "cannot write to it: No space left on device");
}

static FILE *stream_of_closed(void) {
    const int file = dup(STDOUT_FILENO);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    close(file);
    return out;
}

/* As `program >&-`: fine for who has nothing to say. */
static void closed_from_the_beginning(void **state) {
    TabiaError error;
    assert_true(tabia_output_close(stream_of_closed(), "it", &error));
    FILE *out = stream_of_closed();
    fputs("text", out);
    assert_false(tabia_output_close(out, "it", &error));
    assert_string_equal(error.text, "cannot write to it: Bad file descriptor");
}

#include "test_output_list.h"
