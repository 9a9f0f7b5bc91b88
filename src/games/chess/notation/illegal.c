/* SPDX-License-Identifier: MIT */
#include "notation/illegal.h"

#include "rules/movegen.h"
#include <assert.h>
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

/* A move as a text names it, of a piece that stands there. */
typedef struct {
    const Position *position;
    Colour us;
    PieceType type;
    int from, to;
    char promotion; /* its letter; 0: none */
} NamedMove;

/* Where the piece could go if its king could be left in check; en passant as the position has it. */
static Bits pseudo_legal_targets(const NamedMove *m) {
    const Position *p = m->position;
    const Colour us = m->us;
    const int from = m->from;
    const Bits occ = occupied(p), own = p->side[us], foe = occ & ~own;
    const Bits one = forward(bit(from), us) & ~occ, two = forward(one & third_rank(us), us) & ~occ;
    switch (m->type) {
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

/* Castling: the king takes its rook, or goes two files or more along its back rank. */
static bool is_castling(const NamedMove *m) {
    const Position *p = m->position;
    if (m->type != KING) return false;
    if (p->side[m->us] & p->orth & ~p->diag & bit(m->to)) return true;
    const int files = file_of(m->to) - file_of(m->from);
    return rank_of(m->from) == rank_of(m->to) && (files > 1 || files < -1) && (bit(m->to) & back_rank(m->us));
}

static void why_not_castle(const Position *p, Colour us, bool is_short, char why[ILLEGAL_WHY_MAX]) {
    assert(us == (Colour)p->turn);
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

static const char *why_not_pseudo_legal(const NamedMove *m) {
    const Position *p = m->position;
    static const char *const does_not[] = {"a pawn does not move so",   "a knight does not move so",
                                           "a bishop does not move so", "a rook does not move so",
                                           "a queen does not move so",  "a king does not move so"};
    assert(m->type < NO_PIECE_TYPE && (p->side[m->us] & bit(m->from)));
    if (p->side[m->us] & bit(m->to)) return "takes a piece of its own";
    if (p->side[!m->us] & p->king & bit(m->to)) return "takes the king";
    if (m->type == PAWN && (pawn_attacks[m->us][m->from] & bit(m->to)))
        return "nothing to take there, and no en passant capture is possible";
    return does_not[m->type];
}

static const char *why_not(const NamedMove *m) {
    const bool promotes = m->type == PAWN && (bit(m->to) & last_rank(m->us));
    if (!(pseudo_legal_targets(m) & bit(m->to))) return why_not_pseudo_legal(m);
    if (promotes && !m->promotion) return "a pawn must be promoted there";
    if (promotes && !strchr("nbrq", m->promotion)) return "a pawn does not become that";
    if (!promotes && m->promotion) return "nothing is promoted there";
    return in_check(m->position) ? "leaves the king in check" : "exposes the king to check";
}

static void write_san(const NamedMove *m, char san[ILLEGAL_SAN_MAX]) {
    char from[3], to[3];
    const bool takes = (occupied(m->position) & bit(m->to)) || (m->type == PAWN && file_of(m->from) != file_of(m->to));
    write_square(m->from, from);
    write_square(m->to, to);
    const char letter = "\0NBRQK"[m->type], promotion = m->promotion;
    const char promoted = (char)(promotion >= 'a' ? promotion - 32 : promotion);
    snprintf(san, ILLEGAL_SAN_MAX, "%.*s%s%s%s%.*s%.*s", letter != 0, &letter, from, takes ? "x" : "-", to,
             promoted != 0, "=", promoted != 0, &promoted);
}

void illegal_move(const Position *p, const char *uci, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]) {
    const size_t length = strlen(uci);
    NamedMove m = {.position = p, .us = (Colour)p->turn, .from = NO_SQUARE, .to = NO_SQUARE};
    if (length >= 4) m.from = read_square(uci), m.to = read_square(uci + 2);
    snprintf(san, ILLEGAL_SAN_MAX, "%.11s", uci);
    if (m.from == NO_SQUARE || m.to == NO_SQUARE || length > 5) {
        snprintf(why, ILLEGAL_WHY_MAX, "is no move");
        return;
    }
    if (!(p->side[m.us] & bit(m.from))) {
        snprintf(why, ILLEGAL_WHY_MAX, "no piece of the side to move stands on %.2s", uci);
        return;
    }
    m.type = piece_type_at(p, m.from), m.promotion = uci[4];
    if (is_castling(&m)) {
        snprintf(san, ILLEGAL_SAN_MAX, "%s", m.to > m.from ? "O-O" : "O-O-O");
        why_not_castle(p, m.us, m.to > m.from, why);
        return;
    }
    write_san(&m, san);
    snprintf(why, ILLEGAL_WHY_MAX, "%s", why_not(&m));
}
