/* SPDX-License-Identifier: MIT */
/*
 * King and one piece against king, solved by retrograde analysis: plies to mate with white to move. With that the
 * 50-move rule has an exact result: white wins if the mate falls on the 100th ply or before, and draws otherwise, since
 * nothing resets the halfmove clock. Search results are tested against it.
 */
#pragma once
#include "base/error.h"
#include "game.h"

typedef struct EndgameTable EndgameTable;

enum { ENDGAME_PLIES_MAX = 31 };

/* piece: QUEEN or ROOK. Mates within `most` plies (odd, up to ENDGAME_PLIES_MAX) are found. NULL with an error if there is
   no memory or a stop was requested. */
EndgameTable *endgame_table_create(PieceType piece, int most, TabiaError *error);
/* NULL is allowed. */
void endgame_table_free(EndgameTable *e);

/*
 * Plies to mate with best play; 0 if there is none within the most, or the squares are no legal position with white to
 * move.
 */
int endgame_table_plies(const EndgameTable *e, int white_king, int piece, int black_king);

/* The position, white to move. */
Position endgame_table_position(PieceType piece, int white_king, int piece_at, int black_king);
