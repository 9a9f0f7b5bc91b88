/* SPDX-License-Identifier: MIT */
#include "rank_context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The text is made first: it may quote the error's own. */
void run_error_set(RunError *error, const char *format, ...) {
    char text[sizeof error->error.text];
    va_list arguments;
    if (error->is_set) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(error->error.text, text, sizeof text);
    error->is_set = true;
}
