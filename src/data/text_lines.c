/* SPDX-License-Identifier: MIT */
#include "data/text_lines.h"

#include <inttypes.h>
#include <string.h>

/* The bytes of the line here; *end receives those of its end: CR, LF or CR LF; none where the line is longer. */
static size_t line_bytes(const uint8_t *here, size_t have, size_t *end) {
    const uint8_t *newline = memchr(here, '\n', have);
    const size_t length = newline ? (size_t)(newline - here) : have;
    const uint8_t *stop = memchr(here, '\r', length);
    if (!stop) return *end = newline != NULL, length;
    *end = stop + 1 == newline ? 2 : 1;
    return (size_t)(stop - here);
}

LineStatus data_read_line(DataDecoder *d, char line[DATA_LINE_MAX]) {
    DataInput *in = &d->in;
    size_t end;
    data_skip_byte_order_mark(in);
    const size_t have = data_input_available(in, DATA_LINE_MAX + 1);
    if (!have) return LINE_END_OF_INPUT;
    const uint8_t *here = data_input_bytes(in);
    const size_t length = line_bytes(here, have, &end);
    if (length >= DATA_LINE_MAX) return LINE_TOO_LONG;
    const bool has_zero = memchr(here, '\0', length) != NULL;
    memcpy(line, here, length);
    line[length] = '\0';
    d->line_start = in->begin;
    in->begin += length + end;
    d->line_number++;
    return has_zero ? LINE_HAS_ZERO_BYTE : LINE_OK;
}

void data_skip_long_line(DataDecoder *d, uint64_t maximum) {
    DataInput *in = &d->in;
    for (bool more = true; more && data_input_offset(in) <= maximum;) {
        const size_t have = data_input_available(in, DATA_LINE_MAX);
        size_t end;
        in->begin += line_bytes(data_input_bytes(in), have, &end) + end;
        more = have && !end;
    }
    d->line_number++;
}

bool data_line_error(const DataDecoder *d, const char *what, TabiaError *error) {
    return tabia_fail(error, "line %" PRIu64 ": %.300s", d->line_number, what);
}
