/* SPDX-License-Identifier: MIT */
/* What the table of game_cases.h, of each game, has in a row. */
#pragma once

/* A move, and what all captures on its target together gain; worked out by hand. */
typedef struct {
    const char *fen, *move;
    int value;
} Exchange;
