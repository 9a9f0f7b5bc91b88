/* SPDX-License-Identifier: MIT */
/*
 * Which rank is home to a position: by what stands of the side that has just moved (why that side: ranks.h).
 *
 * The fewer squares are looked at, the more surely do parents of one position have the same home: a capture by the
 * other side, the one thing that tells their men apart, seldom strikes on the first rank. But then few values share all
 * the positions, and one rank may have half of the work. So rank 0 draws a sample of positions and begins with the
 * first rank of the board; a value that more than a part of a rank's work has is told apart by the next finer view, and
 * so on:
 *
 *     level  0  own men on the first rank    [ . x . . ^ . ]     x: home to that rank, ^: look at the next level
 *            1  and own pawns on the second        |
 *            2  own men on two ranks          [ . . ^ . x . ]
 *            3  on three                            |
 *            4  all own men                   [ x . . . . . ]
 *
 * Slices (values, hashed) go to ranks from the heaviest down, each to the rank that has least. The map fits one
 * message.
 */
#pragma once
#include "base/random.h"
#include "perft/frontier.h"

enum { HOME_LEVELS = 5, HOME_SLICES = 352, HOME_FINER = 0xffff };

typedef struct {
    uint16_t rank[HOME_LEVELS][HOME_SLICES]; /* or HOME_FINER */
} HomeMap;

_Static_assert(sizeof(HomeMap) == 3520, "a map fits one message");

/* The board as its owner sees it: all men and pawns of the side that moved, after its move. */
typedef struct {
    Bits men, pawns;
} HomeView;

HomeView home_view(const Position *p, Move m);

/* The slice at a level. */
INLINE unsigned home_slice(HomeView v, unsigned level) {
    static const Bits ranks[HOME_LEVELS] = {0xff, 0xff, 0xffff, 0xffffff, ~(Bits)0};
    uint64_t state = (v.men & ranks[level]) + (level == 1 ? v.pawns & 0xff00 : 0);
    return (unsigned)((unsigned __int128)random_next(&state) * HOME_SLICES >> 64);
}

INLINE unsigned home_of(const HomeMap *map, HomeView v) {
    unsigned level = 0, rank;
    while ((rank = map->rank[level][home_slice(v, level)]) == HOME_FINER) level++;
    return rank;
}

/* Balances the slices over up to 65,534 ranks, for families whose parents stand `plies` below the units of f. False
   with a fault when memory is out. The same f gives the same map. */
bool home_map_make(HomeMap *map, const Frontier *f, int plies, unsigned ranks, Fault *fault);
