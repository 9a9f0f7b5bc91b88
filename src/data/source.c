/* SPDX-License-Identifier: MIT */
#include "data/source.h"

#include <string.h>
#include <sys/stat.h>

#include "base/stop.h"

enum { RECORDS_BETWEEN = 4096 };

static uint64_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

/* What is no file can be read once: standard input, a pipe, a device. */
static bool reads_once(const char *path) {
    struct stat status;
    return !strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

static uint64_t all_bytes(const DataSource *s) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->paths; i++) {
        if (reads_once(s->path[i])) return 0;
        sum += size_of(s->path[i]);
    }
    return sum;
}

static const char *path_name(const DataSource *s) {
    const char *path = s->path[s->next - 1];
    return strcmp(path, "-") ? path : "standard input";
}

static void tell_progress(DataSource *s) {
    s->at.bytes = s->bytes_before + (s->reader ? data_reader_offset(s->reader) : 0);
    if (s->progress) s->progress(s->context, &s->at);
}

static void close_file(DataSource *s) {
    if (!s->reader) return;
    s->bytes_before += data_reader_offset(s->reader);
    data_reader_close(s->reader);
    s->reader = NULL;
}

/* A fault of the record at hand; true: it is passed over. */
static bool pass_over(DataSource *s, Fault *fault) {
    Fault named;
    tabia_fault(&named, "%.120s: %.250s", path_name(s), fault->text);
    *fault = named;
    s->at.bad++;
    if (!s->first_bad.text[0]) s->first_bad = named;
    return s->skip_bad;
}

static bool end_with(DataSource *s, DataOutcome outcome) {
    tell_progress(s);
    s->outcome = outcome;
    return false;
}

static bool open_next(DataSource *s, Fault *fault) {
    s->reader = data_reader_open(s->path[s->next++], s->format, fault);
    return s->reader != NULL;
}

bool data_source_next(DataSource *s, DataRecord *r, Fault *fault) {
    if (!s->next) s->at.total = all_bytes(s);
    for (;;) {
        if (!s->reader) {
            if (s->next == s->paths) return end_with(s, DATA_DONE);
            if (!open_next(s, fault)) return end_with(s, tabia_stop_requested() ? DATA_STOPPED : DATA_INPUT);
        }
        const DataRead how = data_read(s->reader, r, fault);
        if (LIKELY(how == DATA_GOOD)) {
            if (LIKELY(++s->at.records % RECORDS_BETWEEN)) return true;
            tell_progress(s);
            return !tabia_stop_requested() || end_with(s, DATA_STOPPED);
        }
        if (tabia_stop_requested()) return end_with(s, DATA_STOPPED);
        if (how != DATA_AT_END && !pass_over(s, fault)) return end_with(s, DATA_INPUT);
        if (how != DATA_BAD) close_file(s);
        if (s->at.bad % RECORDS_BETWEEN == 0) tell_progress(s);
    }
}

const DataFormat *data_source_format(const DataSource *s, Fault *fault) {
    if (s->format) return s->format;
    if (!strcmp(s->path[0], "-"))
        return tabia_fault(fault, "standard input has no name that says its format; --from does"), NULL;
    if (reads_once(s->path[0]))
        return tabia_fault(fault, "%s: is no file, and can be read once only; --from says its format", s->path[0]),
               NULL;
    DataReader *reader = data_reader_open(s->path[0], NULL, fault);
    const DataFormat *format = reader ? data_reader_format(reader) : NULL;
    data_reader_close(reader);
    return format;
}

bool data_source_again(DataSource *s, Fault *fault) {
    for (unsigned i = 0; i < s->paths; i++)
        if (reads_once(s->path[i]))
            return tabia_fault(fault, "%s cannot be read a second time; put it into a file first",
                               strcmp(s->path[i], "-") ? s->path[i] : "standard input");
    data_source_close(s);
    s->next = 0;
    s->bytes_before = 0;
    s->at = (DataProgress){0};
    s->outcome = DATA_DONE;
    return true;
}

void data_source_close(DataSource *s) {
    data_reader_close(s->reader);
    s->reader = NULL;
}

uint64_t data_source_most(const DataSource *s) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->paths; i++) {
        DataReader *reader = reads_once(s->path[i]) ? NULL : data_reader_open(s->path[i], s->format, NULL);
        if (!reader) continue;
        sum += data_reader_size(reader) * 8 / data_reader_format(reader)->least_bits;
        data_reader_close(reader);
    }
    return sum;
}
