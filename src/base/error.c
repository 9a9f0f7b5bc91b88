/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>

size_t tabia_character_bytes(const char *at) {
    const unsigned char lead = (unsigned char)at[0], second = lead ? (unsigned char)at[1] : 0;
    const size_t n = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
        (lead == 0xf4 && second > 0x8f))
        return 0; /* longer than needed, half a pair of UTF-16, or beyond Unicode */
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    return n;
}

/* What a line quotes is of any origin, and cut: no line end, escape sequence or half a character gets through. */
static void replace_unprintable(char *text) {
    for (size_t n; *text; text += n) {
        n = tabia_character_bytes(text);
        if (n == 0 || (n == 1 && ((unsigned char)*text < ' ' || *text == 0x7f))) *text = '?', n = 1;
    }
}

static void write_line(TabiaError *error, int code, const char *format, va_list arguments) {
    const int saved = errno;
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    replace_unprintable(error->text);
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
