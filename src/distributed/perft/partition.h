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
#include "perft/frontier.h"
#include "rules/make_move.h"

enum { HOME_LEVELS = 5, HOME_SLICE_BITS = 10, HOME_SLICES = 1 << HOME_SLICE_BITS, HOME_FINER = 0xffff };

typedef struct {
    uint16_t rank[HOME_LEVELS][HOME_SLICES]; /* or HOME_FINER */
} HomeMap;

_Static_assert(sizeof(HomeMap) == 10240, "a map fits one message");

/* The board as its owner sees it: all men and pawns of the side that moved, after its move. */
typedef struct {
    Bits men, pawns;
} HomeView;

INLINE HomeView home_seen_by(Colour us, Bits men, Bits pawns) {
    if (us == WHITE) return (HomeView){men, pawns};
    return (HomeView){__builtin_bswap64(men), __builtin_bswap64(pawns)};
}

/* After a move of us, whose turn it is. What is a constant folds away. */
INLINE HomeView home_view(const Position *p, Colour us, Kind kind, int from, int to, int flag) {
    const Bits men = p->side[us] ^ bit(from), pawns = p->side[us] & p->pawn;
    if (flag == CASTLING) {
        const Bits landed = bit(castled_king(us, to > from)) | bit(castled_rook(us, to > from));
        return home_seen_by(us, (men ^ bit(to)) | landed, pawns);
    }
    if (kind != PAWN) return home_seen_by(us, men | bit(to), pawns);
    return home_seen_by(us, men | bit(to), (pawns ^ bit(from)) | (bit(to) & ~last_rank(us)));
}

INLINE HomeView home_view_of_move(const Position *p, Move m) {
    return home_view(p, (Colour)p->turn, kind_looked_up(p, move_from(m)), move_from(m), move_to(m), move_flag(m));
}

/* The slice at a level. (A number is multiplied by the golden section, and its highest digits are taken: Donald Knuth,
   "Sorting and Searching", 1973, 6.4.) */
INLINE unsigned home_slice(HomeView v, unsigned level) {
    static const Bits ranks[HOME_LEVELS] = {0xff, 0xff, 0xffff, 0xffffff, ~(Bits)0};
    const uint64_t seen = (v.men & ranks[level]) + (level == 1 ? v.pawns & 0xff00 : 0);
    return (unsigned)(seen * 0x9e3779b97f4a7c15ull >> (64 - HOME_SLICE_BITS));
}

/* Which of the first two levels says it cannot be foreseen, so both are asked. */
INLINE unsigned home_of(const HomeMap *map, HomeView v) {
    const unsigned first = map->rank[0][home_slice(v, 0)], second = map->rank[1][home_slice(v, 1)];
    unsigned level = 1, rank = first == HOME_FINER ? second : first;
    while (rank == HOME_FINER) level++, rank = map->rank[level][home_slice(v, level)];
    return rank;
}

/* The home of most children of the positions `plies` below p: of those whose moves, on the way and there, are not seen
   in their view. */
INLINE unsigned home_of_most(const HomeMap *map, const Position *p, int plies) {
    const Colour us = (Colour)((p->turn + plies) & 1);
    return home_of(map, home_seen_by(us, p->side[us], p->side[us] & p->pawn));
}

/* One rank is home to everything. */
void home_map_fill(HomeMap *map, unsigned rank);

/* Balances the slices over up to 65,534 ranks, for families whose parents stand `plies` below the units of f. False
   with a fault when memory is out. The same f gives the same map. */
bool home_map_make(HomeMap *map, const Frontier *f, int plies, unsigned ranks, Fault *fault);
