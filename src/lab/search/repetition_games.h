/* SPDX-License-Identifier: MIT */
/*
 * Games around two locked pawns (locked_pawns.h) in which positions come again, and questions about them, with the moves that led
 * there or with the position alone: the result of one position may be another with its history. A game follows from its
 * seed.
 */
#pragma once
#include "path_key_games.h"

/* "KPK" must be solved in t. False with an error: no memory. */
bool repetition_game(const EndgameTables *t, uint64_t seed, EndgameGame *g, TabiaError *error);
