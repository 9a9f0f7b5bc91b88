/* SPDX-License-Identifier: MIT */
/* What the tables of notation_cases.h, of each game, have in a row. */
#pragma once
#include <stddef.h>

#include "notation/fen.h"

/* Reads a text and writes it in both styles; NULL: as the style before. */
typedef struct {
    const char *text, *standard, *shredder;
} WrittenPosition;

/* Where the fault is; character 0: not asked. */
typedef struct {
    const char *text;
    int field, character;
    const char *reason;
} RefusedPosition;

/* The text, where its operations begin, and the position; NULL: refused. */
typedef struct {
    const char *text, *rest, *fen;
} EpdLine;

/* A move as people write it and as programs do; uci NULL: the text is refused. */
typedef struct {
    const char *fen, *san, *uci;
} MoveText;

typedef struct {
    const char *fen, *moves, *after;
} PlayedMoves;

/* What the error has in it; NULL: not asked. */
typedef struct {
    const char *fen, *moves, *error;
} RefusedMoves;

typedef struct {
    const char *fen, *uci, *san, *why;
} IllegalMove;

/* A line that begins with a move, or with a position; NULL: with none. */
typedef struct {
    const char *text, *found, *rest;
} OtherLine;
