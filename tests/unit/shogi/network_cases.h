/* SPDX-License-Identifier: MIT */
/* The part of shogi in test_network.c. */
#pragma once
#include "unit/network_tools.h"

static void plain_inputs(int sum[NETWORK_WIDTH], const Network *n, const Position *p, Colour view) {
    const int orientation = network_orientation(n->shape.mirrored, p, view);
    for (int s = 0; s < BOARD_SQUARES; s++) {
        const Colour owner = has_square(p->side[WHITE], s) ? WHITE : BLACK;
        if (has_square(occupied(p), s))
            plain_input(sum, n, network_feature(view, orientation, owner, piece_type_at(p, s), s));
    }
    for (int owner = 0; owner < 2; owner++)
        for (int t = 0; t < HAND_TYPES; t++)
            for (int i = 0; i < (int)hand_count(p->hand[owner], (PieceType)t); i++)
                plain_input(sum, n, network_hand_feature(view, (Colour)owner, (PieceType)t, i));
}

/* Each input of a view once: each piece on each square, and the first, second ... of each type in each hand. */
static void count_inputs(unsigned seen[NETWORK_INPUTS], Colour view) {
    static const int in_hand[HAND_TYPES] = {
        [PAWN] = 18, [LANCE] = 4, [KNIGHT] = 4, [SILVER] = 4, [BISHOP] = 3, [ROOK] = 3, [GOLD] = 4};
    for (int owner = BLACK; owner <= WHITE; owner++) {
        for (int type = 0; type < FEATURE_TYPES; type++)
            for (int square = 0; square < BOARD_SQUARES; square++)
                seen[network_feature(view, 0, (Colour)owner, (PieceType)type, square)]++;
        for (int type = 0; type < HAND_TYPES; type++)
            for (int before = 0; before < in_hand[type]; before++)
                seen[network_hand_feature(view, (Colour)owner, (PieceType)type, before)]++;
    }
}

/* Files 1 to 9 become 9 to 1. */
static Position mirror_image(const Position *p) {
    Position m = {.hand = {p->hand[0], p->hand[1]}, .king = {NO_SQUARE, NO_SQUARE}, .turn = p->turn, .ply = 1};
    EACH_SQUARE (s, occupied(p))
        position_put(&m, RANKS * (FILES - 1 - file_of(s)) + rank_of(s), has_square(p->side[WHITE], s) ? WHITE : BLACK,
                     piece_type_at(p, s));
    return m;
}

/* Does neither king stand on the middle file, where it does not say which half is which? */
static bool has_mirror_image(const Position *p) {
    return file_of(p->king[BLACK]) != FILES / 2 && file_of(p->king[WHITE]) != FILES / 2;
}

/* A problem without the attacker's king, and a bishop and a rook more than in a set. */
static const char *const rare_positions[] = {"7nk/9/5+B2P/9/9/9/9/9/9 b GS 1",
                                             "4k4/9/9/9/9/9/9/9/4K4 b 3R3B4G4S4N4L18P 1"};
static const char middlegame[] = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
static const char inputs_of_the_game[] = "shogi has 2348";
