/* SPDX-License-Identifier: MIT */
/*
 * What is stored of a position: a record of three words.
 *
 *     word 0   proof number 32 | disproof number 32
 *     word 1   move 16 | length 16 | ply 16 | 0
 *     word 2   work 32 | path 32, or the hand of a result (hands.c)
 *
 * A key of a position is XORed with the number of plies that are left, in a search that has a limit of them, and with a path
 * key in a disproof that holds for one path; words 0 and 1 of this are the set of plies that it hangs on.
 */
#pragma once
#include "base/random.h"
#include "base/u128.h"
#include "game.h"
#include "tabia/record.h"

enum { PROOF, DISPROOF };
enum {
    MATE_NUMBER_MAX = INT32_MAX / 2, /* a proof is 0 of one number and this of the other */
    MATE_PLY_NONE = INT16_MAX,       /* the position was not met before */
    MATE_RECORD_WORDS = 3,
};

typedef struct {
    uint32_t number[2];
    Move move;
    uint16_t
        length;  /* of a proof: plies to the mate; else one more than the last ply that a disproof hangs on, 0: none */
    int16_t ply; /* the fewest from the root at which the position was met */
    uint32_t work; /* nodes */
    uint32_t hand;
} MateRecord;

INLINE void mate_record_pack(const MateRecord *r, uint64_t w[MATE_RECORD_WORDS]) {
    w[0] = (uint64_t)r->number[PROOF] << 32 | r->number[DISPROOF];
    w[1] = (uint64_t)r->move << 48 | (uint64_t)r->length << 32 | (uint64_t)(uint16_t)r->ply << 16;
    w[2] = (uint64_t)r->work << 32 | r->hand;
}

INLINE MateRecord mate_record_unpack(const uint64_t w[MATE_RECORD_WORDS]) {
    return (MateRecord){.number = {(uint32_t)(w[0] >> 32), (uint32_t)w[0]},
                        .move = (Move)(w[1] >> 48),
                        .length = (uint16_t)(w[1] >> 32),
                        .ply = (int16_t)(uint16_t)(w[1] >> 16),
                        .work = (uint32_t)(w[2] >> 32),
                        .hand = (uint32_t)w[2]};
}

/*
 * A set of plies of the path: those before MATE_PLIES_SET are a bit each. Of the others the first and the last are known, between
 * which all count: bits 96 to 111 are UINT16_MAX less the first, bits 112 to 127 the last, so that the larger number of two
 * is the one of both.
 */
typedef U128 MatePlies;
enum { MATE_PLIES_SET = 96 };

INLINE MatePlies mate_plies(MatePlies bits, unsigned last, unsigned before_first) {
    return bits << 32 >> 32 | (MatePlies)(last << 16 | before_first) << MATE_PLIES_SET;
}
INLINE unsigned mate_plies_last(MatePlies set) {
    return (unsigned)(set >> 112);
}
INLINE unsigned mate_plies_before_first(MatePlies set) {
    return (uint16_t)(set >> MATE_PLIES_SET);
}
INLINE unsigned mate_larger(unsigned a, unsigned b) {
    return a > b ? a : b;
}
INLINE MatePlies mate_ply_bit(int ply) {
    return ply < MATE_PLIES_SET ? (MatePlies)1 << ply : mate_plies(0, (unsigned)ply, UINT16_MAX - (unsigned)ply);
}
INLINE MatePlies mate_plies_union(MatePlies a, MatePlies b) {
    return mate_plies(a | b, mate_larger(mate_plies_last(a), mate_plies_last(b)),
                      mate_larger(mate_plies_before_first(a), mate_plies_before_first(b)));
}
/* Without those of a node and below it. */
INLINE MatePlies mate_plies_above(MatePlies set, int ply) {
    if (ply <= MATE_PLIES_SET) return set & (((MatePlies)1 << ply) - 1);
    if ((int)mate_plies_last(set) < ply) return set;
    const unsigned before_first = mate_plies_before_first(set);
    return UINT16_MAX - (int)before_first < ply ? mate_plies(set, (unsigned)ply - 1, before_first)
                                                : mate_plies(set, 0, 0);
}
/* The last one, for a node at `ply`. */
INLINE int mate_last_ply(MatePlies set, int ply) {
    const int last = (int)mate_plies_last(set);
    if (last) return last < ply ? last : ply - 1;
    const uint64_t upper = (uint64_t)(set >> 64);
    return upper ? 127 - __builtin_clzll(upper) : 63 - __builtin_clzll((uint64_t)set);
}

INLINE uint64_t mate_mix(uint64_t n) {
    return random_next(&n);
}

/* The key of a position for which one ply less than `left` remains (0: no limit), and on one path (0: on all). */
INLINE TabiaKey mate_record_key(Key key, unsigned left, uint64_t path) {
    const TabiaKey k = game_table_key(key);
    const uint64_t other = (left ? mate_mix(left) : 0) ^ path;
    return (TabiaKey){k.index ^ other, k.check ^ (other ? mate_mix(other) : 0)};
}
