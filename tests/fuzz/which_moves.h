/* SPDX-License-Identifier: MIT */
/* Which of our moves a wrong sum got wrong. */
#pragma once
#include "rules/position.h"

/* Prints the moves of p whose replies the sums, as compiled into this test, get wrong, one by one. */
void print_wrong_moves(const Position *p, const Move *moves, unsigned move_count);
