/* SPDX-License-Identifier: MIT */
#include "data/plain.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "data/text_lines.h"
#include "notation/fen.h"
#include "notation/move_text.h"

enum { RECORD_BYTES_MAX = 4096 };

/* ---- lines ---- */

/* A line is the name of a field, a blank, and its value. The name of the position is the game's. */
#define PLAIN_FIELDS(FIELD) FIELD(position) FIELD(move) FIELD(score) FIELD(ply) FIELD(result)
#define FIELD_INDEX_ENTRY(name) FIELD_##name,
enum { PLAIN_FIELDS(FIELD_INDEX_ENTRY) PLAIN_FIELDS_N };
#define FIELD_BIT_ENTRY(name) HAS_##name = 1 << FIELD_##name,
enum { PLAIN_FIELDS(FIELD_BIT_ENTRY) HAS_NO_FIELDS = 0 };

static const char *field_name(unsigned index) {
#define NAME(name) #name,
    static const char *const names[] = {PLAIN_FIELDS(NAME)};
#undef NAME
    assert(index < PLAIN_FIELDS_N);
    return index == FIELD_position ? plain_variant.position : names[index];
}

typedef struct {
    Position position;
    char move[DATA_LINE_MAX];
    long score, ply, result;
    unsigned fields_present;
} PlainRecord;

/* ---- fields ---- */

static bool parse_number(const char *text, long minimum, long maximum, long *n) {
    const bool negative = *text == '-';
    long value = 0;
    text += negative || *text == '+';
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        value = 10 * value + (*text - '0');
        if (value > UINT16_MAX) return false;
    }
    if (negative) value = -value;
    if (value < minimum || value > maximum) return false;
    *n = value;
    return true;
}

static bool parse_field(PlainRecord *plain, unsigned field, const char *text, TabiaError *error) {
    switch (field) {
    case FIELD_position:
        return plain_variant.parse(&plain->position, text, error);
    case FIELD_move:
        strcpy(plain->move, text);
        return true;
    case FIELD_score:
        return parse_number(text, INT16_MIN, INT16_MAX, &plain->score) ||
               tabia_fail(error, "the score '%.40s' is not a number from -32768 to 32767", text);
    case FIELD_ply:
        return parse_number(text, 0, UINT16_MAX, &plain->ply) ||
               tabia_fail(error, "the ply '%.40s' is not a number from 0 to 65535", text);
    default:
        return parse_number(text, -1, 1, &plain->result) ||
               tabia_fail(error, "the result '%.40s' is not -1, 0 or 1", text);
    }
}

/* The field of a line, or PLAIN_FIELDS_N. */
static unsigned find_field(const char *line) {
    unsigned field = 0;
    for (; field < PLAIN_FIELDS_N; field++) {
        const char *name = field_name(field);
        const size_t length = strlen(name);
        if (!strncmp(line, name, length) && line[length] == ' ') break;
    }
    return field;
}

/* Adds one line to the record. */
static bool parse_line(const char *line, unsigned field, PlainRecord *plain, TabiaError *error) {
    if (field == PLAIN_FIELDS_N)
        return tabia_fail(error, "'%.40s' begins with none of %s, move, score, ply, result, e", line,
                          plain_variant.position);
    const char *name = field_name(field);
    if (plain->fields_present >> field & 1)
        return tabia_fail(error, "a second '%s'; a record has one, and ends with a line 'e'", name);
    plain->fields_present |= 1u << field;
    return parse_field(plain, field, line + strlen(name) + 1, error);
}

static bool finish_record(const PlainRecord *plain, DataRecord *r, TabiaError *error) {
    const unsigned missing = (HAS_position | HAS_score | HAS_result) & ~plain->fields_present;
    if (missing) return tabia_fail(error, "the record ends without '%s'", field_name((unsigned)lsb(missing)));
    r->position = plain->position;
    r->move = 0;
    if (plain->fields_present & HAS_move && strcmp(plain->move, plain_variant.no_move) != 0) {
        r->move = move_from_uci(&r->position, plain->move);
        if (!r->move) return tabia_fail(error, "illegal move: '%.20s'", plain->move);
    }
    r->score = (int32_t)plain->score;
    r->ply = plain->fields_present & HAS_ply ? (uint16_t)(plain->ply - plain_variant.first_ply)
                                             : move_counters_ply(&r->position);
    r->result = (int8_t)plain->result;
    return true;
}

/* ---- records ---- */

/* Skips the rest of a bad record, up to its line 'e'. */
int plain_resync(DataDecoder *d, TabiaError *error) {
    char line[DATA_LINE_MAX];
    const uint64_t begin = data_input_offset(&d->in), maximum = begin + DATA_SKIPPED_LINES_BYTES;
    for (;;) {
        const LineStatus status = data_read_line(d, line);
        if (status == LINE_END_OF_INPUT || (status == LINE_OK && !strcmp(line, "e"))) return DATA_READ_OK;
        if (status == LINE_TOO_LONG) data_skip_long_line(d, maximum);
        if (data_input_offset(&d->in) > maximum) break;
    }
    d->record_offset = begin;
    return data_read_error(error, "line %" PRIu64 ": no line 'e' ends the bad record before it in %d bytes",
                           d->line_number, DATA_SKIPPED_LINES_BYTES);
}

/* The record is bad; its rest is skipped before the next is read. */
static int bad_record(DataDecoder *d, const char *what, TabiaError *error) {
    data_line_error(d, what, error);
    d->resync_pending = true;
    return DATA_READ_BAD_RECORD;
}

static int bad_line(DataDecoder *d, LineStatus status, TabiaError *error) {
    if (status == LINE_HAS_ZERO_BYTE) return bad_record(d, "it contains a zero byte", error);
    tabia_fail(error, "line %" PRIu64 ": it is longer than %d characters", d->line_number + 1, DATA_LINE_MAX - 1);
    d->resync_pending = true;
    return DATA_READ_BAD_RECORD;
}

static int end_of_input(DataDecoder *d, bool began, TabiaError *error) {
    if (data_input_failed(&d->in)) return data_truncated(d, "a line", 0, 0, error);
    if (!began) return DATA_READ_END;
    return data_read_error(error, "line %" PRIu64 ": truncated: the record has no line 'e' at its end", d->line_number);
}

static int long_record(DataDecoder *d, TabiaError *error) {
    TabiaError cause;
    tabia_fail(&cause, "the record is longer than %d bytes; a line 'e' ends it", RECORD_BYTES_MAX);
    return bad_record(d, cause.text, error);
}

static int end_record(DataDecoder *d, const PlainRecord *plain, DataRecord *r, TabiaError *error) {
    TabiaError cause;
    if (finish_record(plain, r, &cause)) return DATA_READ_OK;
    data_line_error(d, cause.text, error);
    return DATA_READ_BAD_RECORD;
}

/* A line of a record other than 'e'. A second position starts the next record: then only the line 'e' is missing. */
static int add_line(DataDecoder *d, const char *line, PlainRecord *plain, TabiaError *error) {
    TabiaError cause;
    const unsigned field = find_field(line);
    if (field == FIELD_position && plain->fields_present & HAS_position) {
        tabia_fail(&cause, "another '%s', but no line 'e' ends the record", plain_variant.position);
        data_line_error(d, cause.text, error);
        d->in.begin = d->line_start;
        d->line_number--;
        return DATA_READ_BAD_RECORD;
    }
    if (!parse_line(line, field, plain, &cause)) return bad_record(d, cause.text, error);
    return data_input_offset(&d->in) - d->record_offset <= RECORD_BYTES_MAX ? DATA_READ_OK : long_record(d, error);
}

/* A blank line, before a record or within it. */
static int skip_blank_line(DataDecoder *d, bool began, uint64_t begin, TabiaError *error) {
    const uint64_t here = data_input_offset(&d->in);
    if (began) return here - d->record_offset <= RECORD_BYTES_MAX ? DATA_READ_OK : long_record(d, error);
    d->record_offset = here;
    if (here - begin <= DATA_SKIPPED_LINES_BYTES) return DATA_READ_OK;
    return data_read_error(error, "line %" PRIu64 ": no record in %d bytes of blank lines", d->line_number,
                           DATA_SKIPPED_LINES_BYTES);
}

int plain_read(DataDecoder *d, DataRecord *r, TabiaError *error) {
    char line[DATA_LINE_MAX];
    PlainRecord plain = {.fields_present = HAS_NO_FIELDS};
    int result = DATA_READ_OK;
    const uint64_t begin = d->record_offset = data_input_offset(&d->in);
    while (result == DATA_READ_OK) {
        const LineStatus status = data_read_line(d, line);
        if (status == LINE_END_OF_INPUT) return end_of_input(d, plain.fields_present, error);
        if (status != LINE_OK) return bad_line(d, status, error);
        if (!strcmp(line, "e")) return end_record(d, &plain, r, error);
        result = *line ? add_line(d, line, &plain, error) : skip_blank_line(d, plain.fields_present, begin, error);
    }
    return result;
}

void plain_write(DataEncoder *e, const DataRecord *r) {
    char fen[FEN_MAX], move[UCI_MAX], text[FEN_MAX + 80], *at = text;
    fen_write(&r->position, FEN_STANDARD, fen);
    if (r->move) move_to_uci(&r->position, r->move, false, move);
    at = tabia_text_put(at, plain_variant.position);
    at = tabia_text_put(tabia_text_put(at, " "), fen);
    at = tabia_text_put(tabia_text_put(at, "\nmove "), r->move ? move : plain_variant.no_move);
    at = tabia_text_put_number(tabia_text_put(at, "\nscore "), data_score16(r->score));
    at = tabia_text_put_number(tabia_text_put(at, "\nply "), (uint16_t)(r->ply + plain_variant.first_ply));
    at = tabia_text_put_number(tabia_text_put(at, "\nresult "), r->result);
    at = tabia_text_put(at, "\ne\n");
    assert(at <= text + sizeof text);
    data_buffer_append(&e->bytes, text, (size_t)(at - text));
}
