/* SPDX-License-Identifier: MIT */
/*
 * Moves in Standard Algebraic Notation. Reading has two steps: the text is parsed to a SanPattern, which holds what is
 * known of the move and leaves the rest open; then the legal moves are matched against it, and exactly one must match.
 *
 *     N b d 2          type KNIGHT, from file b, to d2           "N" [file] [rank] ["x"] file rank ["="] [piece]
 *     [marks]
 *     e x d 8 = Q +    type PAWN, from file e, to d8, promotion QUEEN
 *
 * Written is no more of the origin than distinguishes a move from the other legal moves (file before rank), '=' before the
 * promoted piece, and '+' or '#' for check and mate. Read leniently: 'x', '=', check and mate marks, '!' and '?', and
 * "e.p." are optional and not verified; '-' or ':' may stand for 'x', zeros for the letters of castling, a small letter for
 * the promoted piece (e8q), 'P' before a pawn's move; more of the origin than needed (Ng1f3, e2-e4) is accepted if it is
 * right. A small b is always the b-file. No text means one move in UCI and another in SAN: read as SAN, two squares are a
 * pawn's move from the first to the second, which is the same move in UCI.
 */
#include "san.h"
#include "names.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <string.h>

/* ---- writing ---- */

/* The origins of other pieces of its type that may move to the same square. */
static Bits ambiguous_origins(const Position *p, Move m) {
    Move list[MOVES_MAX];
    const unsigned n = moves_list(p, list);
    const PieceType type = piece_type_at(p, move_from(m));
    Bits others = 0;
    for (unsigned i = 0; i < n; i++)
        if (move_to(list[i]) == move_to(m) && piece_type_at(p, move_from(list[i])) == type)
            others |= bit(move_from(list[i]));
    return others & ~bit(move_from(m));
}

static char *write_origin(const Position *p, Move m, char *out) {
    const int from = move_from(m);
    const Bits others = ambiguous_origins(p, m);
    const Bits same_file = others & FILE_A << file_of(from), same_rank = others & RANK(rank_of(from));
    *out++ = PIECE_LETTERS[piece_type_at(p, from)];
    if (others && (!same_file || same_rank)) *out++ = square_name(from).text[0];
    if (same_file) *out++ = square_name(from).text[1];
    return out;
}

static char *write_move(const Position *p, Move m, char *out) {
    const bool is_pawn = piece_type_at(p, move_from(m)) == PAWN;
    const bool takes = move_flag(m) == EN_PASSANT || (occupied(p) & bit(move_to(m)));
    if (!is_pawn) out = write_origin(p, m, out);
    if (is_pawn && takes) *out++ = square_name(move_from(m)).text[0];
    if (takes) *out++ = 'x';
    memcpy(out, square_name(move_to(m)).text, 2);
    out += 2;
    if (move_promotes(m)) {
        *out++ = '=';
        *out++ = PIECE_LETTERS[move_promotion(m)];
    }
    return out;
}

void move_to_san(const Position *p, Move m, char out[SAN_MAX]) {
    assert(move_is_legal(p, m));
    char *at = out;
    if (move_flag(m) == CASTLING) {
        strcpy(at, move_to(m) > move_from(m) ? "O-O" : "O-O-O");
        at += strlen(at);
    } else {
        at = write_move(p, m, at);
    }
    Position after;
    position_make_move(&after, p, m);
    if (in_check(&after)) *at++ = moves_count(&after) ? '+' : '#';
    *at = '\0';
    assert(at - out < SAN_MAX);
}

/* ---- reading: text to pattern ---- */

/* Is the text up to `end`, marks left out, a castling? */
static bool read_castling(const char *text, const char *end, SanPattern *s) {
    const long length = end - text;
    if (length != 3 && length != 5) return false;
    for (long i = 0; i < length; i++)
        if (i & 1 ? text[i] != '-' : text[i] != 'O' && text[i] != '0' && text[i] != 'o') return false;
    s->castles = true;
    s->is_short = length == 3;
    return true;
}

/* The end of the text without its marks: "+", "#", "!", "?", "e.p.". */
static const char *without_marks(const char *text) {
    const char *end = text + strlen(text);
    while (end > text && strchr("+#!?", end[-1])) end--;
    if (end - text > 4 && !strncmp(end - 4, "e.p.", 4)) end -= 4;
    if (end - text > 2 && !strncmp(end - 2, "ep", 2)) end -= 2;
    return end;
}

/* Parses a promotion at the end, with '=' or without. Returns the end of the text before it. */
static const char *read_promotion(const char *text, const char *end, SanPattern *s) {
    static const char letters[] = "NBRQnbrq";
    const char *letter = end > text ? strchr(letters, end[-1]) : NULL;
    if (!letter || end - text < 3 || !(end[-2] == '=' || is_rank_digit(end[-2]))) return end;
    s->promotion = (PieceType)(KNIGHT + (letter - letters) % 4);
    return end - 1 - (end[-2] == '=');
}

bool san_read(const char *text, SanPattern *s) {
    *s = (SanPattern){.type = PAWN, .promotion = PAWN, .file = -1, .rank = -1};
    const char *end = without_marks(text);
    if (read_castling(text, end, s)) return true;
    const char *letter = *text ? strchr(PIECE_LETTERS, *text) : NULL;
    if (letter) s->type = (PieceType)(letter - PIECE_LETTERS);
    if (letter) text++;
    end = read_promotion(text, end, s);
    if (end - text < 2 || !is_file_letter(end[-2]) || !is_rank_digit(end[-1])) return false;
    end -= 2;
    s->to = square_from_chars(end[0], end[1]);
    if (text < end && is_file_letter(*text)) s->file = *text++ - 'a';
    if (text < end && is_rank_digit(*text)) s->rank = *text++ - '1';
    if (text < end && strchr("x:-", *text)) text++;
    return text == end;
}

/* ---- reading: pattern to move ---- */

static bool matches(const Position *p, Move m, const SanPattern *s) {
    const int from = move_from(m), to = move_to(m);
    if (s->castles || move_flag(m) == CASTLING)
        return s->castles && move_flag(m) == CASTLING && s->is_short == (to > from);
    if (to != s->to || piece_type_at(p, from) != s->type) return false;
    if ((move_promotes(m) ? move_promotion(m) : PAWN) != s->promotion) return false;
    return (s->file < 0 || s->file == file_of(from)) && (s->rank < 0 || s->rank == rank_of(from));
}

unsigned san_match(const Position *p, const SanPattern *s, Move found[MOVES_MAX]) {
    const unsigned n = moves_list(p, found);
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++)
        if (matches(p, found[i], s)) found[kept++] = found[i];
    assert(!kept || move_is_legal(p, found[0]));
    return kept;
}

Move move_from_san(const Position *p, const char *text) {
    SanPattern s;
    Move found[MOVES_MAX];
    return san_read(text, &s) && san_match(p, &s, found) == 1 ? found[0] : 0;
}
