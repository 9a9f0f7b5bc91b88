/* SPDX-License-Identifier: MIT */
#include "base/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool tabia_fault(Fault *fault, const char *format, ...) {
    if (!fault) return false;
    int saved = errno;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    errno = saved;
    return false;
}
