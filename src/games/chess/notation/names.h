/* SPDX-License-Identifier: MIT */
/* The names of squares, piece types and sides, for whatever reads or writes text about a position. */
#pragma once
#include "rules/types.h"

typedef struct {
    char text[3];
} SquareName;

/* "a1" to "h8". */
INLINE SquareName square_name(int s) {
    assert(s >= 0 && s < 64);
    return (SquareName){{(char)('a' + file_of(s)), (char)('1' + rank_of(s)), '\0'}};
}

INLINE bool is_file_letter(char c) {
    return c >= 'a' && c <= 'h';
}
INLINE bool is_rank_digit(char c) {
    return c >= '1' && c <= '8';
}
INLINE int square_from_chars(char file, char rank) {
    assert(is_file_letter(file) && is_rank_digit(rank));
    return 8 * (rank - '1') + (file - 'a');
}

INLINE const char *colour_name(Colour c) {
    return c == WHITE ? "white" : "black";
}

INLINE const char *piece_type_name(PieceType type) {
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king", "nothing"};
    assert(type <= NO_PIECE_TYPE);
    return names[type];
}
