/* SPDX-License-Identifier: MIT */
/* Moves in the notation of the Universal Shogi Interface: 7g7f, 8h2b+, P*5e. The flag, which chess needs, is ignored. */
#include "usi_move.h"

#include "names.h"
#include "notation/move_text.h"
#include "rules/movegen.h"

#include <string.h>

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

bool usi_read(const char *text, Move *m) {
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
