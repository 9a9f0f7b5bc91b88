/* SPDX-License-Identifier: MIT */
#include "data/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "notation/names.h"

enum { CLOCK_MOST = 150, SCORE_MOST = 32000, RECORDS_BETWEEN = 4096 };

const char *data_fault_name(unsigned kind) {
#define NAME(name) #name,
    static const char *const names[] = {DATA_FAULTS(NAME)};
#undef NAME
    return names[kind];
}

/* The last good record, where it was, and the position after its move. */
typedef struct {
    const DataCheck *check;
    DataVerdict *verdict;
    DataReader *reader;
    DataRecord last;
    Position after;
    uint64_t number, offset;
    bool has_last;
} Checker;

static void note(Checker *c, unsigned kind, const char *line) {
    c->verdict->faults[kind]++;
    c->verdict->faulty++;
    if (c->check->visit) c->check->visit(c->check->context, kind, line);
}

/* A fault of the record with that number. */
static void note_at(Checker *c, unsigned kind, uint64_t number, uint64_t offset, const char *what) {
    Fault line;
    tabia_fault(&line, "record %" PRIu64 ", byte %" PRIu64 ": %s", number, offset, what);
    note(c, kind, line.text);
}
static void note_here(Checker *c, unsigned kind, const char *what) {
    note_at(c, kind, data_reader_records(c->reader), data_reader_begin(c->reader), what);
}

static void check_clock(Checker *c, const DataRecord *r) {
    const Position *p = &r->position;
    const DataFields holds = c->verdict->format->holds;
    Fault what;
    if (!(holds & DATA_CLOCK)) return;
    const unsigned played = 2 * (unsigned)(p->fullmove - 1) + p->turn;
    if (p->ep && p->halfmove)
        tabia_fault(&what, "the halfmove clock is %u after a pawn's double step over %s; it is 0 then", p->halfmove,
                    square_name(p->ep).text);
    else if (p->halfmove > CLOCK_MOST)
        tabia_fault(&what, "the halfmove clock is %u; games end at %d", p->halfmove, CLOCK_MOST);
    else if (holds & DATA_NUMBER && p->halfmove > played && p->halfmove > r->ply)
        tabia_fault(&what, "the halfmove clock is %u in move %u, after %u plies", p->halfmove, p->fullmove, played);
    else
        return;
    note_here(c, DATA_FAULT_clock, what.text);
}

static void check_score(Checker *c, const DataRecord *r) {
    const int most = c->check->score_most ? c->check->score_most : SCORE_MOST;
    Fault what;
    if (r->skip) {
        c->verdict->skip_marks++;
    } else if (abs(r->score) > most) {
        tabia_fault(&what, "the score is %d; it is from %d to %d", r->score, -most, most);
        note_here(c, DATA_FAULT_score, what.text);
    }
}

/* Does it carry on by its position, but not otherwise? */
static void check_game(Checker *c, const DataRecord *r) {
    if (!c->has_last || !c->last.move || !r->first || c->verdict->format == &data_format_viri ||
        !position_same(&c->after, &r->position))
        return;
    Fault what;
    if (r->result != -c->last.result)
        tabia_fault(&what, "it continues the game of record %" PRIu64 ", but the result is %d where %d is due",
                    c->number, r->result, -c->last.result);
    else if (r->ply != (uint16_t)(c->last.ply + 1))
        tabia_fault(&what, "it continues the game of record %" PRIu64 ", but the ply is %u where %u is due", c->number,
                    r->ply, (uint16_t)(c->last.ply + 1));
    else
        tabia_fault(&what,
                    "it continues the game of record %" PRIu64 ", but its clocks are %u and %u where %u and %u are "
                    "due",
                    c->number, r->position.halfmove, r->position.fullmove, c->after.halfmove, c->after.fullmove);
    note_here(c, DATA_FAULT_game, what.text);
}

/* The game of the last record is over: was it mate or stalemate? */
static void check_end(Checker *c) {
    if (!c->has_last || !c->last.move || moves_count(&c->after)) return;
    const int due = in_check(&c->after) ? 1 : 0;
    Fault what;
    if (c->last.result == due) return;
    tabia_fault(&what, "its move gives %s, but the result is %d", due ? "mate" : "stalemate", c->last.result);
    note_at(c, DATA_FAULT_end, c->number, c->offset, what.text);
}

static void check_record(Checker *c, const DataRecord *r) {
    c->verdict->records++;
    c->verdict->games += r->first;
    check_clock(c, r);
    check_score(c, r);
    check_game(c, r);
    if (r->first) check_end(c);
    c->last = *r;
    c->has_last = true;
    c->number = data_reader_records(c->reader);
    c->offset = data_reader_begin(c->reader);
    if (r->move) position_play(&c->after, &r->position, r->move);
}

static void tell_progress(const Checker *c) {
    const DataProgress at = {.records = data_reader_records(c->reader),
                             .bad = c->verdict->faulty,
                             .bytes = data_reader_offset(c->reader),
                             .total = data_reader_size(c->reader)};
    if (c->check->progress) c->check->progress(c->check->context, &at);
}

static DataOutcome check_records(Checker *c) {
    DataRecord r;
    Fault why;
    for (uint64_t n = 1;; n++) {
        const DataRead how = data_read(c->reader, &r, &why);
        if (how != DATA_GOOD && tabia_stop_requested()) return DATA_STOPPED;
        if (how == DATA_GOOD) check_record(c, &r);
        if (how == DATA_BAD || how == DATA_BROKEN) {
            note(c, DATA_FAULT_bytes, why.text);
            c->has_last = false;
        }
        if (how == DATA_AT_END || how == DATA_BROKEN) break;
        if (n % RECORDS_BETWEEN) continue;
        tell_progress(c);
        if (tabia_stop_requested()) return DATA_STOPPED;
    }
    check_end(c);
    return DATA_DONE;
}

static DataOutcome check_sums(Checker *c, const char *path, Fault *fault) {
    char sums[DATA_PATH_MAX];
    Fault why;
    if (!strcmp(path, "-") || !data_sums_path(path, sums, NULL) || access(sums, F_OK)) return DATA_DONE;
    if (!data_sums_prefix(path, c->verdict->format, &c->verdict->sums, &why, fault)) return DATA_OUTSIDE;
    c->verdict->has_sums = true;
    if (!c->verdict->sums.whole) note(c, DATA_FAULT_sums, why.text);
    return DATA_DONE;
}

DataOutcome data_check_file(const char *path, const DataFormat *format, const DataCheck *check, DataVerdict *verdict,
                            Fault *fault) {
    *verdict = (DataVerdict){0};
    Checker c = {.check = check, .verdict = verdict, .reader = data_reader_open(path, format, fault)};
    if (!c.reader) return tabia_stop_requested() ? DATA_STOPPED : DATA_INPUT;
    verdict->format = data_reader_format(c.reader);
    DataOutcome outcome = check_records(&c);
    verdict->bytes = data_reader_offset(c.reader);
    data_reader_close(c.reader);
    if (outcome == DATA_DONE) outcome = check_sums(&c, path, fault);
    return outcome;
}
