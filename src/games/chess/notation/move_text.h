/* SPDX-License-Identifier: MIT */
/*
 * Moves as text, out and in. Reading a move is always a question about a position: the text is matched against the
 * legal moves, so nothing illegal comes back.
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
 * Writes a legal move. Castling is written as king takes own rook if chess960 is set. If it is not, it is the king's
 * way, e1g1: except where the king is not on the e-file or the rook not in the corner, since there the king's way may
 * also be a plain king move, or no way at all; such castlings have only the one spelling. Whatever is written,
 * move_from_uci() reads it back to the same move.
 */
void move_to_uci(const Position *p, Move m, bool chess960, char out[UCI_MAX]);

/*
 * The legal move that text, all of it, spells; or 0. The promotion letter may be a capital. A text that spells a plain
 * king move or a king that takes its own rook means that; only if it spells neither, a king that goes where castling
 * would take it castles. So both castling spellings are read whatever the kind of chess, f1g1 is a king's step, and
 * with a king on g1 and its rook on h1, g1g1 castles.
 */
Move move_from_uci(const Position *p, const char *text);

/*
 * Writes a legal move, with no more of its first square than tells it from the other legal moves (file before rank),
 * '=' before the new man, and '+' or '#' as they are due.
 */
void move_to_san(const Position *p, Move m, char out[SAN_MAX]);

/*
 * The legal move that text, all of it, spells; or 0, also if it fits several. Read with goodwill: 'x', '=', check and
 * mate marks, '!' and '?', and "e.p." are believed neither when there nor when missing; '-' or ':' may stand for 'x',
 * zeros for the letters of castling, a small letter for the new man's (e8q), 'P' before a pawn's move; more of the
 * first square than needed (Ng1f3, e2-e4) is fine as long as it is true. A small b is always the b-file.
 */
Move move_from_san(const Position *p, const char *text);

/* Either notation. On 0 the error (may be null) says what is wrong with the text or with the move. */
Move move_from_text(const Position *p, const char *text, TabiaError *error);

/*
 * Plays a list of moves, either notation, parted by blanks or line ends; null or empty is no move. Move numbers as in
 * games ("1.", "12...Nf6") are skipped. True: *p is the position after them. False: *p is as it was, and the error (may
 * be null) names the first bad move, its number in the list, from 1, and what is wrong with it.
 */
bool position_play_text(Position *p, const char *moves, TabiaError *error);
