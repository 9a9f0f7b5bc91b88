/* SPDX-License-Identifier: MIT */
#include "tabia/error.h"

#include "tabia/table.h"

const char *tabia_error_text(int code) {
    switch (code) {
    case TABIA_OK:
        return "done";
#define ERROR_CASE(name, number, text)                                                                                 \
    case number:                                                                                                       \
        return text;
        TABIA_ERRORS(ERROR_CASE)
#undef ERROR_CASE
    default:
        return "an error this library does not know";
    }
}

const char *tabia_version(void) {
    return TABIA_VERSION;
}
