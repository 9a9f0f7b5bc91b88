/* SPDX-License-Identifier: MIT */
/* A move that is not legal, for a person: how it would be written, and why it is not. */
#pragma once
#include "notation/move_text.h"

enum { ILLEGAL_SAN_MAX = SAN_MAX, ILLEGAL_WHY_MAX = 96 };

/*
 * `text` is a move in the notation of the protocol that is not legal in p (or any text). Writes what it comes nearest to
 * for people, with the origin in full: "Ng1xf3", "O-O", "R2h-2c"; the text itself if it is no move of a piece of the side
 * to move. And the reason, such as "it would leave white's king in check", "a dropped pawn may not mate".
 */
void illegal_move(const Position *p, const char *text, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]);

/* ---- the game's part ---- */

/* Writes that move; the text itself where it is none. */
void move_write_illegal(const Position *p, const char *text, char san[ILLEGAL_SAN_MAX]);
