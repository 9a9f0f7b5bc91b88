/* SPDX-License-Identifier: MIT */
#include "features/network_position.h"

NetworkPosition network_position_pack(const Position *p) {
    NetworkPosition packed = {.occupied = occupied(p), .turn = p->turn};
    int i = 0;
    EACH (s, occupied(p)) {
        const unsigned owner = p->side[BLACK] >> s & 1;
        packed.pieces[i / 2] |= (uint8_t)((owner * 8 + piece_type_at_branchless(p, (int)s)) << i % 2 * 4);
        i++;
    }
    return packed;
}

static unsigned packed_piece(const NetworkPosition *packed, int i) {
    return packed->pieces[i / 2] >> i % 2 * 4 & 15;
}

Position network_position_unpack(const NetworkPosition *packed) {
    Position p = {.turn = packed->turn, .fullmove = 1};
    int i = 0;
    EACH (s, packed->occupied) {
        const unsigned piece = packed_piece(packed, i++);
        position_put(&p, (int)s, (Colour)(piece >> 3), (PieceType)(piece & 7));
    }
    return p;
}

/* network_orientation of a packed position. */
static int packed_orientation(const NetworkPosition *packed, bool mirrored, Colour side) {
    int i = 0;
    EACH (s, packed->occupied) {
        if (packed_piece(packed, i++) == (unsigned)side * 8 + KING)
            return network_orientation_of_king(mirrored, side, (int)s);
    }
    return 0;
}

void network_features(const NetworkPosition *packed, bool mirrored, NetworkFeatures *in) {
    assert(popcount(packed->occupied) <= NETWORK_FEATURES_MAX);
    const Colour us = (Colour)packed->turn, them = (Colour)!us;
    const int ours = packed_orientation(packed, mirrored, us), theirs = packed_orientation(packed, mirrored, them);
    in->count = 0;
    EACH (s, packed->occupied) {
        const unsigned piece = packed_piece(packed, in->count);
        const Colour owner = (Colour)(piece >> 3);
        in->input[0][in->count] = (uint16_t)network_feature(us, ours, owner, (PieceType)(piece & 7), (int)s);
        in->input[1][in->count] = (uint16_t)network_feature(them, theirs, owner, (PieceType)(piece & 7), (int)s);
        in->count++;
    }
    in->bucket = network_bucket_of_count(in->count);
}
