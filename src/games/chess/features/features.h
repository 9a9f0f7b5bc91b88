/* SPDX-License-Identifier: MIT */
/*
 * What a network (network/network.h) sees of a position: each piece sets an input of its own, in two perspectives. A
 * perspective has its own side at the bottom and own pieces distinct from the other side's. In a mirrored network it is
 * mirrored if its king is on files e to h, so that a position and its mirror image have the same value. Clocks, castling
 * rights and en passant squares are not seen.
 */
#pragma once
#include "rules/position.h"

#define NETWORK_GAME "chess"
enum {
    NETWORK_INPUTS = 12 * 64,
    NETWORK_WIDTH = 256,                       /* accumulators of a perspective */
    NETWORK_BUCKETS = 8,                       /* outputs, by the number of pieces on the board */
    NETWORK_FEATURES_MAX = 2 * SIDE_PIECES_MAX /* inputs that a position sets */
};

/* The orientation of side c's perspective, by the square of its king: the number to xor a square with. */
INLINE int network_orientation_of_king(bool mirrored, Colour c, int king) {
    return (c == BLACK ? 56 : 0) ^ (mirrored && file_of(king) >= 4 ? 7 : 0);
}
INLINE int network_orientation(bool mirrored, const Position *p, Colour c) {
    return network_orientation_of_king(mirrored, c, king_square(p, c));
}
/* The feature index of a piece of side `owner` in the perspective of side c. */
INLINE int network_feature(Colour c, int orientation, Colour owner, PieceType type, int square) {
    assert(type < NO_PIECE_TYPE && square >= 0 && square < 64 && orientation >= 0 && orientation < 64);
    return 64 * ((owner != c) * 6 + (int)type) + (square ^ orientation);
}
INLINE int network_bucket_of_count(int piece_count) {
    assert(piece_count >= 2 && piece_count <= 2 * SIDE_PIECES_MAX);
    return (piece_count - 2) * NETWORK_BUCKETS / 31;
}
INLINE int network_bucket(const Position *p) {
    return network_bucket_of_count(popcount(occupied(p)));
}

/* ---- from one position to another ---- */

/* The squares whose pieces differ. A position is empty if it is all 0. */
typedef Bits FeatureDifference;
INLINE FeatureDifference feature_difference(const Position *a, const Position *b) {
    return (a->side[WHITE] ^ b->side[WHITE]) | (a->side[BLACK] ^ b->side[BLACK]) | (a->pawn ^ b->pawn) |
           (a->knight ^ b->knight) | (a->diag ^ b->diag) | (a->orth ^ b->orth) | (a->king ^ b->king);
}
INLINE bool features_are_empty(const Position *p) {
    return !p->king;
}
INLINE FeatureDifference feature_difference_to_empty(const Position *p) {
    return occupied(p);
}
/* A measure of how many features it is. */
INLINE int feature_difference_size(FeatureDifference d) {
    return popcount(d);
}

/* The features that one position sets and another does not, in one perspective. */
typedef struct {
    uint16_t added[NETWORK_FEATURES_MAX], removed[NETWORK_FEATURES_MAX];
    int added_n, removed_n;
} FeatureChanges;

/* Of the piece on a square, for each perspective. */
INLINE void features_on(const Position *p, int s, const int orientation[2], uint16_t *white, uint16_t *black) {
    const Colour owner = p->side[BLACK] >> s & 1 ? BLACK : WHITE;
    const PieceType type = piece_type_at_branchless(p, s);
    *white = (uint16_t)network_feature(WHITE, orientation[WHITE], owner, type, s);
    *black = (uint16_t)network_feature(BLACK, orientation[BLACK], owner, type, s);
}

/* From one position to another that differs by d, in the perspectives of both sides, of the same orientation in both. */
INLINE void feature_changes(FeatureChanges l[2], FeatureDifference d, const Position *from, const Position *to,
                            const int orientation[2]) {
    FeatureChanges *white = &l[WHITE], *black = &l[BLACK];
    int added = 0, removed = 0;
    EACH (s, d) {
        if (occupied(to) >> s & 1)
            features_on(to, (int)s, orientation, &white->added[added], &black->added[added]), added++;
        if (occupied(from) >> s & 1)
            features_on(from, (int)s, orientation, &white->removed[removed], &black->removed[removed]), removed++;
    }
    assert(added <= NETWORK_FEATURES_MAX && removed <= NETWORK_FEATURES_MAX);
    white->added_n = black->added_n = added, white->removed_n = black->removed_n = removed;
}

/* The position as a network sees it: what is no input is as at the start of a game. */
INLINE Position network_position(const Position *p) {
    Position seen = *p;
    seen.castle[WHITE] = seen.castle[BLACK] = seen.ep = 0;
    seen.halfmove = 0, seen.fullmove = 1;
    return seen;
}
