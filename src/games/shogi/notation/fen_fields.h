/* SPDX-License-Identifier: MIT */
/*
 * The fields of an SFEN as they stand in a text: for whoever hands a position on to another program, as it was written,
 * and for lines that go on behind the position.
 */
#pragma once
#include "notation/fen.h"

enum { FEN_GIVEN_MAX = 200 }; /* room for an SFEN that was given, all its fields one blank apart */

/* What parts fields. */
bool fen_is_blank(char c);
const char *fen_skip_blanks(const char *s);

/* Where the word at s ends: at a blank, a ';' or the end. */
const char *fen_word_end(const char *s);

/*
 * Copies the fields that a text begins with, one blank apart, and returns how many there are; *rest is what follows
 * them: a ';', the end, or a word that is no number where one may stand. 0 if they do not fit.
 */
int fen_copy_fields(const char *s, char out[FEN_GIVEN_MAX], const char **rest);

/*
 * Copies an SFEN for somebody else to read: its fields as they are, one blank apart, "-" and 1 for what is missing behind
 * the second. False if it has fewer fields than two or does not fit.
 */
bool fen_normalize(const char *fen, char out[FEN_GIVEN_MAX]);

/* Never: for a game that has a second form. */
bool fen_is_chess960(const Position *p, const char *fen);
