/* SPDX-License-Identifier: MIT */
#include "data/text_lines.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

LineStatus data_read_line(DataDecoder *d, char line[DATA_LINE_MAX]) {
    DataInput *in = &d->in;
    data_skip_byte_order_mark(in);
    const size_t have = data_input_available(in, DATA_LINE_MAX);
    if (!have) return LINE_END_OF_INPUT;
    const uint8_t *here = data_input_bytes(in), *stop = memchr(here, '\n', have);
    size_t length = stop ? (size_t)(stop - here) : have;
    if (!stop && have == DATA_LINE_MAX) return LINE_TOO_LONG;
    assert(length < DATA_LINE_MAX);
    const bool has_zero = memchr(here, '\0', length) != NULL;
    memcpy(line, here, length);
    d->line_start = in->begin;
    in->begin += length + (stop != NULL);
    d->line_number++;
    if (length && line[length - 1] == '\r') length--;
    line[length] = '\0';
    return has_zero ? LINE_HAS_ZERO_BYTE : LINE_OK;
}

void data_skip_long_line(DataDecoder *d, uint64_t maximum) {
    DataInput *in = &d->in;
    for (bool more = true; more && data_input_offset(in) <= maximum;) {
        const size_t have = data_input_available(in, DATA_LINE_MAX);
        const uint8_t *here = data_input_bytes(in), *stop = memchr(here, '\n', have);
        in->begin += stop ? (size_t)(stop - here) + 1 : have;
        more = have && !stop;
    }
    d->line_number++;
}

bool data_line_error(const DataDecoder *d, const char *what, TabiaError *error) {
    return tabia_fail(error, "line %" PRIu64 ": %.300s", d->line_number, what);
}
