/* SPDX-License-Identifier: MIT */
/*
 * Either notation, with a reason for what is refused. The reason is found afterwards: the move that the text describes
 * is tried without regard for the king, so that "cannot go there" is told from "would leave the king in check".
 */
#include "move_text.h"
#include "names.h"
#include "rules/movegen.h"
#include "san.h"

#include <string.h>

enum { TOKEN_MAX = 24 }; /* no move is longer, with all its marks */

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

/* ---- why a move is refused ---- */

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

static bool explain_refusal(const Position *p, const char *text, TabiaError *reason) {
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

/* ---- reading ---- */

static Move read_either(const Position *p, const char *text) {
    const Move m = move_from_uci(p, text);
    return m ? m : move_from_san(p, text);
}

/* Copies text for a message: truncated, and without control characters. */
static void copy_quoted(const char *text, char out[TOKEN_MAX]) {
    int i = 0;
    for (; text[i] && i < TOKEN_MAX - 1; i++) out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[i] = '\0';
}

Move move_from_text(const Position *p, const char *text, TabiaError *error) {
    const Move m = read_either(p, text);
    if (m || !error) return m;
    TabiaError reason;
    char quoted[TOKEN_MAX];
    explain_refusal(p, text, &reason);
    copy_quoted(text, quoted);
    tabia_fail(error, "\"%s\": %.300s", quoted, reason.text);
    return 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Skips blanks and move numbers: digits and at least one point after them (so "0-0" is none). */
static const char *skip_to_move(const char *at) {
    for (;;) {
        while (is_blank(*at)) at++;
        const char *after = at;
        while (*after >= '0' && *after <= '9') after++;
        if (after == at || *after != '.') return at;
        while (*after == '.') after++;
        at = after;
    }
}

/*
 * Copies the text up to the next blank and returns where it ends. A text too long to be a move is truncated, and marked
 * so that the rest is no move either.
 */
static const char *copy_token(const char *at, char token[TOKEN_MAX]) {
    int length = 0;
    for (; *at && !is_blank(*at); at++) {
        if (length < TOKEN_MAX - 1)
            token[length++] = *at;
        else
            token[TOKEN_MAX - 2] = '~';
    }
    assert(length < TOKEN_MAX);
    token[length] = '\0';
    return at;
}

bool position_make_moves(Position *p, const char *moves, TabiaError *error) {
    Position current = *p;
    int number = 0;
    for (const char *at = skip_to_move(moves ? moves : ""); *at; at = skip_to_move(at)) {
        char token[TOKEN_MAX];
        at = copy_token(at, token);
        if (number && (!strcmp(token, "e.p.") || !strcmp(token, "ep"))) continue;
        number++;
        TabiaError reason;
        const Move m = move_from_text(&current, token, &reason);
        if (!m) return tabia_fail(error, "move %d, %.350s", number, reason.text);
        position_make_move(&current, &current, m);
    }
    *p = current;
    return true;
}
