/* SPDX-License-Identifier: MIT */
/* The two steps of reading SAN, for san.c itself and for refusal.c, which explains why a text is no move. */
#pragma once
#include "rules/position.h"

/* What a text says of a move. */
typedef struct {
    bool castles, is_short;    /* if it castles, only these two matter */
    PieceType type, promotion; /* the piece that moves; the promoted piece, PAWN if none */
    int to;
    int file, rank; /* of the origin, each -1 if not given */
} SanPattern;

/* Has text the form of a move? Then *s is what it says. */
bool san_read(const char *text, SanPattern *s);

/* Writes the legal moves that match to `found`, and returns their number. */
unsigned san_match(const Position *p, const SanPattern *s, Move found[MOVES_MAX]);
