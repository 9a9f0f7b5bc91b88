/* SPDX-License-Identifier: MIT */
/* From the reference board to a position and back, square by square, so that the two sides of a fuzz test share only
   the board they look at. */
#pragma once
#include "reference/reference.h"
#include "rules/position.h"

/* The board must make sense. An en passant square that no legal capture can use is dropped, as Position wants it. */
Position position_of_board(const Board *b);
Board board_of_position(const Position *p);
/* A position as FEN with file letters for castling, for messages. */
void bridge_write(const Position *p, char fen[REFERENCE_FEN_MAX]);
/* A legal move in the spelling of the reference. */
MoveText bridge_move_text(Move m);
