/* SPDX-License-Identifier: MIT */
#include "illegal.h"

#include "rules/movegen.h"
#include <stdio.h>
#include <string.h>

static int read_square(const char *s) {
    return s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8' ? (s[1] - '1') * 8 + s[0] - 'a' : NO_SQUARE;
}

static void write_square(int s, char out[3]) {
    out[0] = (char)('a' + file_of(s));
    out[1] = (char)('1' + rank_of(s));
    out[2] = '\0';
}

/* Where a piece of that kind could go if its king did not mind; en passant as p has it. */
static Bits reach(const Position *p, Colour us, PieceType kind, int from) {
    const Bits occ = occupied(p), own = p->side[us], foe = occ & ~own;
    const Bits one = forward(bit(from), us) & ~occ, two = forward(one & third_rank(us), us) & ~occ;
    switch (kind) {
    case PAWN:
        return one | two | (pawn_attacks[us][from] & (foe | (p->ep ? bit(p->ep) : 0)));
    case KNIGHT:
        return knight_attacks[from] & ~own;
    case BISHOP:
        return bishop_attacks(from, occ) & ~own;
    case ROOK:
        return rook_attacks(from, occ) & ~own;
    case QUEEN:
        return (bishop_attacks(from, occ) | rook_attacks(from, occ)) & ~own;
    default:
        return king_attacks[from] & ~own;
    }
}

/* Castling: the king takes its rook, or goes two files or more along its home rank. */
static bool is_castling(const Position *p, Colour us, PieceType kind, int from, int to) {
    if (kind != KING) return false;
    if (p->side[us] & p->orth & ~p->diag & bit(to)) return true;
    const int files = file_of(to) - file_of(from);
    return rank_of(from) == rank_of(to) && (files > 1 || files < -1) && (bit(to) & back_rank(us));
}

static void why_not_castle(const Position *p, Colour us, bool is_short, char why[ILLEGAL_WHY_MAX]) {
    const LegalMasks v = find_legal_masks(p, us);
    const Bits rook = castling_rook(p, us, is_short);
    const int king_to = castled_king(us, is_short), rook_to = castled_rook(us, is_short);
    char square[3];
    if (!rook) {
        snprintf(why, ILLEGAL_WHY_MAX, "no right to castle on that side");
        return;
    }
    const Bits king_way = squares_between[v.king][king_to];
    const Bits way = (king_way | squares_between[lsb(rook)][rook_to]) & v.occ & ~(rook | bit(v.king));
    if (v.in_check) {
        snprintf(why, ILLEGAL_WHY_MAX, "castles out of check");
    } else if (way) {
        write_square(lsb(way), square);
        snprintf(why, ILLEGAL_WHY_MAX, "castles through the piece on %s", square);
    } else if (king_way & v.attacked) {
        const Bits hit = king_way & v.attacked;
        const bool ends = hit & bit(king_to);
        write_square(ends ? king_to : lsb(hit), square);
        snprintf(why, ILLEGAL_WHY_MAX, "castles %s check on %s", ends ? "into" : "through", square);
    } else {
        snprintf(why, ILLEGAL_WHY_MAX, "the castling rook is needed as a shield");
    }
}

static const char *why_not_reached(const Position *p, Colour us, PieceType kind, int from, int to) {
    static const char *const does_not[] = {"a pawn does not move so",   "a knight does not move so",
                                           "a bishop does not move so", "a rook does not move so",
                                           "a queen does not move so",  "a king does not move so"};
    if (p->side[us] & bit(to)) return "takes a piece of its own";
    if (p->side[!us] & p->king & bit(to)) return "takes the king";
    if (kind == PAWN && (pawn_attacks[us][from] & bit(to)))
        return "nothing to take there, and no en passant capture is possible";
    return does_not[kind];
}

static void why_not(const Position *p, Colour us, PieceType kind, int from, int to, char tail,
                    char why[ILLEGAL_WHY_MAX]) {
    const bool last_row = kind == PAWN && (bit(to) & last_rank(us));
    const char *text;
    if (!(reach(p, us, kind, from) & bit(to)))
        text = why_not_reached(p, us, kind, from, to);
    else if (last_row && !(tail && strchr("nbrq", tail)))
        text = tail ? "a pawn does not become that" : "a pawn must be promoted there";
    else if (!last_row && tail)
        text = "nothing is promoted there";
    else
        text = in_check(p) ? "leaves the king in check" : "exposes the king to check";
    snprintf(why, ILLEGAL_WHY_MAX, "%s", text);
}

static void write_san(const Position *p, PieceType kind, int from, int to, char tail, char san[ILLEGAL_SAN_MAX]) {
    char a[3], b[3];
    const bool takes = (occupied(p) & bit(to)) || (kind == PAWN && file_of(from) != file_of(to));
    write_square(from, a);
    write_square(to, b);
    const char letter = "\0NBRQK"[kind], promoted = (char)(tail >= 'a' ? tail - 32 : tail);
    snprintf(san, ILLEGAL_SAN_MAX, "%.*s%s%s%s%.*s%.*s", letter != 0, &letter, a, takes ? "x" : "-", b, tail != 0, "=",
             tail != 0, &promoted);
}

void illegal_move(const Position *p, const char *uci, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]) {
    const Colour us = (Colour)p->turn;
    const size_t length = strlen(uci);
    const int from = length >= 4 ? read_square(uci) : NO_SQUARE, to = length >= 4 ? read_square(uci + 2) : NO_SQUARE;
    snprintf(san, ILLEGAL_SAN_MAX, "%.11s", uci);
    if (from == NO_SQUARE || to == NO_SQUARE || length > 5) {
        snprintf(why, ILLEGAL_WHY_MAX, "is no move");
        return;
    }
    if (!(p->side[us] & bit(from))) {
        snprintf(why, ILLEGAL_WHY_MAX, "no piece of the side to move stands on %.2s", uci);
        return;
    }
    const PieceType kind = piece_type_at(p, from);
    if (is_castling(p, us, kind, from, to)) {
        snprintf(san, ILLEGAL_SAN_MAX, "%s", to > from ? "O-O" : "O-O-O");
        why_not_castle(p, us, to > from, why);
        return;
    }
    write_san(p, kind, from, to, uci[4], san);
    why_not(p, us, kind, from, to, uci[4], why);
}
