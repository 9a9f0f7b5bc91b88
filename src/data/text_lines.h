/* SPDX-License-Identifier: MIT */
/*
 * Lines of an input, for formats that are text. Their lengths, and what is skipped, are limited, so that reading ends for any
 * input. The decoder counts the lines.
 */
#pragma once
#include "data/decode.h"

enum {
    DATA_LINE_MAX = 256,                /* of a line, with its '\0' */
    DATA_SKIPPED_LINES_BYTES = 1 << 20, /* of blank lines, or behind a bad record */
};

typedef enum { LINE_OK, LINE_END_OF_INPUT, LINE_TOO_LONG, LINE_HAS_ZERO_BYTE } LineStatus;

/* Reads a line without its end, which is LF, CR LF or CR; LINE_END_OF_INPUT at the end. A line that is too long is not consumed. */
LineStatus data_read_line(DataDecoder *d, char line[DATA_LINE_MAX]);

/* Skips a line that is too long, but not beyond the offset `maximum`. */
void data_skip_long_line(DataDecoder *d, uint64_t maximum);

/* Puts the number of the line in front of an error. Always false. */
bool data_line_error(const DataDecoder *d, const char *what, TabiaError *error);
