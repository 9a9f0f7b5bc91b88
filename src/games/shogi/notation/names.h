/* SPDX-License-Identifier: MIT */
/* The names of squares, piece types and sides, for whatever reads or writes text about a position. */
#pragma once
#include <string.h>

#include "rules/types.h"

typedef struct {
    char text[3];
} SquareName;

/* "1a" to "9i". */
INLINE SquareName square_name(int s) {
    assert(s >= 0 && s < NO_SQUARE);
    return (SquareName){{(char)('1' + file_of(s)), (char)('a' + rank_of(s)), '\0'}};
}

INLINE bool is_file_digit(char c) {
    return c >= '1' && c <= '9';
}
INLINE bool is_rank_letter(char c) {
    return c >= 'a' && c <= 'i';
}
INLINE int square_from_chars(char file, char rank) {
    assert(is_file_digit(file) && is_rank_letter(rank));
    return RANKS * (file - '1') + (rank - 'a');
}

/* The type that a capital letter means, or NO_PIECE_TYPE. */
INLINE PieceType piece_type_from_letter(char c) {
    const char *found = c ? strchr(PIECE_LETTERS, c) : NULL;
    return found ? (PieceType)(found - PIECE_LETTERS) : NO_PIECE_TYPE;
}

INLINE const char *colour_name(Colour c) {
    return c == BLACK ? "black" : "white";
}

INLINE const char *piece_type_name(PieceType type) {
    static const char *const names[] = {
        "pawn",          "lance",          "knight",          "silver",          "bishop", "rook",   "gold", "king",
        "promoted pawn", "promoted lance", "promoted knight", "promoted silver", "horse",  "dragon", "",     "",
        "nothing"};
    assert(type <= NO_PIECE_TYPE);
    return names[type];
}
