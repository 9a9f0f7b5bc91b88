/* SPDX-License-Identifier: MIT */
#include "position.h"

#include <string.h>

bool position_same(const Position *a, const Position *b) {
    return !memcmp(a, b, 10 * sizeof(Squares)) && a->hand[BLACK] == b->hand[BLACK] &&
           a->hand[WHITE] == b->hand[WHITE] && a->king[BLACK] == b->king[BLACK] && a->king[WHITE] == b->king[WHITE] &&
           a->turn == b->turn;
}

static Squares turned(Squares set) {
    Squares around = 0;
    EACH_SQUARE (s, set) around |= square_bit(BOARD_SQUARES - 1 - s);
    return around;
}

Position position_flipped(const Position *p) {
    Position f = {.promoted = turned(p->promoted), .turn = !p->turn, .ply = p->ply};
    for (int t = 0; t < HAND_TYPES; t++) f.type[t] = turned(p->type[t]);
    for (int c = BLACK; c <= WHITE; c++) {
        f.side[c] = turned(p->side[!c]);
        f.hand[c] = p->hand[!c];
        f.king[c] = p->king[!c] == NO_SQUARE ? NO_SQUARE : (uint8_t)(BOARD_SQUARES - 1 - p->king[!c]);
    }
    return f;
}

LocalityKey position_locality_key(const Position *p) {
    const Position own = p->turn == WHITE ? *p : position_flipped(p); /* the most advanced pieces weigh most */
    const Colour us = WHITE;
    const Squares sets[4] = {own.type[PAWN] & own.side[us], own.side[us], own.type[PAWN] & own.side[!us],
                             own.side[!us]};
    LocalityKey key;
    for (int i = 0; i < 4; i++) key.word[2 * i] = upper_word(sets[i]), key.word[2 * i + 1] = lower_word(sets[i]);
    return key;
}
