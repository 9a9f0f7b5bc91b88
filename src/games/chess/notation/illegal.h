/* SPDX-License-Identifier: MIT */
/* A move that is not legal, for a person: how it would be written, and why it is not. */
#pragma once
#include "notation/move_text.h"

enum { ILLEGAL_SAN_MAX = SAN_MAX, ILLEGAL_WHY_MAX = 80 };

/*
 * `uci` is a move in UCI notation that is not legal in p (or any text). Writes what it comes nearest to in SAN, with
 * the first square in full: "Ng1xf3", "e5xd6", "O-O"; the text itself if it is no move of a piece of the side to move.
 * And the reason, such as "leaves the king in check", "castles through check on f1", "a knight does not move so".
 */
void illegal_move(const Position *p, const char *uci, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]);
