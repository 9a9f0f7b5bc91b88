/* SPDX-License-Identifier: MIT */
#include "data/reader.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/memory.h"
#include "base/stop.h"
#include "data/decode.h"

struct DataReader {
    const DataFormat *format, *named_format; /* named: by the extension, if that is another one */
    DataDecoder decoder;
    DataRecord previous; /* the last good record */
    uint64_t size, record_count;
    DataReadStatus end_status; /* DATA_READ_END or DATA_READ_ERROR, once reported */
    TabiaError end_error;
    bool at_end, has_previous;
};

/* ---- errors ---- */

int data_bad_record(TabiaError *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tabia_fail_list(error, format, arguments);
    va_end(arguments);
    return DATA_READ_BAD_RECORD;
}

int data_read_error(TabiaError *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tabia_fail_list(error, format, arguments);
    va_end(arguments);
    return DATA_READ_ERROR;
}

int data_truncated(const DataDecoder *d, const char *part, size_t have, size_t need, TabiaError *error) {
    if (d->in.error) return data_read_error(error, "cannot be read: %s", data_input_reason(&d->in));
    return data_read_error(error, "truncated: %zu of the %zu bytes of %s", have, need, part);
}

/* ---- the reader ---- */

DataReader *data_reader_begin(const char *path, TabiaError *error) {
    const bool is_standard = !strcmp(path, "-");
    /* Nonblocking, so that opening a pipe without a writer does not delay a stop. */
    const int fd = is_standard ? STDIN_FILENO : tabia_file_open_read(path);
    struct stat file_status;
    if (fd < 0 || fstat(fd, &file_status)) {
        tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
        if (fd > STDIN_FILENO) close(fd);
        return NULL;
    }
    if (S_ISDIR(file_status.st_mode)) {
        tabia_fail(error, "%s: is a folder, not a file", path);
        if (fd > STDIN_FILENO) close(fd);
        return NULL;
    }
    DataReader *r = tabia_aligned_get(_Alignof(DataReader), sizeof *r);
    uint8_t *window = malloc(DATA_WINDOW_BYTES);
    if (!r || !window) {
        tabia_fail(error, "%s: out of memory", path);
        if (fd > STDIN_FILENO) close(fd);
        tabia_aligned_free(r), free(window);
        return NULL;
    }
    *r = (DataReader){.decoder.in = {.fd = fd, .window = window, .capacity = DATA_WINDOW_BYTES, .owned = true},
                      .size = S_ISREG(file_status.st_mode) ? (uint64_t)file_status.st_size : 0};
    return r;
}

DataInputStart data_reader_start(DataReader *r) {
    DataInput *in = &r->decoder.in;
    (void)data_input_available(in, 1);
    return (DataInputStart){data_input_bytes(in), in->end - in->begin, in->fd < 0};
}

void data_reader_set_format(DataReader *r, const DataFormat *format, const DataFormat *named) {
    r->format = format, r->named_format = named;
}

bool data_reader_verify(DataReader *r, const char *path, TabiaError *error) {
    DataChecksums *checksums;
    struct stat status;
    if (!strcmp(path, "-") || stat(path, &status) || !S_ISREG(status.st_mode)) return true;
    if (!data_checksums_open(path, &checksums, error)) return false;
    if (checksums) data_input_verify(&r->decoder.in, checksums);
    return true;
}

bool data_reader_is_damaged(const DataReader *r) {
    return r->decoder.in.checksums && r->decoder.in.error == EBADMSG;
}

DataReader *data_reader_memory(const void *data, size_t bytes, const DataFormat *format, TabiaError *error) {
    DataReader *r = tabia_aligned_get(_Alignof(DataReader), sizeof *r);
    if (!r) return tabia_fail(error, "out of memory to read records"), NULL;
    /* Without a file descriptor nothing is written to the window. */
    union {
        const void *const_bytes;
        uint8_t *bytes;
    } window = {data};
    *r = (DataReader){.format = format, .size = bytes};
    r->decoder.in = (DataInput){.fd = -1, .window = window.bytes, .end = bytes, .capacity = bytes};
    return r;
}

/* Remembers how reading ended, for later calls. */
static DataReadStatus remember_end(DataReader *r, DataReadStatus status, const TabiaError *error) {
    assert(status == DATA_READ_END || status == DATA_READ_ERROR);
    r->at_end = true;
    r->end_status = status;
    if (status == DATA_READ_ERROR) r->end_error = *error;
    return status;
}

/* Resynchronizes behind a bad record if necessary, then reads the next one. */
static DataReadStatus read_next(DataReader *r, DataRecord *record, TabiaError *cause) {
    DataDecoder *d = &r->decoder;
    if (UNLIKELY(d->resync_pending)) {
        assert(r->format->resync);
        d->resync_pending = false;
        const DataReadStatus skipped = (DataReadStatus)r->format->resync(d, cause);
        if (skipped != DATA_READ_OK) return skipped;
    }
    return (DataReadStatus)r->format->read(d, record, cause);
}

static DataReadStatus report_error(DataReader *r, DataReadStatus status, const TabiaError *cause, TabiaError *error) {
    r->record_count++;
    tabia_fail(error, "record %" PRIu64 ", byte %" PRIu64 ": %.300s", r->record_count, r->decoder.record_offset,
               cause->text);
    r->has_previous = false;
    return status == DATA_READ_ERROR ? remember_end(r, status, error) : status;
}

/* Does the next record follow from the last one unless its format says that a game starts? The format has derived it so. */
static bool next_follows(const DataReader *r) {
    return r->format->marks_games || r->decoder.derives_next;
}

/* Keeps a record where the next one has to be compared with it. */
static void keep_previous(DataReader *r, const DataRecord *record) {
    r->has_previous = true;
#ifdef NDEBUG
    if (next_follows(r)) return;
#endif
    r->previous = *record;
}

DataReadStatus data_read(DataReader *r, DataRecord *record, TabiaError *error) {
    TabiaError cause;
    if (r->at_end) {
        if (r->end_status == DATA_READ_ERROR) *error = r->end_error;
        return r->end_status;
    }
    record->extra = (RecordExtra){0};
    record->number = 0;
    record->starts_game = record->unused = false;
    const bool follows = next_follows(r);
    const DataReadStatus status = read_next(r, record, &cause);
    if (LIKELY(status == DATA_READ_OK)) {
        assert(!record->move || move_is_legal(&record->position, record->move));
        assert(record->result >= -1 && record->result <= 1);
        r->record_count++;
        record->skip = record->score == DATA_SKIP_SCORE && r->format->fields & DATA_SKIP;
        if (!r->has_previous || (!follows && !record->starts_game))
            record->starts_game = !r->has_previous || !data_follows(&r->previous, record);
        assert(record->starts_game || data_follows(&r->previous, record));
        keep_previous(r, record);
        return DATA_READ_OK;
    }
    return status == DATA_READ_END ? remember_end(r, status, error) : report_error(r, status, &cause, error);
}

/* Moves to the record before number n, from which it follows whether a game starts there. A file with fewer records is read
   from its last one. Nothing moves where the position of a record does not follow from its number. */
static void seek_before(DataReader *r, uint64_t n) {
    DataInput *in = &r->decoder.in;
    const unsigned bytes = r->format->record_bytes;
    if (n < 2 || !bytes || in->fd <= STDIN_FILENO || !r->size) return;
    const uint64_t count = r->size / bytes, target = n - 2 < count ? n - 2 : count;
    if (target <= r->record_count || target * bytes < in->window_offset + in->end) return;
    if (lseek(in->fd, (off_t)(target * bytes), SEEK_SET) < 0) return;
    in->begin = in->end = 0;
    in->window_offset = target * bytes;
    r->record_count = target;
    r->has_previous = false;
}

DataReadStatus data_reader_skip_to(DataReader *r, uint64_t n, TabiaError *error) {
    DataRecord skipped;
    assert(n > r->record_count);
    seek_before(r, n);
    while (r->record_count + 1 < n && !r->at_end && !tabia_stop_requested()) (void)data_read(r, &skipped, error);
    return r->at_end ? r->end_status : DATA_READ_OK;
}

const DataFormat *data_reader_format(const DataReader *r) {
    return r->format;
}
const DataFormat *data_reader_named_format(const DataReader *r) {
    return r->named_format;
}
uint64_t data_reader_size(const DataReader *r) {
    return r->size;
}
uint64_t data_reader_drain(DataReader *r) {
    DataInput *in = &r->decoder.in;
    while (data_input_available(in, DATA_WINDOW_BYTES)) in->begin = in->end;
    return data_input_offset(in);
}
uint64_t data_reader_offset(const DataReader *r) {
    return data_input_offset(&r->decoder.in);
}
uint64_t data_reader_record_offset(const DataReader *r) {
    return r->decoder.record_offset;
}
uint64_t data_reader_record_count(const DataReader *r) {
    return r->record_count;
}

void data_reader_close(DataReader *r) {
    if (!r) return;
    data_input_close(&r->decoder.in);
    tabia_aligned_free(r);
}
