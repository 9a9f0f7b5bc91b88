/* SPDX-License-Identifier: MIT */
/*
 * A position as ranks send it to each other: white's pieces follow from the others, and the number of its move is left out.
 * It is copied as it lies in memory.
 */
#pragma once
#include "position.h"

typedef struct {
    uint64_t set[HAND_TYPES + 2][2]; /* each type, black's pieces, the promoted ones: two words of each set */
    uint32_t hand[2];
    uint8_t king[2], turn, zero;
    uint16_t spare; /* the caller's */
    uint16_t zeros;
} PackedPosition;

_Static_assert(sizeof(PackedPosition) == 160, "no padding");

INLINE void packed_set(PackedPosition *w, int i, Squares set) {
    w->set[i][0] = lower_word(set), w->set[i][1] = upper_word(set);
}
INLINE Squares unpacked_set(const PackedPosition *w, int i) {
    return SQUARES(w->set[i][1], w->set[i][0]);
}

INLINE PackedPosition position_pack(const Position *p) {
    PackedPosition w = {
        .hand = {p->hand[BLACK], p->hand[WHITE]}, .king = {p->king[BLACK], p->king[WHITE]}, .turn = p->turn};
    packed_set(&w, HAND_TYPES, p->side[BLACK]);
    packed_set(&w, HAND_TYPES + 1, p->promoted);
    for (int t = 0; t < HAND_TYPES; t++) packed_set(&w, t, p->type[t]);
    return w;
}

INLINE Position position_unpack(const PackedPosition *w) {
    Position p = {.promoted = unpacked_set(w, HAND_TYPES + 1),
                  .hand = {w->hand[BLACK], w->hand[WHITE]},
                  .king = {w->king[BLACK], w->king[WHITE]},
                  .turn = w->turn,
                  .ply = 1};
    Squares all = king_bit(&p, BLACK) | king_bit(&p, WHITE);
    for (int t = 0; t < HAND_TYPES; t++) p.type[t] = unpacked_set(w, t), all |= p.type[t];
    p.side[BLACK] = unpacked_set(w, HAND_TYPES);
    p.side[WHITE] = all & ~p.side[BLACK];
    return p;
}
