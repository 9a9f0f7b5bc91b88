/* SPDX-License-Identifier: MIT */
/* Which of our moves have wrong reply counts. */
#pragma once
#include "rules/position.h"

/* Prints the moves of p whose replies the delta count, as compiled into this test, gets wrong, one by one. */
void print_wrong_moves(const Position *p, const Move *moves, unsigned move_count);
