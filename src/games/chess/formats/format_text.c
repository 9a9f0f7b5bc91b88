/* SPDX-License-Identifier: MIT */
/*
 * A record as a line, as bullet's tools read it; score and result are white's:
 *
 *   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 10 | 0.5
 *
 * The result is 1.0, 0.5 or 0.0; read are 1, 1/2, 0 and brackets around it too. The FEN may end before its move counters.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/encode.h"
#include "data/text_lines.h"
#include "notation/fen.h"

/* Cuts the last field off a line: what is behind its last '|', without blanks around it. Null: there is no '|'. */
static const char *cut_field(char *line) {
    char *bar = strrchr(line, '|');
    if (!bar) return NULL;
    *bar = '\0';
    char *field = bar + 1 + strspn(bar + 1, " \t");
    for (char *end = field + strlen(field); end > field && strchr(" \t", end[-1]);) *--end = '\0';
    return field;
}

static bool parse_score(const char *text, int16_t *score, TabiaError *error) {
    char *end;
    const long n = strtol(text, &end, 10);
    *score = (int16_t)n;
    return (end != text && !*end && n >= INT16_MIN && n <= INT16_MAX) ||
           tabia_fail(error, "the score '%.40s' is not a number from -32768 to 32767", text);
}

static bool parse_result(const char *text, int8_t *white, TabiaError *error) {
    static const struct {
        const char *text;
        int8_t white;
    } known[] = {{"1.0", 1},    {"0.5", 0}, {"0.0", -1}, {"[1.0]", 1}, {"[0.5]", 0},
                 {"[0.0]", -1}, {"1", 1},   {"1/2", 0},  {"0", -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(text, known[i].text)) return *white = known[i].white, true;
    return tabia_fail(error, "the result '%.40s' is not 1.0, 0.5 or 0.0", text);
}

static bool parse_record(char *line, DataRecord *r, TabiaError *error) {
    int16_t score = 0;
    int8_t white = 0;
    const char *result = cut_field(line), *centipawns = result ? cut_field(line) : NULL;
    if (!centipawns)
        return tabia_fail(error, "a record is FEN | score | result, and this has %s '|'", result ? "one" : "no");
    if (!parse_score(centipawns, &score, error) || !parse_result(result, &white, error) ||
        !fen_parse(&r->position, line, error))
        return false;
    r->move = 0;
    r->ply = move_counters_ply(&r->position);
    r->score = r->position.turn == WHITE ? score : -score;
    r->result = r->position.turn == WHITE ? white : (int8_t)-white;
    return true;
}

/* Behind a line that is too long. */
static int resync(DataDecoder *d, TabiaError *error) {
    const uint64_t begin = data_input_offset(&d->in), maximum = begin + DATA_SKIPPED_LINES_BYTES;
    data_skip_long_line(d, maximum);
    if (data_input_offset(&d->in) <= maximum) return DATA_READ_OK;
    d->record_offset = begin;
    return data_read_error(error, "line %" PRIu64 ": it does not end in %d bytes", d->line_number,
                           DATA_SKIPPED_LINES_BYTES);
}

/* A line that is no record: the status to return, or DATA_READ_OK if it is one. */
static int line_fault(DataDecoder *d, LineStatus status, TabiaError *error) {
    if (status == LINE_OK) return DATA_READ_OK;
    if (status == LINE_END_OF_INPUT)
        return data_input_failed(&d->in) ? data_truncated(d, "a line", 0, 0, error) : DATA_READ_END;
    if (status == LINE_HAS_ZERO_BYTE) return data_line_error(d, "it contains a zero byte", error), DATA_READ_BAD_RECORD;
    d->resync_pending = true;
    return data_bad_record(error, "line %" PRIu64 ": it is longer than %d characters", d->line_number + 1,
                           DATA_LINE_MAX - 1);
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    char line[DATA_LINE_MAX];
    TabiaError cause;
    const uint64_t begin = data_input_offset(&d->in);
    do {
        d->record_offset = data_input_offset(&d->in);
        if (d->record_offset - begin > DATA_SKIPPED_LINES_BYTES)
            return data_read_error(error, "line %" PRIu64 ": no record in %d bytes of blank lines", d->line_number,
                                   DATA_SKIPPED_LINES_BYTES);
        const int fault = line_fault(d, data_read_line(d, line), error);
        if (fault != DATA_READ_OK) return fault;
    } while (!line[strspn(line, " \t")]);
    if (parse_record(line, r, &cause)) return DATA_READ_OK;
    data_line_error(d, cause.text, error);
    return DATA_READ_BAD_RECORD;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    static const char *const results[] = {"0.0", "0.5", "1.0"};
    char text[FEN_MAX + 40], *at = text;
    fen_write(&r->position, FEN_STANDARD, text);
    at = tabia_text_put(at + strlen(text), " | ");
    at = tabia_text_put_number(at, data_score16(data_white_score(r)));
    at = tabia_text_put(tabia_text_put(at, " | "), results[data_white_result(r) + 1]);
    at = tabia_text_put(at, "\n");
    assert(at < text + sizeof text);
    data_buffer_append(&e->bytes, text, (size_t)(at - text));
}

const DataFormat data_format_text = {
    .name = "text",
    .extensions = "text txt",
    .description = "a line: FEN | score | result, both for white",
    .min_record_bits = 27 * 8,
    .fields =
        DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_HALFMOVE_CLOCK | DATA_FULLMOVE_NUMBER,
    .white_relative = true,
    .limits = "the ply follows from the fullmove number",
    .write = write_record,
    .read = read_record,
    .resync = resync,
};
