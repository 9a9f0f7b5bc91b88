/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void write_line(TabiaError *error, int code, const char *format, va_list arguments) {
    const int saved = errno;
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    errno = saved;
}

bool tabia_fail(TabiaError *error, const char *format, ...) {
    if (!error) return false;
    va_list arguments;
    va_start(arguments, format);
    write_line(error, TABIA_ERROR_OTHER, format, arguments);
    va_end(arguments);
    return false;
}

int tabia_error_set(TabiaError *error, int code, const char *format, ...) {
    assert(code < 0);
    if (!error) return code;
    va_list arguments;
    va_start(arguments, format);
    write_line(error, code, format, arguments);
    va_end(arguments);
    return code;
}
