/* SPDX-License-Identifier: MIT */
/*
 * Moves as text. Reading a move always needs a position: the text is matched against the legal moves, so nothing
 * illegal is returned.
 *
 *   UCI   e2e4  e7e8q  castling: e1g1, or king takes own rook, e1h1 (Chess960)       for programs
 *   SAN   e4  Nbd2  exd8=Q+  O-O-O#                                                  for people
 *
 * No text means one move in UCI and another in SAN: read as SAN, four characters of two squares are a pawn's move from
 * the first to the second, which is the same move in UCI.
 */
#pragma once
#include "base/error.h"
#include "rules/position.h"

enum { UCI_MAX = 6, SAN_MAX = 12 }; /* room for any move written below, its '\0' included */

/*
 * Writes a legal move. With chess960 castling is written as king takes own rook. Without, it is the king's move, e1g1:
 * except where the king is not on the e-file or the rook not in the corner, since there the king's move may also be an
 * ordinary one, or no move at all; such castlings have only the one spelling. move_from_uci() reads everything back to
 * the same move.
 */
void move_to_uci(const Position *p, Move m, bool chess960, char out[UCI_MAX]);

/*
 * The legal move that text, all of it, spells; or 0. The promotion letter may be a capital. A text that spells an
 * ordinary king move or a king that takes its own rook means that; only if it spells neither, a king that goes where
 * castling would take it castles. So both castling spellings are read in standard chess and Chess960, f1g1 is a king's
 * step, and with a king on g1 and its rook on h1, g1g1 castles.
 */
Move move_from_uci(const Position *p, const char *text);

/*
 * Writes a legal move, with no more of its origin than distinguishes it from the other legal moves (file before rank),
 * '=' before the promoted piece, and '+' or '#' for check and mate.
 */
void move_to_san(const Position *p, Move m, char out[SAN_MAX]);

/*
 * The legal move that text, all of it, spells; or 0, also if it fits several. Read leniently: 'x', '=', check and mate
 * marks, '!' and '?', and "e.p." are optional and not verified; '-' or ':' may stand for 'x', zeros for the letters of
 * castling, a small letter for the promoted piece (e8q), 'P' before a pawn's move; more of the origin than needed
 * (Ng1f3, e2-e4) is accepted if it is right. A small b is always the b-file.
 */
Move move_from_san(const Position *p, const char *text);

/* Either notation. On 0 the error (may be NULL) says what is wrong with the text or with the move. */
Move move_from_text(const Position *p, const char *text, TabiaError *error);

/*
 * Makes a list of moves, either notation, separated by blanks or line ends; NULL or empty is no move. Move numbers as
 * in games ("1.", "12...Nf6") are skipped. True: *p is the position after them. False: *p is unchanged, and the error
 * (may be NULL) names the first bad move, its number in the list, from 1, and what is wrong with it.
 */
bool position_make_moves(Position *p, const char *moves, TabiaError *error);
