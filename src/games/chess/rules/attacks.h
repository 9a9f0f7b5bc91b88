/* SPDX-License-Identifier: MIT */
/*
 * What a piece attacks from a square. The tables are constant data, computed when Tabia is built
 * (make_attack_tables.c).
 *
 * Sliders, two methods, chosen when a file is compiled:
 *   with PEXT:  the blockers on a piece's lines, packed to an index into a table of attack sets (861 KB for all
 *   squares);
 *   without:    obstruction difference along each line, from 4 KB, which stay in the first-level cache:
 *
 *                   lower blockers   slider    upper blockers
 *      line     . . X . . X . . . .    S    . . . X . . X .
 *      ms1b               ^ highest of the lower ones: everything from it on up is set (-ms1b)
 *      ls1b                                       ^ lowest of the upper ones
 *      2 * ls1b - ms1b    | | | | |    |    | | | |          the squares between them, both included
 *
 * (Gerd Isenberg, "Obstruction Difference", chessprogramming wiki, 2008; PEXT: Zach Wegner, 2011.)
 */
#pragma once
#include "types.h"

enum { ATTACK_TABLE_SIZE = 107648 };

/* The part of a line below and above a square, without it. Lines: file, rank, diagonal (a1-h8), antidiagonal. */
typedef struct {
    Bits lower, upper;
} LineMask;

typedef struct {
    Bits mask;       /* the squares whose blockers matter: the lines without their last squares */
    uint32_t offset; /* where this square's attack sets start in attack_table */
    uint32_t unused;
} PextEntry;

extern const Bits knight_attacks[64], king_attacks[64];
extern const Bits pawn_attacks[2][64];              /* [colour][from] */
extern const Bits rook_lines[64], bishop_lines[64]; /* on an empty board */
extern const Bits squares_between[64][64]; /* the squares between two that share a line, and the second; else 0 */
extern const Bits line_through[64][64];    /* the whole line through two squares, both included; else 0 */
extern const uint8_t king_steps[64][64];   /* the number of king moves between two squares on an empty board */
extern const LineMask line_masks[4][64];
extern const PextEntry rook_pext[64], bishop_pext[64];
extern const Bits attack_table[ATTACK_TABLE_SIZE];

INLINE Bits line_attacks(LineMask l, Bits occ) {
    Bits lower = l.lower & occ, upper = l.upper & occ;
    Bits from_ms1b = ~(Bits)0 << msb(lower | 1), ls1b = upper & -upper;
    return (l.lower | l.upper) & (2 * ls1b + from_ms1b);
}

/* By lines wherever it is compiled: for who asks of another place every time, and would miss the tables for PEXT, which
   the first-level cache does not hold. */
INLINE Bits rook_attacks_by_lines(int s, Bits occ) {
    return line_attacks(line_masks[0][s], occ) | line_attacks(line_masks[1][s], occ);
}
INLINE Bits bishop_attacks_by_lines(int s, Bits occ) {
    return line_attacks(line_masks[2][s], occ) | line_attacks(line_masks[3][s], occ);
}

/*
 * The builtin itself: every file includes this one, and <immintrin.h> takes longer to read than all of ours together.
 */
#ifdef __BMI2__
INLINE Bits rook_attacks(int s, Bits occ) {
    return attack_table[rook_pext[s].offset + __builtin_ia32_pext_di(occ, rook_pext[s].mask)];
}
INLINE Bits bishop_attacks(int s, Bits occ) {
    return attack_table[bishop_pext[s].offset + __builtin_ia32_pext_di(occ, bishop_pext[s].mask)];
}
#else
INLINE Bits rook_attacks(int s, Bits occ) {
    return rook_attacks_by_lines(s, occ);
}
INLINE Bits bishop_attacks(int s, Bits occ) {
    return bishop_attacks_by_lines(s, occ);
}
#endif

/* What a piece of side c attacks from s. Sliders: up to the first occupied square, included. */
INLINE Bits piece_attacks(Colour c, PieceType type, int s, Bits occ) {
    switch (type) {
    case PAWN:
        return pawn_attacks[c][s];
    case KNIGHT:
        return knight_attacks[s];
    case BISHOP:
        return bishop_attacks(s, occ);
    case ROOK:
        return rook_attacks(s, occ);
    case QUEEN:
        return bishop_attacks(s, occ) | rook_attacks(s, occ);
    default:
        return king_attacks[s];
    }
}
