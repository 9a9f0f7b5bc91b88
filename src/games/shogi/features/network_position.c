/* SPDX-License-Identifier: MIT */
#include "features/network_position.h"

enum { PACKED_COLOUR = 4 }; /* the bit of it in a piece */

NetworkPosition network_position_pack(const Position *p) {
    const Squares all = occupied(p);
    NetworkPosition packed = {
        .occupied = {lower_word(all), upper_word(all)}, .hand = {p->hand[BLACK], p->hand[WHITE]}, .turn = p->turn};
    int i = 0;
    assert(squares_count(all) <= NETWORK_FEATURES_MAX);
    EACH_SQUARE (s, all) {
        const unsigned owner = has_square(p->side[WHITE], s);
        packed.pieces[i++] = (uint8_t)(owner << PACKED_COLOUR | piece_type_at_branchless(p, s));
    }
    return packed;
}

static Squares packed_squares(const NetworkPosition *packed) {
    return SQUARES(packed->occupied[1], packed->occupied[0]);
}
static Colour packed_owner(unsigned piece) {
    return (Colour)(piece >> PACKED_COLOUR);
}
static PieceType packed_type(unsigned piece) {
    return (PieceType)(piece & ((1 << PACKED_COLOUR) - 1));
}

Position network_position_unpack(const NetworkPosition *packed) {
    Position p = {.hand = {packed->hand[BLACK], packed->hand[WHITE]},
                  .king = {NO_SQUARE, NO_SQUARE},
                  .turn = packed->turn,
                  .ply = 1};
    int i = 0;
    EACH_SQUARE (s, packed_squares(packed)) {
        const unsigned piece = packed->pieces[i++];
        position_put(&p, s, packed_owner(piece), packed_type(piece));
    }
    return p;
}

/* network_orientation of a packed position. */
static int packed_orientation(const NetworkPosition *packed, bool mirrored, Colour side) {
    int i = 0, king = NO_SQUARE;
    EACH_SQUARE (s, packed_squares(packed)) {
        const unsigned piece = packed->pieces[i++];
        if (packed_owner(piece) == side && packed_type(piece) == KING) king = s;
    }
    return network_orientation_of_king(mirrored, side, king);
}

/* The inputs of both hands, from the views of both sides. */
static void add_hands(NetworkFeatures *in, const NetworkPosition *packed, Colour us) {
    for (int owner = BLACK; owner <= WHITE; owner++)
        for (int t = 0; t < HAND_TYPES; t++)
            for (int i = 0; i < (int)hand_count(packed->hand[owner], (PieceType)t); i++, in->count++)
                for (int view = 0; view < 2; view++)
                    in->input[view][in->count] =
                        (uint16_t)network_hand_feature(view ? (Colour)!us : us, (Colour)owner, (PieceType)t, i);
}

void network_features(const NetworkPosition *packed, bool mirrored, NetworkFeatures *in) {
    const Colour us = (Colour)packed->turn, them = (Colour)!us;
    const int ours = packed_orientation(packed, mirrored, us), theirs = packed_orientation(packed, mirrored, them);
    int pieces = network_hand_pieces(packed->hand[BLACK]) + network_hand_pieces(packed->hand[WHITE]);
    in->count = 0;
    EACH_SQUARE (s, packed_squares(packed)) {
        const unsigned piece = packed->pieces[in->count];
        const Colour owner = packed_owner(piece);
        const PieceType type = packed_type(piece);
        in->input[0][in->count] = (uint16_t)network_feature(us, ours, owner, type, s);
        in->input[1][in->count] = (uint16_t)network_feature(them, theirs, owner, type, s);
        in->count++;
        pieces += (type & PROMOTED) != 0;
    }
    add_hands(in, packed, us);
    assert(in->count <= NETWORK_FEATURES_MAX);
    in->bucket = network_bucket_of_count(pieces);
}
