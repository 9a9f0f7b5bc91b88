/* SPDX-License-Identifier: MIT */
/*
 * Converts between the reference board and Position, square by square, so that the two sides of a fuzz test share only
 * the board.
 */
#pragma once
#include "reference/reference.h"
#include "rules/position.h"

/* The board must be legal. An en passant square that no legal capture can use is dropped, as Position requires. */
Position position_from_reference(const ReferenceBoard *b);
ReferenceBoard reference_from_position(const Position *p);
/* A position as FEN with file letters for castling, for messages. */
void bridge_fen(const Position *p, char fen[REFERENCE_FEN_MAX]);
/* A legal move in the spelling of the reference. */
ReferenceMove bridge_move_text(Move m);
