/* SPDX-License-Identifier: MIT */
/*
 * A position as ranks send it to each other: without what no count needs, halfmove clock and move number, and with each
 * king's square in one byte. It is copied as it lies in memory.
 */
#pragma once
#include "position.h"

typedef struct {
    Bits side[2], pawn, knight, diag, orth;
    uint8_t king[2], castle[2], ep, turn;
    uint16_t spare; /* the caller's */
} PackedPosition;

_Static_assert(sizeof(PackedPosition) == 56, "no padding");

INLINE PackedPosition position_pack(const Position *p) {
    return (PackedPosition){.side = {p->side[WHITE], p->side[BLACK]},
                            .pawn = p->pawn,
                            .knight = p->knight,
                            .diag = p->diag,
                            .orth = p->orth,
                            .king = {(uint8_t)king_square(p, WHITE), (uint8_t)king_square(p, BLACK)},
                            .castle = {p->castle[WHITE], p->castle[BLACK]},
                            .ep = p->ep,
                            .turn = p->turn};
}

INLINE Position position_unpack(const PackedPosition *w) {
    return (Position){.side = {w->side[WHITE], w->side[BLACK]},
                      .pawn = w->pawn,
                      .knight = w->knight,
                      .diag = w->diag,
                      .orth = w->orth,
                      .king = bit(w->king[WHITE] % 64) | bit(w->king[BLACK] % 64),
                      .castle = {w->castle[WHITE], w->castle[BLACK]},
                      .ep = w->ep,
                      .turn = w->turn,
                      .fullmove = 1};
}
