/* SPDX-License-Identifier: MIT */
/*
 * Moves as text. Reading a move always needs a position: the text is matched against the legal moves, so nothing
 * illegal is returned. A game has two notations: that of its protocol, for programs, and one for people. What they look
 * like is said where the game reads and writes them (chess: uci_move.c, san.c; shogi: usi_move.c).
 */
#pragma once
#include "base/error.h"
#include "rules/position.h"

enum { UCI_MAX = 6, SAN_MAX = 12 }; /* room for any move written below, its '\0' included */

/* Writes a legal move as programs do. With chess960 castling is written as king takes own rook. */
void move_to_uci(const Position *p, Move m, bool chess960, char out[UCI_MAX]);

/* The legal move that text, all of it, spells so; or 0. */
Move move_from_uci(const Position *p, const char *text);

/* Writes a legal move for people. */
void move_to_san(const Position *p, Move m, char out[SAN_MAX]);

/* The legal move that text, all of it, spells so; or 0, also if it fits several. */
Move move_from_san(const Position *p, const char *text);

/* Either notation. On 0 the error (may be NULL) says what is wrong with the text or with the move. */
Move move_from_text(const Position *p, const char *text, TabiaError *error);

/*
 * Makes a list of moves, either notation, separated by blanks or line ends; NULL or empty is no move. Move numbers as
 * in games ("1.", "12...Nf6") are skipped. True: *p is the position after them. False: *p is unchanged, and the error
 * (may be NULL) names the first bad move, its number in the list, from 1, and what is wrong with it.
 */
bool position_make_moves(Position *p, const char *moves, TabiaError *error);

enum { ILLEGAL_SAN_MAX = SAN_MAX, ILLEGAL_WHY_MAX = 96 };

/*
 * A move that is not legal, for a person. `text` is a move in the notation of the protocol that is not legal in p (or any text).
 * Writes what it comes nearest to for people, with the origin in full: "Ng1xf3", "O-O", "R2h-2c"; the text itself if it is no
 * move of a piece of the side to move. And the reason, such as "it would leave white's king in check", "a dropped pawn may not
 * mate".
 */
void illegal_move(const Position *p, const char *text, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]);

/* ---- the game's part of reading ---- */

/* Writes such a move; the text itself where it is none. */
void move_write_illegal(const Position *p, const char *text, char san[ILLEGAL_SAN_MAX]);

/* Why a text is no legal move. The reason is found afterwards, without regard for the king, so that "cannot go there" and
   "would leave the king in check" are distinguished. Always false. */
bool move_explain_refusal(const Position *p, const char *text, TabiaError *reason);

/* What may stand behind a move in a list and is none, such as "e.p.", to NULL. */
extern const char *const move_marks[];
