/* SPDX-License-Identifier: MIT */
#include "data/check.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"

enum { PROGRESS_INTERVAL_RECORDS = 4096 };

const char *data_fault_name(unsigned fault) {
#define NAME(name) #name,
    static const char *const names[] = {DATA_FAULTS(NAME)};
#undef NAME
    assert(fault < DATA_FAULTS_N);
    return names[fault];
}

/* The previous good record, its number and offset, and the position after its move. */
typedef struct {
    const DataCheckOptions *options;
    DataCheckReport *report;
    DataReader *reader;
    DataRecord previous;
    Position next_position;
    uint64_t previous_number, previous_offset;
    bool has_previous;
} CheckState;

static void report_fault(CheckState *c, unsigned fault, const char *text) {
    assert(fault < DATA_FAULTS_N);
    c->report->faults[fault]++;
    if (c->options->ignored >> fault & 1) {
        c->report->ignored_count++;
        return;
    }
    c->report->fault_count++;
    if (c->options->on_fault) c->options->on_fault(c->options->context, fault, text);
}

/* Reports an error of the record with that number. */
static void report_fault_at(CheckState *c, unsigned fault, uint64_t number, uint64_t offset, const char *what) {
    TabiaError text;
    tabia_fail(&text, "record %" PRIu64 ", byte %" PRIu64 ": %s", number, offset, what);
    report_fault(c, fault, text.text);
}
static void report_fault_here(CheckState *c, unsigned fault, const char *what) {
    report_fault_at(c, fault, data_reader_record_count(c->reader), data_reader_record_offset(c->reader), what);
}

static void check_move_counters(CheckState *c, const DataRecord *r) {
    TabiaError what;
    if (!move_counters_possible(&r->position, c->report->format->fields, r->ply, &what))
        report_fault_here(c, DATA_FAULT_clock, what.text);
}

static void check_score(CheckState *c, const DataRecord *r) {
    TabiaError what;
    if (r->skip) {
        c->report->skipped++;
    } else if (abs(r->score) > DATA_SCORE_MAX) {
        tabia_fail(&what, "the score is %d; it is from %d to %d", r->score, -DATA_SCORE_MAX, DATA_SCORE_MAX);
        report_fault_here(c, DATA_FAULT_score, what.text);
    }
}

static void check_unused(CheckState *c, const DataRecord *r) {
    if (r->unused) report_fault_here(c, DATA_FAULT_unused, "bits are set that the format leaves unused");
}

/* A record whose position continues the game before it, but whose result, ply or move counters do not. */
static void check_continuity(CheckState *c, const DataRecord *r) {
    if (!c->has_previous || !c->previous.move || !r->starts_game || c->report->format->marks_games ||
        !position_same(&c->next_position, &r->position))
        return;
    TabiaError what;
    char seen[MOVE_COUNTERS_TEXT_MAX], expected[MOVE_COUNTERS_TEXT_MAX];
    if (r->result != -c->previous.result)
        tabia_fail(&what, "it continues the game of record %" PRIu64 ", but the result is %d; %d is expected",
                   c->previous_number, r->result, -c->previous.result);
    else if (r->ply != (uint16_t)(c->previous.ply + 1))
        tabia_fail(&what, "it continues the game of record %" PRIu64 ", but the ply is %u; %u is expected",
                   c->previous_number, r->ply, (uint16_t)(c->previous.ply + 1));
    else
        tabia_fail(&what, "it continues the game of record %" PRIu64 ", but its move counters are %s; %s are expected",
                   c->previous_number, move_counters_text(&r->position, seen),
                   move_counters_text(&c->next_position, expected));
    report_fault_here(c, DATA_FAULT_continuity, what.text);
}

/* The game of the previous record has ended: checks the result if its last position shows one. */
static void check_result(CheckState *c) {
    int of_next;
    const char *ending = c->has_previous && c->previous.move ? position_ending(&c->next_position, &of_next) : NULL;
    TabiaError what;
    if (!ending || c->previous.result == -of_next) return;
    tabia_fail(&what, "its move gives %s, but the result is %d", ending, c->previous.result);
    report_fault_at(c, DATA_FAULT_result, c->previous_number, c->previous_offset, what.text);
}

static void check_record(CheckState *c, const DataRecord *r) {
    assert(r->result >= -1 && r->result <= 1);
    c->report->records++;
    c->report->games += r->starts_game;
    check_move_counters(c, r);
    check_score(c, r);
    check_unused(c, r);
    check_continuity(c, r);
    if (r->starts_game) check_result(c);
    c->previous = *r;
    c->has_previous = true;
    c->previous_number = data_reader_record_count(c->reader);
    c->previous_offset = data_reader_record_offset(c->reader);
    if (r->move) position_make_move(&c->next_position, &r->position, r->move);
}

static void report_progress(const CheckState *c) {
    const DataProgress at = {.records = data_reader_record_count(c->reader),
                             .bad = c->report->fault_count,
                             .bytes = data_reader_offset(c->reader),
                             .total = data_reader_size(c->reader)};
    if (c->options->on_progress) c->options->on_progress(c->options->context, &at);
}

static DataOutcome check_records(CheckState *c) {
    DataRecord r;
    TabiaError cause;
    for (uint64_t n = 1;; n++) {
        const DataReadStatus status = data_read(c->reader, &r, &cause);
        if (status != DATA_READ_OK && tabia_stop_requested()) return DATA_STOPPED;
        if (status == DATA_READ_OK) check_record(c, &r);
        if (status == DATA_READ_BAD_RECORD || status == DATA_READ_ERROR) {
            report_fault(c, DATA_FAULT_record, cause.text);
            c->has_previous = false;
        }
        if (status == DATA_READ_END || status == DATA_READ_ERROR) break;
        if (n % PROGRESS_INTERVAL_RECORDS) continue;
        report_progress(c);
        if (tabia_stop_requested()) return DATA_STOPPED;
    }
    check_result(c);
    return DATA_DONE;
}

static DataOutcome check_checksums(CheckState *c, const char *path, TabiaError *error) {
    char sums[DATA_PATH_MAX];
    TabiaError cause;
    if (!strcmp(path, "-") || !data_checksums_path(path, sums, NULL) || access(sums, F_OK)) return DATA_DONE;
    if (!data_checksums_prefix(path, c->report->format, UINT64_MAX, &c->report->checksums, &cause, error))
        return DATA_SYSTEM_ERROR;
    c->report->has_checksums = true;
    if (!c->report->checksums.complete) report_fault(c, DATA_FAULT_checksum, cause.text);
    return DATA_DONE;
}

DataOutcome data_check_file(const char *path, const DataFormat *format, const DataCheckOptions *options,
                            DataCheckReport *report, TabiaError *error) {
    *report = (DataCheckReport){0};
    CheckState c = {.options = options, .report = report, .reader = data_reader_open_unverified(path, format, error)};
    if (!c.reader) return tabia_stop_requested() ? DATA_STOPPED : DATA_BAD_INPUT;
    report->format = data_reader_format(c.reader);
    report->named_format = data_reader_named_format(c.reader);
    DataOutcome outcome = check_records(&c);
    report->bytes = data_reader_offset(c.reader);
    data_reader_close(c.reader);
    if (outcome == DATA_DONE) outcome = check_checksums(&c, path, error);
    return outcome;
}
