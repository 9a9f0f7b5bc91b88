/* SPDX-License-Identifier: MIT */
#include "data/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "data/decode.h"

struct DataReader {
    const DataFormat *format;
    DataDecoder decoder;
    DataRecord last; /* the last good one */
    uint64_t size, records;
    DataRead ended; /* DATA_AT_END or DATA_BROKEN once that was said */
    Fault why;
    bool has_ended, has_last;
};

/* ---- the window ---- */

/* Waits until there is something to read, or its end. False: the program is asked to stop. It looks anew now and then:
   a signal that comes just before the wait does not end it. */
static bool wait_for_bytes(const DataInput *in) {
    enum { MILLISECONDS = 100 };
    struct pollfd poll_for = {.fd = in->file, .events = POLLIN};
    while (!tabia_stop_requested())
        if (poll(&poll_for, 1, MILLISECONDS) > 0) return true;
    return false;
}

/* Moves what is unread to the front and fills up behind it. */
static void fill(DataInput *in) {
    memmove(in->window, in->window + in->at, in->end - in->at);
    in->before += in->at;
    in->end -= in->at;
    in->at = 0;
    while (in->end < in->room && wait_for_bytes(in)) {
        const ssize_t n = read(in->file, in->window + in->end, in->room - in->end);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) in->error = errno;
        if (n <= 0) {
            if (in->owned && in->file > STDIN_FILENO) close(in->file);
            in->file = -1;
            return;
        }
        in->end += (size_t)n;
    }
}

size_t data_input_have(DataInput *in, size_t n) {
    if (UNLIKELY(in->end - in->at < n) && in->file >= 0) fill(in);
    return in->end - in->at < n ? in->end - in->at : n;
}

/* ---- faults ---- */

int data_bad(Fault *fault, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return DATA_BAD;
}

int data_broken(Fault *fault, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return DATA_BROKEN;
}

int data_short(const DataDecoder *d, const char *thing, size_t have, size_t need, Fault *fault) {
    if (d->in.error) return data_broken(fault, "cannot be read: %s", strerror(d->in.error));
    return data_broken(fault, "truncated: %zu of the %zu bytes of %s", have, need, thing);
}

/* ---- the reader ---- */

/* By its mark, or null. */
static const DataFormat *format_of_content(DataInput *in) {
    if (data_input_have(in, 4) < 4) return NULL;
    if (!memcmp(data_input_here(in), "BINP", 4)) return &data_format_binpack;
    if (!memcmp(data_input_here(in), "fen ", 4)) return &data_format_plain;
    return NULL;
}

DataReader *data_reader_open(const char *path, const DataFormat *format, Fault *fault) {
    const bool is_standard = !strcmp(path, "-");
    /* Not blocking, so that a pipe that nobody writes to yet does not keep a stop from being heard. */
    const int file = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0 || fstat(file, &status)) {
        tabia_fault(fault, "%s: cannot be read: %s", path, strerror(errno));
        if (file > STDIN_FILENO) close(file);
        return NULL;
    }
    if (S_ISDIR(status.st_mode)) {
        tabia_fault(fault, "%s: is a folder, not a file", path);
        if (file > STDIN_FILENO) close(file);
        return NULL;
    }
    DataReader *r = aligned_alloc(_Alignof(DataReader), sizeof *r);
    uint8_t *window = malloc(DATA_WINDOW);
    if (!r || !window) {
        tabia_fault(fault, "%s: no memory to read it", path);
        if (file > STDIN_FILENO) close(file);
        free(r), free(window);
        return NULL;
    }
    *r = (DataReader){.decoder.in = {.file = file, .window = window, .room = DATA_WINDOW, .owned = true},
                      .size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0};
    if (!format) format = format_of_content(&r->decoder.in);
    if (!format) format = data_format_of_path(path);
    r->format = format;
    if (format) return r;
    tabia_fault(fault, "%s: neither its name nor its content says which format it has; --from does", path);
    data_reader_close(r);
    return NULL;
}

DataReader *data_reader_memory(const void *data, size_t bytes, const DataFormat *format, Fault *fault) {
    DataReader *r = aligned_alloc(_Alignof(DataReader), sizeof *r);
    if (!r) return tabia_fault(fault, "no memory to read records"), NULL;
    /* With no file nothing is ever written to the window. */
    union {
        const void *given;
        uint8_t *kept;
    } window = {data};
    *r = (DataReader){.format = format, .size = bytes};
    r->decoder.in = (DataInput){.file = -1, .window = window.kept, .end = bytes, .room = bytes};
    return r;
}

/* Remembers how it ended, to say it again. */
static DataRead end_with(DataReader *r, DataRead how, const Fault *fault) {
    r->has_ended = true;
    r->ended = how;
    if (how == DATA_BROKEN) r->why = *fault;
    return how;
}

/* The rest of a bad record, then the next one. */
static DataRead get(DataReader *r, DataRecord *record, Fault *why) {
    DataDecoder *d = &r->decoder;
    if (UNLIKELY(d->skipping)) {
        d->skipping = false;
        const DataRead skipped = (DataRead)r->format->skip(d, why);
        if (skipped != DATA_GOOD) return skipped;
    }
    return (DataRead)r->format->get(d, record, why);
}

static DataRead tell(DataReader *r, DataRead how, const Fault *why, Fault *fault) {
    r->records++;
    tabia_fault(fault, "record %" PRIu64 ", byte %" PRIu64 ": %.300s", r->records, r->decoder.at, why->text);
    r->has_last = false;
    return how == DATA_BROKEN ? end_with(r, how, fault) : how;
}

DataRead data_read(DataReader *r, DataRecord *record, Fault *fault) {
    Fault why;
    if (r->has_ended) {
        if (r->ended == DATA_BROKEN) *fault = r->why;
        return r->ended;
    }
    record->opening = 0;
    record->first = false;
    const DataRead how = get(r, record, &why);
    if (LIKELY(how == DATA_GOOD)) {
        r->records++;
        record->skip = record->score == DATA_SKIP_SCORE && r->format->holds & DATA_SKIP;
        if (!record->first) record->first = !r->has_last || !data_follows(&r->last, record);
        r->last = *record;
        r->has_last = true;
        return DATA_GOOD;
    }
    return how == DATA_AT_END ? end_with(r, how, fault) : tell(r, how, &why, fault);
}

const DataFormat *data_reader_format(const DataReader *r) {
    return r->format;
}
uint64_t data_reader_size(const DataReader *r) {
    return r->size;
}
uint64_t data_reader_offset(const DataReader *r) {
    return data_input_offset(&r->decoder.in);
}
uint64_t data_reader_begin(const DataReader *r) {
    return r->decoder.at;
}
uint64_t data_reader_records(const DataReader *r) {
    return r->records;
}

void data_reader_close(DataReader *r) {
    if (!r) return;
    if (r->decoder.in.owned) {
        if (r->decoder.in.file > STDIN_FILENO) close(r->decoder.in.file);
        free(r->decoder.in.window);
    }
    free(r);
}
