/* SPDX-License-Identifier: MIT */
/* Where random games of shogi start. */
#pragma once
#include "rules/position.h"

/* The initial position, one of a known suite, or pieces thrown on the board; the state of the random numbers advances. */
Position shogi_random_start(uint64_t *state);
