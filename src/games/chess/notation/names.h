/* SPDX-License-Identifier: MIT */
/* The words for squares, men and sides, for whatever reads or writes text about a position. */
#pragma once
#include "rules/types.h"

#define MAN_LETTERS "PNBRQK" /* in the order of Kind, which is white's in FEN; black's are the small ones */

typedef struct {
    char text[3];
} SquareName;

/* "a1" to "h8". */
INLINE SquareName square_name(int s) {
    return (SquareName){{(char)('a' + square_file(s)), (char)('1' + square_rank(s)), '\0'}};
}

INLINE bool is_file_letter(char c) {
    return c >= 'a' && c <= 'h';
}
INLINE bool is_rank_digit(char c) {
    return c >= '1' && c <= '8';
}
INLINE int square_of(char file, char rank) {
    return 8 * (rank - '1') + (file - 'a');
}

INLINE const char *colour_name(Colour c) {
    return c == WHITE ? "white" : "black";
}

INLINE const char *kind_name(Kind kind) {
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king", "nothing"};
    return names[kind];
}
