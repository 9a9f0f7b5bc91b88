/* SPDX-License-Identifier: MIT */
#include "table/reason.h"

#include <stdarg.h>
#include <stdio.h>

int tabia_refuse(TabiaReason *why, int code, const char *format, ...) {
    if (!why) return code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return code;
}

int tabia_refuse_fault(TabiaReason *why, int code, const Fault *fault) {
    return tabia_refuse(why, code, "%s", fault->text);
}
