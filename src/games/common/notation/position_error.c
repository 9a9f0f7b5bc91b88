/* SPDX-License-Identifier: MIT */
#include "notation/position_error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "notation/names.h"

bool position_reject(PositionError *invalid, FenField field, int square, const char *format, ...) {
    assert(square >= 0 && square <= NO_SQUARE);
    invalid->field = field;
    invalid->square = square;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(invalid->reason, sizeof invalid->reason, format, arguments);
    va_end(arguments);
    return false;
}

bool position_report(const PositionError *invalid, TabiaError *error) {
    const char *field = fen_field_names[invalid->field];
    if (invalid->square == NO_SQUARE) return tabia_fail(error, "position, %s: %s", field, invalid->reason);
    return tabia_fail(error, "position, %s, %s: %s", field, square_name(invalid->square).text, invalid->reason);
}
