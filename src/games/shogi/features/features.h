/* SPDX-License-Identifier: MIT */
/*
 * What a network (network/network.h) sees of a position, in two perspectives: a piece on the board sets the input of its
 * type, owner and square; of pieces in hand the first of a type sets an input, the second another, and so on. A
 * perspective sees the board turned so that its own side plays up, and its own pieces distinct from the other side's. In a
 * mirrored network files 1 and 9 change places if its king is on files 6 to 9. The number of the move is not seen.
 */
#pragma once
#include "rules/position.h"

#define NETWORK_GAME "shogi"
enum {
    FEATURE_TYPES = DRAGON + 1,
    FEATURE_BOARD = 2 * FEATURE_TYPES * BOARD_SQUARES, /* inputs of pieces on the board, before those in hand */
    FEATURE_HAND = 18 + 4 + 4 + 4 + 3 + 3 + 4,         /* in one hand, with a bishop and a rook more than in a set */
    NETWORK_INPUTS = FEATURE_BOARD + 2 * FEATURE_HAND,
    NETWORK_WIDTH = 128,                     /* accumulators of a perspective */
    NETWORK_BUCKETS = 8,                     /* outputs, by the pieces that are in hand or promoted */
    NETWORK_FEATURES_MAX = FEATURE_HAND + 2, /* inputs that a position sets: a piece each, the kings too */
};

/* The orientation of side c's perspective, by the square of its king (NO_SQUARE: it has none). */
enum { ORIENTATION_TURNED = 1, ORIENTATION_MIRRORED = 2, ORIENTATIONS = 4 };
INLINE int network_orientation_of_king(bool mirrored, Colour c, int king) {
    const int turned = c == WHITE ? ORIENTATION_TURNED : 0;
    if (!mirrored || king == NO_SQUARE) return turned;
    const int file = turned ? FILES - 1 - file_of(king) : file_of(king);
    return file > FILES / 2 ? turned | ORIENTATION_MIRRORED : turned;
}
INLINE int network_orientation(bool mirrored, const Position *p, Colour c) {
    return network_orientation_of_king(mirrored, c, p->king[c]);
}
INLINE int feature_square(int orientation, int square) {
    const int turned = orientation & ORIENTATION_TURNED ? BOARD_SQUARES - 1 - square : square;
    return orientation & ORIENTATION_MIRRORED ? turned + RANKS * (FILES - 1 - 2 * file_of(turned)) : turned;
}
/* The feature index of a piece of side `owner` in the perspective of side c. */
INLINE int network_feature(Colour c, int orientation, Colour owner, PieceType type, int square) {
    assert((int)type < FEATURE_TYPES && square >= 0 && square < BOARD_SQUARES && orientation < ORIENTATIONS);
    return BOARD_SQUARES * ((owner != c) * FEATURE_TYPES + (int)type) + feature_square(orientation, square);
}
/* That of a piece of a type in hand, of which there are `before` others. */
INLINE int network_hand_feature(Colour c, Colour owner, PieceType type, int before) {
    static const uint8_t first[HAND_TYPES + 1] = {0, 18, 22, 26, 30, 33, 36, FEATURE_HAND};
    assert((int)type < HAND_TYPES && before >= 0 && before < first[type + 1] - first[type]);
    return FEATURE_BOARD + (owner != c) * FEATURE_HAND + first[type] + before;
}
INLINE int network_bucket_of_count(int pieces) {
    return pieces / 2 < NETWORK_BUCKETS ? pieces / 2 : NETWORK_BUCKETS - 1;
}
INLINE int network_hand_pieces(uint32_t hand) {
    int n = 0;
    for (int t = 0; t < HAND_TYPES; t++) n += (int)hand_count(hand, (PieceType)t);
    return n;
}
INLINE int network_bucket(const Position *p) {
    return network_bucket_of_count(squares_count(p->promoted) + network_hand_pieces(p->hand[BLACK]) +
                                   network_hand_pieces(p->hand[WHITE]));
}

/* ---- from one position to another ---- */

/* The squares whose pieces differ, and the hands of both. A position is empty if it is all 0. */
typedef struct {
    Squares board;
    uint32_t hand[2]; /* bits in which the hands differ */
} FeatureDifference;
INLINE FeatureDifference feature_difference(const Position *a, const Position *b) {
    Squares board = (a->side[BLACK] ^ b->side[BLACK]) | (a->side[WHITE] ^ b->side[WHITE]) | (a->promoted ^ b->promoted);
    for (int t = 0; t < HAND_TYPES; t++) board |= a->type[t] ^ b->type[t];
    return (FeatureDifference){board, {a->hand[BLACK] ^ b->hand[BLACK], a->hand[WHITE] ^ b->hand[WHITE]}};
}
INLINE bool features_are_empty(const Position *p) {
    return !occupied(p);
}
INLINE FeatureDifference feature_difference_to_empty(const Position *p) {
    return (FeatureDifference){occupied(p), {p->hand[BLACK], p->hand[WHITE]}};
}
/* A measure of how many features it is. */
INLINE int feature_difference_size(FeatureDifference d) {
    return squares_count(d.board) + popcount(d.hand[BLACK]) + popcount(d.hand[WHITE]);
}

/* The features that one position sets and another does not, in one perspective. */
typedef struct {
    uint16_t added[NETWORK_FEATURES_MAX], removed[NETWORK_FEATURES_MAX];
    int added_n, removed_n;
} FeatureChanges;

/* Of the piece on a square, for each perspective. */
INLINE void features_on(const Position *p, int s, const int orientation[2], uint16_t *black, uint16_t *white) {
    const Colour owner = has_square(p->side[WHITE], s) ? WHITE : BLACK;
    const PieceType type = piece_type_at_branchless(p, s);
    *black = (uint16_t)network_feature(BLACK, orientation[BLACK], owner, type, s);
    *white = (uint16_t)network_feature(WHITE, orientation[WHITE], owner, type, s);
}

INLINE void hand_changes(FeatureChanges *l, uint32_t from, uint32_t to, Colour c, Colour owner) {
    for (int t = 0; t < HAND_TYPES; t++) {
        const int before = (int)hand_count(from, (PieceType)t), after = (int)hand_count(to, (PieceType)t);
        for (int i = before; i < after; i++)
            l->added[l->added_n++] = (uint16_t)network_hand_feature(c, owner, (PieceType)t, i);
        for (int i = after; i < before; i++)
            l->removed[l->removed_n++] = (uint16_t)network_hand_feature(c, owner, (PieceType)t, i);
    }
}

/* From one position to another that differs by d, in the perspectives of both sides, of the same orientation in both. */
INLINE void feature_changes(FeatureChanges l[2], FeatureDifference d, const Position *from, const Position *to,
                            const int orientation[2]) {
    FeatureChanges *black = &l[BLACK], *white = &l[WHITE];
    int added = 0, removed = 0;
    EACH_SQUARE (s, d.board) {
        if (has_square(occupied(to), s))
            features_on(to, s, orientation, &black->added[added], &white->added[added]), added++;
        if (has_square(occupied(from), s))
            features_on(from, s, orientation, &black->removed[removed], &white->removed[removed]), removed++;
    }
    black->added_n = white->added_n = added, black->removed_n = white->removed_n = removed;
    for (int owner = 0; owner < 2; owner++)
        for (int c = 0; c < 2 && d.hand[owner]; c++)
            hand_changes(&l[c], from->hand[owner], to->hand[owner], (Colour)c, (Colour)owner);
    assert(black->added_n <= NETWORK_FEATURES_MAX && black->removed_n <= NETWORK_FEATURES_MAX);
}

/* The position as a network sees it: what is no input is as at the start of a game. */
INLINE Position network_position(const Position *p) {
    Position seen = *p;
    seen.ply = 1;
    return seen;
}
