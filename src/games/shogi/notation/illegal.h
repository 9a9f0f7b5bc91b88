/* SPDX-License-Identifier: MIT */
/* A move that is not legal, for a person: how it would be written, and why it is not. */
#pragma once
#include "notation/move_text.h"

enum { ILLEGAL_SAN_MAX = SAN_MAX, ILLEGAL_WHY_MAX = 80 };

/*
 * `usi` is a move in USI notation that is not legal in p (or any text). Writes its piece and squares, "R2h-2c" or
 * "P*1c"; the text itself if it is no move of a piece of the side to move. And the reason, such as "black has an
 * unpromoted pawn on file 1" or "a dropped pawn may not mate".
 */
void illegal_move(const Position *p, const char *usi, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]);
