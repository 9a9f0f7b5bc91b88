/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>

/* What the line quotes is of any origin: a line end, or an escape sequence of a terminal, must not get through. */
static void replace_control_characters(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f) *text = '?';
}

static void write_line(TabiaError *error, int code, const char *format, va_list arguments) {
    const int saved = errno;
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    replace_control_characters(error->text);
    errno = saved;
}

bool tabia_fail_list(TabiaError *error, const char *format, va_list arguments) {
    if (error) write_line(error, TABIA_ERROR_OTHER, format, arguments);
    return false;
}

bool tabia_fail(TabiaError *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tabia_fail_list(error, format, arguments);
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
