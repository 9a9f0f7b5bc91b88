/* SPDX-License-Identifier: MIT */
#include "openings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/random.h"
#include "data/reader.h"
#include "notation/fen.h"

/* ---- lines of text ---- */

enum { LINE_ROOM = 512 };

/* The position that a line begins with; of its clocks nothing is kept: a game begins here. */
static bool parse_line(const char *at, size_t length, Position *p, TabiaError *error) {
    char line[LINE_ROOM];
    const char *rest;
    if (length >= LINE_ROOM) length = LINE_ROOM - 1;
    memcpy(line, at, length);
    line[length] = '\0';
    if (!fen_parse_epd(p, line, &rest, error)) return false;
    p->halfmove = 0;
    p->fullmove = 1;
    return true;
}

static size_t line_length(const char *at, const char *end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return (size_t)((stop ? stop : end) - at);
}

static bool is_blank(const char *at, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (at[i] != ' ' && at[i] != '\t' && at[i] != '\r') return *at == '#';
    return true;
}

/* Every line that is not blank and no remark holds a position, and one does. */
static bool check_lines(Openings *o, const char *book, TabiaError *error) {
    const char *at = o->text, *end = o->text + o->bytes;
    size_t number = 0;
    while (at < end) {
        const size_t length = line_length(at, end);
        Position p;
        TabiaError cause;
        number++;
        if (!is_blank(at, length)) {
            if (!parse_line(at, length, &p, &cause))
                return tabia_fail(error, "%.120s, line %zu: %.240s", book, number, cause.text);
            o->positions++;
        }
        at += length + 1;
    }
    return o->positions ||
           tabia_fail(error, "%s: there is no position in it; a book has a FEN or EPD on each line", book);
}

/* The line behind a random byte, the first behind the last. */
static bool random_line(const Openings *o, uint64_t *random, Position *p) {
    const char *end = o->text + o->bytes, *at = o->text + random_next(random) % o->bytes;
    at += line_length(at, end) + 1;
    if (at >= end) at = o->text;
    const size_t length = line_length(at, end);
    return !is_blank(at, length) && parse_line(at, length, p, NULL);
}

/* ---- opening ---- */

static bool map_text(Openings *o, const char *book, TabiaError *error) {
    struct stat status;
    const int file = open(book, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &status) == 0;
    if (good && !S_ISREG(status.st_mode)) good = false, errno = EISDIR;
    if (!good) tabia_fail(error, "%s: cannot be read: %s", book, strerror(errno));
    if (good && status.st_size == 0) good = tabia_fail(error, "%s: there is no position in it", book);
    if (good) {
        void *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        good = at != MAP_FAILED || tabia_fail(error, "%s: cannot be read: %s", book, strerror(errno));
        if (good) o->text = at, o->bytes = (size_t)status.st_size;
    }
    if (file >= 0) close(file);
    return good;
}

static bool add_position(Openings *o, size_t *room, const Position *p) {
    if (o->positions == *room) {
        *room = *room ? 2 * *room : 1024;
        Position *more = aligned_alloc(_Alignof(Position), *room * sizeof *more);
        if (!more) return false;
        if (o->positions) memcpy(more, o->position, o->positions * sizeof *more);
        free(o->position);
        o->position = more;
    }
    o->position[o->positions] = *p;
    o->position[o->positions].halfmove = 0;
    o->position[o->positions++].fullmove = 1;
    return true;
}

/* All positions of a file of training data. */
static bool read_records(Openings *o, const char *book, const DataFormat *format, TabiaError *error) {
    DataReader *r = data_reader_open(book, format, error);
    DataRecord record;
    DataReadStatus how = DATA_READ_END;
    TabiaError cause;
    size_t room = 0;
    if (!r) return false;
    while ((how = data_read(r, &record, &cause)) == DATA_READ_OK)
        if (!add_position(o, &room, &record.position)) break;
    data_reader_close(r);
    if (how == DATA_READ_OK) return tabia_fail(error, "%s: no memory for its positions", book);
    if (how != DATA_READ_END) return tabia_fail(error, "%.120s: %.260s", book, cause.text);
    return o->positions || tabia_fail(error, "%s: there is no position in it", book);
}

bool openings_open(Openings *o, const char *book, Start start, bool check, uint64_t *sum, TabiaError *error) {
    *o = (Openings){.start = start};
    if (!book) return true;
    const DataFormat *format = data_format_by_extension(book);
    bool good = map_text(o, book, error);
    if (good && sum) *sum = tabia_checksum(o->text, o->bytes);
    if (good && format && format != &data_format_plain) {
        munmap((char *)o->text, o->bytes);
        o->text = NULL;
        good = read_records(o, book, format, error);
    } else if (good && check) {
        good = check_lines(o, book, error);
    }
    if (!good) openings_close(o);
    return good;
}

void openings_close(Openings *o) {
    if (o->text) munmap((char *)o->text, o->bytes);
    free(o->position);
    *o = (Openings){0};
}

/* ---- Chess960 ---- */

/* The n-th file, from 0, on which nothing stands yet. */
static unsigned free_file(const PieceType *kind, unsigned n) {
    unsigned file = 0;
    while (kind[file] != NO_PIECE_TYPE || n--) file++;
    return file;
}

/* Scharnagl's way: bishops, queen, the pair of knights, and rook, king, rook on what is left. */
static void arrange(unsigned number, PieceType kind[8]) {
    static const unsigned char knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                                 {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    for (unsigned f = 0; f < 8; f++) kind[f] = NO_PIECE_TYPE;
    kind[2 * (number % 4) + 1] = BISHOP;
    kind[2 * (number / 4 % 4)] = BISHOP;
    kind[free_file(kind, number / 16 % 6)] = QUEEN;
    const unsigned char *pair = knights[number / 96];
    const unsigned first = free_file(kind, pair[0]), second = free_file(kind, pair[1]);
    kind[first] = kind[second] = KNIGHT;
    kind[free_file(kind, 0)] = ROOK;
    kind[free_file(kind, 0)] = KING;
    kind[free_file(kind, 0)] = ROOK;
}

static void place_row(Position *p, Colour c, const PieceType kind[8]) {
    for (unsigned f = 0; f < 8; f++) {
        position_put(p, (int)f + back_rank_start(c), c, kind[f]);
        if (kind[f] == ROOK) p->castle[c] |= (uint8_t)(1u << f);
    }
    p->side[c] |= pawn_start_rank(c);
    p->pawn |= pawn_start_rank(c);
}

void openings_chess960(Position *p, unsigned white, unsigned black) {
    PieceType kind[8];
    *p = (Position){.turn = WHITE, .fullmove = 1};
    arrange(white, kind);
    place_row(p, WHITE, kind);
    arrange(black, kind);
    place_row(p, BLACK, kind);
}

/* ---- drawing ---- */

uint64_t openings_starts(const Openings *o) {
    if (o->text || o->position) return o->positions ? o->positions : UINT64_MAX;
    return o->start == START_STANDARD ? 1 : UINT64_MAX;
}

bool openings_draw(const Openings *o, uint64_t *random, Position *p) {
    if (o->position) return *p = o->position[random_next(random) % o->positions], true;
    if (o->text) return random_line(o, random, p);
    unsigned white = 518, black = 518;
    if (o->start == START_CHESS960) white = black = random_below(random, 960);
    if (o->start == START_DFRC) white = random_below(random, 960), black = random_below(random, 960);
    openings_chess960(p, white, black);
    return true;
}

bool openings_play(uint64_t *random, Position *p, unsigned plies) {
    Move list[MOVES_MAX];
    for (unsigned i = 0; i < plies; i++) {
        const unsigned n = moves_list(p, list);
        if (!n) return false;
        position_make_move(p, p, list[random_below(random, n)]);
    }
    return moves_count(p) && !in_check(p);
}
