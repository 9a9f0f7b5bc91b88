/* SPDX-License-Identifier: MIT */
/*
 * King and one piece against king, solved: how many plies to mate, with white to move, by working backwards from the
 * mates. With that the 50-move rule has an exact answer: white wins if the mate falls on the 100th ply or before, and
 * draws otherwise, since nothing can turn the clock back. What a search says is judged by it.
 */
#pragma once
#include "base/error.h"
#include "game.h"

typedef struct Ending Ending;

enum { ENDING_PLIES_MOST = 31 };

/* man: QUEEN or ROOK. Mates within `most` plies (odd, up to ENDING_PLIES_MOST) are found. NULL with an error if there is
   no memory. */
Ending *ending_solve(Kind man, int most, TabiaError *error);
/* NULL is fine. */
void ending_free(Ending *e);

/* Plies to mate by best play of both sides; 0 if there is none within the most, or the squares are no position with
   white to move. */
int ending_plies(const Ending *e, int white_king, int man, int black_king);

/* The position, white to move. */
Position ending_position(Kind man, int white_king, int man_at, int black_king);
