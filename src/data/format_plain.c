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
 * Read in any order of the lines, blank lines and carriage returns allowed.
 */
#include <string.h>

#include "base/text.h"
#include "data/decode.h"
#include "data/encode.h"
#include "notation/fen.h"
#include "notation/move_text.h"

enum { LINE_MAX = 256 };

typedef struct {
    Position position;
    char move[LINE_MAX];
    long score, ply, result;
    bool has_fen, has_score, has_ply, has_result, has_move;
} Lines;

typedef enum { LINE_READ, LINE_NONE, LINE_LONG } LineRead;

/* A line without its end; LINE_NONE where the input ends. Of one that is too long the rest is passed over. */
static LineRead next_line(DataInput *in, char line[LINE_MAX]) {
    const size_t have = data_input_have(in, LINE_MAX);
    if (!have) return LINE_NONE;
    const uint8_t *here = data_input_here(in), *stop = memchr(here, '\n', have);
    size_t length = stop ? (size_t)(stop - here) : have;
    if (!stop && have == LINE_MAX) {
        for (;;) {
            const size_t more = data_input_have(in, LINE_MAX);
            stop = memchr(data_input_here(in), '\n', more);
            in->at += stop ? (size_t)(stop - data_input_here(in)) + 1 : more;
            if (stop || !more) return LINE_LONG;
        }
    }
    const bool zero = memchr(here, '\0', length) != NULL;
    memcpy(line, here, length);
    in->at += length + (stop != NULL);
    if (length && line[length - 1] == '\r') length--;
    line[length] = '\0';
    return zero ? LINE_LONG : LINE_READ;
}

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

/* One line into the record's. */
static bool take_line(const char *line, Lines *l, Fault *fault) {
    if (!strncmp(line, "fen ", 4)) {
        Fault why;
        return (l->has_fen = fen_parse(&l->position, line + 4, &why)) || tabia_fault(fault, "%.300s", why.text);
    }
    if (!strncmp(line, "move ", 5)) {
        l->has_move = true;
        strcpy(l->move, line + 5);
        return true;
    }
    if (!strncmp(line, "score ", 6))
        return (l->has_score = read_number(line + 6, INT16_MIN, INT16_MAX, &l->score)) ||
               tabia_fault(fault, "the score '%.40s' is no number from -32768 to 32767", line + 6);
    if (!strncmp(line, "ply ", 4))
        return (l->has_ply = read_number(line + 4, 0, UINT16_MAX, &l->ply)) ||
               tabia_fault(fault, "the ply '%.40s' is no number from 0 to 65535", line + 4);
    if (!strncmp(line, "result ", 7))
        return (l->has_result = read_number(line + 7, -1, 1, &l->result)) ||
               tabia_fault(fault, "the result '%.40s' is not -1, 0 or 1", line + 7);
    return tabia_fault(fault, "the line '%.40s' begins with none of fen, move, score, ply, result, e", line);
}

static bool finish(const Lines *l, DataRecord *r, Fault *fault) {
    const char *missing = !l->has_fen ? "fen" : !l->has_score ? "score" : !l->has_result ? "result" : NULL;
    if (missing) return tabia_fault(fault, "there is no line '%s'", missing);
    r->position = l->position;
    r->move = 0;
    if (l->has_move && strcmp(l->move, "0000") != 0) r->move = move_from_uci(&r->position, l->move);
    if (l->has_move && strcmp(l->move, "0000") != 0 && !r->move)
        return tabia_fault(fault, "illegal move: '%.20s'", l->move);
    r->score = (int16_t)l->score;
    r->ply = l->has_ply ? (uint16_t)l->ply : data_ply_of(&r->position);
    r->result = (int8_t)l->result;
    return true;
}

/* Passes over the rest of a bad record. */
static int skip_record(DataInput *in) {
    char line[LINE_MAX];
    LineRead how;
    do {
        how = next_line(in, line);
    } while (how == LINE_LONG || (how == LINE_READ && strcmp(line, "e") != 0));
    return DATA_BAD;
}

static int get_record(DataDecoder *d, DataRecord *r, Fault *fault) {
    char line[LINE_MAX];
    Lines l = {.has_fen = false};
    bool began = false;
    for (d->at = data_input_offset(&d->in);;) {
        const LineRead how = next_line(&d->in, line);
        if (how == LINE_NONE && !began && !d->in.error) return DATA_AT_END;
        if (how == LINE_NONE)
            return d->in.error ? data_short(d, "a line", 0, 0, fault)
                               : data_broken(fault, "truncated: the record has no line 'e' at its end");
        if (how == LINE_LONG) {
            data_bad(fault, "a line is longer than %d characters, or holds a zero byte", LINE_MAX - 1);
            return skip_record(&d->in);
        }
        if (!*line && !began) d->at = data_input_offset(&d->in);
        if (!*line) continue;
        began = true;
        if (!strcmp(line, "e")) return finish(&l, r, fault) ? DATA_GOOD : DATA_BAD;
        if (!take_line(line, &l, fault)) return skip_record(&d->in);
    }
}

static void put_record(DataEncoder *e, const DataRecord *r) {
    char fen[FEN_MAX], move[UCI_MAX] = "0000", text[FEN_MAX + 80], *at = text;
    fen_write(&r->position, FEN_STANDARD, fen);
    if (r->move) move_to_uci(&r->position, r->move, false, move);
    at = tabia_text_put(tabia_text_put(at, "fen "), fen);
    at = tabia_text_put(tabia_text_put(at, "\nmove "), move);
    at = tabia_text_put_number(tabia_text_put(at, "\nscore "), r->score);
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
};
