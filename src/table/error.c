/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "tabia/versions.h"

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

int tabia_version_check(unsigned number, TabiaError *error) {
    const unsigned mine = TABIA_VERSION_NUMBER, minor = number / 100, my_minor = mine / 100;
    const bool same = TABIA_VERSION_MAJOR ? number / 10000 == TABIA_VERSION_MAJOR : minor == my_minor;
    if (same && number <= mine) return 0;
    return tabia_error_set(error, TABIA_ERROR_UNSUPPORTED,
                           "compiled for libtabia %u.%u.%u, but this is %s: recompile it, or install that version",
                           number / 10000, minor % 100, number % 100, tabia_version());
}
