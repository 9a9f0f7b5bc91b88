/* SPDX-License-Identifier: MIT */
/*
 * The text of Stockfish's tools: a record is six lines, score and result for the side to move.
 *
 *   fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
 *   move e2e4           castling e1g1, or e1h1 where that is not clear; 0000 if not known
 *   score 10
 *   ply 0
 *   result 1
 *   e
 *
 * Read in any order of the lines, blank lines and carriage returns allowed, but each once and all six fields of the
 * FEN. Lines and records have a greatest length, and so has what is passed over, so that reading ends whatever the
 * input is.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "data/decode.h"
#include "data/encode.h"
#include "notation/fen.h"
#include "notation/move_text.h"

enum {
    LINE_MAX = 256,        /* with its '\0' */
    RECORD_MOST = 4096,    /* bytes */
    SKIPPED_MOST = 1 << 20 /* bytes of blank lines, or behind a bad record */
};

/* ---- lines ---- */

/* A name, and the blank behind it. */
#define FIELDS(FIELD) FIELD(fen) FIELD(move) FIELD(score) FIELD(ply) FIELD(result)
#define FIELD_NUMBER(name) NUMBER_##name,
enum { FIELDS(FIELD_NUMBER) FIELDS_N };
#define FIELD_BIT(name) HAS_##name = 1 << NUMBER_##name,
enum { FIELDS(FIELD_BIT) HAS_NOTHING = 0 };

static const char *field_name(unsigned number) {
#define NAME(name) #name,
    static const char *const names[] = {FIELDS(NAME)};
#undef NAME
    return names[number];
}

typedef struct {
    Position position;
    char move[LINE_MAX];
    long score, ply, result;
    unsigned has;
} Lines;

typedef enum { LINE_READ, LINE_NONE, LINE_LONG, LINE_ZERO } LineRead;

/* A line without its end; LINE_NONE where the input ends. Of one that is too long nothing is taken. */
static LineRead next_line(DataDecoder *d, char line[LINE_MAX]) {
    DataInput *in = &d->in;
    const size_t have = data_input_have(in, LINE_MAX);
    if (!have) return LINE_NONE;
    const uint8_t *here = data_input_here(in), *stop = memchr(here, '\n', have);
    size_t length = stop ? (size_t)(stop - here) : have;
    if (!stop && have == LINE_MAX) return LINE_LONG;
    const bool zero = memchr(here, '\0', length) != NULL;
    memcpy(line, here, length);
    d->line_at = in->at;
    in->at += length + (stop != NULL);
    d->lines++;
    if (length && line[length - 1] == '\r') length--;
    line[length] = '\0';
    return zero ? LINE_ZERO : LINE_READ;
}

/* Passes over a line that is too long, but not beyond the offset `most`. */
static void pass_long_line(DataDecoder *d, uint64_t most) {
    DataInput *in = &d->in;
    for (bool more = true; more && data_input_offset(in) <= most;) {
        const size_t have = data_input_have(in, LINE_MAX);
        const uint8_t *here = data_input_here(in), *stop = memchr(here, '\n', have);
        in->at += stop ? (size_t)(stop - here) + 1 : have;
        more = have && !stop;
    }
    d->lines++;
}

/* The number of the line at hand stands before what is wrong with it. */
static bool wrong(const DataDecoder *d, const char *what, Fault *fault) {
    return tabia_fault(fault, "line %" PRIu64 ": %.300s", d->lines, what);
}

/* ---- what they say ---- */

static bool read_number(const char *text, long least, long most, long *n) {
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
    if (value < least || value > most) return false;
    *n = value;
    return true;
}

/* The clocks are part of it here: other programs stop at a FEN without them. */
static bool read_fen(Lines *l, const char *fen, Fault *fault) {
    unsigned fields = 0;
    for (const char *at = fen; *(at += strspn(at, " \t")); at += strcspn(at, " \t")) fields++;
    if (!fen_parse(&l->position, fen, fault)) return false;
    return fields >= 6 || tabia_fault(fault,
                                      "the FEN has %u of its 6 fields; the last are the halfmove clock and the "
                                      "fullmove number, as in '- 0 1'",
                                      fields);
}

static bool read_field(Lines *l, unsigned number, const char *text, Fault *fault) {
    switch (number) {
    case NUMBER_fen:
        return read_fen(l, text, fault);
    case NUMBER_move:
        strcpy(l->move, text);
        return true;
    case NUMBER_score:
        return read_number(text, INT16_MIN, INT16_MAX, &l->score) ||
               tabia_fault(fault, "the score '%.40s' is no number from -32768 to 32767", text);
    case NUMBER_ply:
        return read_number(text, 0, UINT16_MAX, &l->ply) ||
               tabia_fault(fault, "the ply '%.40s' is no number from 0 to 65535", text);
    default:
        return read_number(text, -1, 1, &l->result) || tabia_fault(fault, "the result '%.40s' is not -1, 0 or 1", text);
    }
}

/* The field that a line is of, or FIELDS_N. */
static unsigned field_of(const char *line) {
    unsigned number = 0;
    for (; number < FIELDS_N; number++) {
        const size_t length = strlen(field_name(number));
        if (!strncmp(line, field_name(number), length) && line[length] == ' ') break;
    }
    return number;
}

/* One line into the record's. */
static bool take_line(const char *line, unsigned number, Lines *l, Fault *fault) {
    if (number == FIELDS_N)
        return tabia_fault(fault, "'%.40s' begins with none of fen, move, score, ply, result, e", line);
    if (l->has >> number & 1)
        return tabia_fault(fault, "a second '%s'; a record has one, and ends with a line 'e'", field_name(number));
    l->has |= 1u << number;
    return read_field(l, number, line + strlen(field_name(number)) + 1, fault);
}

static bool finish(const Lines *l, DataRecord *r, Fault *fault) {
    const unsigned missing = (HAS_fen | HAS_score | HAS_result) & ~l->has;
    if (missing) return tabia_fault(fault, "the record ends without '%s'", field_name((unsigned)first(missing)));
    r->position = l->position;
    r->move = 0;
    if (l->has & HAS_move && strcmp(l->move, "0000") != 0) {
        r->move = move_from_uci(&r->position, l->move);
        if (!r->move) return tabia_fault(fault, "illegal move: '%.20s'", l->move);
    }
    r->score = (int32_t)l->score;
    r->ply = l->has & HAS_ply ? (uint16_t)l->ply : data_ply_of(&r->position);
    r->result = (int8_t)l->result;
    return true;
}

/* ---- records ---- */

/* Passes over the rest of a bad record, up to its line 'e'. */
static int skip_record(DataDecoder *d, Fault *fault) {
    char line[LINE_MAX];
    const uint64_t begin = data_input_offset(&d->in), most = begin + SKIPPED_MOST;
    for (;;) {
        const LineRead how = next_line(d, line);
        if (how == LINE_NONE || (how == LINE_READ && !strcmp(line, "e"))) return DATA_GOOD;
        if (how == LINE_LONG) pass_long_line(d, most);
        if (data_input_offset(&d->in) > most) break;
    }
    d->at = begin;
    return data_broken(fault, "line %" PRIu64 ": no line 'e' ends the bad record before it in %d bytes", d->lines,
                       SKIPPED_MOST);
}

/* The record is bad, and its rest is passed over before the next. */
static int bad_record(DataDecoder *d, const char *what, Fault *fault) {
    wrong(d, what, fault);
    d->skipping = true;
    return DATA_BAD;
}

static int bad_line(DataDecoder *d, LineRead how, Fault *fault) {
    if (how == LINE_ZERO) return bad_record(d, "it holds a zero byte", fault);
    tabia_fault(fault, "line %" PRIu64 ": it is longer than %d characters", d->lines + 1, LINE_MAX - 1);
    d->skipping = true;
    return DATA_BAD;
}

static int no_line(DataDecoder *d, bool began, Fault *fault) {
    if (d->in.error) return data_short(d, "a line", 0, 0, fault);
    if (!began) return DATA_AT_END;
    return data_broken(fault, "line %" PRIu64 ": truncated: the record has no line 'e' at its end", d->lines);
}

static int long_record(DataDecoder *d, Fault *fault) {
    Fault why;
    tabia_fault(&why, "the record is longer than %d bytes; a line 'e' ends it", RECORD_MOST);
    return bad_record(d, why.text, fault);
}

static int last_line(DataDecoder *d, const Lines *l, DataRecord *r, Fault *fault) {
    Fault why;
    if (finish(l, r, &why)) return DATA_GOOD;
    wrong(d, why.text, fault);
    return DATA_BAD;
}

/* A line of a record, but not its last. A second `fen` begins the next record: only the line 'e' is missing. */
static int add_line(DataDecoder *d, const char *line, Lines *l, Fault *fault) {
    Fault why;
    const unsigned number = field_of(line);
    if (number == NUMBER_fen && l->has & HAS_fen) {
        wrong(d, "another 'fen', but no line 'e' has ended the record", fault);
        d->in.at = d->line_at;
        d->lines--;
        return DATA_BAD;
    }
    if (!take_line(line, number, l, &why)) return bad_record(d, why.text, fault);
    return data_input_offset(&d->in) - d->at <= RECORD_MOST ? DATA_GOOD : long_record(d, fault);
}

/* Blank lines, which lie before records or within. */
static int pass_blank(DataDecoder *d, bool began, uint64_t begin, Fault *fault) {
    const uint64_t here = data_input_offset(&d->in);
    if (began) return here - d->at <= RECORD_MOST ? DATA_GOOD : long_record(d, fault);
    d->at = here;
    if (here - begin <= SKIPPED_MOST) return DATA_GOOD;
    return data_broken(fault, "line %" PRIu64 ": no record in %d bytes of blank lines", d->lines, SKIPPED_MOST);
}

static int get_record(DataDecoder *d, DataRecord *r, Fault *fault) {
    char line[LINE_MAX];
    Lines l = {.has = HAS_NOTHING};
    int so_far = DATA_GOOD;
    const uint64_t begin = d->at = data_input_offset(&d->in);
    while (so_far == DATA_GOOD) {
        const LineRead how = next_line(d, line);
        if (how == LINE_NONE) return no_line(d, l.has, fault);
        if (how != LINE_READ) return bad_line(d, how, fault);
        if (!strcmp(line, "e")) return last_line(d, &l, r, fault);
        so_far = *line ? add_line(d, line, &l, fault) : pass_blank(d, l.has, begin, fault);
    }
    return so_far;
}

static void put_record(DataEncoder *e, const DataRecord *r) {
    char fen[FEN_MAX], move[UCI_MAX] = "0000", text[FEN_MAX + 80], *at = text;
    fen_write(&r->position, FEN_STANDARD, fen);
    if (r->move) move_to_uci(&r->position, r->move, false, move);
    at = tabia_text_put(tabia_text_put(at, "fen "), fen);
    at = tabia_text_put(tabia_text_put(at, "\nmove "), move);
    at = tabia_text_put_number(tabia_text_put(at, "\nscore "), data_score16(r->score));
    at = tabia_text_put_number(tabia_text_put(at, "\nply "), r->ply);
    at = tabia_text_put_number(tabia_text_put(at, "\nresult "), r->result);
    at = tabia_text_put(at, "\ne\n");
    data_bytes_put(&e->bytes, text, (size_t)(at - text));
}

static DataFields lost(const DataRecord *r) {
    (void)r;
    return DATA_NO_FIELD;
}

const DataFormat data_format_plain = {
    .name = "plain",
    .endings = "plain txt",
    .about = "text of Stockfish's tools: fen, move, score, ply, result, e",
    .least_bits = 40 * 8,
    .holds = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_CLOCK |
             DATA_NUMBER | DATA_GAMES | DATA_SKIP,
    .limits = "none",
    .lost = lost,
    .put = put_record,
    .get = get_record,
    .skip = skip_record,
};
