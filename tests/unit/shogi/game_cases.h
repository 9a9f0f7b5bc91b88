/* SPDX-License-Identifier: MIT */
/* The cases of test_game.c: shogi. */
#pragma once
#include "unit/game_types.h"

static const Exchange exchanges[] = {
    {"4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1", "5h5d", 100},
    {"4k4/9/4g4/4p4/9/9/9/4R4/4K4 b - 1", "5h5d", 100 - 1000},
    {"4k4/9/4g4/4p4/9/9/4L4/4R4/4K4 b - 1", "5g5d", 100}, /* the gold would be lost for a lance */
    {"4k4/9/4g4/9/9/9/9/9/4K4 b G 1", "G*5d", -570},
    {"4k4/9/4g4/9/9/9/9/4R4/4K4 b P 1", "P*5d", 0}, /* the gold does not take a defended pawn */
    {"4k4/9/9/1P7/9/9/9/9/4K4 b - 1", "8d8c+", 265 - 50},
    {"4k4/4p4/9/9/9/9/9/4R4/4R3K b - 1", "5h5b", 100}, /* the king cannot take a defended rook */
};
