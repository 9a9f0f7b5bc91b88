/* SPDX-License-Identifier: MIT */
/* Why a text is no legal move, and how people would write such a move. */
#include "names.h"
#include "notation/move_text.h"
#include "rules/movegen.h"
#include "san.h"

#include <stddef.h>
#include <stdio.h>

const char *const move_marks[] = {"e.p.", "ep", NULL};

/* The pseudo-legal destinations of the piece on a square, without castling. */
static Bits pseudo_legal_targets(const Position *p, int from) {
    const Colour us = (Colour)p->turn;
    const Bits occ = occupied(p), foe = p->side[!us] | (p->ep ? bit(p->ep) : 0);
    const Bits one = forward(bit(from), us) & ~occ, two = forward(one & third_rank(us), us) & ~occ;
    const PieceType type = piece_type_at(p, from);
    const Bits attacked = piece_attacks(us, type, from, occ);
    return type == PAWN ? one | two | (attacked & foe) : attacked & ~p->side[us];
}

/* Castling: the king takes its rook, or goes two files or more along its back rank. */
static bool names_castling(const Position *p, const SanPattern *s) {
    const Colour us = (Colour)p->turn;
    if (s->castles) return true;
    if (s->type != KING || s->file < 0 || s->rank < 0) return false;
    const int from = 8 * s->rank + s->file, files = file_of(s->to) - s->file;
    if (!(p->side[us] & p->king & bit(from))) return false;
    if (p->side[us] & p->orth & ~p->diag & bit(s->to)) return true;
    return rank_of(s->to) == s->rank && (files > 1 || files < -1) && (bit(s->to) & back_rank(us));
}

static bool is_short(const SanPattern *s) {
    return s->castles ? s->is_short : file_of(s->to) > s->file;
}

static bool explain_castling(const Position *p, bool is_short, TabiaError *reason) {
    const Colour us = (Colour)p->turn;
    const char *name = colour_name(us);
    const LegalMasks v = find_legal_masks(p, us);
    const Bits rook = castling_rook(p, us, is_short);
    const int king_to = castled_king(us, is_short), rook_to = castled_rook(us, is_short);
    if (!rook) return tabia_fail(reason, "%s has no right to castle %s", name, is_short ? "short" : "long");
    if (v.in_check) return tabia_fail(reason, "%s cannot castle out of check", name);
    const Bits king_way = squares_between[v.king][king_to], attacked = king_way & v.attacked;
    const Bits way = (king_way | squares_between[lsb(rook)][rook_to]) & v.occ & ~(rook | bit(v.king));
    if (way) return tabia_fail(reason, "%s cannot castle through the piece on %s", name, square_name(lsb(way)).text);
    if (attacked & bit(king_to))
        return tabia_fail(reason, "%s cannot castle into check on %s", name, square_name(king_to).text);
    if (attacked)
        return tabia_fail(reason, "%s cannot castle through check on %s", name, square_name(lsb(attacked)).text);
    return tabia_fail(reason, "%s cannot castle: the rook is needed as a shield", name);
}

/* The text names the origin: is there such a piece? */
static bool explain_origin(const Position *p, const SanPattern *s, TabiaError *reason) {
    assert(s->file >= 0 && s->rank >= 0);
    const Colour us = (Colour)p->turn;
    const int from = 8 * s->rank + s->file;
    if (p->side[!us] & bit(from))
        return tabia_fail(reason, "the %s on %s is %s's, and %s is to move", piece_type_name(piece_type_at(p, from)),
                          square_name(from).text, colour_name((Colour)!us), colour_name(us));
    if (!(p->side[us] & bit(from))) return tabia_fail(reason, "there is no piece on %s", square_name(from).text);
    if (piece_type_at(p, from) == PAWN && pawn_attacks[us][from] & bit(s->to) & ~p->side[us] &&
        !(pseudo_legal_targets(p, from) & bit(s->to)))
        return tabia_fail(reason, "the pawn on %s has nothing to take on %s, en passant neither",
                          square_name(from).text, square_name(s->to).text);
    if (!(pseudo_legal_targets(p, from) & bit(s->to)))
        return tabia_fail(reason, "the %s on %s cannot go to %s", piece_type_name(piece_type_at(p, from)),
                          square_name(from).text, square_name(s->to).text);
    return true;
}

static bool explain_piece_move(const Position *p, const SanPattern *s, TabiaError *reason) {
    const Colour us = (Colour)p->turn;
    if (s->file >= 0 && s->rank >= 0 && !explain_origin(p, s, reason)) return false;
    Bits candidates = 0;
    EACH (from, p->side[us])
        if (piece_type_at(p, (int)from) == s->type && (s->file < 0 || s->file == file_of((int)from)) &&
            (s->rank < 0 || s->rank == rank_of((int)from)) && pseudo_legal_targets(p, (int)from) & bit(s->to))
            candidates |= bit((int)from);
    if (!candidates)
        return tabia_fail(reason, "no %s %s%s can go to %s", colour_name(us), piece_type_name(s->type),
                          s->file >= 0 || s->rank >= 0 ? " from there" : "", square_name(s->to).text);
    const bool promotes = s->type == PAWN && bit(s->to) & last_rank(us);
    if (promotes && s->promotion == PAWN)
        return tabia_fail(reason, "it does not say what the pawn becomes on %s; a letter of QRBN is missing",
                          square_name(s->to).text);
    if (!promotes && s->promotion != PAWN) return tabia_fail(reason, "nothing promotes on %s", square_name(s->to).text);
    return tabia_fail(reason, "it would leave %s's king in check", colour_name(us));
}

/* Two squares and no letter are UCI, for a piece of any type. False: the text has not the form of a move. */
static bool read_text(const Position *p, const char *text, SanPattern *s) {
    if (!san_read(text, s)) return false;
    if (is_file_letter(*text) && s->file >= 0 && s->rank >= 0 && p->side[p->turn] & bit(8 * s->rank + s->file))
        s->type = piece_type_at(p, 8 * s->rank + s->file);
    return true;
}

bool move_explain_refusal(const Position *p, const char *text, TabiaError *reason) {
    SanPattern s;
    Move moves[MOVES_MAX];
    if (!read_text(p, text, &s))
        return tabia_fail(reason, "this is not a move; one looks like e2e4, e7e8q, Nf3, exd8=Q or O-O");
    if (!moves_count(p))
        return tabia_fail(reason, "%s is %s and has no move", colour_name((Colour)p->turn),
                          in_check(p) ? "checkmated" : "stalemated");
    if (names_castling(p, &s)) return explain_castling(p, is_short(&s), reason);
    if (san_match(p, &s, moves) > 1) {
        char one[SAN_MAX], other[SAN_MAX];
        move_to_san(p, moves[0], one);
        move_to_san(p, moves[1], other);
        return tabia_fail(reason, "it is ambiguous: %s or %s", one, other);
    }
    return explain_piece_move(p, &s, reason);
}

void move_write_illegal(const Position *p, const char *uci, char san[SAN_MAX]) {
    SanPattern s;
    snprintf(san, SAN_MAX, "%.11s", uci);
    if (!read_text(p, uci, &s) || s.file < 0 || s.rank < 0) return;
    const int from = 8 * s.rank + s.file;
    if (!(p->side[p->turn] & bit(from))) return;
    if (names_castling(p, &s)) {
        snprintf(san, SAN_MAX, "%s", is_short(&s) ? "O-O" : "O-O-O");
        return;
    }
    const bool takes = (occupied(p) & bit(s.to)) || (s.type == PAWN && s.file != file_of(s.to));
    const char letter = "\0NBRQK"[s.type];
    snprintf(san, SAN_MAX, "%.*s%s%s%s%.*s%.*s", letter != 0, &letter, square_name(from).text, takes ? "x" : "-",
             square_name(s.to).text, s.promotion != PAWN, "=", s.promotion != PAWN, &PIECE_LETTERS[s.promotion]);
}
