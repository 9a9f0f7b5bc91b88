/* SPDX-License-Identifier: MIT */
/* What is wrong with a position, for the checks of a game (notation/validate.h) and what reports them. */
#pragma once
#include "base/error.h"
#include "notation/fen.h"

/* In which field, and on which square if it has one (else NO_SQUARE). */
typedef struct {
    FenField field;
    int square;
    char reason[240];
} PositionError;

/* Fills *invalid. Always false, so that a check ends with `return position_reject(...)`. */
bool position_reject(PositionError *invalid, FenField field, int square, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Always false: the error names field, square and reason. `error` may be NULL. */
bool position_report(const PositionError *invalid, TabiaError *error);
