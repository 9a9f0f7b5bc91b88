/* SPDX-License-Identifier: MIT */
/* The part of chess in test_network.c. */
#pragma once
#include "unit/network_tools.h"

static void plain_inputs(int sum[NETWORK_WIDTH], const Network *n, const Position *p, Colour view) {
    const int orientation = network_orientation(n->shape.mirrored, p, view);
    for (int s = 0; s < 64; s++) {
        const PieceType kind = piece_type_at(p, s);
        if (kind == NO_PIECE_TYPE) continue;
        plain_input(sum, n, network_feature(view, orientation, p->side[BLACK] & bit(s) ? BLACK : WHITE, kind, s));
    }
}

/* Each input of a view once, as the board sets them. */
static void count_inputs(unsigned seen[NETWORK_INPUTS], Colour view) {
    for (int owner = WHITE; owner <= BLACK; owner++)
        for (int type = PAWN; type <= KING; type++)
            for (int square = 0; square < 64; square++)
                seen[network_feature(view, 0, (Colour)owner, (PieceType)type, square)]++;
}

/* Files a to h become h to a; without castling rights. */
static Position mirror_image(const Position *p) {
    Position m = {.turn = p->turn, .fullmove = 1};
    EACH (s, occupied(p))
        position_put(&m, (int)s ^ 7, p->side[BLACK] & bit((int)s) ? BLACK : WHITE, piece_type_at(p, (int)s));
    return m;
}
/* Does neither king stand on a middle file, where it does not say which half is which? */
static bool has_mirror_image(const Position *p) {
    (void)p;
    return true;
}

/* Most pieces of all, and fewest. */
static const char *const rare_positions[] = {"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
                                             "4k3/8/8/8/8/8/8/4K3 b - - 0 1"};
static const char middlegame[] = "r1b2rk1/pp1nbppp/1q2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 9";
static const char inputs_of_the_game[] = "chess has 768";
