/* SPDX-License-Identifier: MIT */
#include "data/source.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stop.h"
#include "data/recognize.h"

enum { PROGRESS_INTERVAL_RECORDS = 4096 };

static uint64_t regular_file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

/* Standard input, pipes and devices can be read once only. */
static bool is_single_pass(const char *path) {
    struct stat status;
    return !strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

static uint64_t total_bytes(const DataSource *s) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->path_count; i++) {
        if (is_single_pass(s->paths[i])) return 0;
        sum += regular_file_size(s->paths[i]);
    }
    return sum;
}

static const char *display_name(const DataSource *s) {
    assert(s->next_path > 0 && s->next_path <= s->path_count);
    const char *path = s->paths[s->next_path - 1];
    return strcmp(path, "-") ? path : "standard input";
}

static void report_progress(DataSource *s) {
    s->position.bytes = s->closed_bytes + (s->reader ? data_reader_offset(s->reader) : 0);
    if (s->on_progress) s->on_progress(s->context, &s->position);
}

static void close_file(DataSource *s) {
    if (!s->reader) return;
    s->closed_bytes += data_reader_offset(s->reader);
    data_reader_close(s->reader);
    s->reader = NULL;
}

/* Adds the file name to the error of the current record and counts it. True if the record is to be skipped. */
static bool count_bad_record(DataSource *s, TabiaError *error) {
    TabiaError named;
    const bool damaged = data_reader_is_damaged(s->reader);
    tabia_fail(&named, "%.120s: %.230s%s", display_name(s), error->text,
               damaged ? "; --no-checksums reads it as it is" : "");
    *error = named;
    s->position.bad++;
    if (!s->first_bad.text[0]) s->first_bad = named;
    return s->skip_bad && !damaged;
}

static bool set_outcome(DataSource *s, DataOutcome outcome) {
    report_progress(s);
    s->outcome = outcome;
    return false;
}

/* Where all that was read is bad, there is nothing to work with. */
static bool end_of_files(DataSource *s, TabiaError *error) {
    if (s->position.records || !s->position.bad) return set_outcome(s, DATA_DONE);
    tabia_fail(error, "no good record, and %" PRIu64 " bad; the first: %.300s", s->position.bad, s->first_bad.text);
    return set_outcome(s, DATA_BAD_INPUT);
}

/* Tells of a file whose name says another format, once however often it is read. */
static void note_format(DataSource *s) {
    const DataFormat *named = data_reader_named_format(s->reader);
    if (s->next_path <= s->noted_paths) return;
    s->noted_paths = s->next_path;
    TabiaError note;
    if (!named || !s->on_note) return;
    data_misnamed(&note, display_name(s), data_reader_format(s->reader), named);
    s->on_note(s->context, note.text);
}

static bool open_next(DataSource *s, TabiaError *error) {
    const char *path = s->paths[s->next_path++];
    s->reader =
        s->unverified ? data_reader_open_unverified(path, s->format, error) : data_reader_open(path, s->format, error);
    if (s->reader) note_format(s);
    return s->reader != NULL;
}

bool data_source_next(DataSource *s, DataRecord *r, TabiaError *error) {
    if (!s->next_path) s->position.total = total_bytes(s);
    for (;;) {
        if (!s->reader) {
            if (s->next_path == s->path_count) return end_of_files(s, error);
            if (!open_next(s, error)) return set_outcome(s, tabia_stop_requested() ? DATA_STOPPED : DATA_BAD_INPUT);
        }
        const DataReadStatus status = data_read(s->reader, r, error);
        if (LIKELY(status == DATA_READ_OK)) {
            s->unused += r->unused;
            r->number = ++s->position.records;
            if (LIKELY(r->number % PROGRESS_INTERVAL_RECORDS)) return true;
            report_progress(s);
            return !tabia_stop_requested() || set_outcome(s, DATA_STOPPED);
        }
        if (tabia_stop_requested()) return set_outcome(s, DATA_STOPPED);
        if (status != DATA_READ_END && !count_bad_record(s, error)) return set_outcome(s, DATA_BAD_INPUT);
        if (status != DATA_READ_BAD_RECORD) close_file(s);
        if (s->position.bad % PROGRESS_INTERVAL_RECORDS == 0) report_progress(s);
    }
}

const DataFormat *data_source_format(const DataSource *s, TabiaError *error) {
    if (s->format) return s->format;
    if (!strcmp(s->paths[0], "-"))
        return tabia_fail(error, "standard input: its format is unknown; name it with --from"), NULL;
    if (is_single_pass(s->paths[0]))
        return tabia_fail(error, "%s: is not a regular file and can be read only once; name its format with --from",
                          s->paths[0]),
               NULL;
    DataReader *reader = data_reader_open_unverified(s->paths[0], NULL, error);
    const DataFormat *format = reader ? data_reader_format(reader) : NULL;
    data_reader_close(reader);
    return format;
}

bool data_source_rewind(DataSource *s, TabiaError *error) {
    for (unsigned i = 0; i < s->path_count; i++)
        if (is_single_pass(s->paths[i]))
            return tabia_fail(error, "%s cannot be read a second time; copy it to a file first",
                              strcmp(s->paths[i], "-") ? s->paths[i] : "standard input");
    data_source_close(s);
    s->next_path = 0;
    s->closed_bytes = s->unused = 0;
    s->position = (DataProgress){0};
    s->outcome = DATA_DONE;
    return true;
}

void data_source_close(DataSource *s) {
    data_reader_close(s->reader);
    s->reader = NULL;
}

uint64_t data_source_max_records(const DataSource *s) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->path_count; i++) {
        if (is_single_pass(s->paths[i])) return UINT64_MAX;
        DataReader *reader = data_reader_open_unverified(s->paths[i], s->format, NULL);
        if (!reader) continue;
        sum += data_reader_size(reader) * 8 / data_reader_format(reader)->min_record_bits;
        data_reader_close(reader);
    }
    return sum;
}
