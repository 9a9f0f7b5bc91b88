/* SPDX-License-Identifier: MIT */
/*
 * Moves as text. Reading a move always needs a position: the text is matched against the legal moves, so nothing
 * illegal is returned.
 *
 *   USI       7g7f  8h2b+  P*5e                  for programs
 *   Western   P7g-7f  B8hx2b+  S4dx3c=  P*5e     for people: origin always, 'x' a capture, '+' promotes, '=' declines to
 */
#pragma once
#include "base/error.h"
#include "rules/position.h"

enum { UCI_MAX = 6, SAN_MAX = 12 }; /* room for any move written below, its '\0' included */

/* Writes a legal move as USI. The flag, which another game needs, is ignored. */
void move_to_uci(const Position *p, Move m, bool ignored, char out[UCI_MAX]);

/* The legal move that text, all of it, spells in USI; or 0. */
Move move_from_uci(const Position *p, const char *text);

/* Writes a legal move in Western notation, '#' after one that mates. */
void move_to_san(const Position *p, Move m, char out[SAN_MAX]);

/*
 * The legal move that text, all of it, spells in Western notation; or 0. '-', 'x', '=', '#' may be missing, and are not
 * verified.
 */
Move move_from_san(const Position *p, const char *text);

/* Either notation. On 0 the error (may be NULL) says what is wrong with the text or with the move. */
Move move_from_text(const Position *p, const char *text, TabiaError *error);

/*
 * Makes a list of moves, either notation, separated by blanks or line ends; NULL or empty is no move. Move numbers
 * ("1.", "12...") are skipped. True: *p is the position after them. False: *p is unchanged, and the error (may be NULL)
 * names the first bad move, its number in the list, from 1, and what is wrong with it.
 */
bool position_make_moves(Position *p, const char *moves, TabiaError *error);
