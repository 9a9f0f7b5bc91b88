/* SPDX-License-Identifier: MIT */
/* Records through formats of training data, of either game. */
#pragma once
#include "unit.h"

#include "data/encode.h"
#include "data/reader.h"

/* Bytes written as hexadecimal digits, with blanks between them or not; returns their number. */
static inline size_t from_hex(const char *hex, uint8_t *out) {
    size_t n = 0;
    for (int used = 0; *hex; hex += used) {
        unsigned byte;
        if (*hex == ' ') {
            used = 1;
            continue;
        }
        assert_int_equal(sscanf(hex, "%2x%n", &byte, &used), 1);
        assert_int_equal(used, 2);
        out[n++] = (uint8_t)byte;
    }
    return n;
}

/* The records in that format, all of them; for data_encoder_free. */
static inline DataEncoder encoded(const DataFormat *format, const DataRecord *r, unsigned n) {
    DataEncoder e;
    TabiaError error;
    data_encoder_init(&e, format);
    for (unsigned i = 0; i < n; i++) assert_true(data_encode(&e, &r[i], &error));
    assert_true(data_encoder_finish(&e, &error));
    return e;
}

/* Reads the records to the end of the bytes, which must be good, and returns their number. */
static inline unsigned decoded(const DataFormat *format, const void *bytes, size_t size, DataRecord *out) {
    TabiaError error;
    DataReader *reader = data_reader_memory(bytes, size, format, &error);
    DataRecord r;
    DataReadStatus status;
    unsigned n = 0;
    while ((status = data_read(reader, &r, &error)) == DATA_READ_OK) out[n++] = r;
    if (status != DATA_READ_END) fail_msg("%s: %s", format->name, error.text);
    data_reader_close(reader);
    return n;
}
