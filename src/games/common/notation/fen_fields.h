/* SPDX-License-Identifier: MIT */
/*
 * The fields of a FEN as they stand in a text: for whoever hands a position on to another program, as it was written,
 * and for lines that go on behind the position.
 */
#pragma once
#include "notation/fen.h"

enum { FEN_GIVEN_MAX = 200 }; /* room for a FEN that was given, all its fields one blank apart */

/* What separates fields. */
bool fen_is_blank(char c);
const char *fen_skip_blanks(const char *s);

/* Where the word at s ends: at a blank, a ';' or the end. */
const char *fen_word_end(const char *s);

/*
 * Copies the fields that a text begins with, one blank apart, and returns how many there are; *rest is what follows
 * them: a ';', the end, or a word that can be no field. 0 if they do not fit.
 */
int fen_copy_fields(const char *s, char out[FEN_GIVEN_MAX], const char **rest);

/*
 * Copies a FEN for somebody else to read: its fields as they are (an en passant square that nobody can use stays, since
 * a faulty program may stumble over it), one blank apart, and the usual ones (FEN_DEFAULTS) for what is missing behind the second. False if
 * it has fewer fields than two or does not fit.
 */
bool fen_normalize(const char *fen, char out[FEN_GIVEN_MAX]);

/* ---- the game's part ---- */

/* Can the word from s to end be the field of that index, from 0? It may be an operation without a ';' before it. */
bool fen_can_be_field(int n, const char *s, const char *end);

/* Does this position, read from this normalized FEN, ask a program to be set to Chess960? Yes if a king or rook that may
   castle stands elsewhere than in standard chess, or a rook's file is named; never in another game. */
bool fen_is_chess960(const Position *p, const char *fen);
