/* SPDX-License-Identifier: MIT */
/*
 * Moves as programs and people write them, and why a text is no legal move.
 *
 *     USI        7g7f, 8h2b+, P*5e; the flag, which chess needs, is ignored
 *     Western    P7g-7f, B8hx2b+, S4dx3c=, P*5e: the origin is always written, 'x' is a capture, '+' promotes, '=' declines to,
 *                '#' mates; in reading '-', 'x', '=', '#' may be missing, and are not verified
 */
#include "notation/move_text.h"

#include "names.h"
#include "rules/movegen.h"

#include <stdio.h>
#include <string.h>

const char *const move_marks[] = {NULL};

/* ---- USI ---- */

void move_to_uci(const Position *p, Move m, bool ignored, char out[UCI_MAX]) {
    (void)p, (void)ignored;
    const SquareName to = square_name(move_to(m));
    if (move_is_drop(m)) {
        out[0] = PIECE_LETTERS[move_drop_type(m)];
        out[1] = '*';
    } else {
        memcpy(out, square_name(move_from(m)).text, 2);
    }
    memcpy(out + 2, to.text, 2);
    out[4] = move_promotes(m) ? '+' : '\0';
    out[5] = '\0';
}

static bool is_square(const char *text) {
    return is_file_digit(text[0]) && is_rank_letter(text[1]);
}

/* Has text the form of a move, whether legal or not? Then *m is what it says. */
static bool usi_read(const char *text, Move *m) {
    const bool drops = *text && text[1] == '*';
    if (!*text || (!drops && !is_square(text)) || !is_square(text + 2)) return false;
    const int to = square_from_chars(text[2], text[3]);
    if (drops) {
        const PieceType type = piece_type_from_letter(*text);
        if (text[4] || (int)type >= HAND_TYPES) return false;
        *m = move_encode_drop(type, to);
        return true;
    }
    const bool promotes = text[4] == '+';
    if (text[promotes ? 5 : 4]) return false;
    *m = move_encode(square_from_chars(text[0], text[1]), to, promotes ? PROMOTION : PLAIN);
    return true;
}

Move move_from_uci(const Position *p, const char *text) {
    Move m;
    return usi_read(text, &m) && move_is_legal(p, m) ? m : 0;
}

/* ---- Western notation ---- */

/* A move on the board, without what it may bring about. */
static void write_board_move(const Position *p, Move m, bool could_promote, char out[SAN_MAX]) {
    const int from = move_from(m), to = move_to(m);
    const PieceType type = piece_type_at(p, from);
    snprintf(out, SAN_MAX, "%s%c%s%c%s%s", type & PROMOTED ? "+" : "", PIECE_LETTERS[piece_type_unpromoted(type)],
             square_name(from).text, has_square(occupied(p), to) ? 'x' : '-', square_name(to).text,
             move_promotes(m) ? "+"
             : could_promote  ? "="
                              : "");
}

void move_to_san(const Position *p, Move m, char out[SAN_MAX]) {
    if (move_is_drop(m)) {
        move_to_uci(p, m, false, out);
    } else {
        const Squares ends = square_bit(move_from(m)) | square_bit(move_to(m));
        const bool could = piece_type_promotes(piece_type_at(p, move_from(m)));
        write_board_move(p, m, could && promotion_zone((Colour)p->turn) & ends, out);
    }
    Position after;
    position_make_move(&after, p, m);
    if (in_check(&after) && !moves_count(&after)) strcat(out, "#");
}

void move_write_illegal(const Position *p, const char *usi, char san[SAN_MAX]) {
    Move m;
    snprintf(san, SAN_MAX, "%.11s", usi);
    if (usi_read(usi, &m) && !move_is_drop(m) && has_square(p->side[p->turn], move_from(m)))
        write_board_move(p, m, false, san);
}

/* Copies what USI would keep of the text: squares and '+'. False if the piece named is not the one that stands there. */
static bool western_to_usi(const Position *p, const char *text, char usi[UCI_MAX]) {
    const bool promoted = *text == '+';
    const PieceType named = piece_type_from_letter(text[promoted]);
    const char *at = text + promoted + 1;
    int n = 0;
    if (named == NO_PIECE_TYPE || !is_file_digit(at[0]) || !is_rank_letter(at[1])) return false;
    const PieceType type = promoted ? (PieceType)(named | PROMOTED) : named;
    if (piece_type_at(p, square_from_chars(at[0], at[1])) != type) return false;
    for (; *at && n < UCI_MAX - 1; at++)
        if (!(n == 2 && (*at == '-' || *at == 'x')) && !(n == 4 && *at == '=')) {
            if (*at == '#' && !at[1]) break;
            usi[n++] = *at;
        }
    usi[n] = '\0';
    return !*at || *at == '#';
}

Move move_from_san(const Position *p, const char *text) {
    char usi[UCI_MAX];
    const size_t length = strlen(text);
    if (length >= 5 && length < UCI_MAX && text[1] == '*' && text[4] == '#') { /* a drop that mates */
        snprintf(usi, sizeof usi, "%.4s", text);
        return move_from_uci(p, usi);
    }
    return western_to_usi(p, text, usi) ? move_from_uci(p, usi) : move_from_uci(p, text);
}

/* ---- what is wrong with a move ---- */

static bool explain_drop(const Position *p, Move m, TabiaError *reason) {
    const Colour us = (Colour)p->turn;
    const PieceType type = move_drop_type(m);
    const int to = move_to(m);
    const char *name = piece_type_name(type);
    if (!hand_count(p->hand[us], type)) return tabia_fail(reason, "%s has no %s in hand", colour_name(us), name);
    if (has_square(occupied(p), to)) return tabia_fail(reason, "%s is not empty", square_name(to).text);
    if (has_square(dead_end(us, type), to))
        return tabia_fail(reason, "a %s dropped on %s could never move", name, square_name(to).text);
    if (type == PAWN && has_square(whole_files(unpromoted(p, PAWN) & p->side[us]), to))
        return tabia_fail(reason, "%s has an unpromoted pawn on file %d", colour_name(us), file_of(to) + 1);
    if (type == PAWN && pawn_drop_mates(p, us, to)) return tabia_fail(reason, "a dropped pawn may not mate");
    return tabia_fail(reason, "it would leave %s's king in check", colour_name(us));
}

static bool explain_promotion(Colour us, Move m, PieceType type, TabiaError *reason) {
    if (!move_promotes(m)) /* onto a dead end */
        return tabia_fail(reason, "a %s must promote on %s", piece_type_name(type), square_name(move_to(m)).text);
    if (!piece_type_promotes(type)) return tabia_fail(reason, "a %s does not promote", piece_type_name(type));
    return tabia_fail(reason, "%s promotes only on a move into, in or out of the last three ranks", colour_name(us));
}

static bool explain_board_move(const Position *p, Move m, TabiaError *reason) {
    const Colour us = (Colour)p->turn;
    const int from = move_from(m), to = move_to(m);
    const Squares f = square_bit(from), t = square_bit(to);
    if (!(p->side[us] & f)) return tabia_fail(reason, "%s has no piece on %s", colour_name(us), square_name(from).text);
    const PieceType type = piece_type_at(p, from);
    if (p->side[us] & t || !(piece_attacks(us, type, from, occupied(p)) & t))
        return tabia_fail(reason, "the %s on %s cannot go to %s", piece_type_name(type), square_name(from).text,
                          square_name(to).text);
    const bool may_promote = piece_type_promotes(type) && promotion_zone(us) & (f | t);
    if (move_promotes(m) ? !may_promote : (dead_end(us, type) & t) != 0) return explain_promotion(us, m, type, reason);
    return tabia_fail(reason, "it would leave %s's king in check", colour_name(us));
}

bool move_explain_refusal(const Position *p, const char *text, TabiaError *reason) {
    char usi[UCI_MAX];
    Move m;
    if (!usi_read(text, &m) && !(western_to_usi(p, text, usi) && usi_read(usi, &m)))
        return tabia_fail(reason, "this is not a move; one looks like 7g7f, 8h2b+ or P*5e");
    if (!moves_count(p)) return tabia_fail(reason, "%s has no move, which loses", colour_name((Colour)p->turn));
    return move_is_drop(m) ? explain_drop(p, m, reason) : explain_board_move(p, m, reason);
}
