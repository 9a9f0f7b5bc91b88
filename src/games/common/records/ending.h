/* SPDX-License-Identifier: MIT */
/* The end of a game that its last position shows. Threads: any thread may call it. */
#pragma once
#include "rules/movegen.h"

/* "mate" and its like, and in *result that of the side to move; null: it has a move. */
const char *position_ending(const Position *p, int *result);
