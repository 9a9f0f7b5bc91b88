/* SPDX-License-Identifier: MIT */
/* Every move is a check. */
#pragma once
#include "game.h"

INLINE unsigned list_checking_moves(const Position *p, Colour us, Move *list) {
    return us == p->turn ? game_moves(p, list) : 0;
}
