/* SPDX-License-Identifier: MIT */
/*
 * Either notation, with a reason for what is refused. The reason is found afterwards and at leisure: what the text says
 * is tried on the men without regard for the king, so that "cannot go there" is told from "would leave the king in
 * check".
 */
#include "move_text.h"
#include "names.h"
#include "rules/movegen.h"
#include "san.h"

#include <string.h>

enum { TOKEN_MAX = 24 }; /* no move is longer, whatever its marks */

/* Where the man on a square may go if nobody minds its king; castling apart. */
static Bits reach(const Position *p, int from) {
    const Colour us = (Colour)p->turn;
    const Bits occ = occupied(p), foe = p->side[!us] | (p->ep ? bit(p->ep) : 0);
    const Bits one = forward(bit(from), us) & ~occ, two = forward(one & third_rank(us), us) & ~occ;
    switch (kind_at(p, from)) {
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

/* ---- why not ---- */

static bool explain_castling(const Position *p, bool is_short, TabiaError *cause) {
    const Colour us = (Colour)p->turn;
    const char *which = is_short ? "short" : "long";
    if (!castling_rook(p, us, is_short))
        return tabia_fail(cause, "%s has no right to castle %s", colour_name(us), which);
    if (in_check(p)) return tabia_fail(cause, "%s cannot castle out of check", colour_name(us));
    return tabia_fail(cause, "%s cannot castle %s now: a man is in the way, or a square of the king's way is hit",
                      colour_name(us), which);
}

/* The text names the square that the man leaves: is there such a man? */
static bool explain_origin(const Position *p, const SanPattern *s, TabiaError *cause) {
    const Colour us = (Colour)p->turn;
    const int from = 8 * s->rank + s->file;
    if (p->side[!us] & bit(from))
        return tabia_fail(cause, "the %s on %s is %s's, and %s is to move", kind_name(kind_at(p, from)),
                          square_name(from).text, colour_name((Colour)!us), colour_name(us));
    if (!(p->side[us] & bit(from))) return tabia_fail(cause, "there is no man on %s", square_name(from).text);
    if (!(reach(p, from) & bit(s->to)))
        return tabia_fail(cause, "the %s on %s cannot go to %s", kind_name(kind_at(p, from)), square_name(from).text,
                          square_name(s->to).text);
    return true;
}

static bool explain_men(const Position *p, const SanPattern *s, TabiaError *cause) {
    const Colour us = (Colour)p->turn;
    if (s->file >= 0 && s->rank >= 0 && !explain_origin(p, s, cause)) return false;
    Bits able = 0;
    EACH (from, p->side[us])
        if (kind_at(p, (int)from) == s->kind && (s->file < 0 || s->file == square_file((int)from)) &&
            (s->rank < 0 || s->rank == square_rank((int)from)) && reach(p, (int)from) & bit(s->to))
            able |= bit((int)from);
    if (!able)
        return tabia_fail(cause, "no %s %s%s can go to %s", colour_name(us), kind_name(s->kind),
                          s->file >= 0 || s->rank >= 0 ? " from there" : "", square_name(s->to).text);
    const bool promotes = s->kind == PAWN && bit(s->to) & last_rank(us);
    if (promotes && s->promotion == PAWN)
        return tabia_fail(cause, "it does not say what the pawn becomes on %s; a letter of QRBN is missing",
                          square_name(s->to).text);
    if (!promotes && s->promotion != PAWN) return tabia_fail(cause, "nothing promotes on %s", square_name(s->to).text);
    return tabia_fail(cause, "it would leave %s's king in check", colour_name(us));
}

static bool explain(const Position *p, const char *text, TabiaError *cause) {
    SanPattern s;
    Move found[MOVES_MAX];
    if (!san_read(text, &s))
        return tabia_fail(cause, "this is not a move; one looks like e2e4, e7e8q, Nf3, exd8=Q or O-O");
    if (!moves_list(p, found))
        return tabia_fail(cause, "%s is %s and has no move", colour_name((Colour)p->turn),
                          in_check(p) ? "checkmated" : "stalemated");
    if (s.castles) return explain_castling(p, s.is_short, cause);
    if (san_match(p, &s, found) > 1) {
        char one[SAN_MAX], other[SAN_MAX];
        move_to_san(p, found[0], one);
        move_to_san(p, found[1], other);
        return tabia_fail(cause, "it is ambiguous: %s or %s", one, other);
    }
    /* Two squares and no letter are UCI, for a man of any kind. */
    if (is_file_letter(*text) && s.file >= 0 && s.rank >= 0 && p->side[p->turn] & bit(8 * s.rank + s.file))
        s.kind = kind_at(p, 8 * s.rank + s.file);
    return explain_men(p, &s, cause);
}

/* ---- reading ---- */

static Move read_either(const Position *p, const char *text) {
    const Move m = move_from_uci(p, text);
    return m ? m : move_from_san(p, text);
}

/* Text that a message may quote: cut, and without control characters. */
static void quote(const char *text, char out[TOKEN_MAX]) {
    int i = 0;
    for (; text[i] && i < TOKEN_MAX - 1; i++) out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[i] = '\0';
}

Move move_from_text(const Position *p, const char *text, TabiaError *error) {
    const Move m = read_either(p, text);
    if (m || !error) return m;
    TabiaError cause;
    char quoted[TOKEN_MAX];
    explain(p, text, &cause);
    quote(text, quoted);
    tabia_fail(error, "\"%s\": %.300s", quoted, cause.text);
    return 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Past blanks and move numbers: digits and at least one point after them (so "0-0" is none). */
static const char *to_next_move(const char *at) {
    for (;;) {
        while (is_blank(*at)) at++;
        const char *after = at;
        while (*after >= '0' && *after <= '9') after++;
        if (after == at || *after != '.') return at;
        while (*after == '.') after++;
        at = after;
    }
}

/* Copies what stands up to the next blank and returns where it ends. What is too long to be a move is cut, and marked
   so that what is left is none either. */
static const char *copy_token(const char *at, char token[TOKEN_MAX]) {
    int length = 0;
    for (; *at && !is_blank(*at); at++) {
        if (length < TOKEN_MAX - 1)
            token[length++] = *at;
        else
            token[TOKEN_MAX - 2] = '~';
    }
    token[length] = '\0';
    return at;
}

bool position_play_text(Position *p, const char *moves, TabiaError *error) {
    Position now = *p;
    int number = 0;
    for (const char *at = to_next_move(moves ? moves : ""); *at; at = to_next_move(at)) {
        char token[TOKEN_MAX];
        at = copy_token(at, token);
        if (number && (!strcmp(token, "e.p.") || !strcmp(token, "ep"))) continue;
        number++;
        TabiaError cause;
        const Move m = move_from_text(&now, token, &cause);
        if (!m) return tabia_fail(error, "move %d, %.350s", number, cause.text);
        position_play(&now, &now, m);
    }
    *p = now;
    return true;
}
