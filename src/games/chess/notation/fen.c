/* SPDX-License-Identifier: MIT */
#include "notation/fen_reader.h"

#include "base/text.h"
#include "names.h"
#include "notation/fen_fields.h"
#include "validate.h"

#include <stdio.h>
#include <string.h>

const char fen_start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const char *const fen_field_names[] = {"",           "board",          "side to move",   "castling",
                                       "en passant", "halfmove clock", "fullmove number"};

/* ---- field 1 ---- */

/* What a letter of the board means: how many squares it fills (0: not a letter of a board), and the piece on it. */
typedef struct {
    uint8_t squares;
    uint8_t boards; /* bit i: the piece is in the i-th of BOARDS; none for a number of empty squares */
} FenLetter;
enum { ON_WHITE = 1, ON_BLACK = 2, ON_PAWN = 4, ON_KNIGHT = 8, ON_DIAG = 16, ON_ORTH = 32, ON_KING = 64, BOARDS = 7 };

static const FenLetter letters[128] = {
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

/* The boards of FenLetter, in the order of its bits, until they are copied to the position. */
typedef struct {
    Bits of[BOARDS];
} FenBoards;

/* An 8 by 8 matrix of bits: bit i of byte j becomes bit j of byte i. H. S. Warren, Hacker's Delight, 2002, 7-3. */
INLINE uint64_t transposed(uint64_t x) {
    uint64_t swap = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ swap ^ swap << 28;
}

/* Adds the pieces of a rank, a byte of boards for each file, to the boards, without a branch on what each piece is. */
static void add_rank(FenBoards *b, int rank, uint64_t pieces) {
    pieces = transposed(pieces);
    for (int i = 0; i < BOARDS; i++) b->of[i] |= (pieces >> 8 * i & 255) << 8 * rank;
}

static void set_boards(Position *p, const FenBoards *b) {
    p->side[WHITE] = b->of[0];
    p->side[BLACK] = b->of[1];
    p->pawn = b->of[2];
    p->knight = b->of[3];
    p->diag = b->of[4];
    p->orth = b->of[5];
    p->king = b->of[6];
}

/* The number of squares of the rank that `at` is in, for a message: it may be far too many. */
static int squares_in_rank(const char *at) {
    int squares = 0;
    for (; *at && *at != '/' && *at != ' ' && squares < 1000; at++) squares += is_rank_digit(*at) ? *at - '0' : 1;
    return squares;
}

static bool read_rank(FenReader *r, int rank, FenBoards *boards) {
    const char *start = r->at;
    uint64_t pieces = 0;
    int file = 0;
    for (; fen_in_field(r) && *r->at != '/'; r->at++) {
        const FenLetter letter = letters[*r->at & 127];
        if (!letter.squares || (*r->at & 128))
            return fen_fail(r, FIELD_BOARD, r->at,
                            "%s is neither a piece (one of PNBRQKpnbrqk) nor a number of empty squares "
                            "(1 to 8)",
                            fen_quoted(*r->at).text);
        if (file + letter.squares > 8)
            return fen_fail(r, FIELD_BOARD, r->at, "rank %d has %d squares; a rank has 8", rank + 1,
                            squares_in_rank(start));
        pieces |= (uint64_t)letter.boards << 8 * file;
        r->column[8 * rank + file] = r->at;
        file += letter.squares;
    }
    if (file != 8)
        return fen_fail(r, FIELD_BOARD, r->at, "rank %d has %d square%s; a rank has 8", rank + 1, file,
                        file == 1 ? "" : "s");
    add_rank(boards, rank, pieces);
    return true;
}

static bool read_board(FenReader *r) {
    if (!fen_next_field(r, FIELD_BOARD))
        return fen_fail(r, FIELD_BOARD, r->at, "it is missing; a FEN begins with the board");
    FenBoards boards = {{0}};
    for (int rank = 7; rank >= 0; rank--) {
        if (!read_rank(r, rank, &boards)) return false;
        if (rank > 0 && *r->at != '/')
            return fen_fail(r, FIELD_BOARD, r->at, "the board ends after %d rank%s; it has 8, separated by '/'",
                            8 - rank, rank == 7 ? "" : "s");
        if (rank > 0) r->at++;
    }
    if (fen_in_field(r)) return fen_fail(r, FIELD_BOARD, r->at, "the board has more than 8 ranks; a blank must end it");
    set_boards(&r->p, &boards);
    PositionError invalid;
    return validate_board(&r->p, &invalid) || fen_fail_position(r, &invalid);
}

/* ---- fields 2 to 4 ---- */

static bool read_turn(FenReader *r) {
    if (!fen_next_field(r, FIELD_TURN)) return fen_fail(r, FIELD_TURN, r->at, "it is missing; it is w or b");
    if (*r->at != 'w' && *r->at != 'b')
        return fen_fail(r, FIELD_TURN, r->at, "%s is not a side; it is w or b", fen_quoted(*r->at).text);
    r->p.turn = *r->at++ == 'b';
    if (fen_in_field(r))
        return fen_fail(r, FIELD_TURN, r->at, "%s after the side; a blank must follow it", fen_quoted(*r->at).text);
    PositionError invalid;
    return validate_turn(&r->p, &invalid) || fen_fail_position(r, &invalid);
}

/* The file of c's outermost rook on that side of its king, or -1. */
static int outermost_rook(const Position *p, Colour c, bool is_short) {
    const int king = king_square(p, c);
    const Bits beyond = is_short ? ~(Bits)0 << king : bit(king) - 1;
    const Bits rooks = p->side[c] & p->orth & ~p->diag & back_rank(c) & beyond;
    if (!rooks) return -1;
    return file_of(is_short ? msb(rooks) : lsb(rooks));
}

static bool read_castling_right(FenReader *r) {
    const char letter = *r->at, lower = letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter;
    const Colour c = letter == lower ? BLACK : WHITE;
    int file = lower - 'a';
    if (lower == 'k' || lower == 'q') {
        file = outermost_rook(&r->p, c, lower == 'k');
        if (file < 0 && bit(king_square(&r->p, c)) & back_rank(c))
            return fen_fail(r, FIELD_CASTLING, r->at,
                            "%s, but %s has no rook on rank %d on the %c-file's side of its king",
                            fen_quoted(letter).text, colour_name(c), c == WHITE ? 1 : 8, lower == 'k' ? 'h' : 'a');
        if (file < 0) file = 0; /* the king's square is the error to report */
    } else if (!is_file_letter(lower)) {
        return fen_fail(r, FIELD_CASTLING, r->at,
                        "%s is not a right to castle; those are letters of KQkq, or of A to H and "
                        "a to h for the rook's file, or - for none",
                        fen_quoted(letter).text);
    }
    assert(file >= 0 && file < 8);
    PositionError invalid;
    if (!validate_castling(&r->p, c, file, &invalid))
        return fen_fail(r, FIELD_CASTLING, r->at, "%s: %s", fen_quoted(letter).text, invalid.reason);
    r->p.castle[c] = (uint8_t)(r->p.castle[c] | 1u << file);
    r->at++;
    return true;
}

static bool read_castling(FenReader *r) {
    if (!fen_next_field(r, FIELD_CASTLING))
        return fen_fail(r, FIELD_CASTLING, r->at, "it is missing; it is letters of KQkq, file letters, or -");
    if (*r->at == '-') {
        r->at++;
        if (fen_in_field(r))
            return fen_fail(r, FIELD_CASTLING, r->at,
                            "%s after '-', which means that neither side may castle; a blank must follow it",
                            fen_quoted(*r->at).text);
        return true;
    }
    while (fen_in_field(r))
        if (!read_castling_right(r)) return false;
    return true;
}

static bool read_ep(FenReader *r) {
    if (!fen_next_field(r, FIELD_EP)) return true;
    const char *start = r->at;
    if (*r->at == '-') {
        r->at++;
    } else {
        if (!is_file_letter(start[0]) || !is_rank_digit(start[1]))
            return fen_fail(r, FIELD_EP, start + is_file_letter(start[0]),
                            "this is not a square; it is a3 to h3, a6 to h6, "
                            "or - for none");
        r->at += 2;
    }
    if (fen_in_field(r))
        return fen_fail(r, FIELD_EP, r->at, "%s after the en passant field; a blank must follow it",
                        fen_quoted(*r->at).text);
    if (*start == '-') return true;
    const int square = square_from_chars(start[0], start[1]);
    PositionError invalid;
    if (!validate_ep(&r->p, square, &invalid)) return fen_fail_position(r, &invalid);
    if (ep_is_legal(&r->p, (Colour)r->p.turn, square)) r->p.ep = (uint8_t)square;
    return true;
}

/* ---- fields 5 and 6 ---- */

/* Leaves *number alone at the end of the text, or, in EPD, before operations. */
static bool read_number(FenReader *r, FenField field, uint16_t *number) {
    if (!fen_next_field(r, field)) return true;
    if (r->is_epd && !(*r->at >= '0' && *r->at <= '9')) return true;
    unsigned value = 0;
    for (; fen_in_field(r); r->at++) {
        if (*r->at < '0' || *r->at > '9')
            return fen_fail(r, field, r->at, "%s is not a digit; it is a number from 0 to 65535",
                            fen_quoted(*r->at).text);
        value = 10 * value + (unsigned)(*r->at - '0');
        if (value > UINT16_MAX) return fen_fail(r, field, r->at, "the number is above 65535");
    }
    *number = (uint16_t)value;
    return true;
}

bool fen_read_fields(FenReader *r) {
    r->p = (Position){.fullmove = 1};
    if (!(read_board(r) && read_turn(r) && read_castling(r) && read_ep(r) &&
          read_number(r, FIELD_HALFMOVE, &r->p.halfmove) && read_number(r, FIELD_FULLMOVE, &r->p.fullmove)))
        return false;
    if (!r->p.fullmove) r->p.fullmove = 1;
    return position_validate(&r->p, r->error);
}

/* ---- writing ---- */

/* Writes a letter for each piece of a set. */
INLINE void write_pieces(char board[64], Bits pieces, char letter) {
    EACH (square, pieces) board[square] = letter;
}

static void write_letters(const Position *p, char board[64]) {
    const Bits of_kind[] = {p->pawn, p->knight, p->diag & ~p->orth, p->orth & ~p->diag, p->diag & p->orth, p->king};
    memset(board, 0, 64);
    for (int type = PAWN; type <= KING; type++) {
        write_pieces(board, of_kind[type] & p->side[WHITE], PIECE_LETTERS[type]);
        write_pieces(board, of_kind[type] & p->side[BLACK], (char)(PIECE_LETTERS[type] + 32));
    }
}

static char *write_board(const Position *p, char *out) {
    char board[64];
    write_letters(p, board);
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (const char *piece = &board[8 * rank]; piece < &board[8 * rank + 8]; piece++) {
            if (*piece && empty) *out++ = (char)('0' + empty);
            if (*piece) *out++ = *piece;
            empty = *piece ? 0 : empty + 1;
        }
        if (empty) *out++ = (char)('0' + empty);
        if (rank) *out++ = '/';
    }
    return out;
}

static char *write_castling_right(const Position *p, Colour c, bool is_short, FenStyle style, char *out) {
    const Bits rook = castling_rook(p, c, is_short);
    if (!rook) return out;
    const int file = file_of(lsb(rook));
    const bool plain = style == FEN_STANDARD && file == outermost_rook(p, c, is_short);
    const char letter = plain ? (is_short ? 'K' : 'Q') : (char)('A' + file);
    *out = c == WHITE ? letter : (char)(letter + 32);
    return out + 1;
}

void fen_write(const Position *p, FenStyle style, char out[FEN_MAX]) {
    assert(position_is_consistent(p));
    char *at = write_board(p, out);
    *at++ = ' ';
    *at++ = p->turn == WHITE ? 'w' : 'b';
    *at++ = ' ';
    for (int c = WHITE; c <= BLACK; c++)
        for (int is_short = 1; is_short >= 0; is_short--) at = write_castling_right(p, (Colour)c, is_short, style, at);
    if (!p->castle[WHITE] && !p->castle[BLACK]) *at++ = '-';
    *at++ = ' ';
    at = p->ep ? tabia_text_put(at, square_name(p->ep).text) : tabia_text_put(at, "-");
    *at++ = ' ';
    at = tabia_text_put_number(at, p->halfmove);
    *at++ = ' ';
    at = tabia_text_put_number(at, p->fullmove);
    *at = '\0';
    assert(at - out < FEN_MAX);
}

/* ---- the fields as they stand in a text ---- */

bool fen_can_be_field(int n, const char *s, const char *end) {
    if (n < 4 || (*s == '-' && end == s + 1)) return true;
    return s + strspn(s, "0123456789") >= end;
}

/* The third field. */
static const char *castling_field(const char *fen) {
    const char *turn = strchr(fen, ' ') + 1;
    return strchr(turn, ' ') + 1;
}

bool fen_is_chess960(const Position *p, const char *fen) {
    if (!castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK)) return true;
    const char *castling = castling_field(fen);
    return castling[strcspn(castling, "ABCDEFGHabcdefgh ")] != ' ';
}
