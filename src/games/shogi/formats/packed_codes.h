/* SPDX-License-Identifier: MIT */
/*
 * The codes of the two ways to pack a position into 256 bits: for each piece on the board, in a hand, or out of the game
 * ("in the box"). An empty square is a bit 0. Tables computed when Tabia is built (make_packed_codes.c).
 *
 *   psv   YaneuraOu's packed SFEN            hcp   Apery's Huffman coded position
 */
#pragma once
#include "rules/types.h"

typedef enum { PACKED_PSV, PACKED_HCP, PACKED_LAYOUTS } PackedLayout;

/* Who holds a piece: BLACK, WHITE, or the box. */
enum { PACKED_BOX = 2, PACKED_HOLDERS, PACKED_LOOKAHEAD_BITS = 8 };

/* The lowest bits first; bits 0: there is no such piece. */
typedef struct {
    uint8_t value, bits;
} PackedCode;

/* What the next PACKED_LOOKAHEAD_BITS bits begin with; bits 0: nothing that is known. */
typedef struct {
    uint8_t type, holder, bits;
} PackedSymbol;

typedef struct {
    PackedCode board[2][NO_PIECE_TYPE], hand[PACKED_HOLDERS][HAND_TYPES];
    PackedSymbol on_board[1 << PACKED_LOOKAHEAD_BITS], in_hand[1 << PACKED_LOOKAHEAD_BITS];
} PackedCodes;

extern const PackedCodes packed_codes[PACKED_LAYOUTS];
