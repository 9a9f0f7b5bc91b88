/* SPDX-License-Identifier: MIT */
#include "data/recognize.h"

#include <string.h>

#include "data/input.h"

/* Good records less bad ones, among the first TRIAL_RECORDS that a format decodes; one with unused bits is half as good. */
enum { TRIAL_RECORDS = 64, GOOD_RECORD = 2 };
static int trial(const DataInputStart *start, const DataFormat *format) {
    DataRecord record;
    TabiaError error;
    int balance = 0;
    DataReader *r = data_reader_memory(start->bytes, start->n, format, &error);
    for (unsigned i = 0; r && i < TRIAL_RECORDS; i++) {
        const DataReadStatus status = data_read(r, &record, &error);
        if (status == DATA_READ_OK) balance += GOOD_RECORD - record.unused;
        /* Where these bytes are not all of the input, they end within a record. */
        if (status == DATA_READ_BAD_RECORD || (status == DATA_READ_ERROR && (start->is_all || !i)))
            balance -= GOOD_RECORD;
        if (status == DATA_READ_END || status == DATA_READ_ERROR) break;
    }
    data_reader_close(r);
    return balance;
}

bool data_begins_in(const DataInputStart *start, const DataFormat *format) {
    return format && trial(start, format) > 0;
}

/* The bytes of what may stand before a signature, of PGN at least: a byte order mark, a blank, Ctrl-Z or a comment. 0: none
   does. */
static size_t preface_bytes(const char *at, size_t n) {
    if (n >= DATA_BYTE_ORDER_MARK_BYTES && !memcmp(at, data_byte_order_mark, DATA_BYTE_ORDER_MARK_BYTES))
        return DATA_BYTE_ORDER_MARK_BYTES;
    if (!n || !*at) return 0;
    if (strchr(" \t\r\n\x1a", *at)) return 1;
    if (!strchr("%;{", *at)) return 0;
    const char *last = memchr(at, *at == '{' ? '}' : '\n', n);
    return last ? (size_t)(last - at) + 1 : n;
}

static bool has_signature(const DataInputStart *start, const DataFormat *format) {
    const size_t length = format->signature ? strlen(format->signature) : 0;
    const char *at = start->bytes;
    size_t n = start->n, skipped = 0;
    while (length && (skipped = preface_bytes(at, n))) at += skipped, n -= skipped;
    return length && n >= length && !memcmp(at, format->signature, length);
}

const DataFormat *data_recognize(const DataInputStart *start, const DataFormat *named) {
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        if (has_signature(start, data_format(i))) return data_format(i);
    if (!start->n || (named && trial(start, named) > 0)) return named;
    const DataFormat *best = named;
    int max = 0;
    for (unsigned i = 0; i < DATA_FORMATS_N; i++) {
        const DataFormat *format = data_format(i);
        const int balance = format != named && !format->named_only ? trial(start, format) : 0;
        if (balance > 0 && balance == max) best = named;
        if (balance > max) best = format, max = balance;
    }
    return best;
}

void data_misnamed(TabiaError *note, const char *path, const DataFormat *format, const DataFormat *named) {
    tabia_fail(note, "%.300s: its content is %s, not %s as its name says; --from %s reads it as that", path,
               format->name, named->name, named->name);
}

/* The program that an input's first bytes say it was compressed by, or null. */
static const char *compressor_of(const DataInputStart *start) {
    static const struct {
        const char *name, *magic;
    } known[] = {
        {"zstd", "\x28\xb5\x2f\xfd"}, {"gzip", "\x1f\x8b\x08"}, {"xz", "\xfd\x37zXZ"},  {"bzip2", "BZh"},
        {"zip", "PK\x03\x04"},        {"7-Zip", "7z\xbc\xaf"},  {"lz4", "\x04\"M\x18"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t bytes = strlen(known[i].magic);
        if (start->n >= bytes && !memcmp(start->bytes, known[i].magic, bytes)) return known[i].name;
    }
    return NULL;
}

/* Sets the format of a file that nothing was read from. False with an error if it is unknown. */
static bool set_format(DataReader *r, const char *path, TabiaError *error) {
    const DataInputStart start = data_reader_start(r);
    const DataFormat *named = data_format_by_extension(path), *format = data_recognize(&start, named);
    const char *compressor = compressor_of(&start);
    if (compressor && !data_begins_in(&start, format))
        return tabia_fail(error, "%s: is compressed by %s: decompress it first", path, compressor);
    data_reader_set_format(r, format, format && data_format_has_name(format, path) ? NULL : named);
    return format ||
           tabia_fail(
               error,
               "%s: its format follows neither from its content nor from its extension; give it the extension of "
               "its format, or name it to `data` with --from",
               path);
}

DataReader *data_reader_open_unverified(const char *path, const DataFormat *format, TabiaError *error) {
    DataReader *r = data_reader_begin(path, error);
    if (!r) return NULL;
    if (format) return data_reader_set_format(r, format, NULL), r;
    if (set_format(r, path, error)) return r;
    data_reader_close(r);
    return NULL;
}

DataReader *data_reader_open(const char *path, const DataFormat *format, TabiaError *error) {
    DataReader *r = data_reader_open_unverified(path, format, error);
    if (!r || data_reader_verify(r, path, error)) return r;
    data_reader_close(r);
    return NULL;
}
