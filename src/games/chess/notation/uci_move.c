/* SPDX-License-Identifier: MIT */
/*
 * Moves in the notation of the Universal Chess Interface: origin, destination, promotion: e2e4, e7e8q. Only castling has
 * two spellings, e1g1, or king takes own rook, e1h1 (Chess960), and they may collide: with a king on f1, f1g1 is a step or
 * castling. Without the flag chess960 the king's move is written, except where the king is not on the e-file or the rook
 * not in the corner, since there it may also be an ordinary move, or none at all.
 *
 * Reading takes both everywhere. A text that spells an ordinary king move or a king that takes its own rook means that;
 * only if it spells neither, a king that goes where castling would take it castles: with a king on g1 and its rook on h1,
 * g1g1 castles. The promotion letter may be a capital.
 */
#include "names.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <string.h>

/* Do king and rook stand where standard chess has them, so that every program reads the king's move as castling? */
static bool castles_from_standard_squares(Colour us, int king, int rook) {
    return king == back_rank_start(us) + 4 && (rook == back_rank_start(us) || rook == back_rank_start(us) + 7);
}

void move_to_uci(const Position *p, Move m, bool chess960, char out[UCI_MAX]) {
    assert(move_is_legal(p, m));
    const Colour us = (Colour)p->turn;
    const int from = move_from(m);
    int to = move_to(m);
    if (move_flag(m) == CASTLING && !chess960 && castles_from_standard_squares(us, from, to))
        to = castled_king(us, to > from);
    memcpy(out, square_name(from).text, 2);
    memcpy(out + 2, square_name(to).text, 2);
    out[4] = move_promotes(m) ? (char)(PIECE_LETTERS[move_promotion(m)] + 32) : '\0';
    out[5] = '\0';
}

/* Parses the squares and the promotion; false if the text has another form. *type: the promoted piece, PAWN if none. */
static bool parse_squares(const char *text, int *from, int *to, PieceType *type) {
    for (int i = 0; i < 4; i++)
        if (!(i & 1 ? is_rank_digit(text[i]) : is_file_letter(text[i]))) return false;
    *from = square_from_chars(text[0], text[1]);
    *to = square_from_chars(text[2], text[3]);
    *type = PAWN;
    if (!text[4]) return true;
    static const char letters[] = "nbrqNBRQ";
    const char *letter = strchr(letters, text[4]);
    if (!letter || text[5]) return false;
    *type = (PieceType)(KNIGHT + (letter - letters) % 4);
    return true;
}

Move move_from_uci(const Position *p, const char *text) {
    int from, to;
    PieceType type;
    if (!parse_squares(text, &from, &to, &type)) return 0;
    const Move m = move_from_squares(p, from, to, type);
    if (m || type != PAWN) return m;
    const Colour us = (Colour)p->turn;
    for (int is_short = 0; is_short <= 1; is_short++) { /* the king may not move at all, or past its own square */
        const Bits rook = castling_rook(p, us, is_short);
        const Move castling = rook ? move_encode(from, (int)lsb(rook), CASTLING) : 0;
        if (rook && to == castled_king(us, is_short) && move_is_legal(p, castling)) return castling;
    }
    return 0;
}
