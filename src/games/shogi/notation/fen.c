/* SPDX-License-Identifier: MIT */
#include "notation/fen_reader.h"

#include "names.h"
#include "notation/fen_fields.h"
#include "validate.h"

#include <stdio.h>
#include <string.h>

const char fen_start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

const char *const fen_field_names[] = {"", "board", "side to move", "hands", "move number"};

/* What stands at the reader, for a message. */
static QuotedChar found(const FenReader *r) {
    if (*r->at == '\0' || *r->at == '\n' || *r->at == '\r') return (QuotedChar){"the text ends"};
    QuotedChar s;
    snprintf(s.text, sizeof s.text, "there is %s", fen_quoted(*r->at).text);
    return s;
}

/* A letter of either case as a piece type; NO_PIECE_TYPE if it is none. */
static PieceType read_type(char c, Colour *colour) {
    *colour = c >= 'a' && c <= 'z' ? WHITE : BLACK;
    return piece_type_from_letter(*colour == WHITE ? (char)(c - 'a' + 'A') : c);
}

/* ---- field 1 ---- */

/* One piece, with its '+', on a square that the caller knows is on the board. */
static bool read_piece(FenReader *r, int s) {
    const char *start = r->at;
    const bool promoted = *r->at == '+';
    Colour c;
    if (promoted) r->at++;
    const PieceType type = read_type(*r->at, &c);
    if (type == NO_PIECE_TYPE)
        return fen_fail(r, FIELD_BOARD, r->at,
                        "%s; a piece is one of %s, white's in lower case, or a number of empty squares", found(r).text,
                        PIECE_LETTERS);
    if (promoted && !piece_type_promotes(type))
        return fen_fail(r, FIELD_BOARD, start, "a %s does not promote", piece_type_name(type));
    if (type == KING && r->p.king[c] != NO_SQUARE)
        return fen_fail(r, FIELD_BOARD, start, "%s has a second king, on %s; the first is on %s", colour_name(c),
                        square_name(s).text, square_name(r->p.king[c]).text);
    position_put(&r->p, s, c, promoted ? (PieceType)(type | PROMOTED) : type);
    r->column[s] = start;
    r->at++;
    return true;
}

static bool read_rank(FenReader *r, int rank) {
    int file = FILES; /* to be filled next, counted from 1; 0: none is left */
    while (fen_in_field(r) && *r->at != '/') {
        const char *start = r->at;
        const int n = *r->at >= '1' && *r->at <= '9' ? *r->at - '0' : 1;
        if (n > file) return fen_fail(r, FIELD_BOARD, start, "rank %c has more than 9 squares", 'a' + rank);
        if (*r->at >= '1' && *r->at <= '9')
            r->at++;
        else if (!read_piece(r, RANKS * (file - 1) + rank))
            return false;
        file -= n;
    }
    return file ? fen_fail(r, FIELD_BOARD, r->at, "rank %c has %d squares; each has 9", 'a' + rank, FILES - file)
                : true;
}

static bool read_board(FenReader *r) {
    if (!fen_next_field(r, FIELD_BOARD)) return fen_fail(r, FIELD_BOARD, r->at, "there is no position");
    for (int rank = 0; rank < RANKS; rank++) {
        if (!read_rank(r, rank)) return false;
        const char expected = rank < RANKS - 1 ? '/' : '\0';
        if (expected ? *r->at != '/' : fen_in_field(r))
            return fen_fail(r, FIELD_BOARD, r->at, "%s after rank %c; there are 9 ranks, with '/' between them",
                            found(r).text, 'a' + rank);
        if (expected) r->at++;
    }
    if (r->p.king[BLACK] == NO_SQUARE && r->p.king[WHITE] == NO_SQUARE)
        return fen_fail(r, FIELD_BOARD, r->field_start[FIELD_BOARD], "there is no king; at least one side has one");
    PositionError invalid;
    return validate_board(&r->p, &invalid) || fen_fail_position(r, &invalid);
}

/* ---- fields 2 to 4 ---- */

static bool read_turn(FenReader *r) {
    PositionError invalid;
    if (!fen_next_field(r, FIELD_TURN))
        return fen_fail(r, FIELD_TURN, r->at, "the side to move is missing; it is b or w");
    const char c = *r->at;
    if (c != 'b' && c != 'w') return fen_fail(r, FIELD_TURN, r->at, "%s; the side to move is b or w", found(r).text);
    r->at++;
    if (fen_in_field(r)) return fen_fail(r, FIELD_TURN, r->at, "%s; the side to move is one letter", found(r).text);
    r->p.turn = c == 'w';
    return validate_turn(&r->p, &invalid) || fen_fail_position(r, &invalid);
}

/* A number and a letter. */
static bool read_in_hand(FenReader *r) {
    const char *start = r->at;
    unsigned n = 0;
    for (; *r->at >= '0' && *r->at <= '9' && n < 100; r->at++) n = 10 * n + (unsigned)(*r->at - '0');
    if (r->at != start && (n < 1 || n > 18)) return fen_fail(r, FIELD_HANDS, start, "a number in hand is 1 to 18");
    if (r->at == start) n = 1;
    Colour c;
    const PieceType type = read_type(*r->at, &c);
    if ((int)type >= HAND_TYPES)
        return fen_fail(r, FIELD_HANDS, r->at, "%s; in hand are pieces of PLNSGBR, white's in lower case",
                        found(r).text);
    if (n + hand_count(r->p.hand[c], type) > pieces_max(type))
        return fen_fail(r, FIELD_HANDS, start, "%s has more than %u %ss in hand", colour_name(c), pieces_max(type),
                        piece_type_name(type));
    r->p.hand[c] += n * hand_one(type);
    r->at++;
    return true;
}

static bool read_hands(FenReader *r) {
    PositionError invalid;
    if (!fen_next_field(r, FIELD_HANDS)) return true;
    if (*r->at == '-') {
        r->at++;
        return fen_in_field(r) ? fen_fail(r, FIELD_HANDS, r->at, "%s after '-', which says that both hands are empty",
                                          found(r).text)
                               : true;
    }
    while (fen_in_field(r))
        if (!read_in_hand(r)) return false;
    return validate_hands(&r->p, &invalid) || fen_fail_position(r, &invalid);
}

/* Is the next field a number to its end? */
static bool field_is_number(const FenReader *r) {
    const char *at = r->at;
    while (*at >= '0' && *at <= '9') at++;
    return at != r->at && (*at == '\0' || *at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || *at == ';');
}

static bool read_ply(FenReader *r) {
    unsigned n = 0;
    if (!fen_next_field(r, FIELD_PLY)) return true;
    if (!field_is_number(r))
        return r->is_epd ? true : fen_fail(r, FIELD_PLY, r->at, "%s; the move number is 0 to 65535", found(r).text);
    for (; fen_in_field(r); r->at++) {
        n = 10 * n + (unsigned)(*r->at - '0');
        if (n > UINT16_MAX) return fen_fail(r, FIELD_PLY, r->field_start[FIELD_PLY], "the move number is 0 to 65535");
    }
    r->p.ply = (uint16_t)(n ? n : 1);
    return true;
}

bool fen_read_fields(FenReader *r) {
    r->p = (Position){.king = {NO_SQUARE, NO_SQUARE}, .ply = 1};
    return read_board(r) && read_turn(r) && read_hands(r) && read_ply(r);
}

/* ---- writing ---- */

static char *write_rank(const Position *p, int rank, char *out) {
    int empty = 0;
    for (int file = FILES - 1; file >= 0; file--) {
        const int s = RANKS * file + rank;
        const PieceType type = piece_type_at(p, s);
        if (type == NO_PIECE_TYPE) {
            empty++;
            continue;
        }
        if (empty) *out++ = (char)('0' + empty), empty = 0;
        if (type & PROMOTED) *out++ = '+';
        *out++ = piece_character(p, s);
    }
    if (empty) *out++ = (char)('0' + empty);
    return out;
}

static char *write_hand(uint32_t hand, int to_case, char *out) {
    static const PieceType order[HAND_TYPES] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    for (int i = 0; i < HAND_TYPES; i++) {
        const unsigned n = hand_count(hand, order[i]);
        if (n >= 10) *out++ = '1';
        if (n >= 2) *out++ = (char)('0' + n % 10);
        if (n) *out++ = (char)(PIECE_LETTERS[order[i]] + to_case);
    }
    return out;
}

void fen_write(const Position *p, FenStyle style, char out[FEN_MAX]) {
    char *at = out;
    (void)style;
    for (int rank = 0; rank < RANKS; rank++) {
        at = write_rank(p, rank, at);
        *at++ = rank < RANKS - 1 ? '/' : ' ';
    }
    *at++ = p->turn == BLACK ? 'b' : 'w';
    *at++ = ' ';
    if (!p->hand[BLACK] && !p->hand[WHITE]) *at++ = '-';
    at = write_hand(p->hand[BLACK], 0, at);
    at = write_hand(p->hand[WHITE], 32, at);
    snprintf(at, (size_t)(out + FEN_MAX - at), " %u", p->ply);
}

/* ---- the fields as they stand in a text ---- */

/* The hands may be missing, and then an operation may stand there, such as "D1": no hand has a digit at its end. */
bool fen_can_be_field(int n, const char *s, const char *end) {
    enum { HANDS = 2, PLY = 3 };
    const size_t length = (size_t)(end - s);
    if (n < HANDS) return true;
    const char *letters = n == PLY ? "0123456789" : "0123456789PLNSBRGKplnsbrgk-";
    return strspn(s, letters) >= length && (n == PLY || strspn(end - 1, "0123456789") == 0);
}

bool fen_is_chess960(const Position *p, const char *fen) {
    (void)p, (void)fen;
    return false;
}
