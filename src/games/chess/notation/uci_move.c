/* SPDX-License-Identifier: MIT */
/*
 * Moves in the notation of the Universal Chess Interface: square, square, new man. Only castling has two spellings, and
 * they meet: with a king on f1, f1g1 is a step or, spelt as the king's way, castling. Whoever writes avoids the second
 * spelling where it may mean something else; whoever reads takes the first that fits.
 */
#include "move_text.h"
#include "names.h"
#include "rules/movegen.h"

#include <string.h>

/* Does every program understand the king's way, because king and rook stand where standard chess has them? */
static bool castles_as_usual(Colour us, int king, int rook) {
    return king == home_row(us) + 4 && (rook == home_row(us) || rook == home_row(us) + 7);
}

void move_to_uci(const Position *p, Move m, bool chess960, char out[UCI_MAX]) {
    const Colour us = (Colour)p->turn;
    const int from = move_from(m);
    int to = move_to(m);
    if (move_flag(m) == CASTLING && !chess960 && castles_as_usual(us, from, to)) to = castled_king(us, to > from);
    memcpy(out, square_name(from).text, 2);
    memcpy(out + 2, square_name(to).text, 2);
    out[4] = move_promotes(m) ? (char)(MAN_LETTERS[move_promotion(m)] + 32) : '\0';
    out[5] = '\0';
}

/* Reads the shape of a move; false if it has another. *kind is the new man, PAWN if there is none. */
static bool read_shape(const char *text, int *from, int *to, Kind *kind) {
    for (int i = 0; i < 4; i++)
        if (!(i & 1 ? is_rank_digit(text[i]) : is_file_letter(text[i]))) return false;
    *from = square_of(text[0], text[1]);
    *to = square_of(text[2], text[3]);
    *kind = PAWN;
    if (!text[4]) return true;
    static const char letters[] = "nbrqNBRQ";
    const char *letter = strchr(letters, text[4]);
    if (!letter || text[5]) return false;
    *kind = (Kind)(KNIGHT + (letter - letters) % 4);
    return true;
}

Move move_from_uci(const Position *p, const char *text) {
    int from, to;
    Kind kind;
    if (!read_shape(text, &from, &to, &kind)) return 0;
    const Move m = move_between(p, from, to, kind);
    if (m || kind != PAWN) return m;
    const Colour us = (Colour)p->turn;
    for (int is_short = 0; is_short <= 1; is_short++) { /* the king's way may lead past where he stands */
        const Bits rook = castling_rook(p, us, is_short);
        const Move castling = rook ? move_make(from, (int)first(rook), CASTLING) : 0;
        if (rook && to == castled_king(us, is_short) && move_is_legal(p, castling)) return castling;
    }
    return 0;
}
