/* SPDX-License-Identifier: MIT */
/*
 * One pass over the text. What a letter means is checked where it is read, while its place is at hand; what the men say
 * together is asked of validate.c, and its answer given a place again by `column`, which remembers where each square
 * was read.
 */
#include "fen.h"

#include "base/text.h"
#include "names.h"
#include "validate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char fen_start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

typedef struct {
    Position p;
    const char *text, *at; /* all of it, and how far it is read */
    bool is_epd;           /* other words may follow the fields */
    TabiaError *error;
    Part field;                 /* being read */
    const char *field_start[8]; /* of the fields read so far */
    const char *column[64];     /* where each man was read, and each number of empty squares */
} Reader;

/* ---- faults ---- */

static bool fail(Reader *r, Part field, const char *at, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Always false. */
static bool fail(Reader *r, Part field, const char *at, const char *format, ...) {
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return tabia_fail(r->error, "FEN field %d (%s), character %d: %s", (int)field, part_name(field),
                      (int)(at - r->text) + 1, reason);
}

typedef struct {
    char text[16];
} Shown;

/* A character as a message shows it. */
static Shown shown(char c) {
    Shown s;
    if (c > ' ' && c <= '~')
        snprintf(s.text, sizeof s.text, "'%c'", c);
    else
        snprintf(s.text, sizeof s.text, "byte 0x%02x", (unsigned char)c);
    return s;
}

/* A flaw of the men, put where its man was read; if it is nobody's in particular, where the field begins. */
static bool fail_flaw(Reader *r, const Flaw *flaw) {
    const bool has_man = flaw->part == PART_BOARD && flaw->square != NO_SQUARE && r->column[flaw->square];
    return fail(r, flaw->part, has_man ? r->column[flaw->square] : r->field_start[flaw->part], "%s", flaw->reason);
}

/* ---- the text and its fields ---- */

static bool at_end(const Reader *r) {
    return *r->at == '\0' || *r->at == '\n' || *r->at == '\r' || *r->at == ';';
}
static bool at_blank(const Reader *r) {
    return *r->at == ' ' || *r->at == '\t';
}
static bool in_field(const Reader *r) {
    return (unsigned char)*r->at > ' ' ? *r->at != ';' : !at_end(r) && !at_blank(r);
}

/* Goes to the next field; false if the text is over. */
static bool next_field(Reader *r, Part field) {
    while (at_blank(r)) r->at++;
    r->field = field;
    r->field_start[field] = r->at;
    return !at_end(r);
}

/* ---- field 1 ---- */

/* What a letter of the board says: how many squares it takes (0: it is no letter of a board), and who stands there. */
typedef struct {
    uint8_t squares;
    uint8_t boards; /* bit i: the man is of the i-th of BOARDS; none for a number of empty squares */
} Letter;
enum { ON_WHITE = 1, ON_BLACK = 2, ON_PAWN = 4, ON_KNIGHT = 8, ON_DIAG = 16, ON_ORTH = 32, ON_KING = 64, BOARDS = 7 };

static const Letter letters[128] = {
    ['P'] = {1, ON_WHITE | ON_PAWN},
    ['N'] = {1, ON_WHITE | ON_KNIGHT},
    ['B'] = {1, ON_WHITE | ON_DIAG},
    ['R'] = {1, ON_WHITE | ON_ORTH},
    ['Q'] = {1, ON_WHITE | ON_DIAG | ON_ORTH},
    ['K'] = {1, ON_WHITE | ON_KING},
    ['p'] = {1, ON_BLACK | ON_PAWN},
    ['n'] = {1, ON_BLACK | ON_KNIGHT},
    ['b'] = {1, ON_BLACK | ON_DIAG},
    ['r'] = {1, ON_BLACK | ON_ORTH},
    ['q'] = {1, ON_BLACK | ON_DIAG | ON_ORTH},
    ['k'] = {1, ON_BLACK | ON_KING},
    ['1'] = {1, 0},
    ['2'] = {2, 0},
    ['3'] = {3, 0},
    ['4'] = {4, 0},
    ['5'] = {5, 0},
    ['6'] = {6, 0},
    ['7'] = {7, 0},
    ['8'] = {8, 0},
};

/* The boards of a Letter, in the order of its bits, until the position takes them. */
typedef struct {
    Bits of[BOARDS];
} Boards;

/* An 8 by 8 matrix of bits: bit i of byte j becomes bit j of byte i. H. S. Warren, Hacker's Delight, 2002, 7-3. */
INLINE uint64_t transposed(uint64_t x) {
    uint64_t swap = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ swap ^ swap << 28;
}

/* The men of a rank, a byte of boards for each file, onto the boards: so no branch asks what man each is. */
static void take_rank(Boards *b, int rank, uint64_t men) {
    men = transposed(men);
    for (int i = 0; i < BOARDS; i++) b->of[i] |= (men >> 8 * i & 255) << 8 * rank;
}

static void take_boards(Position *p, const Boards *b) {
    p->side[WHITE] = b->of[0];
    p->side[BLACK] = b->of[1];
    p->pawn = b->of[2];
    p->knight = b->of[3];
    p->diag = b->of[4];
    p->orth = b->of[5];
    p->king = b->of[6];
}

/* How many squares the rank has that `at` stands in, for a message: it may be far too many. */
static int squares_in_rank(const char *at) {
    int squares = 0;
    for (; *at && *at != '/' && *at != ' ' && squares < 1000; at++) squares += is_rank_digit(*at) ? *at - '0' : 1;
    return squares;
}

static bool read_rank(Reader *r, int rank, Boards *boards) {
    const char *start = r->at;
    uint64_t men = 0;
    int file = 0;
    for (; in_field(r) && *r->at != '/'; r->at++) {
        const Letter letter = letters[*r->at & 127];
        if (!letter.squares || (*r->at & 128))
            return fail(r, PART_BOARD, r->at,
                        "%s is neither a man (one of PNBRQKpnbrqk) nor a number of empty squares "
                        "(1 to 8)",
                        shown(*r->at).text);
        if (file + letter.squares > 8)
            return fail(r, PART_BOARD, r->at, "rank %d has %d squares; a rank has 8", rank + 1, squares_in_rank(start));
        men |= (uint64_t)letter.boards << 8 * file;
        r->column[8 * rank + file] = r->at;
        file += letter.squares;
    }
    if (file != 8)
        return fail(r, PART_BOARD, r->at, "rank %d has %d square%s; a rank has 8", rank + 1, file,
                    file == 1 ? "" : "s");
    take_rank(boards, rank, men);
    return true;
}

static bool read_board(Reader *r) {
    if (!next_field(r, PART_BOARD)) return fail(r, PART_BOARD, r->at, "it is missing; a FEN begins with the board");
    Boards boards = {{0}};
    for (int rank = 7; rank >= 0; rank--) {
        if (!read_rank(r, rank, &boards)) return false;
        if (rank > 0 && *r->at != '/')
            return fail(r, PART_BOARD, r->at, "the board ends after %d rank%s; it has 8, parted by '/'", 8 - rank,
                        rank == 7 ? "" : "s");
        if (rank > 0) r->at++;
    }
    if (in_field(r)) return fail(r, PART_BOARD, r->at, "the board goes on after 8 ranks; a blank is due here");
    take_boards(&r->p, &boards);
    Flaw flaw;
    return validate_board(&r->p, &flaw) || fail_flaw(r, &flaw);
}

/* ---- fields 2 to 4 ---- */

static bool read_turn(Reader *r) {
    if (!next_field(r, PART_TURN)) return fail(r, PART_TURN, r->at, "it is missing; it is w or b");
    if (*r->at != 'w' && *r->at != 'b')
        return fail(r, PART_TURN, r->at, "%s is not a side; it is w or b", shown(*r->at).text);
    r->p.turn = *r->at++ == 'b';
    if (in_field(r)) return fail(r, PART_TURN, r->at, "%s after the side; a blank is due here", shown(*r->at).text);
    Flaw flaw;
    return validate_turn(&r->p, &flaw) || fail_flaw(r, &flaw);
}

/* The file of c's outermost rook on that side of its king, or -1. */
static int outermost_rook(const Position *p, Colour c, bool is_short) {
    const int king = king_square(p, c);
    const Bits beyond = is_short ? ~(Bits)0 << king : bit(king) - 1;
    const Bits rooks = p->side[c] & p->orth & ~p->diag & home_rank(c) & beyond;
    if (!rooks) return -1;
    return square_file(is_short ? last(rooks) : first(rooks));
}

static bool read_right(Reader *r) {
    const char letter = *r->at, lower = letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter;
    const Colour c = letter == lower ? BLACK : WHITE;
    int file = lower - 'a';
    if (lower == 'k' || lower == 'q') {
        file = outermost_rook(&r->p, c, lower == 'k');
        if (file < 0 && bit(king_square(&r->p, c)) & home_rank(c))
            return fail(r, PART_CASTLING, r->at, "%s, but %s has no rook on rank %d on the %c-file's side of its king",
                        shown(letter).text, colour_name(c), c == WHITE ? 1 : 8, lower == 'k' ? 'h' : 'a');
        if (file < 0) file = 0; /* the king's place is the error to name */
    } else if (!is_file_letter(lower)) {
        return fail(r, PART_CASTLING, r->at,
                    "%s is not a right to castle; those are letters of KQkq, or of A to H and "
                    "a to h for the rook's file, or - for none",
                    shown(letter).text);
    }
    Flaw flaw;
    if (!validate_castling(&r->p, c, file, &flaw))
        return fail(r, PART_CASTLING, r->at, "%s: %s", shown(letter).text, flaw.reason);
    r->p.castle[c] = (uint8_t)(r->p.castle[c] | 1u << file);
    r->at++;
    return true;
}

static bool read_castling(Reader *r) {
    if (!next_field(r, PART_CASTLING))
        return fail(r, PART_CASTLING, r->at, "it is missing; it is letters of KQkq, file letters, or -");
    if (*r->at == '-') {
        r->at++;
        if (in_field(r))
            return fail(r, PART_CASTLING, r->at,
                        "%s after '-', which means that nobody may castle; a blank is due here", shown(*r->at).text);
        return true;
    }
    while (in_field(r))
        if (!read_right(r)) return false;
    return true;
}

static bool read_ep(Reader *r) {
    if (!next_field(r, PART_EP)) return true;
    const char *start = r->at;
    if (*r->at == '-') {
        r->at++;
    } else {
        if (!is_file_letter(start[0]) || !is_rank_digit(start[1]))
            return fail(r, PART_EP, start + is_file_letter(start[0]),
                        "this is not a square; it is a3 to h3, a6 to h6, "
                        "or - for none");
        r->at += 2;
    }
    if (in_field(r)) return fail(r, PART_EP, r->at, "%s is too much; a blank is due here", shown(*r->at).text);
    if (*start == '-') return true;
    const int square = square_of(start[0], start[1]);
    Flaw flaw;
    if (!validate_ep(&r->p, square, &flaw)) return fail_flaw(r, &flaw);
    if (ep_is_legal(&r->p, (Colour)r->p.turn, square)) r->p.ep = (uint8_t)square;
    return true;
}

/* ---- fields 5 and 6 ---- */

/* Leaves *number alone if the text is over, or goes on with words where it may. */
static bool read_number(Reader *r, Part field, uint16_t *number) {
    if (!next_field(r, field)) return true;
    if (r->is_epd && !(*r->at >= '0' && *r->at <= '9')) return true;
    unsigned value = 0;
    for (; in_field(r); r->at++) {
        if (*r->at < '0' || *r->at > '9')
            return fail(r, field, r->at, "%s is not a digit; it is a number from 0 to 65535", shown(*r->at).text);
        value = 10 * value + (unsigned)(*r->at - '0');
        if (value > UINT16_MAX) return fail(r, field, r->at, "the number is above 65535");
    }
    *number = (uint16_t)value;
    return true;
}

static bool read_all(Reader *r) {
    if (!(read_board(r) && read_turn(r) && read_castling(r) && read_ep(r) &&
          read_number(r, PART_HALFMOVE, &r->p.halfmove) && read_number(r, PART_FULLMOVE, &r->p.fullmove)))
        return false;
    if (!r->p.fullmove) r->p.fullmove = 1;
    while (at_blank(r)) r->at++;
    if (!at_end(r) && !r->is_epd)
        return fail(r, PART_FULLMOVE, r->at, "%s after the last field; the text ends here, or at ';'",
                    shown(*r->at).text);
    return position_validate(&r->p, r->error);
}

bool fen_parse(Position *p, const char *text, TabiaError *error) {
    Reader r = {.p = {.fullmove = 1}, .text = text, .at = text, .error = error};
    if (!read_all(&r)) return false;
    *p = r.p;
    return true;
}

bool fen_parse_epd(Position *p, const char *text, const char **rest, TabiaError *error) {
    Reader r = {.p = {.fullmove = 1}, .text = text, .at = text, .error = error, .is_epd = true};
    if (!read_all(&r)) return false;
    *p = r.p;
    *rest = r.at;
    return true;
}

/* ---- writing ---- */

/* Letters for some men, where they stand. */
INLINE void write_men(char board[64], Bits men, char letter) {
    EACH (square, men) board[square] = letter;
}

static void write_letters(const Position *p, char board[64]) {
    const Bits of_kind[] = {p->pawn, p->knight, p->diag & ~p->orth, p->orth & ~p->diag, p->diag & p->orth, p->king};
    memset(board, 0, 64);
    for (int kind = PAWN; kind <= KING; kind++) {
        write_men(board, of_kind[kind] & p->side[WHITE], MAN_LETTERS[kind]);
        write_men(board, of_kind[kind] & p->side[BLACK], (char)(MAN_LETTERS[kind] + 32));
    }
}

static char *write_board(const Position *p, char *out) {
    char board[64];
    write_letters(p, board);
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (const char *man = &board[8 * rank]; man < &board[8 * rank + 8]; man++) {
            if (*man && empty) *out++ = (char)('0' + empty);
            if (*man) *out++ = *man;
            empty = *man ? 0 : empty + 1;
        }
        if (empty) *out++ = (char)('0' + empty);
        if (rank) *out++ = '/';
    }
    return out;
}

static char *write_right(const Position *p, Colour c, bool is_short, FenStyle style, char *out) {
    const Bits rook = castling_rook(p, c, is_short);
    if (!rook) return out;
    const int file = square_file(first(rook));
    const bool plain = style == FEN_STANDARD && file == outermost_rook(p, c, is_short);
    const char letter = plain ? (is_short ? 'K' : 'Q') : (char)('A' + file);
    *out = c == WHITE ? letter : (char)(letter + 32);
    return out + 1;
}

void fen_write(const Position *p, FenStyle style, char out[FEN_MAX]) {
    char *at = write_board(p, out);
    *at++ = ' ';
    *at++ = p->turn == WHITE ? 'w' : 'b';
    *at++ = ' ';
    for (int c = WHITE; c <= BLACK; c++)
        for (int is_short = 1; is_short >= 0; is_short--) at = write_right(p, (Colour)c, is_short, style, at);
    if (!p->castle[WHITE] && !p->castle[BLACK]) *at++ = '-';
    *at++ = ' ';
    at = p->ep ? tabia_text_put(at, square_name(p->ep).text) : tabia_text_put(at, "-");
    *at++ = ' ';
    at = tabia_text_put_number(at, p->halfmove);
    *at++ = ' ';
    at = tabia_text_put_number(at, p->fullmove);
    *at = '\0';
}
