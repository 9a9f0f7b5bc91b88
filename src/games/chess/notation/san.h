/* SPDX-License-Identifier: MIT */
/* The two steps of reading SAN, for san.c itself and for notation.c, which explains why a text is no move. */
#pragma once
#include "rules/position.h"

/* What a text says of a move. */
typedef struct {
    bool castles, is_short; /* if it castles, only these two matter */
    Kind kind, promotion;   /* the man that moves; what it becomes, PAWN if nothing else */
    int to;
    int file, rank; /* of the square it leaves, each -1 if not said */
} SanPattern;

/* Does text have the shape of a move? Then *s is what it says. */
bool san_read(const char *text, SanPattern *s);

/* Writes the legal moves that fit to found, and returns how many. */
unsigned san_match(const Position *p, const SanPattern *s, Move found[MOVES_MAX]);
