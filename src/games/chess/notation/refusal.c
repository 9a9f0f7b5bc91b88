/* SPDX-License-Identifier: MIT */
/* Why a text is no legal move. */
#include "names.h"
#include "notation/move_text.h"
#include "rules/movegen.h"
#include "san.h"

#include <stddef.h>

const char *const move_marks[] = {"e.p.", "ep", NULL};

/* The pseudo-legal destinations of the piece on a square, without castling. */
static Bits pseudo_legal_targets(const Position *p, int from) {
    const Colour us = (Colour)p->turn;
    const Bits occ = occupied(p), foe = p->side[!us] | (p->ep ? bit(p->ep) : 0);
    const Bits one = forward(bit(from), us) & ~occ, two = forward(one & third_rank(us), us) & ~occ;
    switch (piece_type_at(p, from)) {
    case PAWN:
        return one | two | (pawn_attacks[us][from] & foe);
    case KNIGHT:
        return knight_attacks[from] & ~p->side[us];
    case BISHOP:
        return bishop_attacks(from, occ) & ~p->side[us];
    case ROOK:
        return rook_attacks(from, occ) & ~p->side[us];
    case QUEEN:
        return (bishop_attacks(from, occ) | rook_attacks(from, occ)) & ~p->side[us];
    case KING:
        return king_attacks[from] & ~p->side[us];
    default:
        return 0;
    }
}

static bool explain_castling(const Position *p, bool is_short, TabiaError *reason) {
    const Colour us = (Colour)p->turn;
    const char *which = is_short ? "short" : "long";
    if (!castling_rook(p, us, is_short))
        return tabia_fail(reason, "%s has no right to castle %s", colour_name(us), which);
    if (in_check(p)) return tabia_fail(reason, "%s cannot castle out of check", colour_name(us));
    return tabia_fail(reason,
                      "%s cannot castle %s now: a piece is in the way, or a square that the king crosses is attacked",
                      colour_name(us), which);
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

bool move_explain_refusal(const Position *p, const char *text, TabiaError *reason) {
    SanPattern s;
    Move moves[MOVES_MAX];
    if (!san_read(text, &s))
        return tabia_fail(reason, "this is not a move; one looks like e2e4, e7e8q, Nf3, exd8=Q or O-O");
    if (!moves_list(p, moves))
        return tabia_fail(reason, "%s is %s and has no move", colour_name((Colour)p->turn),
                          in_check(p) ? "checkmated" : "stalemated");
    if (s.castles) return explain_castling(p, s.is_short, reason);
    if (san_match(p, &s, moves) > 1) {
        char one[SAN_MAX], other[SAN_MAX];
        move_to_san(p, moves[0], one);
        move_to_san(p, moves[1], other);
        return tabia_fail(reason, "it is ambiguous: %s or %s", one, other);
    }
    /* Two squares and no letter are UCI, for a piece of any type. */
    if (is_file_letter(*text) && s.file >= 0 && s.rank >= 0 && p->side[p->turn] & bit(8 * s.rank + s.file))
        s.type = piece_type_at(p, 8 * s.rank + s.file);
    return explain_piece_move(p, &s, reason);
}
