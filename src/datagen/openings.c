/* SPDX-License-Identifier: MIT */
#include "openings.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/system.h"
#include "data/input.h"
#include "data/recognize.h"
#include "notation/fen.h"
#include "notation/move_text.h"

/* ---- books of text ---- */

enum { LINE_BYTES_MAX = 512 };

/* A line without the byte order mark in front of it. */
static void skip_byte_order_mark(const char **at, size_t *length) {
    if (*length < DATA_BYTE_ORDER_MARK_BYTES || memcmp(*at, data_byte_order_mark, DATA_BYTE_ORDER_MARK_BYTES)) return;
    *at += DATA_BYTE_ORDER_MARK_BYTES, *length -= DATA_BYTE_ORDER_MARK_BYTES;
}

/* Moves to *at behind the word and a blank or the end, and past blanks. */
static bool take_word(const char **at, const char *word) {
    const size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0 || !strchr(" \t\r", (*at)[n])) return false;
    *at += n + strspn(*at + n, " \t\r");
    return true;
}

/* Moves from the word "moves" to the end of the line. */
static bool play_moves(const char *at, const char *end, Position *p, TabiaError *error) {
    char word[16];
    for (unsigned n = 1;; n++) {
        size_t length = 0;
        while (at < end && strchr(" \t\r", *at)) at++;
        while (at < end && length + 1 < sizeof word && !strchr(" \t\r", *at)) word[length++] = *at++;
        word[length] = '\0';
        if (!length) return true;
        const Move m = move_from_uci(p, word);
        if (!m) return tabia_fail(error, "move %u, '%s', is not legal", n, word);
        position_make_move(p, p, m);
    }
}

/* A position as text, or what follows "position" in the protocols; and the moves behind it. */
static bool parse_line(const char *text, size_t length, Position *p, TabiaError *error) {
    char line[LINE_BYTES_MAX];
    skip_byte_order_mark(&text, &length);
    const char *end = text + length, *at = line, *rest = line;
    if (length >= LINE_BYTES_MAX) length = LINE_BYTES_MAX - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    at += strspn(at, " \t");
    (void)take_word(&at, "position");
    const bool is_start = take_word(&at, "startpos");
    if (!is_start) (void)(take_word(&at, "sfen") || take_word(&at, "fen"));
    const bool good = is_start ? fen_parse(p, fen_start, error) : fen_parse_epd(p, at, &rest, error);
    if (is_start) rest = at;
    if (!good) return false;
    if (take_word(&rest, "moves")) {
        if (!play_moves(text + (rest - line), end, p, error)) return false;
    } else if (is_start && *rest) {
        return tabia_fail(error, "'%.40s' behind startpos: it is 'moves', or nothing", rest);
    }
    move_counters_reset(p);
    return true;
}

static size_t line_length(const char *at, const char *end) {
    assert(at <= end);
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return (size_t)((newline ? newline : end) - at);
}

/* Blank, or a comment. */
static bool is_blank(const char *at, size_t length) {
    skip_byte_order_mark(&at, &length);
    for (size_t i = 0; i < length; i++)
        if (at[i] != ' ' && at[i] != '\t' && at[i] != '\r') return *at == '#';
    return true;
}

/* Parses and counts all lines that are not blank. False with an error if one is bad or there is none. */
static bool validate_lines(Openings *o, const char *book, TabiaError *error) {
    const char *at = o->text, *end = o->text + o->text_bytes;
    size_t number = 0;
    while (at < end) {
        const size_t length = line_length(at, end);
        Position p;
        TabiaError cause;
        number++;
        if (!is_blank(at, length)) {
            if (!parse_line(at, length, &p, &cause))
                return tabia_fail(error, "%.120s, line %zu: %.240s", book, number, cause.text);
            o->position_count++;
        }
        at += length + 1;
    }
    return o->position_count || tabia_fail(error, "%s: contains no position; a book has a position on each line", book);
}

/* Draws the line behind a random byte; behind the last line, the first. */
static bool draw_line(const Openings *o, uint64_t *random, Position *p) {
    const char *end = o->text + o->text_bytes, *at = o->text + random_next(random) % o->text_bytes;
    at += line_length(at, end) + 1;
    if (at >= end) at = o->text;
    const size_t length = line_length(at, end);
    return !is_blank(at, length) && parse_line(at, length, p, NULL);
}

/* ---- opening ---- */

static bool map_text(Openings *o, const char *book, TabiaError *error) {
    struct stat status;
    const int file = tabia_file_open_read(book);
    bool good = file >= 0 && fstat(file, &status) == 0;
    if (good && S_ISDIR(status.st_mode)) good = false, errno = EISDIR;
    if (!good)
        tabia_fail(error, "%s: cannot be read: %s", book, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        good = tabia_fail(error, "%s: no regular file, and a book is not read in order; copy it to a file first", book);
    if (good && status.st_size == 0) good = tabia_fail(error, "%s: contains no position", book);
    if (good) {
        const char *at = tabia_file_map(file, (size_t)status.st_size);
        good = at || tabia_fail(error, "%s: cannot be read: %s", book, strerror(errno));
        if (good) o->text = at, o->text_bytes = (size_t)status.st_size;
    }
    if (file >= 0) close(file);
    return good;
}

static bool append_position(Openings *o, size_t *capacity, const Position *p) {
    assert(o->position_count <= *capacity);
    if (o->position_count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 1024;
        Position *larger = tabia_aligned_get(_Alignof(Position), *capacity * sizeof *larger);
        if (!larger) return false;
        if (o->position_count) memcpy(larger, o->positions, o->position_count * sizeof *larger);
        tabia_aligned_free(o->positions);
        o->positions = larger;
    }
    o->positions[o->position_count] = *p;
    move_counters_reset(&o->positions[o->position_count++]);
    return true;
}

/* All positions of a file of training data. */
static bool read_records(Openings *o, const char *book, const DataFormat *format, TabiaError *error) {
    DataReader *r = data_reader_open(book, format, error);
    DataRecord record;
    DataReadStatus status = DATA_READ_END;
    TabiaError cause;
    size_t capacity = 0;
    if (!r) return false;
    while ((status = data_read(r, &record, &cause)) == DATA_READ_OK)
        if (!append_position(o, &capacity, &record.position)) break;
    data_reader_close(r);
    if (status == DATA_READ_OK) return tabia_fail(error, "%s: no memory for its positions", book);
    if (status != DATA_READ_END) return tabia_fail(error, "%.120s: %.260s", book, cause.text);
    return o->position_count || tabia_fail(error, "%s: contains no position", book);
}

bool openings_open(Openings *o, const char *book, StartPosition start, bool validate, uint64_t *checksum,
                   TabiaError *error) {
    *o = (Openings){.start = start};
    if (!book) return true;
    const DataFormat *format = data_format_by_extension(book);
    bool good = map_text(o, book, error);
    if (good && checksum) *checksum = tabia_checksum(o->text, o->text_bytes);
    if (good && format && format != &data_format_plain) {
        tabia_file_unmap(o->text, o->text_bytes);
        o->text = NULL;
        good = read_records(o, book, format, error);
    } else if (good && validate) {
        good = validate_lines(o, book, error);
    }
    if (!good) openings_close(o);
    return good;
}

void openings_close(Openings *o) {
    if (o->text) tabia_file_unmap(o->text, o->text_bytes);
    tabia_aligned_free(o->positions);
    *o = (Openings){0};
}

/* ---- drawing ---- */

uint64_t openings_count(const Openings *o) {
    if (o->text || o->positions) return o->position_count ? o->position_count : UINT64_MAX;
    return start_count(o->start);
}

bool openings_draw(const Openings *o, uint64_t *random, Position *p) {
    if (o->positions) return *p = o->positions[random_next(random) % o->position_count], true;
    if (o->text) return draw_line(o, random, p);
    start_draw(o->start, random, p);
    return true;
}

bool openings_play_random(uint64_t *random, Position *p, unsigned plies) {
    Move moves[MOVES_MAX];
    for (unsigned i = 0; i < plies; i++) {
        const unsigned n = moves_list(p, moves);
        if (!n) return false;
        position_make_move(p, p, moves[random_below(random, n)]);
    }
    return moves_count(p) && !in_check(p);
}
